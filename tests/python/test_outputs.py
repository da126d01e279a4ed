"""Results are memory of their own where they are in eager."""

import pytest
import torch
import torchweld
from comparison import assert_fused


@pytest.fixture
def x(device):
    return torch.randn(4, 8, device=device)


class TestOutputsAreTheirOwn:
    """Where eager makes new memory, so do we: a caller may write into a result."""

    def check(self, function, *inputs):
        fast = torchweld.optimize(torch.jit.script(function))
        results = fast(*inputs)
        assert_fused(torchweld.report(fast))
        places = [tensor.untyped_storage().data_ptr() for tensor in (*inputs, *results)]
        expected = [tensor.untyped_storage().data_ptr() for tensor in (*inputs, *function(*inputs))]
        assert [[a == b for a in places] for b in places] == [[a == b for a in expected] for b in expected]
        for result, wanted in zip(results, function(*inputs), strict=True):
            assert torch.equal(result, wanted) and result.stride() == wanted.stride()

    def test_two_of_equal_value(self, x):
        def twice(x):
            return torch.relu(x) + 1, torch.relu(x) + 1

        self.check(twice, x)

    def test_reductions_that_change_nothing(self, device):
        def sums(x):
            return (x * 2).sum(0), (x * 2).sum(0, keepdim=True), x.sum(0), x.amax(0) + x

        self.check(sums, torch.tensor(1.5, device=device))

    def test_arithmetic_that_changes_nothing(self, x):
        def identities(x):
            return (x * 1).view(-1), x + 1

        self.check(identities, x)


def test_a_view_that_only_a_library_call_reads(x):
    """An output of a region that is no more than a reshape of an input."""

    def project(x, y):
        flat = x.reshape(-1, 4)
        return torch.mm(flat, y), flat * 2 + 1

    y = torch.randn(4, 3, device=x.device)
    fast = torchweld.optimize(torch.jit.script(project))
    for result, expected in zip(fast(x, y), project(x, y), strict=True):
        assert torch.allclose(result, expected)
