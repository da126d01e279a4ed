"""Ten architectures of torchvision and transformers at small size, with random weights, as TorchScript modules.

`python examples/architectures.py > docs/models.md` writes what share of each is fused.
"""

import os
import warnings

import torch

import torchweld

IMAGE = 64  # pixels a side: enough for every stage of the vision models


def _image(batch=1):
    return torch.randn(batch, 3, IMAGE, IMAGE, generator=torch.Generator().manual_seed(5))


def _words(batch=2, length=17, words=128):
    return torch.randint(0, words, (batch, length), generator=torch.Generator().manual_seed(5))


def _vision(name, **options):
    import torchvision

    torch.manual_seed(0)
    model = getattr(torchvision.models, name)(weights=None, num_classes=10, **options).eval()
    for parameter in model.parameters():
        if parameter.abs().max() == 0:  # a head of zeros would hide every mistake before it
            torch.nn.init.normal_(parameter, std=0.1)
    return torch.jit.script(model), (_image(),)


class _First(torch.nn.Module):
    """A transformers model whose first result alone is returned: a trace holds no classes."""

    def __init__(self, model, **named):
        super().__init__()
        self.model = model
        self.named = named

    def forward(self, x):
        return self.model(x, **self.named)[0]


def _language(make, inputs, **named):
    import transformers

    os.environ["HF_HUB_OFFLINE"] = "1"
    transformers.logging.set_verbosity_error()
    torch.manual_seed(0)
    model = _First(make(transformers).eval(), **named)
    return torch.jit.trace(model, (inputs,), check_trace=False), (inputs,)


def mobilenet_v3():
    return _vision("mobilenet_v3_small")


def efficientnet_b0():
    return _vision("efficientnet_b0")


def convnext_tiny():
    return _vision("convnext_tiny")


def vit_b_16():
    return _vision("vit_b_16", image_size=IMAGE)


def swin_t():
    return _vision("swin_t")


def bert():
    def make(library):
        return library.BertModel(
            library.BertConfig(vocab_size=128, hidden_size=64, num_hidden_layers=2, num_attention_heads=4, intermediate_size=128)
        )

    return _language(make, _words())


def gpt2():
    def make(library):
        return library.GPT2Model(library.GPT2Config(vocab_size=128, n_positions=64, n_embd=64, n_layer=2, n_head=4))

    return _language(make, _words(), use_cache=False)


def t5_encoder():
    def make(library):
        return library.T5EncoderModel(library.T5Config(vocab_size=128, d_model=64, d_kv=16, d_ff=128, num_layers=2, num_heads=4))

    return _language(make, _words())


def llama():
    def make(library):
        return library.LlamaModel(
            library.LlamaConfig(
                vocab_size=128, hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2
            )
        )

    return _language(make, _words(), use_cache=False)


def whisper_encoder():
    def make(library):
        config = library.WhisperConfig(
            d_model=64, encoder_layers=2, encoder_attention_heads=4, encoder_ffn_dim=128, num_mel_bins=16, max_source_positions=50
        )
        return library.models.whisper.modeling_whisper.WhisperEncoder(config)

    return _language(make, torch.randn(2, 16, 100, generator=torch.Generator().manual_seed(5)))


ARCHITECTURES = {
    make.__name__: make
    for make in (mobilenet_v3, efficientnet_b0, convnext_tiny, vit_b_16, swin_t, bert, gpt2, t5_encoder, llama, whisper_encoder)
}

# Left out of the count: what fusion is not about. An op of the second list counts where it copies.
LIBRARY_OPS = ("linear", "matmul", "mm", "bmm", "addmm", "baddbmm", "einsum", "conv", "_convolution", "embedding")
LIBRARY_PREFIXES = ("conv", "scaled_dot_product", "_native_multi_head", "max_pool", "avg_pool", "adaptive_")
VIEW_OPS = (
    "alias chunk contiguous detach expand expand_as flatten narrow numpy_T permute reshape select slice split split_with_sizes "
    "squeeze swapaxes t to transpose type_as unbind unflatten unsqueeze view view_as"
).split()
HOST_OPS = ("item", "is_nonzero", "_local_scalar_dense", "lift_fresh", "empty", "dropout", "dropout_", "resolve_conj")


def executed_outside(fast, inputs):
    """Counts by name the ops that one call runs outside of regions, less library calls, pure views and host queries."""
    with torch.no_grad(), torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
        fast(*inputs)
    counts = {}
    for event in profile.events():
        name = event.name.removeprefix("aten::")
        if name == event.name or _is_part_of_an_op(event) or name in HOST_OPS or name in LIBRARY_OPS:
            continue
        if name.startswith(LIBRARY_PREFIXES) or (name in VIEW_OPS and not _copies(event)):
            continue
        counts[name] = counts.get(name, 0) + 1
    return counts


def _is_part_of_an_op(event):
    parent = event.cpu_parent
    return parent is not None and (parent.name.startswith(("aten::", "torchweld::")) or _is_part_of_an_op(parent))


def _copies(event):
    return any(child.name in ("aten::copy_", "aten::clone") or _copies(child) for child in event.cpu_children)


def executed_inside(report):
    """Ops of regions that one call ran as kernels, less views."""
    return sum(r["kernels_before"] * r["fused_calls"] for method in report["methods"] for r in method["regions"])


def measure(name):
    """One row of the table, as a dict."""
    module, inputs = ARCHITECTURES[name]()
    with torch.no_grad():
        fast = torchweld.optimize(module)
        ours, theirs = _tensor_of(fast(*inputs)), _tensor_of(module(*inputs))
        report = torchweld.report(fast, *inputs)
    outside = executed_outside(fast, inputs)
    inside = executed_inside(report)
    totals = report["totals"]
    return {
        "name": name,
        "error": ((ours - theirs).abs().max() / theirs.abs().max()).item(),
        "inside": inside,
        "share": inside / (inside + sum(outside.values())),
        "outside": outside,
        "fallbacks": totals["fallback_calls"],
        **{key: totals[key] for key in ("kernels_before", "kernels_after", "bytes_before", "bytes_after")},
    }


def _tensor_of(result):
    return result[0] if isinstance(result, (tuple, list)) else result


HEAD = """# What is fused of ten architectures

Small versions with random weights, scripted (torchvision) or traced (transformers), on the CPU; made by
`PYTHONPATH=python python examples/architectures.py > docs/models.md`. Counted are the ops that one call executes, less
what fusion is not about: matrix products, convolutions, attention, pooling, embedding, and views that copy nothing.
Errors are relative to the largest magnitude of TorchScript's result. "Ops outside" ran as TorchScript's own.
"""


def main():
    warnings.simplefilter("ignore")
    rows = [measure(name) for name in ARCHITECTURES]
    print(HEAD)
    print("| model | ops in regions | kernels of regions | bytes of regions | largest error | ops outside |")
    print("| --- | ---: | ---: | ---: | ---: | --- |")
    for row in rows:
        outside = ", ".join(f"{count} {op}" for op, count in sorted(row["outside"].items()))
        print(
            f"| {row['name']} | {row['inside']} ({row['share']:.0%}) | {row['kernels_before']} -> {row['kernels_after']} "
            f"| {row['bytes_before'] / 2**20:.2f} -> {row['bytes_after'] / 2**20:.2f} MiB | {row['error']:.0e} | {outside} |"
        )
    inside, outside = sum(row["inside"] for row in rows), sum(sum(row["outside"].values()) for row in rows)
    print(f"\nTogether {inside} of {inside + outside} ops ({inside / (inside + outside):.1%}) run in regions.")


if __name__ == "__main__":
    main()
