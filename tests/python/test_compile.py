"""torch.compile(model, backend="torchweld")."""

import warnings

import pytest
import torch
import torchweld
from comparison import assert_fused

pytestmark = pytest.mark.filterwarnings("error:torchweld")


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.LayerNorm(16)
        self.linear = torch.nn.Linear(16, 16)

    def forward(self, x):
        return x + torch.nn.functional.gelu(self.linear(self.norm(x)))


@pytest.fixture(autouse=True)
def optimized(monkeypatch):
    """The modules that torch.compile had us optimize, in order."""
    torch._dynamo.reset()
    made = []
    optimize = torchweld.optimize

    def recording(*arguments, **options):
        made.append(optimize(*arguments, **options))
        return made[-1]

    monkeypatch.setattr(torchweld, "optimize", recording)
    return made


@pytest.fixture
def block(device):
    return Block().eval().to(device)


def compiled(model, **options):
    return torch.compile(model, backend="torchweld", **options)


def check(fast, model, *inputs):
    ours, theirs = fast(*inputs), model(*inputs)
    torch.testing.assert_close(ours, theirs, rtol=1e-5, atol=1e-5)


def test_the_name_is_known():
    assert "torchweld" in torch._dynamo.list_backends()


@pytest.mark.parametrize("without_grad", [torch.no_grad, torch.inference_mode], ids=["no_grad", "inference_mode"])
def test_a_model_is_fused(block, device, optimized, without_grad):
    fast = compiled(block)
    with torch.enable_grad(), without_grad():
        for rows in (4, 4):
            check(fast, block, torch.randn(rows, 16, device=device))
    assert len(optimized) == 1
    assert_fused(torchweld.report(optimized[0]))


def test_autocast_is_taken_into_the_graph(block, device, optimized):
    fast, x = compiled(block), torch.randn(4, 16, device=device)
    with torch.autocast(device, torch.bfloat16):
        for _ in range(2):
            torch.testing.assert_close(fast(x), block(x), rtol=2e-2, atol=2e-2)
        assert block.linear(x).dtype == torch.bfloat16
    assert_fused(torchweld.report(optimized[0]))
    check(fast, block, x)


class TestSizes:
    def test_may_change(self, block, device, optimized):
        fast = compiled(block)
        for rows in (4, 6, 7, 4):
            check(fast, block, torch.randn(rows, 16, device=device))
        for module in optimized:
            assert_fused(torchweld.report(module))

    def test_that_the_graph_computes_with(self, device, optimized):
        def mean_of_rows(x):
            return (x.reshape(x.shape[0] * 2, -1) * x.shape[1]).sum(0) / x.shape[0], x.shape[1] + 1

        fast = compiled(mean_of_rows, dynamic=True)
        for rows, columns in ((4, 8), (5, 6), (4, 8), (7, 10)):
            check(fast, mean_of_rows, torch.randn(rows, columns, device=device))
        assert optimized

    def test_and_numbers_may_be_arguments(self, device):
        def scaled(x, by: int, shift: float):
            return torch.relu(x * by) + shift

        fast = compiled(scaled)
        for by, shift in ((2, 0.5), (3, 0.5), (4, 1.5), (2, 2.5)):
            check(fast, scaled, torch.randn(4, 8, device=device), by, shift)


class TestGraphs:
    def test_that_break_where_control_flow_looks_at_values(self, device, optimized):
        def branches(x):
            y = torch.relu(x * 2) + 1
            if y.sum() > 0:
                return y * torch.sigmoid(y)
            return y - 1

        fast = compiled(branches)
        for x in (torch.ones(4, 8, device=device), -torch.ones(4, 8, device=device), torch.full((3,), -9.0)):
            check(fast, branches, x)
        assert len(optimized) >= 2

    def test_that_write_into_an_input_do_so_once(self, device):
        def counts(x, calls):
            calls += 1
            return torch.relu(x * 2) + calls

        fast = compiled(counts)
        ours, theirs, x = torch.zeros(8, device=device), torch.zeros(8, device=device), torch.ones(8, device=device)
        for _ in range(3):
            torch.testing.assert_close(fast(x, ours), counts(x, theirs))
        assert ours.tolist() == theirs.tolist() == [3.0] * 8

    def test_that_keep_state(self, device):
        ours, theirs = (torch.nn.BatchNorm1d(8).to(device) for _ in range(2))
        fast = compiled(ours)
        for _ in range(2):
            x = torch.randn(4, 8, device=device)
            torch.testing.assert_close(fast(x), theirs(x))
        torch.testing.assert_close(ours.state_dict(), theirs.state_dict())

    def test_that_draw_random_numbers_draw_those_of_eager(self, device):
        def noisy(x):
            return torch.relu(x * 2) + torch.rand_like(x)

        fast, x = compiled(noisy), torch.ones(8, device=device)
        results = []
        for function in (fast, noisy):
            torch.manual_seed(3)
            results.append([function(x) for _ in range(2)])
        torch.testing.assert_close(*results)

    def test_that_return_an_input_or_nothing(self, device):
        def mixed(x):
            return {"same": x, "none": None, "twice": [torch.relu(x) * 2] * 2}

        check(compiled(mixed), mixed, torch.randn(8, device=device))

    def test_that_make_tensors_from_nothing(self, device):
        def ramp():
            return torch.arange(8, device=device) * 2.0 + 1

        check(compiled(ramp), ramp)


class TestGradients:
    @torch.enable_grad()
    def test_turn_kernels_off_with_one_warning(self, block, device, optimized):
        fast = compiled(block)
        x = torch.randn(4, 16, device=device)
        with pytest.warns(UserWarning, match="runs as it was: an input or weight requires grad, expected a call under"):
            fast(x)
        fast(x).sum().backward()  # no second warning
        assert block.linear.weight.grad is not None
        assert optimized == []

    @torch.enable_grad()
    def test_of_a_model_that_turns_them_on_itself(self, block, device):
        def turns_on(x):
            with torch.enable_grad():
                return block(x)

        with torch.no_grad(), pytest.warns(UserWarning, match="requires grad"):
            assert compiled(turns_on)(torch.randn(4, 16, device=device)).requires_grad

    def test_later_calls_without_them_are_fused(self, block, device, optimized):
        fast, x = compiled(block), torch.randn(4, 16, device=device)
        with torch.enable_grad(), pytest.warns(UserWarning, match="requires grad"):
            fast(x)
        check(fast, block, x)
        assert len(optimized) == 1


def test_a_graph_that_cannot_be_traced_runs_as_it_was(device, monkeypatch):
    def refuse(*_, **__):
        raise RuntimeError("no trace today\nand more")

    monkeypatch.setattr(torch.jit, "trace", refuse)

    def swish(x):
        return x * torch.sigmoid(x)

    fast, x = compiled(swish), torch.randn(8, device=device)
    with pytest.warns(UserWarning, match="runs as it was: it cannot be traced: no trace today$"):
        check(fast, swish, x)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check(fast, swish, x)
    torch._dynamo.reset()
    with pytest.raises(RuntimeError, match="no trace today"):
        compiled(swish, options={"strict": True})(x)


class TestOptions:
    def test_reach_optimize(self, device, monkeypatch):
        named = []
        optimize = torchweld.optimize
        monkeypatch.setattr(torchweld, "optimize", lambda model, **options: named.append(options) or optimize(model))
        compiled(torch.relu, options={"numerics": "eager"})(torch.ones(8, device=device))
        assert named == [{"numerics": "eager"}]

    def test_that_are_wrong_are_named(self, device):
        with pytest.raises(Exception, match="options: 'numeric' is not an option, expected one of arch, "):
            compiled(torch.relu, options={"numeric": "eager"})(torch.ones(8, device=device))

    def test_a_mode_is_refused(self, device):
        with pytest.raises(Exception, match="torch.compile: mode is 'max-autotune', expected none: set options"):
            compiled(torch.relu, mode="max-autotune")(torch.ones(8, device=device))
