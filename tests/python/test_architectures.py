"""Architectures that people use give the answers of TorchScript, in kernels."""

import architectures
import pytest

LARGEST_ERROR = 1e-4  # of the largest magnitude, f32: as far as other orders of summation go in these depths


@pytest.mark.parametrize("name", architectures.ARCHITECTURES)
def test_computes_what_torchscript_does(name):
    row = architectures.measure(name)
    assert row["error"] < LARGEST_ERROR
    assert row["fallbacks"] == 0
    assert row["bytes_after"] < row["bytes_before"]
