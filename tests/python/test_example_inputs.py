"""optimize(model, example_inputs) compiles ahead and changes nothing else."""

import pytest
import torch
import torchweld


@pytest.fixture
def x(device):
    return torch.randn(4, 8, device=device)


class TestExampleInputs:
    def test_compile_ahead_and_leave_state_alone(self, device):
        class Counter(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("count", torch.zeros(8))

            def forward(self, x):
                self.count += 1
                return torch.relu(x * 2) + self.count

        fast = torchweld.optimize(torch.jit.script(Counter().to(device)), (torch.ones(8, device=device),))
        assert fast.count.sum().item() == 0
        assert fast(torch.ones(8, device=device))[0].item() == 3


    def test_are_not_written(self, x):
        def doubles_its_input(x):
            x += x
            return torch.relu(x * 2) + 1

        expected = x.clone()
        torchweld.optimize(torch.jit.script(doubles_its_input), (x,))
        assert torch.equal(x, expected)

    def test_leave_random_numbers_alone(self, x):
        def noisy(x):
            return torch.relu(x * 2) + torch.rand_like(x)

        torch.manual_seed(3)
        expected = torch.rand(2)
        torch.manual_seed(3)
        torchweld.optimize(torch.jit.script(noisy), (x,))
        assert torch.equal(torch.rand(2), expected)

    def test_that_make_the_model_raise_are_told_and_raise_again_when_called(self, device):
        counts = torch.arange(4, device=device)
        with pytest.warns(UserWarning, match="not everything is compiled ahead, the model raises"):
            fast = torchweld.optimize(torch.jit.script(mean_of_shifted), (counts,))
        with pytest.raises(RuntimeError, match="could not infer output dtype|Input dtype must be"):
            fast(counts)


def mean_of_shifted(x):
    return (x + 1).mean()
