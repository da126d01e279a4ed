"""The command line: what its commands print."""

import json
import re
from pathlib import Path

import pytest
import torch
from command_line import bad, model  # noqa: F401  (a fixture)


class TestRun:
    def test_prints_what_it_did(self, tool, model):
        result = tool("run", model, "--input", "f32[4,8]", "--iterations", "3")
        assert result.returncode == 0, result.stderr
        assert "model       model.pt, forward, on cpu\ninputs      f32[4,8]\nregions     1" in result.stdout
        assert "a call, median of 3" in result.stdout

    def test_checks_every_output(self, tool, model):
        result = tool("run", model, "--input", "f32[4,8]", "--input", "3", "--check")
        assert result.returncode == 0, result.stderr
        assert "check       output 0 f32[4,8]: largest error" in result.stdout
        assert "check       output 1[sum] f32[]: largest error" in result.stdout
        assert result.stdout.rstrip().endswith(": ok")

    def test_exits_1_when_an_output_differs(self, tool, model):
        result = tool("run", model, "--input", "f32[4,8]", "--check", "--tolerance", "-1")
        assert result.returncode == 1
        assert "DIFFERS" in result.stdout

    def test_calls_another_method(self, tool, model):
        result = tool("run", model, "--input", "f32[4,8]", "--method", "halve", "--check")
        assert result.returncode == 0, result.stderr
        assert "model.pt, halve" in result.stdout

    def test_reads_inputs_from_a_file_of_torch_save(self, tool, model, tmp_path):
        torch.save((torch.randn(3, 5), 4), tmp_path / "inputs.pt")
        result = tool("run", model, "--inputs", tmp_path / "inputs.pt", "--check")
        assert result.returncode == 0, result.stderr
        assert "inputs      f32[3,5] 4" in result.stdout

    def test_has_no_colour_when_its_output_is_no_terminal(self, tool, model):
        assert "\033" not in tool("run", model, "--input", "f32[4,8]", "--check").stdout


class TestReport:
    def test_prints_text_of_80_columns(self, tool, model):
        result = tool("report", model, "--input", "f32[4,8]")
        assert result.returncode == 0, result.stderr
        assert result.stdout.startswith("model.pt\n  inputs   f32[4,8]\n  target   cpu\n")
        assert max(map(len, result.stdout.splitlines())) <= 80

    def test_prints_json(self, tool, model):
        result = tool("report", model, "--input", "f32[4,8]", "--format", "json")
        report = json.loads(result.stdout)
        assert report["version"] == 1
        assert report["totals"]["kernels_after"] > 0


    def test_prints_a_graph_for_graphviz(self, tool, tmp_path):
        torch.jit.script(two_kernels).save(str(tmp_path / "model.pt"))
        result = tool("report", tmp_path / "model.pt", "--input", "f32[64,300]", "--format", "dot")
        assert result.returncode == 0, result.stderr
        lines = result.stdout.splitlines()
        assert lines[0] == 'digraph "model.pt" {' and lines[-1] == "}"
        names = re.findall(r'^    ("[^"]+") \[label=', result.stdout, re.MULTILINE)
        edges = re.findall(r'^    ("[^"]+") -> ("[^"]+") \[label="%', result.stdout, re.MULTILINE)
        assert edges and {name for edge in edges for name in edge} <= set(names)
        assert all(line.count('"') % 2 == 0 for line in lines)


def two_kernels(x):
    """A reduction over rows, then one over columns."""
    y = torch.softmax(x, 1)
    return torch.softmax(y, 0)


class TestKernels:
    def test_prints_cuda_without_a_gpu(self, tool, model):
        result = tool("kernels", model, "--input", "f32[4,8]", "--method", "halve", "--emit", "cuda")
        assert result.returncode == 0, result.stderr
        assert 'extern "C" __global__ void' in result.stdout

    def test_prints_cpp(self, tool, model):
        result = self.emit(tool, model, "cpp")
        assert 'extern "C" void' in result.stdout

    def test_prints_ptx_of_the_architecture(self, tool, model):
        result = self.emit(tool, model, "ptx", "--arch", "sm_80")
        assert result.returncode == 0, result.stderr
        assert result.stdout.startswith("// ")
        assert ".target sm_80" in result.stdout and ".visible .entry" in result.stdout

    def test_writes_a_file_for_each_kernel(self, tool, model, tmp_path):
        folder = tmp_path / "new" / "cubins"
        result = self.emit(tool, model, "cubin", "--output", folder)
        assert result.returncode == 0, result.stderr
        [written] = folder.iterdir()
        assert result.stdout == f"{written}\n" and written.suffix == ".cubin"
        assert written.read_bytes().startswith(b"\x7fELF")

    def test_prints_a_single_cubin_as_it_is(self, tool, model):
        arguments = ["kernels", model, "--input", "f32[4,8]", "--method", "halve", "--emit", "cubin"]
        assert tool(*arguments, text=False).stdout.startswith(b"\x7fELF")

    def test_refuses_to_print_several_cubins(self, tool, tmp_path):
        def apart(x):
            return torch.mm(torch.relu(x * 2), x).exp() + 1

        torch.jit.script(apart).save(str(tmp_path / "model.pt"))
        line = bad(tool("kernels", tmp_path / "model.pt", "--input", "f32[4,4]", "--emit", "cubin"))
        assert line == "--emit cubin: 2 kernels cannot be printed as binary files here, expected --output FOLDER"

    @pytest.mark.parametrize("name", ["nvdisasm", "cuobjdump"])
    def test_has_sass_printed_by_a_tool_of_the_toolkit(self, tool, model, tmp_path, name):
        disassembler = tmp_path / "bin" / name
        disassembler.parent.mkdir()
        disassembler.write_text('#!/bin/sh\necho "$1 of $(head -c 4 "$2" | tail -c 3)"\n')
        disassembler.chmod(0o755)
        result = self.emit(tool, model, "sass", CUDA_HOME=tmp_path, PATH="/usr/bin:/bin")
        assert result.returncode == 0, result.stderr
        assert f"{'-c' if name == 'nvdisasm' else '-sass'} of ELF\n" in result.stdout

    def test_says_when_there_is_no_tool_for_sass(self, tool, model):
        folders = ["/usr/local/cuda/bin", *Path(torch.__file__).parents[1].glob("nvidia/cu13/bin")]
        if any((Path(folder) / name).exists() for folder in folders for name in ("nvdisasm", "cuobjdump")):
            pytest.skip("there is one")
        assert bad(self.emit(tool, model, "sass", CUDA_HOME="", PATH="/nothing")) == (
            "no nvdisasm and no cuobjdump in $PATH, $CUDA_HOME/bin, /usr/local/cuda/bin or beside LibTorch: install a "
            "CUDA toolkit, or take --emit ptx"
        )

    def emit(self, tool, model, form, *more, **environment):
        arguments = ["kernels", model, "--input", "f32[4,8]", "--method", "halve", "--emit", form, *more]
        return tool(*arguments, **environment)
