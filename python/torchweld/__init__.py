"""Torchweld: a fusion compiler for TorchScript.

    fast = torchweld.optimize(torch.jit.script(model), numerics="eager")
    fast(x)                                   # calls, saves and deep-copies like the original
    print(torchweld.report(fast, x, format="text"))

torch.compile(model, backend="torchweld") optimizes every graph that Dynamo finds, for inference.
"""

import copy
import io
import json
import warnings

import torch

from . import _library

__all__ = ["Error", "kernels", "load", "optimize", "options", "report"]

_ops = _library.load()


class Error(ValueError):
    """The caller's fault: what is wrong, what was found and what was expected."""


def optimize(model, example_inputs=None, **options):
    """A ScriptModule that computes what `model` does with fused kernels; `model` stays as it is.

    `model` is a scripted or traced module or function, or a torch.nn.Module or Python function, which is scripted, or
    traced with `example_inputs` where scripting fails. `example_inputs`, a tuple, also compiles the kernels for inputs
    of its sizes ahead of the first call. `options()` lists the options: numerics="eager", strict=True.
    """
    script = _script_module(model, example_inputs)
    fast, outcome = _call(_ops.optimize_with_outcome, script._c, _strings(options))
    fast = _wrap(fast, outcome)
    if example_inputs is not None:
        _compile_ahead(fast, _as_tuple(example_inputs))
    return fast


def options(**named):
    """Every option of `optimize` with its value, as strings: the default of each that is not named."""
    return dict(_call(_ops.options, _strings(named)))


def load(path, device=None):
    """Loads a saved module, optimized or not, as a ScriptModule, and keeps PyTorch's own fuser and profiling out."""
    module = _wrap(_call(_ops.load, str(path)), None)
    return module if device is None else module.to(device)


def report(module, *inputs, method="forward", format="dict"):
    """What was fused in `module`, what was not and why, and the bytes that each choice moves.

    With `inputs`, what one call with them does (on a copy); without, everything that `module` was called with so far.
    `format` is "dict" (the JSON report), "json", "text" or "dot" (a graph for Graphviz).
    """
    if format not in ("dict", "json", "text", "dot"):
        raise Error(f"report: format is '{format}', expected dict, json, text or dot")
    wanted = "json" if format == "dict" else format
    printed = _call(_ops.report, module._c, _outcome(module), method, inputs, wanted)
    return json.loads(printed) if format == "dict" else printed


def kernels(module, *inputs, method="forward", target=None):
    """The kernels of `module` as dicts: name, schedule, text, and for CUDA registers, shared_bytes and spilled_bytes.

    `inputs` as in `report`. `target` is "cpp", or a CUDA architecture such as "sm_90", which needs no GPU: the text is
    compiled by NVRTC; the device's own when not given.
    """
    return json.loads(_call(_ops.kernels, module._c, _outcome(module), method, inputs, target or ""))


def _strings(options):
    return {name: str(value) for name, value in options.items()}


def _compile_ahead(fast, inputs):
    """Calls a copy of `fast` with copies of `inputs`: neither state, nor inputs, nor random numbers change."""
    devices = range(torch.cuda.device_count()) if torch.cuda.is_initialized() else []
    with torch.no_grad(), torch.random.fork_rng(devices):
        try:
            copy.deepcopy(fast)(*copy.deepcopy(_detached(inputs)))
        except Exception as error:  # the model's own, which its caller meets again
            reason = (str(error).strip().splitlines() or [type(error).__name__])[-1]
            warnings.warn(f"torchweld: not everything is compiled ahead, the model raises for example_inputs: {reason}")


def _detached(value):
    """`value` with tensors that deepcopy takes: leaves of no autograd graph."""
    if isinstance(value, torch.Tensor):
        return value.detach()
    if isinstance(value, dict):
        return {key: _detached(element) for key, element in value.items()}
    return type(value)(map(_detached, value)) if type(value) in (list, tuple) else value


def _script_module(model, example_inputs):
    if isinstance(model, torch.jit.ScriptFunction):
        return _module_of(model)
    if isinstance(model, torch.jit.ScriptModule):
        return model
    if not callable(model):
        raise Error(f"optimize: model is a {type(model).__name__}, expected a module or a function")
    try:
        scripted = torch.jit.script(model)
    except Exception as error:
        if example_inputs is None:
            raise Error(
                f"optimize: {type(model).__name__} cannot be scripted, expected one that can, or example_inputs to "
                f"trace it with ({str(error).strip().splitlines()[0]})"
            ) from error
        scripted = torch.jit.trace(model, _as_tuple(example_inputs), check_trace=False, strict=False)
    return _script_module(scripted, example_inputs)


def _module_of(function):
    """A module whose forward calls `function`."""
    if "__torch__." in str(function.schema):  # a class that no source text can name
        return torch.jit.load(io.BytesIO(function.save_to_buffer()))  # forgets which constants were numbers

    class Caller(torch.nn.Module):  # one each time: TorchScript keeps one type per class
        pass

    parameters, passed = ["self"], []
    for argument in function.schema.arguments:
        if argument.kwarg_only and "*" not in parameters:
            parameters.append("*")
        default = f" = {argument.default_value!r}" if argument.has_default_value() else ""
        parameters.append(f"{argument.name}: {argument.type.annotation_str}{default}")
        passed.append(f"{argument.name}={argument.name}" if argument.kwarg_only else argument.name)
    module = torch.jit.script(Caller())
    module.define(f"def forward({', '.join(parameters)}):\n    return function({', '.join(passed)})\n")
    return module


def _wrap(cpp_module, outcome):
    module = torch.jit._recursive.wrap_cpp_module(cpp_module)
    object.__setattr__(module, "_torchweld_outcome", outcome)
    return module


def _outcome(module):
    return module.__dict__.get("_torchweld_outcome")


def _as_tuple(inputs):
    return tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,)


def _call(op, *arguments):
    """Our own errors reach Python as one line without PyTorch's C++ stack."""
    try:
        return op(*arguments)
    except RuntimeError as error:
        message = str(error).rpartition("RuntimeError: ")[2]  # TorchScript's own errors follow a trace of the model
        raise Error(message.splitlines()[0]) from None


from . import dynamo  # noqa: E402  (calls what is defined above)

if not _library.is_installed():
    dynamo.register()
