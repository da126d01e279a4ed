"""What the tests of the command line share."""

import pytest
import torch


class Model(torch.nn.Module):
    def forward(self, x, scale: int = 2):
        return torch.relu(x * scale + 1), {"sum": x.sum()}

    @torch.jit.export
    def halve(self, x):
        return torch.relu(x * 0.5 - 1)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("cli") / "model.pt"
    torch.jit.script(Model().eval()).save(str(path))
    return path


def bad(result):
    """The one line of a run that failed for bad input."""
    assert result.returncode == 2, result
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1, result.stderr
    assert result.stderr.startswith("torchweld: ")
    return result.stderr[len("torchweld: ") : -1]
