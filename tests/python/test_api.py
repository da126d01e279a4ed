"""What Python users call."""

import copy
import json
from typing import NamedTuple, Optional

import pytest
import torch
import torchweld
from comparison import all_plans, assert_fused


class Scale(torch.nn.Module):
    """A parameter, a buffer, a plain attribute and a second method."""

    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.linspace(0.5, 1.5, 8))
        self.register_buffer("shift", torch.full((8,), 0.25))
        self.power = 2

    def forward(self, x):
        return torch.relu(x * self.weight + self.shift) * self.power

    @torch.jit.export
    def negative(self, x):
        return -(x * self.weight)


def swish(x):
    return x * torch.sigmoid(x)


def double_and_shift(x):
    return x * 2 + 1


class Pair(NamedTuple):
    tensor: torch.Tensor
    factor: int


def scale_pair(pair: Pair):
    return torch.relu(pair.tensor) * pair.factor


@pytest.fixture
def x(device):
    return torch.randn(4, 8, device=device)


@pytest.fixture
def scale(device):
    return Scale().eval().to(device)


class TestOptimizeTakes:
    def check(self, fast, original, *inputs):
        assert torch.allclose(fast(*inputs), original(*inputs), rtol=1e-6, atol=1e-6)
        assert_fused(torchweld.report(fast, *inputs))

    def test_a_scripted_module(self, scale, x):
        self.check(torchweld.optimize(torch.jit.script(scale)), scale, x)

    def test_a_traced_module(self, scale, x):
        self.check(torchweld.optimize(torch.jit.trace(scale, (x,))), scale, x)

    def test_a_plain_module(self, scale, x):
        self.check(torchweld.optimize(scale), scale, x)

    def test_a_scripted_function(self, x):
        self.check(torchweld.optimize(torch.jit.script(swish)), swish, x)

    def test_a_traced_function(self, x):
        self.check(torchweld.optimize(torch.jit.trace(swish, (x,))), swish, x)

    def test_a_plain_function(self, x):
        self.check(torchweld.optimize(swish), swish, x)

    def test_a_function_with_every_kind_of_parameter(self, x):
        def scaled(x, by: int = 3, shift: Optional[torch.Tensor] = None, name: str = "it's", *, last: float):
            result = torch.relu(x * by) + last
            return (result if shift is None else result + shift), name

        fast = torchweld.optimize(torch.jit.script(scaled))
        for arguments in [{}, {"by": 2}, {"shift": x, "name": "z"}]:
            ours, theirs = fast(x, last=0.5, **arguments), scaled(x, last=0.5, **arguments)
            assert torch.allclose(ours[0], theirs[0]) and ours[1] == theirs[1]

    def test_a_function_of_a_class(self, x):
        function = torch.jit.script(scale_pair)
        assert torch.equal(torchweld.optimize(function)(Pair(x, 2)), function(Pair(x, 2)))

    def test_a_traced_function_whose_constants_are_numbers(self, device):
        counts = torch.arange(4, dtype=torch.int32, device=device)
        fast = torchweld.optimize(torch.jit.trace(lambda x: x * 0.5 + 1.5, (counts,)))
        assert fast(counts).dtype == torch.float32

    def test_what_can_only_be_traced(self, x):
        def traced_only(x):
            return [part for part in (x * torch.sigmoid(x) for _ in range(1))][0]

        self.check(torchweld.optimize(traced_only, (x,)), traced_only, x)

    def test_an_optimized_module_again(self, scale, x):
        self.check(torchweld.optimize(torchweld.optimize(scale)), scale, x)


class TestOptimizeRefuses:
    def test_what_is_no_model(self):
        with pytest.raises(torchweld.Error, match="^optimize: model is a int, expected a module or a function$"):
            torchweld.optimize(3)

    def test_what_cannot_be_scripted_when_there_are_no_inputs_to_trace_with(self):
        def unscriptable(x, **named):
            return x

        with pytest.raises(torchweld.Error, match="^optimize: function cannot be scripted, expected one that can, or"):
            torchweld.optimize(unscriptable)

    def test_an_unknown_option(self, scale):
        with pytest.raises(torchweld.Error, match="^options: 'numeric' is not an option, expected one of arch, "):
            torchweld.optimize(scale, numeric="eager")

    def test_a_wrong_value_of_an_option(self, scale):
        with pytest.raises(torchweld.Error, match="^options: mode is 'lazy', expected one of block background "):
            torchweld.optimize(scale, mode="lazy")


class TestTheModuleStays:
    def test_callable_by_every_method(self, scale, x):
        fast = torchweld.optimize(scale)
        assert torch.allclose(fast.negative(x), scale.negative(x))

    def test_the_owner_of_its_names(self, scale):
        fast = torchweld.optimize(scale)
        assert fast.power == 2
        assert [name for name, _ in fast.named_parameters()] == ["weight"]
        assert "shift" in dict(fast.named_buffers())

    def test_one_that_shares_weights_with_the_original(self, scale, x):
        fast = torchweld.optimize(scale)
        scale.weight.mul_(2)
        assert torch.allclose(fast(x), scale(x))

    def test_able_to_load_a_state_dict(self, scale, x):
        fast = torchweld.optimize(scale)
        other = Scale().eval().to(x.device)
        other.weight.mul_(3)
        fast.load_state_dict(other.state_dict())
        assert torch.allclose(fast(x), other(x))

    def test_deep_copied_apart(self, scale, x):
        fast = torchweld.optimize(scale)
        copied = copy.deepcopy(fast)
        expected = fast(x)
        fast.weight.zero_()
        assert torch.allclose(copied(x), expected)
        assert_fused(torchweld.report(copied, x))

    @pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16, torch.float16], ids=str)
    def test_moved_to_another_dtype(self, scale, x, dtype):
        fast = torchweld.optimize(scale).to(dtype)
        expected = copy.deepcopy(scale).to(dtype)(x.to(dtype))
        result = fast(x.to(dtype))
        assert result.dtype == dtype
        assert torch.allclose(result, expected, rtol=2e-2 if dtype != torch.float64 else 1e-12)

    @pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")
    def test_moved_to_another_device(self, scale):
        fast = torchweld.optimize(scale.cpu())
        x = torch.randn(4, 8)
        expected = fast(x)
        assert torch.allclose(fast.cuda()(x.cuda()).cpu(), expected, rtol=1e-6)

    def test_saved_and_loaded_in_a_fresh_process(self, scale, x, fresh_python, tmp_path):
        fast = torchweld.optimize(scale)
        fast.save(str(tmp_path / "fast.pt"))
        torch.save(x, tmp_path / "x.pt")
        printed = fresh_python(
            """
import json, sys, torch, torchweld
fast, x = torchweld.load(sys.argv[1] + "/fast.pt"), torch.load(sys.argv[1] + "/x.pt")
with torch.no_grad():
    torch.save((fast(x), fast.negative(x), fast.power), sys.argv[1] + "/results.pt")
print(json.dumps(torchweld.report(fast)))
""",
            tmp_path,
        )
        result, negative, power = torch.load(tmp_path / "results.pt")
        assert torch.equal(result, fast(x)) and torch.equal(negative, fast.negative(x)) and power == 2
        assert_fused(json.loads(printed))


class TestGradients:
    @torch.enable_grad()
    def test_weights_that_require_grad_do_not_turn_kernels_off(self, scale, x):
        assert scale.weight.requires_grad
        fast = torchweld.optimize(scale)
        fast(x)
        assert_fused(torchweld.report(fast))

    @torch.enable_grad()
    def test_an_input_that_requires_grad_gets_its_gradient(self, scale, x):
        fast = torchweld.optimize(scale)
        ours, theirs = x.clone().requires_grad_(), x.clone().requires_grad_()
        fast(ours).sum().backward()
        scale(theirs).sum().backward()
        assert torch.allclose(ours.grad, theirs.grad)


class TestReport:
    def test_has_a_version_and_sums(self, scale, x):
        report = torchweld.report(torchweld.optimize(scale), x)
        assert report["version"] == 1
        assert report["totals"]["regions"] == 1
        assert report["totals"]["ops_fused"] == report["totals"]["ops_fusable"] == 4
        assert report["totals"]["kernels_after"] == 1

    def test_tells_the_bytes_of_a_plan(self, scale, x):
        [plan] = all_plans(torchweld.report(torchweld.optimize(scale), x))
        assert plan["bytes_ideal"] == 4 * (2 * x.numel() + 16)
        assert plan["bytes_planned"] == plan["bytes_ideal"] < plan["bytes_eager"]

    def test_counts_a_fallback_with_its_reason(self, x):
        fast = torchweld.optimize(double_and_shift)
        report = torchweld.report(fast, x.to(torch.complex64))
        [region] = report["methods"][0]["regions"]
        assert [(entry["reason"], entry["count"]) for entry in region["fallbacks"]] == [("dtype", 1)]

    def test_names_what_is_outside_and_why(self, device):
        def program(x, y):
            return torch.relu(torch.mm(x * 2, y) + 1)

        fast = torchweld.optimize(program)
        outside = torchweld.report(fast)["methods"][0]["outside"]
        assert ("aten::mm", "unknown_op") in [(entry["op"], entry["reason"]) for entry in outside]

    def test_prints_text_within_80_columns(self, scale, x):
        text = torchweld.report(torchweld.optimize(scale), x, format="text")
        assert "regions  1, with 4 of the 4 ops that could be fused" in text
        assert max(map(len, text.splitlines())) <= 80

    def test_refuses_an_unknown_format(self, scale):
        with pytest.raises(torchweld.Error, match="^report: format is 'xml', expected dict, json, text or dot$"):
            torchweld.report(torchweld.optimize(scale), format="xml")


    def test_raises_what_the_model_raises(self, scale, device):
        with pytest.raises(torchweld.Error, match="^The size of tensor a .* must match"):
            torchweld.report(torchweld.optimize(scale), torch.ones(3, device=device))


class TestKernels:
    def test_compile_for_an_architecture_without_a_gpu(self, scale, x):
        [kernel] = torchweld.kernels(torchweld.optimize(scale), x, target="sm_90")
        assert 'extern "C" __global__ void' in kernel["text"]
        assert kernel["registers"] > 0
        assert kernel["spilled_bytes"] == 0

    def test_print_as_cpp(self, scale, x):
        [kernel] = torchweld.kernels(torchweld.optimize(scale), x, target="cpp")
        assert 'extern "C" void' in kernel["text"]

    def test_refuse_an_unknown_target(self, scale, x):
        with pytest.raises(torchweld.Error, match="^kernels: target is 'ptx', expected cpp or a CUDA architecture"):
            torchweld.kernels(torchweld.optimize(scale), x, target="ptx")


class TestLoad:
    def test_names_a_missing_file(self, tmp_path):
        with pytest.raises(torchweld.Error, match="nothing.pt"):
            torchweld.load(tmp_path / "nothing.pt")
