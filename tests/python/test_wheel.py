"""The wheel that pip builds, with the library of the build folder."""

import importlib.metadata
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = Path(os.environ.get("TORCHWELD_LIBRARY", ROOT / "build" / "lib" / "libtorchweld.so"))

pytestmark = pytest.mark.skipif(not (ROOT / "pyproject.toml").is_file(), reason="no source tree to build a wheel from")


def pip(*arguments):
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [sys.executable, "-m", "pip", *map(str, arguments), "--disable-pip-version-check", "--no-index", "--no-deps"],
        env=clean,
        cwd="/",
        capture_output=True,
        text=True,
        timeout=300,
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    built = pip("wheel", ROOT, "--wheel-dir", folder, "--config-settings", f"library={LIBRARY}")
    assert built.returncode == 0, built.stderr
    [path] = folder.iterdir()
    return path


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    folder = tmp_path_factory.mktemp("packages")
    done = pip("install", wheel, "--target", folder)
    assert done.returncode == 0, done.stderr
    return folder


def python(installed, source):
    environment = {name: value for name, value in os.environ.items() if name != "TORCHWELD_LIBRARY"}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", source],
        env={**environment, "PYTHONPATH": str(installed)},
        cwd="/",
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_suits_every_python_of_the_platform(wheel):
    assert re.fullmatch(r"torchweld-[0-9.]+-py3-none-linux_\w+\.whl", wheel.name)


def test_holds_the_package_and_the_library(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    package = {f"torchweld/{path.name}" for path in (ROOT / "python" / "torchweld").glob("*.py")}
    assert {name for name in names if ".dist-info/" not in name} == package | {"torchweld/libtorchweld.so"}


def test_has_the_version_of_the_library(installed):
    [version] = re.findall(r"project\(torchweld VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())
    [folder] = Path(installed).glob("torchweld-*.dist-info")
    found = importlib.metadata.PathDistribution(folder)
    assert found.version == version
    pinned = (ROOT / "scripts" / "requirements.txt").read_text().split()
    assert found.requires == [line for line in pinned if line.startswith("torch==")]
    assert found.metadata["Summary"] == "A fusion compiler for TorchScript"


def test_is_imported_with_its_own_library(installed):
    printed = python(
        installed,
        """
import torch, torchweld
fast = torchweld.optimize(lambda x: torch.relu(x) + 1, (torch.ones(4),))
print(torchweld.__file__)
print(*[line.split()[-1] for line in open("/proc/self/maps") if "libtorchweld" in line][:1])
print(torchweld.report(fast)["totals"]["regions"])
""",
    ).split()
    assert printed == [f"{installed}/torchweld/__init__.py", f"{installed}/torchweld/libtorchweld.so", "1"]


def test_tells_dynamo_of_the_backend_without_being_imported(installed):
    assert python(installed, "import torch; print('torchweld' in torch._dynamo.list_backends())") == "True\n"


class TestRefusesInOneLine:
    def refusal(self, *settings):
        done = pip("wheel", ROOT, "--wheel-dir", "/nowhere", *settings)
        assert done.returncode != 0
        return [line.strip() for line in done.stderr.splitlines() if "torchweld: " in line]

    def test_a_library_that_is_no_file(self):
        assert self.refusal("--config-settings", "library=/nothing.so") == [
            "torchweld: config setting library is /nothing.so, which is no file: run `make build` first"
        ]

    def test_an_unknown_setting(self):
        assert self.refusal("--config-settings", "libary=/nothing.so") == [
            "torchweld: config setting libary is unknown, expected library=FILE"
        ]
