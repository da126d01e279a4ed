"""torch.compile(model, backend="torchweld"), for inference: each graph of Dynamo is traced and optimized."""

import contextlib
import functools
import importlib.metadata
import sys
import warnings

import torch

import torchweld

NAME = "torchweld"
ENTRY_POINT = f"{__name__}:backend"

# Dynamo passes sizes that it keeps open as numbers. A graph is traced for each combination of them; beyond this many
# the one that was used longest ago is traced again when it comes back.
MAX_TRACES = 64


def backend(graph_module, example_inputs, *, mode=None, options=None):
    """What Dynamo calls with a graph; returns a function that takes and returns what the graph does.

    `options` are those of torchweld.optimize: torch.compile(model, backend="torchweld", options={"numerics": "eager"}).
    A graph that needs gradients or cannot be traced runs as it was, and one warning says why; with `strict` what
    tracing raises comes through.
    """
    if mode is not None:
        raise torchweld.Error(f"torch.compile: mode is '{mode}', expected none: set options, such as numerics, instead")
    options = options or {}
    strict = torchweld.options(**options)["strict"] == "true"  # refuses wrong options before the first call

    @functools.lru_cache(maxsize=MAX_TRACES)
    def traced_for(numbers):
        return _Traced(graph_module, numbers, options, strict)

    def call(*inputs):
        return traced_for(tuple(None if isinstance(value, torch.Tensor) else value for value in inputs))(inputs)

    return call


class _Traced:
    """A graph for one combination of its inputs that are no tensors. It is traced when it is called first."""

    def __init__(self, graph_module, numbers, options, strict):
        self._graph_module = graph_module
        self._numbers = numbers
        self._options = options
        self._strict = strict
        self._fast = None
        self._refused = False

    def __call__(self, inputs):
        if self._fast is None and not self._refused:
            self._optimize(inputs)
        if self._refused:
            return self._graph_module(*inputs)
        with contextlib.ExitStack() as stack:
            for device in self._autocast:  # the trace holds the casts
                stack.enter_context(torch.autocast(device, enabled=False))
            tensors = iter(self._fast(*self._tensors(inputs)))
        return tuple(next(tensors) if value is _TENSOR else value for value in self._outputs)

    def _tensors(self, inputs):
        return [value for value, number in zip(inputs, self._numbers) if number is None]

    def _optimize(self, inputs):
        try:
            reason = self._why_not(inputs)
            if not reason:
                self._fast = torchweld.optimize(self._trace(inputs), **self._options)
        except Exception as error:  # whatever tracing raises; the graph itself runs without us
            if self._strict:
                raise
            reason = f"it cannot be traced: {(str(error).strip().splitlines() or [type(error).__name__])[0]}"
        if reason:
            self._refused = True
            warnings.warn(f"torchweld: a graph of torch.compile runs as it was: {reason}")

    def _why_not(self, inputs):
        """Dynamo compiles again when a gradient is asked of other inputs, so the first call speaks for all."""
        turned_on = any(
            node.target is torch._C._set_grad_enabled and node.args[0] for node in self._graph_module.graph.nodes
        )
        tensors = self._tensors(inputs)
        if (torch.is_grad_enabled() or turned_on) and any(tensor.requires_grad for tensor in tensors):
            return "an input or weight requires grad, expected a call under torch.no_grad() or torch.inference_mode()"
        strange = [type(number).__name__ for number in self._numbers if not isinstance(number, _NUMBERS)]
        return f"an input is a {strange[0]}, expected tensors and numbers" if strange else ""

    def _trace(self, inputs):
        """Traces with copies: the graph may write into its inputs. Random numbers are drawn again by the first call."""
        flat = _TensorsOnly(self._graph_module, self._numbers)
        copies = tuple(tensor.clone() for tensor in self._tensors(inputs))
        devices = range(torch.cuda.device_count()) if torch.cuda.is_initialized() else []
        with torch.random.fork_rng(devices), warnings.catch_warnings(), torch.no_grad():
            warnings.simplefilter("ignore", torch.jit.TracerWarning)
            traced = torch.jit.trace(flat, copies, check_trace=False, strict=False)
        self._outputs = flat.outputs
        self._autocast = [device for device in ("cpu", "cuda") if torch.is_autocast_enabled(device)]
        return traced


_NUMBERS = (int, float, bool, type(None))
_TENSOR = object()  # stands for a tensor among outputs


class _TensorsOnly(torch.nn.Module):
    """A graph that takes and returns nothing but tensors, as tracing wants it."""

    def __init__(self, graph_module, numbers):
        super().__init__()
        self.graph_module = graph_module
        self._numbers = numbers

    def forward(self, *tensors):
        rest = iter(tensors)
        outputs = self.graph_module(*[next(rest) if number is None else number for number in self._numbers])
        self.outputs = [_TENSOR if isinstance(value, torch.Tensor) else value for value in outputs]
        return tuple(value for value in outputs if isinstance(value, torch.Tensor))


class _Uninstalled(importlib.metadata.Distribution):
    """The entry point of the package where no installer wrote it down: Dynamo looks there for backends."""

    def read_text(self, filename):
        return {
            "METADATA": f"Metadata-Version: 2.1\nName: {NAME}\n",
            "entry_points.txt": f"[torch_dynamo_backends]\n{NAME} = {ENTRY_POINT}\n",
        }.get(filename)

    def locate_file(self, path):
        return path


class _Finder:
    def find_spec(self, *_):
        return None

    def find_distributions(self, context=None):
        wanted = getattr(context, "name", None)
        return [_Uninstalled()] if wanted in (None, NAME) else []


def register():
    """Makes the name known to Dynamo without loading it, which takes seconds."""
    registry = sys.modules.get("torch._dynamo.backends.registry")
    if registry is None:
        sys.meta_path.append(_Finder())
    elif NAME not in registry._BACKENDS:
        registry.register_backend(backend, name=NAME)
