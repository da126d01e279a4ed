"""Real models give the answers of TorchScript, and their regions run as kernels."""

import copy

import models
import pytest
import torch
import torchweld
from comparison import all_plans, assert_fused, largest_error

CHUNKS = 50


def chunks(device):
    return torch.randn(CHUNKS, 1, 512, generator=torch.Generator().manual_seed(3)).to(device)


def speech(model, device):
    """The result for each chunk; the model keeps its state in between."""
    return torch.stack([model(chunk, 16000) for chunk in chunks(device)]).cpu()


class TestSilero:
    def test_follows_torchscript_over_50_chunks(self, load_model, device):
        original = load_model("silero")
        fast = torchweld.optimize(original)
        assert torch.allclose(speech(fast, device), speech(original, device), rtol=0, atol=1e-5)

    def test_keeps_the_same_state(self, load_model, device):
        original = load_model("silero")
        fast = torchweld.optimize(original)
        speech(fast, device), speech(original, device)
        assert original._state.abs().max() > 1
        for name in ("_state", "_context"):  # the state's cell grows to 48, where an ulp is 4e-6
            assert largest_error(getattr(fast, name), getattr(original, name)) < 1e-6, name

    def test_reset_states_starts_again(self, load_model, device):
        original = load_model("silero")
        fast = torchweld.optimize(original)
        first = speech(fast, device)
        fast.reset_states()
        assert torch.allclose(speech(fast, device), first, rtol=0, atol=1e-6)
        original.reset_states()
        assert torch.allclose(first, speech(original, device), rtol=0, atol=1e-5)

    def test_does_the_same_after_save_and_load_in_a_fresh_process(self, load_model, device, fresh_python, tmp_path):
        original = load_model("silero")
        torchweld.optimize(original).save(str(tmp_path / "fast.pt"))
        torch.save(chunks(device), tmp_path / "chunks.pt")
        fresh_python(
            """
import sys, torch, torchweld
torch.backends.cudnn.allow_tf32 = False  # as the expected results were made
fast = torchweld.load(sys.argv[1] + "/fast.pt")
with torch.no_grad():
    results = [fast(chunk, 16000) for chunk in torch.load(sys.argv[1] + "/chunks.pt")]
    fast.reset_states()
    again = [fast(chunk, 16000) for chunk in torch.load(sys.argv[1] + "/chunks.pt")]
torch.save((torch.stack(results).cpu(), torch.stack(again).cpu()), sys.argv[1] + "/results.pt")
""",
            tmp_path,
        )
        results, again = torch.load(tmp_path / "results.pt")
        expected = speech(original, device)
        assert torch.allclose(results, expected, rtol=0, atol=1e-5)
        assert torch.allclose(again, expected, rtol=0, atol=1e-5)

    def test_loads_in_a_fresh_cpp_process(self, load_model, device, tool, tmp_path):
        torchweld.optimize(load_model("silero")).save(str(tmp_path / "fast.pt"))
        arguments = ["--input", "f32[1,512]", "--input", "16000", "--device", device]
        result = tool("run", tmp_path / "fast.pt", *arguments, "--iterations", "3", "--check")
        assert result.returncode == 0, result.stderr
        assert "fallbacks" not in result.stdout

    def test_leaves_the_original_as_it_was(self, load_model, device):
        original = load_model("silero")
        untouched = copy.deepcopy(original)
        speech(torchweld.optimize(original), device)
        assert torch.equal(speech(original, device), speech(untouched, device))

    def test_runs_kernels(self, load_model, device):
        fast = torchweld.optimize(load_model("silero"))
        assert_fused(torchweld.report(fast, chunks(device)[0], 16000))


class TestMiniLM:
    @pytest.fixture(scope="class")
    def pair(self, request):
        try:
            original = models.minilm("cuda" if torch.cuda.is_available() else "cpu")
        except models.Missing as missing:
            pytest.skip(str(missing))
        return original, torchweld.optimize(original)

    @pytest.mark.parametrize("size", [(4, 128), (2, 77)], ids=str)
    def test_embeds_like_torchscript(self, pair, size, device):
        original, fast = pair
        inputs = [tensor.to(device) for tensor in models.minilm_inputs(*size)]
        ours, theirs = fast(*inputs), original(*inputs)
        assert torch.nn.functional.cosine_similarity(ours, theirs, dim=-1).min().item() > 0.99999
        assert largest_error(ours, theirs) < 1e-4

    def test_runs_kernels(self, pair, device):
        inputs = [tensor.to(device) for tensor in models.minilm_inputs(2, 77)]
        report = torchweld.report(pair[1], *inputs)
        assert_fused(report)
        assert report["totals"]["bytes_after"] < report["totals"]["bytes_before"]

    def test_equal_layers_share_their_plans(self, pair, device):
        inputs = [tensor.to(device) for tensor in models.minilm_inputs(4, 128)]
        names = [kernel["name"] for kernel in torchweld.kernels(pair[1], *inputs)]
        assert len(set(names)) < torchweld.report(pair[1], *inputs)["totals"]["kernels_after"]


class TestResNet18:
    @pytest.mark.parametrize("size", [(1, 3, 224, 224), (8, 3, 160, 160)], ids=str)
    def test_classifies_like_torchscript(self, load_model, size, device):
        original = load_model("resnet18")
        fast = torchweld.optimize(original)
        images = torch.randn(size).to(device)
        assert largest_error(fast(images), original(images)) < 1e-4
        assert_fused(torchweld.report(fast, images))


class TestTeachingSet:
    @pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16], ids=str)
    @pytest.mark.parametrize("name", list(models.teaching_set(1, 1)))
    def test_computes_what_torchscript_does(self, name, dtype, device):
        function, inputs = models.teaching_set(64, 1000, dtype, device)[name]
        fast = torchweld.optimize(function)
        allowed = 1e-5 if dtype == torch.float32 else 2e-2
        assert largest_error(fast(*inputs).double(), function(*inputs).double()) < allowed
        assert_fused(torchweld.report(fast, *inputs))

    @pytest.mark.parametrize("name", list(models.teaching_set(1, 1)))
    def test_is_one_kernel_that_moves_each_byte_once(self, name, device):
        function, inputs = models.teaching_set(64, 1024, torch.float32, device)[name]
        [plan] = all_plans(torchweld.report(torchweld.optimize(function), *inputs))
        assert len(plan["kernels"]) == 1
        assert plan["bytes_planned"] == plan["bytes_ideal"]

    @pytest.mark.parametrize("name", list(models.teaching_set(1, 1)))
    def test_takes_new_sizes_and_empty_tensors(self, name, device):
        fast = None
        for rows, columns in [(3, 5), (1, 1), (33, 257), (0, 8)]:
            function, inputs = models.teaching_set(rows, columns, torch.float32, device)[name]
            fast = fast or torchweld.optimize(function)
            ours, theirs = fast(*inputs), function(*inputs)
            assert torch.allclose(ours, theirs, rtol=1e-5, atol=1e-5), (rows, columns)
