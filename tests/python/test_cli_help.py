"""What the command line says of itself, and how it behaves on a terminal."""

import os
import shutil
import subprocess

import pytest
import torch
from command_line import model  # noqa: F401  (a fixture)


HELP = [
    ["--help"],
    ["run", "--help"],
    ["report", "--help"],
    ["kernels", "--help"],
    ["cache", "--help"],
    ["cache", "list", "--help"],
    ["cache", "clear", "--help"],
]


class TestHelp:
    def test_names_every_command(self, tool):
        text = tool("--help").stdout
        assert all(name in text for name in ("run", "report", "kernels", "cache"))

    @pytest.mark.parametrize("arguments", HELP, ids=" ".join)
    def test_fits_80_columns(self, tool, arguments):
        assert max(map(len, tool(*arguments).stdout.splitlines())) <= 80

    def test_has_examples_that_work_as_printed(self, tool, model, tmp_path):
        shutil.copy(model, tmp_path / "model.pt")
        torch.save((torch.randn(1, 512), 16000), tmp_path / "inputs.pt")
        environment = {
            **os.environ,
            "PATH": f"{tool.path.parent}:{os.environ['PATH']}",
            "TORCHWELD_CACHE_DIR": str(tmp_path / "kernels"),
        }
        texts = [tool(*arguments).stdout for arguments in HELP]
        per_text = [[line.strip() for line in text.splitlines() if line.startswith("  torchweld ")] for text in texts]
        assert all(per_text)
        for example in dict.fromkeys(sum(per_text, [])):
            done = subprocess.run(
                ["sh", "-c", example], env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=300
            )
            assert done.returncode == 0, (example, done.stderr)

    def test_tells_the_version(self, tool):
        assert tool("--version").stdout.startswith("torchweld 0.")


class TestOnATerminal:
    def test_verdicts_have_a_colour(self, tool_on_a_terminal, model):
        arguments = ["run", model, "--input", "f32[4,8]", "--check"]
        assert "\033[32mok\033[0m" in tool_on_a_terminal(*arguments, NO_COLOR="")
        assert "\033[" not in tool_on_a_terminal(*arguments, NO_COLOR="1").replace("\033[K", "")

    def test_long_work_shows_its_progress_and_leaves_nothing_behind(self, tool_on_a_terminal, model, slow_compiler):
        written = tool_on_a_terminal("report", model, "--input", "f32[4,8]", NO_COLOR="1", **slow_compiler)
        progress, _, rest = written.rpartition("\r\033[K")
        assert "compiling kernels: 0, 0 s" in progress
        assert rest.startswith("model.pt\n")

    def test_work_elsewhere_shows_none(self, tool, model, slow_compiler):
        assert tool("report", model, "--input", "f32[4,8]", **slow_compiler).stderr == ""

    @pytest.fixture
    def slow_compiler(self, tmp_path):
        compiler = tmp_path / "slow"
        compiler.write_text('#!/bin/sh\nsleep 1\nexec c++ "$@"\n')
        compiler.chmod(0o755)
        return {"TORCHWELD_CXX": compiler, "TORCHWELD_CACHE_DIR": tmp_path / "kernels"}
