#!/usr/bin/env python3
"""Records what eager returns for the tests of type inference.

    python tests/graph/record_eager.py [--device cuda]

writes eager_dtypes.inc (one line per op: the result dtype for each operand dtype, "-" where eager refuses) and
eager_layouts.inc (whole graphs with the types that eager gave) beside itself. With --device cuda it writes
eager_layouts_cuda.inc only.
"""
import argparse
import pathlib
import warnings

import torch

from eager_cases import layout_cases, refusals

warnings.filterwarnings("ignore")
HERE = pathlib.Path(__file__).resolve().parent
DTYPES = {"f64": torch.float64, "f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16, "i64": torch.int64,
          "i32": torch.int32, "i16": torch.int16, "i8": torch.int8, "u8": torch.uint8, "bool": torch.bool}
NAMES = {dtype: name for name, dtype in DTYPES.items()}
CODES = {torch.uint8: 0, torch.int8: 1, torch.int16: 2, torch.int32: 3, torch.int64: 4, torch.float16: 5,
         torch.float32: 6, torch.float64: 7, torch.bool: 11, torch.bfloat16: 15}

UNARY = """abs acos acosh asin asinh atan atanh bitwise_not ceil cos cosh deg2rad erf erfc exp exp2 expm1 floor frac
hardsigmoid hardswish isfinite isinf isnan isneginf isposinf lgamma log log10 log1p log2 log_sigmoid logical_not mish neg
positive reciprocal relu relu6 round rsqrt selu sgn sigmoid sign silu sin sinh sqrt square tan tanh trunc sum mean prod
amax amin max min any all""".split()
BINARY = """add.Tensor sub.Tensor rsub.Tensor mul.Tensor div.Tensor atan2 bitwise_and.Tensor bitwise_left_shift.Tensor
bitwise_or.Tensor bitwise_right_shift.Tensor bitwise_xor.Tensor copysign.Tensor eq.Tensor ne.Tensor lt.Tensor le.Tensor
gt.Tensor ge.Tensor fmax fmin fmod.Tensor hypot logaddexp logical_and logical_or logical_xor maximum minimum
max.other min.other pow.Tensor_Tensor remainder.Tensor xlogy.Tensor""".split()
SCALAR = """add.Scalar sub.Scalar rsub.Scalar mul.Scalar div.Scalar eq.Scalar ne.Scalar lt.Scalar le.Scalar gt.Scalar
ge.Scalar fmod.Scalar remainder.Scalar pow.Tensor_Scalar bitwise_and.Scalar bitwise_or.Scalar bitwise_xor.Scalar
bitwise_left_shift.Tensor_Scalar bitwise_right_shift.Tensor_Scalar celu clamp_min clamp_max copysign.Scalar hardshrink
leaky_relu softshrink xlogy.Scalar_Other""".split()
# An integer divisor may be 0, for which eager raises on the host: marked "?" where eager has a dtype for the others.
DIVISIONS = {"fmod.Tensor", "remainder.Tensor"}
TRAILING = {"add.Tensor": [1], "sub.Tensor": [1], "rsub.Tensor": [1], "add.Scalar": [1], "sub.Scalar": [1],
            "rsub.Scalar": [1], "sum": [None], "mean": [None], "prod": [None], "amax": [[], False], "amin": [[], False]}


def op_named(name):
    packet, _, overload = name.partition(".")
    return getattr(getattr(torch.ops.aten, packet), overload or "default")


def call(name, args):
    """The op's result, or None where eager refuses. Dtype codes become dtypes where the schema asks for one."""
    op = op_named(name)
    converted = []
    for arg, formal in zip(args, op._schema.arguments):
        if formal.name == "dtype" and arg is not None:
            arg = next(dtype for dtype, code in CODES.items() if code == arg)
        if formal.name == "memory_format" and arg is not None:
            arg = [torch.contiguous_format, torch.preserve_format, torch.channels_last, torch.channels_last_3d][arg]
        if formal.name == "device" and arg is not None:
            arg = torch.device(arg)
        converted.append(arg)
    positional = [a for a, f in zip(converted, op._schema.arguments) if not f.kwarg_only]
    named = {f.name: a for a, f in zip(converted, op._schema.arguments) if f.kwarg_only}
    try:
        return op(*positional, **named)
    except (RuntimeError, TypeError, IndexError, ValueError, NotImplementedError):
        return None


def dtype_row(name, other):
    results = []
    for dtype in DTYPES.values():
        x = torch.ones(2, dtype=dtype)
        second = [torch.ones(2, dtype=dtype)] if other is None else ([] if other == "none" else [other])
        result = call(name, [x] + second + TRAILING.get(name, []))
        may_raise = name in DIVISIONS and not dtype.is_floating_point and result is not None
        results.append("-" if result is None else "?" if may_raise else NAMES[result.dtype])
    operand = {None: "same", "none": ""}.get(other, repr(other)) if not isinstance(other, bool) else repr(other)
    return f"aten::{name} | {operand} | {' '.join(results)}"


def dtype_rows():
    rows = [dtype_row(name, "none") for name in UNARY]
    rows += [dtype_row(name, None) for name in BINARY]
    rows += [dtype_row(name, number) for name in SCALAR for number in (2, 0.5, True)
             if not (name == "pow.Tensor_Scalar" and number is True)]
    for dtype in DTYPES.values():  # the whole table of promotion, dimensioned with dimensioned and with 0-dim
        for sizes in ([2], []):
            results = []
            for other in DTYPES.values():
                result = torch.ones(2, dtype=other) * torch.ones(sizes, dtype=dtype)
                results.append(NAMES[result.dtype])
            rows.append(f"aten::mul.Tensor | {NAMES[dtype]}{str(sizes).replace(' ', '')} | {' '.join(results)}")
    return rows


def type_text(x):
    text = f"{NAMES[x.dtype]}[{','.join(map(str, x.shape))}]"
    contiguous = torch.empty(x.shape).stride()
    if tuple(x.stride()) != tuple(contiguous):
        text += "{" + ",".join(map(str, x.stride())) + "}"
    return text + ("@cuda" if x.is_cuda else "")


def operand_text(arg, inputs):
    if isinstance(arg, torch.Tensor):
        inputs.append(arg)
        return f"%x{len(inputs) - 1}"
    if isinstance(arg, (list, tuple)):
        return "[" + ", ".join(operand_text(a, inputs) for a in arg) + "]"
    if isinstance(arg, str):
        return f'"{arg}"'
    return repr(arg)


def graph_text(name, args):
    result = call(name, args)
    inputs = []
    operands = ", ".join(operand_text(a, inputs) for a in args)
    header = ", ".join(f"%x{i}: {type_text(x)}" for i, x in enumerate(inputs))
    results = list(result) if isinstance(result, (list, tuple)) else [result]
    types = ["tensor" if r is None else type_text(r) for r in results]
    left = ", ".join(f"%r{i}: {t}" for i, t in enumerate(types))
    returned = ", ".join(f"%r{i}" for i in range(len(types)))
    return f"graph({header}): {left} = aten::{name}({operands}) return {returned}"


def write(name, lines):
    quoted = "".join(f'R"({line})",\n' for line in lines)
    (HERE / name).write_text("// Written by record_eager.py from eager itself; do not edit.\n" + quoted)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default="cpu")
    device = parser.parse_args().device
    cases = list(layout_cases(device)) + list(refusals(device))
    lines = list(dict.fromkeys(graph_text(name, args) for name, args in cases))
    if device == "cpu":
        write("eager_dtypes.inc", dtype_rows())
        write("eager_layouts.inc", lines)
    else:
        write("eager_layouts_cuda.inc", lines)


if __name__ == "__main__":
    main()
