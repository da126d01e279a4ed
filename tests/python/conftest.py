"""What every test shares: the package and the models on the path, the device at hand, and the command line tool."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
import torch

ROOT = Path(os.environ.get("TORCHWELD_SOURCE_DIR", Path(__file__).resolve().parents[2]))
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "examples")]

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def pytest_configure(config):
    config.addinivalue_line("filterwarnings", "ignore::DeprecationWarning")
    # With TF32 a convolution rounds its inputs to 10 bits, and a difference in the last bit of one becomes one of 1e-3.
    torch.backends.cudnn.allow_tf32 = False
    torch._C._jit_set_texpr_fuser_enabled(False)  # the reference is TorchScript without its own fuser


@pytest.fixture
def device():
    return DEVICE


@pytest.fixture(autouse=True)
def no_grad_and_seed():
    torch.manual_seed(0)
    with torch.no_grad():
        yield


@pytest.fixture
def load_model():
    """A model of examples/models.py on the device at hand; skips where neither file nor package is here."""
    import models

    def load(name):
        try:
            return getattr(models, name)().to(DEVICE)
        except models.Missing as missing:
            pytest.skip(str(missing))

    return load


@pytest.fixture
def fresh_python():
    """Runs Python source in a new process with the package on its path; returns what it printed."""

    def run(source, *arguments):
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", source, *map(str, arguments)],
            env={**os.environ, "PYTHONPATH": f"{ROOT / 'python'}:{ROOT / 'examples'}"},
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture
def tool():
    """Runs the command line tool; `environment` is added to ours."""
    path = os.environ.get("TORCHWELD_TOOL", ROOT / "build" / "bin" / "torchweld")
    if not Path(path).is_file():
        pytest.fail(f"no command line tool at {path}: run `make build`, or set TORCHWELD_TOOL")

    def start(*arguments, cwd=None, text=None, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **environment):
        return subprocess.Popen(
            [str(path), *map(str, arguments)],
            env={**os.environ, **{name: str(value) for name, value in environment.items()}},
            stdout=stdout,
            stderr=stderr,
            cwd=cwd,
            text=text,
        )

    def run(*arguments, text=True, **options):
        with start(*arguments, text=text, **options) as process:
            stdout, stderr = process.communicate(timeout=300)
        return subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr)

    run.start = start
    run.path = Path(path)
    return run


@pytest.fixture
def tool_on_a_terminal(tool):
    """Like `tool`, with a terminal for its output and its messages; gives all that was written there."""

    def run(*arguments, **environment):
        ours, theirs = pty.openpty()
        try:
            started = tool.start(*arguments, stdout=theirs, stderr=theirs, **environment)
            os.close(theirs)
            written = b""
            try:
                while chunk := os.read(ours, 4096):
                    written += chunk
            except OSError:  # the other end is closed
                pass
            assert started.wait(timeout=300) == 0, written
        finally:
            os.close(ours)
        return written.decode().replace("\r\n", "\n")

    return run
