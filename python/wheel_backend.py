"""Builds the wheel for pip (PEP 517). It holds the package and libtorchweld.so, and suits every version of Python: no
part of it is built for one. The library is built with CMake in build/wheel against the LibTorch of this Python, else of
the environment that `make setup` fills; or taken as it is from a file:

    pip install . --config-settings library=build/lib/libtorchweld.so
"""

import base64
import hashlib
import platform
import re
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "wheel"
TAG = f"py3-none-linux_{platform.machine()}"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    library = _library(config_settings or {})
    project = _project()
    stem = f"{project['name']}-{project['version']}"
    files = {f"torchweld/{path.name}": path.read_bytes() for path in sorted((ROOT / "python/torchweld").glob("*.py"))}
    files["torchweld/libtorchweld.so"] = library.read_bytes()
    for name, text in _metadata(project).items():
        files[f"{stem}.dist-info/{name}"] = text.encode()
    name = f"{stem}-{TAG}.whl"
    _write_wheel(Path(wheel_directory) / name, files, f"{stem}.dist-info/RECORD")
    return name


def build_sdist(sdist_directory, config_settings=None):
    raise _Stop("source distributions are not made: install from a clone, with `pip install .`")


class _Stop(SystemExit):
    """Ends the build with one line."""

    def __init__(self, line):
        super().__init__(f"torchweld: {line}")


def _library(settings):
    unknown = set(settings) - {"library"}
    if unknown:
        raise _Stop(f"config setting {min(unknown)} is unknown, expected library=FILE")
    if "library" in settings:
        library = Path(settings["library"])
        library = library if library.is_absolute() else ROOT / library
        if not library.is_file():
            raise _Stop(f"config setting library is {settings['library']}, which is no file: run `make build` first")
        return library
    return _build_library()


def _build_library():
    """Relative paths in the library lead from its place in site-packages to LibTorch and CUDA's libraries there."""
    packages = Path(sysconfig.get_path("purelib"))
    environment = [f"-DTORCHWELD_VENV={sys.prefix}"] if (packages / "torch/share/cmake").is_dir() else []
    _run(
        ["cmake", "-S", ROOT, "-B", BUILD, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DTORCHWELD_BUILD_TESTS=OFF"]
        + ["-DCMAKE_INSTALL_RPATH=$ORIGIN/../torch/lib:$ORIGIN/../nvidia/cu13/lib"]
        + ["-DCMAKE_INSTALL_RPATH_USE_LINK_PATH=OFF", *environment]
    )
    _run(["cmake", "--build", BUILD, "--target", "torchweld"])
    _run(["cmake", "--install", BUILD, "--prefix", BUILD / "package", "--component", "wheel", "--strip"])
    return BUILD / "package" / "libtorchweld.so"


def _run(command):
    try:
        status = subprocess.run(command).returncode
    except FileNotFoundError:
        raise _Stop(f"{command[0]} is not installed: run `make setup`, which installs what a build needs") from None
    if status != 0:
        raise _Stop(f"{command[0]} {command[1]} ... failed, see above; `make setup` installs what a build needs")


def _project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    version = re.search(r"^project\(torchweld VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)
    return {**project, "version": version[1]}


def _metadata(project):
    head = {
        "Metadata-Version": "2.4",
        "Name": project["name"],
        "Version": project["version"],
        "Summary": project["description"],
        "License-Expression": project["license"],
        "License-File": "LICENSE",
        "Requires-Python": project["requires-python"],
        "Description-Content-Type": "text/markdown",
    }
    lines = [f"{field}: {value}" for field, value in head.items()]
    lines += [f"Requires-Dist: {requirement}" for requirement in project["dependencies"]]
    points = []
    for group, entries in project["entry-points"].items():
        points += [f"[{group}]", *(f"{name} = {target}" for name, target in entries.items())]
    return {
        "METADATA": "\n".join(lines) + "\n\n" + (ROOT / project["readme"]).read_text(),
        "WHEEL": f"Wheel-Version: 1.0\nGenerator: torchweld\nRoot-Is-Purelib: false\nTag: {TAG}\n",
        "entry_points.txt": "\n".join(points) + "\n",
        "licenses/LICENSE": (ROOT / "LICENSE").read_text(),
    }


def _write_wheel(path, files, record):
    """The same files give the same bytes."""
    rows = []
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        rows.append(f"{name},sha256={digest},{len(content)}\n")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, content in {**files, record: ("".join(rows) + f"{record},,\n").encode()}.items():
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if name.endswith(".so") else 0o644) << 16
            wheel.writestr(entry, content)
