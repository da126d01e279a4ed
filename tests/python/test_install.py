"""What cmake --install gives, and a program that is built against it."""

import os
import re
import subprocess
from pathlib import Path

import pytest
import torch

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
LIBTORCH = Path(torch.__file__).parent

pytestmark = pytest.mark.skipif(not (BUILD / "CMakeCache.txt").is_file(), reason="no build folder to install from")


def run(*arguments, status=0, **environment):
    done = subprocess.run(
        list(map(str, arguments)),
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=600,
    )
    assert (done.returncode == 0) == (status == 0), done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("installed")
    run("cmake", "--install", BUILD, "--prefix", folder)
    return folder


def configure(installed, build, *options, status=0):
    """Configures a copy of the example, far from the source tree."""
    source = build.parent / "cpp-minimal"
    source.mkdir(exist_ok=True)
    for name in ("CMakeLists.txt", "main.cpp"):
        (source / name).write_text((ROOT / "examples" / "cpp-minimal" / name).read_text())
    return run(
        "cmake", "-S", source, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={installed}", *options, status=status
    )


def test_a_plain_install_has_what_users_need_and_no_tests(installed):
    files = {str(path.relative_to(installed)) for path in installed.rglob("*") if path.is_file()}
    package = {name for name in files if name.startswith("lib/cmake/Torchweld/")}
    assert {Path(name).name for name in package} >= {
        "TorchweldConfig.cmake",
        "TorchweldConfigVersion.cmake",
        "TorchweldTargets.cmake",
    }
    headers = {str(path.relative_to(ROOT)) for path in (ROOT / "include").rglob("*.h")}
    assert files - package == headers | {
        "bin/torchweld",
        "bin/torchweld-opt",
        "lib/libtorchweld.so",
        "share/doc/torchweld/LICENSE",
    }


def test_the_installed_tool_runs_as_it_is(installed):
    assert "torchweld" in run(installed / "bin" / "torchweld", "--help", LD_LIBRARY_PATH="")


def test_the_example_is_built_out_of_the_source_tree_and_runs(installed, tmp_path):
    model = torch.jit.script(swish)
    model.save(str(tmp_path / "model.pt"))
    configure(installed, tmp_path / "build", f"-DTORCHWELD_LIBTORCH={LIBTORCH}")
    run("cmake", "--build", tmp_path / "build")
    report = run(tmp_path / "build" / "minimal", tmp_path / "model.pt", tmp_path / "fast.pt", LD_LIBRARY_PATH="")
    assert "regions  1, with 2 of the 2 ops that could be fused" in report
    assert "calls    1 fused, 0 fell back" in report
    assert (tmp_path / "fast.pt").stat().st_size > 0
    refused = run(tmp_path / "build" / "minimal", tmp_path / "nothing.pt", tmp_path / "fast.pt", status=2)
    assert refused == f"minimal: {tmp_path}/nothing.pt: cannot be read, expected a TorchScript file (torch.jit.save)\n"


def swish(x):
    return x * torch.sigmoid(x)


def test_libtorch_is_found_by_its_own_package_too(installed, tmp_path):
    toolkit = LIBTORCH.parent / "nvidia" / "cu13"
    if not (toolkit / "bin" / "nvcc").is_file():
        pytest.skip("find_package(Torch) of a CUDA build wants nvcc")
    configure(
        installed,
        tmp_path / "build",
        f"-DTorch_DIR={LIBTORCH / 'share' / 'cmake' / 'Torch'}",
        f"-DCMAKE_CUDA_COMPILER={toolkit / 'bin' / 'nvcc'}",
        f"-DCUDA_TOOLKIT_ROOT_DIR={toolkit}",
        "-DTORCH_CUDA_ARCH_LIST=9.0",
    )


class TestAClearWordWhen:
    def words(self, output):
        return re.sub(r"\s+", " ", output)

    def test_there_is_no_libtorch(self, installed, tmp_path):
        output = self.words(configure(installed, tmp_path / "build", status=1))
        release = torch.__version__.split("+")[0]
        assert f"no LibTorch was found, expected LibTorch {release}: set TORCHWELD_LIBTORCH" in output

    def test_the_named_folder_is_not_libtorch(self, installed, tmp_path):
        output = self.words(configure(installed, tmp_path / "build", f"-DTORCHWELD_LIBTORCH={tmp_path}", status=1))
        assert f"TORCHWELD_LIBTORCH is {tmp_path}, which holds no lib/libc10.so, expected LibTorch" in output

    def test_it_is_another_release(self, installed, tmp_path):
        other = tmp_path / "torch"
        (other / "lib").mkdir(parents=True)
        for name in ("torch", "torch_cpu", "c10"):
            (other / "lib" / f"lib{name}.so").touch()
        header = other / "include" / "torch" / "headeronly" / "version.h"
        header.parent.mkdir(parents=True)
        header.write_text("".join(f"#define TORCH_VERSION_{part} 1\n" for part in ("MAJOR", "MINOR", "PATCH")))
        output = self.words(configure(installed, tmp_path / "build", f"-DTORCHWELD_LIBTORCH={other}", status=1))
        assert "LibTorch 1.1.1 was found, expected LibTorch" in output


def test_the_readme_shows_the_example(installed):
    def code(text):
        return [line.partition("//")[0].strip() for line in text.splitlines()]

    readme = (ROOT / "README.md").read_text()
    shown = readme.partition("```cpp\n")[2].partition("```")[0]
    whole = code((ROOT / "examples" / "cpp-minimal" / "main.cpp").read_text())
    assert shown and [line for line in code(shown) if line and line not in whole] == []
