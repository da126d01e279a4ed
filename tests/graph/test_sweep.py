"""Each row of the op table x dtype x layout through the kernels of the host printer: what eager gives, bit for bit in
dtype, sizes and strides, and to a rounding in value.

    pytest tests/graph/test_sweep.py
"""
import itertools
import os

import pytest
import torch

from host_kernels import TOOL, programs_of, run, run_tool
from record_eager import DTYPES, call
from sweep_rows import ROWS

pytestmark = pytest.mark.skipif(not os.path.exists(TOOL), reason=f"no {TOOL}")

# Rows that refuse where eager has a result: integer divisors that may be 0, and what no model asks for.
MAY_REFUSE = set("""addcmul div.Scalar_mode div.Tensor_mode floor_divide floor_divide.Scalar fmod.Scalar fmod.Tensor
pow.Tensor_Scalar remainder.Scalar remainder.Scalar_Tensor remainder.Tensor masked_fill.Scalar
l1_loss kl_div""".split())
# And these refuse tensors of no elements, whose layout in eager has no rule.
MAY_REFUSE_NOTHING = set("""binary_cross_entropy_with_logits dstack hstack instance_norm linalg_vector_norm norm.Scalar
pixel_shuffle pixel_unshuffle""".split())
# Steps that lose digits of what is summed or subtracted, or that eager rounds to 16 bits one by one.
SEVERAL_STEPS = set("""_log_softmax batch_norm binary_cross_entropy_with_logits group_norm huber_loss instance_norm kl_div
l1_loss layer_norm log_softmax.int logsumexp mse_loss prod prod.dim_int rms_norm smooth_l1_loss std std.correction
std.dim std_mean std_mean.correction std_mean.dim var var.correction var.dim var_mean var_mean.correction var_mean.dim""".split())
EPSILON = {torch.float64: 2.0**-52, torch.float32: 2.0**-23, torch.float16: 2.0**-10, torch.bfloat16: 2.0**-7}
ROWS_A_BATCH = 24


def values(sizes, dtype):
    count = torch.Size(sizes).numel()
    if dtype.is_floating_point:
        kinds = [0.0, -0.0, 0.3, -0.7, 2.5, -3.5, float("inf"), float("nan"), 1.0, -1.0, float("-inf"), 0.5, -0.25, 12.0]
    elif dtype == torch.bool:
        kinds = [1, 0, 1, 1, 0]
    else:
        kinds = [0, 1, 2, 3, 7, 100, 120, 5] if dtype == torch.uint8 else [0, 1, -1, 3, -7, 100, -120, 5, 2]
    kinds = torch.tensor(kinds, dtype=torch.float64)
    return kinds.repeat(count // len(kinds) + 1)[:count].reshape(sizes).to(dtype)


def layouts(dtype):
    yield values([2, 3, 4, 5], dtype)
    yield values([2, 3, 4, 5], dtype).permute(3, 1, 0, 2)
    yield values([2, 3, 4, 5], dtype).to(memory_format=torch.channels_last)
    yield values([2, 1, 4, 5], dtype).expand(2, 3, 4, 5)
    yield values([4, 6, 7], dtype)[:, 1::2, :5]
    yield values([2, 0, 3], dtype)
    yield values([], dtype)
    yield values([17], dtype)


def tensors():
    """Every layout of f32 and bf16, and of the other dtypes two, one of them no dense one."""
    for dtype in DTYPES.values():
        every = dtype in (torch.float32, torch.bfloat16)
        yield from layouts(dtype) if every else itertools.islice(layouts(dtype), 0, None, 4)


def cases_of(name):
    for x in tensors():
        for maker in ROWS[name]:
            args = maker(x)
            if args is not None:
                yield name, args, call(name, args)


def listed(result):
    if result is None:
        return None
    return list(result) if isinstance(result, (list, tuple)) else [result]


def memory_of(result, args):
    """The number of the tensor operand whose memory a result is."""
    tensors = [arg for arg in args if isinstance(arg, torch.Tensor)]
    storage = result.untyped_storage().data_ptr() if result.numel() else 0
    return next((i for i, x in enumerate(tensors) if x.untyped_storage().data_ptr() == storage != 0), None)


def check(found, wanted, name, args, text):
    about = f"{name}\n{text}"
    for quality in (lambda x: x.dtype, lambda x: x.shape, lambda x: x.stride(), lambda x: memory_of(x, args)):
        if quality(found) != quality(wanted):
            raise AssertionError(f"{about}found {quality(found)}, expected {quality(wanted)}")
    epsilon = EPSILON.get(wanted.dtype, 0)
    is_short = wanted.element_size() == 2  # one rounding of f32, in which errors of functions disappear
    rounds = 16 if name in SEVERAL_STEPS else 1 if is_short else 4
    least = epsilon / (8 if name in SEVERAL_STEPS else 1000) if is_short else epsilon
    close = torch.isclose(found, wanted, rtol=rounds * epsilon, atol=least * max(rounds / 4, 1), equal_nan=True)
    if not close.all():
        at = (~close).nonzero()[0].tolist()
        raise AssertionError(f"{about}at {at}: {found[tuple(at)]}, expected {wanted[tuple(at)]}; operands {args!r:.400}")


def batches():
    names = sorted(ROWS)
    return [names[i:i + ROWS_A_BATCH] for i in range(0, len(names), ROWS_A_BATCH)]


@pytest.mark.parametrize("names", batches(), ids=lambda names: f"{names[0]}-to-{names[-1]}")
def test_rows(names):
    cases = [case for name in names for case in cases_of(name)]
    programs = programs_of([(name, args, len(listed(result) or [0])) for name, args, result in cases])
    computed = set()
    failures = {}
    for (name, args, result), (program, inputs, text) in zip(cases, programs):
        try:
            check_case(name, args, listed(result), program, inputs, text, computed)
        except AssertionError as error:
            failures.setdefault(name, str(error))
    computed.update(failures)
    if failures:
        pytest.fail("\n\n".join(failures.values()), pytrace=False)
    assert not set(names) - computed, "rows that were never computed"


def check_case(name, args, wanted, program, inputs, text, computed):
    if "refused" in program:
        why = program["refused"]
        of_nothing = name in MAY_REFUSE_NOTHING and inputs[0].numel() == 0
        if wanted is not None and name not in MAY_REFUSE and not of_nothing:
            raise AssertionError(f"{why}\n{text}")
        return
    if wanted is None:
        raise AssertionError(f"eager refuses\n{text}")
    computed.add(name)
    for found, expected in zip(run(program, inputs), wanted):
        check(found, expected, name, args, text)


def test_every_row_is_swept():
    lines = [line.split("\t") for line in run_tool("--ops").splitlines()]
    tensor_rows = {name.split("::")[1] for name, _, kind in lines if name.startswith("aten::") and kind != "scalar"}
    assert tensor_rows == set(ROWS)
