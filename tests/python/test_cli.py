"""The command line: what it prints, and the one clear line and exit code 2 for bad input."""

import json

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


class TestKernels:
    def test_prints_cuda_without_a_gpu(self, tool, model):
        result = tool("kernels", model, "--input", "f32[4,8]", "--method", "halve", "--emit", "cuda")
        assert result.returncode == 0, result.stderr
        assert 'extern "C" __global__ void' in result.stdout

    def test_prints_cpp(self, tool, model):
        result = tool("kernels", model, "--input", "f32[4,8]", "--method", "halve", "--emit", "cpp")
        assert 'extern "C" void' in result.stdout


class TestHelp:
    def test_names_every_command(self, tool):
        text = tool("--help").stdout
        assert all(name in text for name in ("run", "report", "kernels"))

    def test_fits_80_columns(self, tool):
        for arguments in (["--help"], ["run", "--help"], ["report", "--help"], ["kernels", "--help"]):
            assert max(map(len, tool(*arguments).stdout.splitlines())) <= 80, arguments

    def test_has_examples_that_work_as_printed(self, tool, model):
        import shlex

        examples = [line.strip() for line in tool("--help").stdout.splitlines() if line.startswith("  torchweld ")]
        assert examples
        torch.save((torch.randn(1, 512), 16000), model.parent / "inputs.pt")
        for example in examples:
            arguments = [str(model.parent / word) if word.endswith(".pt") else word for word in shlex.split(example)]
            result = tool(*arguments[1:])
            assert result.returncode == 0, (example, result.stderr)


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
        assert bad(tool("run", model, "--fast")).endswith("--fast; see torchweld --help")

    def test_no_command(self, tool):
        assert bad(tool()) == "A subcommand is required; see torchweld --help"


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
