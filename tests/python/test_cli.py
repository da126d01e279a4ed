"""The command line: what it prints, and the one clear line and exit code 2 for bad input."""

import json
import re

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
        import pathlib

        folders = ["/usr/local/cuda/bin", *pathlib.Path(torch.__file__).parents[1].glob("nvidia/cu13/bin")]
        if any((pathlib.Path(folder) / name).exists() for folder in folders for name in ("nvdisasm", "cuobjdump")):
            pytest.skip("there is one")
        assert bad(self.emit(tool, model, "sass", CUDA_HOME="", PATH="/nothing")) == (
            "no nvdisasm and no cuobjdump in $PATH, $CUDA_HOME/bin, /usr/local/cuda/bin or beside LibTorch: install a "
            "CUDA toolkit, or take --emit ptx"
        )

    def emit(self, tool, model, form, *more, **environment):
        arguments = ["kernels", model, "--input", "f32[4,8]", "--method", "halve", "--emit", form, *more]
        return tool(*arguments, **environment)


class TestCache:
    @pytest.fixture
    def cache(self, tool, model, tmp_path):
        folder = tmp_path / "kernels"
        tool("run", model, "--input", "f32[4,8]", "--method", "halve", TORCHWELD_CACHE_DIR=folder)
        return folder

    def test_lists_kernels_with_size_age_and_name(self, tool, cache):
        [entry] = cache.iterdir()
        result = tool("cache", "list", TORCHWELD_CACHE_DIR=cache)
        assert result.returncode == 0
        folder, total, empty, titles, kernel = result.stdout.splitlines()
        assert folder == str(cache) and total.startswith("1 kernel, ") and titles.split() == ["age", "size", "for", "kernel"]
        assert kernel.split()[1:3] == ["s", f"{entry.stat().st_size / 1024:.1f}"]
        assert kernel.split()[-2:] == ["host", "mul_sub_relu"]

    def test_takes_the_folder_as_an_option(self, tool, cache):
        assert tool("cache", "list", "--cache-dir", cache).stdout.startswith(f"{cache}\n1 kernel, ")

    def test_tells_ages_and_damage(self, tool, cache):
        import os
        import time

        [entry] = cache.iterdir()
        entry.write_bytes(b"damaged")
        os.utime(entry, (0, time.time() - 3 * 86400 - 5))
        assert tool("cache", "list", "--cache-dir", cache).stdout.splitlines()[-1].split() == ["3", "d", "7", "B", "-", "damaged"]

    def test_clear_removes_kernels_and_nothing_else(self, tool, cache):
        (cache / "notes.txt").write_text("mine")
        (cache / ("0" * 32 + ".kernel.abcdef")).write_text("being written by another process")
        result = tool("cache", "clear", "--cache-dir", cache)
        assert result.returncode == 0
        assert result.stdout.startswith("removed 1 kernel, ") and result.stdout.endswith(f" from {cache}\n")
        assert sorted(path.name for path in cache.iterdir()) == ["0" * 32 + ".kernel.abcdef", "notes.txt"]
        assert tool("cache", "clear", "--cache-dir", cache).stdout == f"removed 0 kernels, 0 B from {cache}\n"

    def test_clear_removes_what_an_ended_process_left(self, tool, tmp_path):
        import os

        left = tmp_path / ("0" * 32 + ".kernel.abcdef")
        left.write_text("half")
        os.utime(left, (0, 0))
        assert tool("cache", "clear", "--cache-dir", tmp_path).stdout.startswith("removed 1 kernel, 4 B from ")
        assert not left.exists()

    def test_a_default_folder_that_is_not_there_yet_is_empty(self, tool, tmp_path):
        result = tool("cache", "list", TORCHWELD_CACHE_DIR=tmp_path / "later")
        assert (result.returncode, result.stdout) == (0, f"{tmp_path}/later\n0 kernels, 0 B\n")

    def test_a_named_folder_that_is_not_there_is_a_mistake(self, tool, tmp_path):
        assert bad(tool("cache", "list", "--cache-dir", tmp_path / "nothing")) == (
            f"--cache-dir {tmp_path}/nothing: is no folder, expected one that holds compiled kernels"
        )


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
        import os
        import shutil
        import subprocess

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


class TestBadInput:
    def test_missing_file(self, tool, tmp_path):
        path = tmp_path / "nothing.pt"
        assert bad(tool("run", path)) == f"{path}: cannot be read, expected a TorchScript file (torch.jit.save)"

    def test_file_that_is_not_torchscript(self, tool, tmp_path):
        path = tmp_path / "text.pt"
        path.write_text("hello")
        assert bad(tool("run", path)) == f"{path}: is no TorchScript file or is damaged, expected one made by torch.jit.save"

    def test_file_of_torch_save(self, tool, tmp_path):
        path = tmp_path / "tensor.pt"
        torch.save(torch.ones(2), path)
        assert bad(tool("run", path)) == f"{path}: is no TorchScript file or is damaged, expected one made by torch.jit.save"

    def test_truncated_file(self, tool, model, tmp_path):
        path = tmp_path / "half.pt"
        path.write_bytes(model.read_bytes()[: model.stat().st_size // 2])
        assert bad(tool("run", path)) == f"{path}: is no TorchScript file or is damaged, expected one made by torch.jit.save"

    def test_wrong_number_of_inputs(self, tool, model):
        assert bad(tool("run", model)) == (
            f"{model}: forward: 0 inputs given, expected 1 to 2: x: Tensor, scale: int (optional)"
        )
        assert bad(tool("run", model, "--method", "halve", "--input", "f32[2]", "--input", "3")) == (
            f"{model}: halve: 2 inputs given, expected 1: x: Tensor"
        )

    def test_wrong_type_of_input(self, tool, model):
        assert bad(tool("run", model, "--input", "3")) == f"{model}: forward: input 0 (x) is 3, expected Tensor"

    def test_malformed_input(self, tool, model):
        assert bad(tool("run", model, "--input", "f32[2,y]")) == (
            "--input 'f32[2,y]': size 1 is 'y', expected a whole number of 0 or more"
        )

    def test_unknown_dtype(self, tool, model):
        assert bad(tool("run", model, "--input", "f8[2]")) == (
            "--input 'f8[2]': dtype is 'f8', expected one of f64 f32 f16 bf16 i64 i32 i16 i8 u8 bool"
        )

    def test_unknown_method(self, tool, model):
        assert bad(tool("run", model, "--method", "backward")) == (
            f"{model}: has no method 'backward', expected one of: forward, halve"
        )

    def test_missing_inputs_file(self, tool, model, tmp_path):
        path = tmp_path / "inputs.pt"
        assert bad(tool("run", model, "--inputs", path)) == (
            f"--inputs {path}: cannot be read, expected a file made by torch.save((x, y), path)"
        )

    def test_unknown_device(self, tool, model):
        assert bad(tool("run", model, "--device", "tpu", "--input", "f32[2]")) == (
            "--device tpu: unknown device, expected cpu or cuda"
        )

    @pytest.mark.skipif(torch.cuda.is_available(), reason="there is a CUDA device")
    def test_missing_device(self, tool, model):
        assert bad(tool("run", model, "--device", "cuda", "--input", "f32[2]")) == (
            "--device cuda: no CUDA device found, use --device cpu"
        )

    def test_inputs_that_the_model_itself_refuses(self, tool, tmp_path):
        def multiply(x, y):
            return torch.relu(torch.mm(x, y) + 1)

        path = tmp_path / "multiply.pt"
        torch.jit.script(multiply).save(str(path))
        line = bad(tool("run", path, "--input", "f32[2,3]", "--input", "f32[2,3]"))
        assert line == "mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)"

    def test_unknown_option(self, tool, model):
        assert bad(tool("run", model, "--fast")).endswith("--fast; see torchweld run --help")

    def test_no_command(self, tool):
        assert bad(tool()) == "no command given, expected one of run report kernels cache; see torchweld --help"
        assert bad(tool("cache")) == "no command given, expected one of list clear; see torchweld cache --help"

    def test_unknown_command(self, tool):
        assert bad(tool("fuse", "model.pt")) == (
            "'fuse' is no command, expected one of run report kernels cache; see torchweld --help"
        )

    def test_no_model(self, tool):
        assert bad(tool("run")) == "model is required; see torchweld run --help"

    def test_wrong_values(self, tool, model):
        assert bad(tool("run", model, "--iterations", "0")) == (
            "--iterations: is '0', expected a whole number of at least 1; see torchweld run --help"
        )
        assert bad(tool("report", model, "--format", "xml")) == (
            "--format: is 'xml', expected one of text json dot; see torchweld report --help"
        )
        assert bad(tool("kernels", model, "--emit", "hip")) == (
            "--emit: is 'hip', expected one of cuda ptx sass cubin cpp; see torchweld kernels --help"
        )
        assert bad(tool("run", model, "--strict=maybe", "--input", "f32[2]")) == (
            "options: strict is 'maybe', expected one of true false True False"
        )


class TestDegradesInsteadOfFailing:
    """Without a cache folder or a compiler a call still gives its result; one line on standard error says why."""

    def run(self, tool, model, **environment):
        result = tool("run", model, "--input", "f32[4,8]", "--check", **environment)
        assert result.returncode == 0, result
        assert result.stdout.rstrip().endswith(": ok")
        return result

    def test_cache_folder_that_cannot_be_written(self, tool, model, tmp_path):
        (tmp_path / "file").write_text("in the way")
        folder = tmp_path / "file" / "kernels"
        assert str(folder) in self.run(tool, model, TORCHWELD_CACHE_DIR=folder).stderr

    def test_no_host_compiler(self, tool, model, tmp_path):
        result = self.run(tool, model, PATH=tmp_path, CXX="", TORCHWELD_CACHE_DIR=tmp_path / "kernels")
        assert "compiler" in result.stderr
        assert "calls of regions ran the original nodes" in result.stdout

    def test_broken_cache_entry(self, tool, model, tmp_path):
        cache = tmp_path / "kernels"
        self.run(tool, model, TORCHWELD_CACHE_DIR=cache)
        entries = [path for path in cache.rglob("*") if path.is_file()]
        assert entries, "a run leaves compiled kernels in the cache"
        for entry in entries:
            entry.write_bytes(entry.read_bytes()[: entry.stat().st_size // 2])
        result = self.run(tool, model, TORCHWELD_CACHE_DIR=cache)
        assert "fallbacks" not in result.stdout
        assert any(entry.name in result.stderr for entry in entries)
