"""Finds libtorchweld.so and registers its operators with PyTorch."""

import os
from pathlib import Path

import torch

_PACKAGED = Path(__file__).resolve().parent / "libtorchweld.so"


def is_installed():
    """Whether this is an installed package, which brings its library along."""
    return _PACKAGED.is_file()


def _find() -> Path:
    named = os.environ.get("TORCHWELD_LIBRARY")
    if named:
        if not Path(named).is_file():
            raise ImportError(f"torchweld: TORCHWELD_LIBRARY is {named}, which is no file")
        return Path(named)
    if is_installed():
        return _PACKAGED
    root = Path(__file__).resolve().parents[2]
    places = [root / "build" / "lib", root / "lib"]  # a clone after `make build`; a staged tree
    for place in places:
        if (place / "libtorchweld.so").is_file():
            return place / "libtorchweld.so"
    raise ImportError(
        f"torchweld: no libtorchweld.so in {' or '.join(map(str, places))}: "
        "run `make build`, or set TORCHWELD_LIBRARY to the file"
    )


def load():
    """The namespace of our operators; loads the library on the first use."""
    torch.ops.load_library(str(_find()))
    return torch.ops.torchweld
