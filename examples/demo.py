"""Optimizes real models and shows what that did. Runs on a GPU where there is one, and anywhere else on the CPU."""

import copy
import statistics
import sys
import time
import warnings

import torch

import models
import torchweld

WIDTH = 80
SECONDS_OF_TIMING = 0.6  # for each model, before and after
TARGET = "sm_90"


def main():
    warnings.simplefilter("ignore", DeprecationWarning)
    torch._C._jit_set_texpr_fuser_enabled(False)  # times and errors are against TorchScript without its own fuser
    device = "cuda" if torch.cuda.is_available() else "cpu"
    heading(f"Torchweld on {device_name(device)}, PyTorch {torch.__version__}")
    kernels = {}
    for name, load, calls in workloads(device):
        show_model(name, load, calls, kernels)
    show_kernel(kernels)
    show_resources(kernels)


def workloads(device):
    """Name, a function that makes the module, and the inputs of each call to show."""
    image = torch.Generator().manual_seed(1)

    def random(*sizes):
        return torch.randn(sizes, generator=image).to(device)

    yield "silero_vad", lambda: models.silero().to(device), [(random(1, 512), 16000)]
    yield "MiniLM-L6", lambda: models.minilm(device), [minilm_inputs(4, 128, device), minilm_inputs(2, 77, device)]
    yield "ResNet-18", lambda: models.resnet18().to(device), [(random(1, 3, 224, 224),), (random(8, 3, 160, 160),)]
    for name, (function, inputs) in models.teaching_set(device=device).items():
        yield name, lambda function=function: function, [inputs]


def minilm_inputs(batch, length, device):
    return tuple(tensor.to(device) for tensor in models.minilm_inputs(batch, length))


def show_model(name, load, calls, kernels):
    progress(f"{name}: loading")
    try:
        before = load()
    except models.Missing as missing:
        return print(f"\n{name}: left out: {missing}")
    progress(f"{name}: optimizing")
    after = torchweld.optimize(before)
    for inputs in calls:
        progress(f"{name}: compiling and timing")
        show_call(name, before, after, inputs)
        for kernel in torchweld.kernels(after, *inputs, target=TARGET):
            kernels.setdefault(kernel["text"], (name, kernel))


@torch.no_grad()
def show_call(name, before, after, inputs):
    totals = torchweld.report(after, *inputs)["totals"]
    error = largest_error(fresh(after)(*inputs), fresh(before)(*inputs))
    slow, fast = seconds_of(before, inputs), seconds_of(after, inputs)
    progress("")
    print(f"\n{name}  {describe(inputs)}")
    print(f"  regions {totals['regions']}, with {totals['ops_fused']} of the {totals['ops_fusable']} ops that could be fused")
    print(f"  kernels {totals['kernels_before']} -> {totals['kernels_after']}", end="")
    print(f"   bytes {size(totals['bytes_before'])} -> {size(totals['bytes_after'])}", end="")
    print(f" (at best {size(totals['bytes_ideal'])})")
    print(f"  time {slow * 1e3:.3f} -> {fast * 1e3:.3f} ms a call   largest error {error:.1e}", flush=True)
    if totals["fallback_calls"]:
        print(f"  {totals['fallback_calls']} calls of regions fell back to the original nodes")


def fresh(module):
    """A model may keep state between calls: compare copies."""
    return module if isinstance(module, torch.jit.ScriptFunction) else copy.deepcopy(module)


def largest_error(ours, theirs):
    """The largest difference over the largest magnitude of TorchScript's result."""
    return ((ours - theirs).abs().max() / theirs.abs().max()).item()


def seconds_of(module, inputs):
    times, end = [], time.perf_counter() + SECONDS_OF_TIMING
    module(*inputs)
    while not times or time.perf_counter() < end:
        synchronize()
        start = time.perf_counter()
        module(*inputs)
        synchronize()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def synchronize():
    if torch.cuda.is_available():
        torch.cuda.synchronize()


def show_kernel(kernels):
    chosen = [kernel for name, kernel in kernels.values() if name == "softmax"]
    if not chosen:
        return
    heading("The kernel of softmax, as generated")
    print(chosen[0]["text"])


def show_resources(kernels):
    heading(f"{len(kernels)} CUDA kernels, compiled for {TARGET} by NVRTC")
    print(f"{'kernel':<34} {'schedule':<22} registers shared spills")
    for _, kernel in kernels.values():
        print(f"{clip(kernel['name'], 34):<34} {clip(kernel['schedule'], 22):<22}", end="")
        print(f" {kernel['registers']:>9} {kernel['shared_bytes']:>6} {kernel['spilled_bytes']:>6}")
    spilling = sum(kernel["spilled_bytes"] > 0 for _, kernel in kernels.values())
    print(f"\n{spilling} of {len(kernels)} spill registers to memory")


def heading(title):
    print(f"\n{title}\n{'-' * min(len(title), WIDTH)}")


def progress(step):
    """One line that is written over, on a terminal only."""
    if sys.stdout.isatty():
        print(f"\r{step:<{WIDTH - 1}}\r" if not step else f"\r{clip(step, WIDTH - 1):<{WIDTH - 1}}", end="", flush=True)


def clip(text, width):
    return text if len(text) <= width else text[: width - 2] + ".."


def size(count):
    for unit in ("B", "KiB", "MiB"):
        if count < 1000:
            return f"{count:.3g} {unit}"
        count /= 1024
    return f"{count:.3g} GiB"


def describe(inputs):
    names = {torch.float32: "f32", torch.int64: "i64"}
    return " ".join(
        f"{names.get(value.dtype, value.dtype)}[{','.join(map(str, value.shape))}]" if torch.is_tensor(value) else str(value)
        for value in inputs
    )


def device_name(device):
    if device == "cuda":
        return torch.cuda.get_device_name()
    threads = torch.get_num_threads()
    return f"the CPU ({threads} thread{'' if threads == 1 else 's'})"


if __name__ == "__main__":
    main()
