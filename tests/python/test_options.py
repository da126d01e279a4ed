"""The options: docs/options.md against the program, and what each does when set from Python and from the shell."""

import json
import re
from pathlib import Path

import pytest
import torch
import torchweld

ROOT = Path(__file__).resolve().parents[2]
NAMES = sorted(torchweld.options())


def table(first_title):
    """The rows of the table of docs/options.md whose first column has this title, by that column."""
    text = (ROOT / "docs" / "options.md").read_text()
    lines = text.partition(f"| {first_title} |")[2].partition("\n\n")[0].splitlines()
    rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines[2:]]
    return {row[0].strip("`"): row[1:] for row in rows}


OPTIONS = table("option | values")
SPELLINGS = table("option | C++")


def program(x, w):
    return torch.relu(x * w + 1) * 0.3


def several(x, w):
    y = x * w + 1
    return torch.relu(y) * 0.3, y.t(), (y.t() * 3).reshape(-1), x.amax(0) - w


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("options") / "model.pt"
    torch.jit.script(program).save(str(path))
    return path


class TestTheTable:
    def test_has_a_row_for_each_option_of_the_program(self):
        assert sorted(OPTIONS) == sorted(SPELLINGS) == NAMES

    @pytest.mark.parametrize("name", NAMES)
    def test_has_the_defaults_of_the_program(self, name):
        assert OPTIONS[name][1] == torchweld.options()[name]

    @pytest.mark.parametrize("name", NAMES)
    def test_has_the_defaults_of_the_header(self, name):
        header = (ROOT / "include" / "torchweld" / "options.h").read_text()
        [(kind, default)] = re.findall(rf"^  ([\w:]+) {name}(?: = (.*?))?;", header, re.MULTILINE)
        assert default.removeprefix(f"{kind}::") == OPTIONS[name][1]

    @pytest.mark.parametrize("name", NAMES)
    def test_has_the_values_that_the_program_takes(self, name):
        values = OPTIONS[name][0]
        if ", " not in values:
            return
        for value in values.removesuffix(", ...").split(", "):
            assert torchweld.options(**{name: value})[name] == value
        with pytest.raises(torchweld.Error) as refused:
            torchweld.options(**{name: "nonsense"})
        if "expected one of" in str(refused.value):
            taken = str(refused.value).partition("expected one of ")[2].lower().split()
            assert list(dict.fromkeys(taken)) == values.split(", ")

    @pytest.mark.parametrize("name", NAMES)
    def test_has_spellings_that_work(self, name, tool, model):
        cpp, python, shell = (spelling.strip("`") for spelling in SPELLINGS[name])
        changed = eval(f"torchweld.options({python})")
        assert [other for other in NAMES if changed[other] != torchweld.options()[other]] == [name]
        assert re.fullmatch(rf"options\.{name} = .*\b{re.escape(changed[name])}\b.*", cpp)
        assert shell.split()[0].partition("=")[0] in tool("report", "--help").stdout.split()

    @pytest.mark.parametrize("name", NAMES)
    def test_says_what_the_help_says(self, name, tool):
        words = " ".join(tool("run", "--help").stdout.split())
        flag = SPELLINGS[name][2].strip("`").split()[0].partition("=")[0]
        meaning = re.split("[;:,]", OPTIONS[name][2])[0]
        assert re.search(rf"{flag} (\S+ )?{meaning[0].upper()}{re.escape(meaning[1:])}", words)


def test_the_table_of_limits_has_the_constants_of_the_sources():
    from torchweld import dynamo

    headers = "".join(path.read_text() for path in (ROOT / "runtime").glob("*.h"))
    for name, (value, _) in table("constant").items():
        if name == "dynamo.MAX_TRACES":
            assert int(value) == dynamo.MAX_TRACES
        else:
            assert re.search(rf"constexpr std::size_t {name.partition('::')[2]} = {value};", headers), name


INPUTS = ("bf16[4,8]", "bf16[8]")

REPORT = """
import json, sys, torch, torchweld
fast = torchweld.optimize(torch.jit.load(sys.argv[1]), **json.loads(sys.argv[2]))
fast(torch.ones(4, 8, dtype=torch.bfloat16), torch.ones(8, dtype=torch.bfloat16))
print(torchweld.report(fast, format="json"))
"""


@pytest.fixture
def shell(tool, model, tmp_path):
    """A command of the tool on the model, with a cache folder of its own."""
    inputs = [word for spec in INPUTS for word in ("--input", spec)]
    return lambda command, *more, **environment: tool(
        command, model, *inputs, *more, **{"TORCHWELD_CACHE_DIR": tmp_path / "cache", **environment}
    )


@pytest.fixture(params=["python", "shell"])
def report(request, shell, model, tmp_path, fresh_python, monkeypatch):
    """What a new process reports of one call with the given options, set from one side."""
    monkeypatch.setenv("TORCHWELD_CACHE_DIR", str(tmp_path / "cache"))

    def from_python(**options):
        return json.loads(fresh_python(REPORT, model, json.dumps(options)))

    def from_shell(**options):
        flags = [f"{SPELLINGS[name][2].strip('`').split()[0]}={value}" for name, value in options.items()]
        done = shell("report", "--format", "json", *flags)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return from_python if request.param == "python" else from_shell


def reasons(report):
    regions = [region for method in report["methods"] for region in method["regions"]]
    return [entry["reason"] for region in regions for entry in region["fallbacks"]]


class TestEachOption:
    def test_device(self, report):
        assert reasons(report(device="cpu")) == []
        assert reasons(report(device="cuda")) == ["device"]

    def test_min_region_nodes(self, report):
        assert report(min_region_nodes=4)["totals"]["regions"] == 1
        assert report(min_region_nodes=5)["totals"]["regions"] == 0

    def test_mode(self, report):
        assert reasons(report(mode="cached_only")) == ["cached_only_miss"]
        assert reasons(report(mode="background")) == ["not_ready"]
        assert reasons(report(mode="block")) == []
        assert reasons(report(mode="cached_only")) == []

    def test_cache_dir(self, report, tmp_path):
        report(cache_dir=str(tmp_path / "named"))
        assert [path.suffix for path in (tmp_path / "named").iterdir()] == [".kernel"]
        assert not (tmp_path / "cache").exists()


class TestOptionsOfOneSide:
    @pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16], ids=str)
    def test_numerics(self, device, dtype):
        """`eager` has eager's bits where every op is one whose arithmetic has one result."""
        x, w = torch.randn(64, 8, device=device).to(dtype), torch.randn(8, device=device).to(dtype)
        expected = several(x, w)
        ours = torchweld.optimize(torch.jit.script(several), numerics="eager", strict=True)(x, w)
        for result, wanted in zip(ours, expected, strict=True):
            assert torch.equal(result, wanted) and result.stride() == wanted.stride()
        rounded_late = torchweld.optimize(torch.jit.script(several), numerics="fp32", strict=True)(x, w)
        assert not torch.equal(rounded_late[0], expected[0])

    def test_numerics_of_the_shell(self, shell):
        exact = ["--check", "--tolerance", "0"]
        assert shell("run", *exact, "--numerics", "eager").returncode == 0
        assert shell("run", *exact, "--numerics", "fp32").returncode == 1

    def test_numerics_round_in_cuda_kernels_too(self, shell):
        assert shell("kernels", "--emit", "cuda", "--numerics", "eager").stdout.count("round_to<bf16>(") == 3
        assert "round_to" not in shell("kernels", "--emit", "cuda").stdout

    def test_inference(self):
        layer = torch.nn.Linear(4, 4).eval()
        assert not any(weight.requires_grad for weight in torchweld.optimize(layer).parameters())
        assert all(weight.requires_grad for weight in torchweld.optimize(layer, inference=False).parameters())

    @pytest.mark.parametrize("flag", ["--inference", "--inference=false", "--strict=false"])
    def test_truths_of_the_shell(self, shell, flag):
        assert shell("report", flag).returncode == 0

    def test_strict_of_the_shell(self, shell):
        assert "fell back 1 time: compile_failed" in shell("report", TORCHWELD_CXX="false").stdout
        failed = shell("report", "--strict", TORCHWELD_CXX="false")
        assert failed.returncode == 2
        assert re.fullmatch(r"torchweld: torchweld::execute: compile_failed: .*\n", failed.stderr)

    def test_strict_of_python(self, fresh_python, model, monkeypatch, tmp_path):
        monkeypatch.setenv("TORCHWELD_CXX", "false")
        monkeypatch.setenv("TORCHWELD_CACHE_DIR", str(tmp_path))
        printed = fresh_python(
            """
import sys, torch, torchweld
for strict in (False, True):
    try:
        fast = torchweld.optimize(torch.jit.load(sys.argv[1]), strict=strict)
        print(fast(torch.ones(8), torch.ones(8)).shape[0])
    except RuntimeError as error:
        print("compile_failed" in str(error))
""",
            model,
        )
        assert printed.split() == ["8", "True"]

    def test_arch(self, shell):
        assert ".target sm_86" in shell("kernels", "--emit", "ptx", "--arch", "sm_86").stdout


class TestTorchweldOff:
    def test_runs_the_original_nodes(self, report, monkeypatch):
        assert reasons(report()) == []
        monkeypatch.setenv("TORCHWELD_OFF", "1")
        assert reasons(report()) == ["off"]
        monkeypatch.setenv("TORCHWELD_OFF", "0")
        assert reasons(report()) == []
