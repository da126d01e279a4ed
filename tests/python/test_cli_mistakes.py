"""Bad input: one clear line and exit code 2. A missing cache folder or compiler: a line, and the right result."""

import pytest
import torch
from command_line import bad, model  # noqa: F401  (a fixture)


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
