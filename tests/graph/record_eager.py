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


def layouts(device):
    """Tensors of rank 4 in many layouts, each with all sizes over 1 or with some of size 1."""
    x = torch.ones(2, 3, 4, 5, device=device)
    yield x
    yield x.to(memory_format=torch.channels_last)
    yield x.permute(3, 1, 0, 2)
    yield torch.ones(5, 4, 3, 2, device=device).permute(3, 2, 1, 0)
    yield x[:, ::2]
    yield x[:, :, 1:3, ::2]
    yield x[:, :1].expand(2, 3, 4, 5)
    yield torch.ones(1, 3, 1, 5, device=device).to(memory_format=torch.channels_last)
    yield torch.ones(2, 1, 4, 1, device=device).transpose(1, 3)
    yield torch.ones(2, 0, 4, 5, device=device).transpose(1, 2)


def small_layouts(device):
    yield torch.ones((), device=device)
    yield torch.ones(4, device=device)
    yield torch.ones(8, device=device)[::2]
    yield torch.ones(3, 4, device=device).t()
    yield torch.ones(1, 4, device=device).expand(3, 4)
    yield torch.ones(2, 3, 4, device=device).transpose(0, 2)


def every_layout(device):
    yield from layouts(device)
    yield from small_layouts(device)


def layout_cases(device):
    for x in every_layout(device):
        rank = x.dim()
        yield "relu", [x]
        yield "exp", [x]
        yield "add.Scalar", [x, 2, 1]
        yield "leaky_relu", [x, 0.01]
        yield "clamp", [x, 0, None]
        yield "lt.Scalar", [x, 0.5]
        yield "gelu", [x, "none"]
        yield "to.dtype", [x, 5, False, False, None]
        yield "clone", [x, None]
        yield "contiguous", [x, 0]
        yield "zeros_like", [x, None, None, None, None, None]
        yield "softmax.int", [x, -1, None]
        yield "log_softmax.int", [x, 0, 7]
        yield "sum.dim_IntList", [x, [-1], True, None]
        yield "amax", [x, [0], False]
        yield "var.correction", [x, [0], 1, True]
        yield "unsqueeze", [x, 0]
        yield "unsqueeze", [x, -1]
        yield "squeeze", [x]
        yield "flatten.using_ints", [x, 0, -1]
        yield "reshape", [x, [-1]]
        yield "view", [x, [-1]]
        yield "expand", [x, [2] + list(x.shape), False]
        yield "mul.Tensor", [x, torch.ones((), device=device)]
        yield "mul.Tensor", [torch.ones([4] + [1] * rank, device=device), x]
        yield "where.self", [torch.ones(x.shape, dtype=torch.bool, device=device), x, x]
        yield "where.ScalarOther", [torch.ones(x.shape, dtype=torch.bool, device=device), x, 0.5]
        yield "masked_fill.Scalar", [x, torch.ones(x.shape, dtype=torch.bool, device=device), 0.5]
        yield "cat", [[x, x], 0]
        yield "stack", [[x, x], 0]
        yield "pow.Tensor_Scalar", [x, 2]
        yield "rsub.Scalar", [x, 1, 1]
        yield "fmod.Scalar", [x, 3]
        yield "rsub.Tensor", [x, x.contiguous(), 1]
        yield "pow.Scalar", [2, x]
        yield "log_sigmoid", [x]
        yield "nan_to_num", [x, None, None, None]
        yield "prelu", [x, torch.ones(1, device=device)]
        yield "selu", [x]
        yield "lerp.Tensor", [x, x.contiguous(), x]
        yield "addcdiv", [x, x.contiguous(), x, 1]
        yield "kl_div", [x, x.contiguous(), 0, False]
        yield "mse_loss", [x, x.contiguous(), 0]
        yield "huber_loss", [x, x.contiguous(), 2, 0.5]
        yield "logsumexp", [x, [0], True]
        yield "std_mean.correction", [x, [0], 1, True]
        yield "norm.ScalarOpt_dim", [x, 1, [-1], False]
        yield "flip", [x, [0]]
        yield "roll", [x, [1], []]
        yield "repeat", [x, [2] + [1] * rank]
        yield "tile", [x, [2]]
        yield "hstack", [[x, x]]
        if rank > 0:
            yield "layer_norm", [x, [x.shape[-1]], None, None, 1e-5, True]
            yield "narrow", [x, rank - 1, 1, 2]
            yield "slice.Tensor", [x, 0, 1, None, 2]
            yield "select.int", [x, 0, -1]
            yield "unbind.int", [x, 0]
            yield "chunk", [x, 2, -1]
            yield "split.Tensor", [x, 2, 0]
            yield "tensor_split.sections", [x, 2, 0]
            yield "roll", [x, [1], [0]]
        if rank > 1:
            yield "transpose.int", [x, 0, -1]
            yield "tril", [x, 0]
            yield "mT", [x]
            yield "reshape", [x, [x.shape[0], -1]]
            yield "view", [x, [x.shape[0], -1]]
            yield "flatten.using_ints", [x, 0, 1]
            yield "mul.Tensor", [x, x.contiguous()]
            yield "mul.Tensor", [x.contiguous(), x]
            yield "mul.Tensor", [x, torch.ones(x.shape[-1], device=device)]
            yield "lt.Tensor", [x, x.transpose(0, 1).contiguous().transpose(0, 1)]
        if rank > 1 and x.numel() > 0:  # the layout of a norm of nothing has no rule
            channels = torch.ones(x.shape[1], device=device)
            yield "rms_norm", [x, [x.shape[-1]], None, 1e-5]
            yield "batch_norm", [x, channels, channels, channels, channels, False, 0.1, 1e-5, True]
            yield "group_norm", [x, 1, channels, channels, 1e-5, True]
            yield "pixel_shuffle", [x.expand(1, *x.shape), 1]
            yield "binary_cross_entropy_with_logits", [x, x.contiguous(), None, None, 0]
            yield "instance_norm", [x, channels, channels, None, None, True, 0.1, 1e-5, True]
        if rank == 4:
            yield "permute", [x, [0, 2, 3, 1]]
            yield "glu", [x, 2]
            yield "movedim.int", [x, 1, -1]
            yield "contiguous", [x, 2]
            yield "clone", [x, 2]
            yield "unflatten.int", [x, 3, [1, -1]]
            yield "cat", [[x, x.contiguous()], 1]
            yield "constant_pad_nd", [x, [1, 1, 0, 2], 0]
            yield "constant_pad_nd", [x, [0, 0], 0]
            yield "add.Tensor", [x, torch.ones(1, 3, 1, 1, device=device), 1]
            yield "add.Tensor", [torch.ones(3, 4, 1, device=device), x, 1]


def refusals(device):
    x = torch.ones(2, 3, device=device)
    n = torch.ones(2, 3, dtype=torch.int64, device=device)
    yield "add.Tensor", [x, torch.ones(2, 4, device=device), 1]
    yield "add.Tensor", [n, n, 0.5]
    yield "add.Tensor", [n, n, True]
    yield "mean", [n, None]
    yield "mean.dim", [n, [0], False, 6]
    yield "softmax.int", [n, 0, None]
    yield "softmax.int", [n, 0, 6]
    yield "softmax.int", [x, 2, None]
    yield "sum.dim_IntList", [x, [0, 0], False, None]
    yield "sum.dim_IntList", [x, [], False, None]
    yield "sum.dim_IntList", [n, [1], False, 5]
    yield "amax", [torch.ones(0, 3, device=device), [0], False]
    yield "max", [torch.ones(0, 3, device=device)]
    yield "argmax", [torch.ones(0, 3, device=device), 0, False]
    yield "argmax", [x, None, True]
    yield "argmax", [x, -1, False]
    yield "max.dim", [x, 0, True]
    yield "min.dim", [torch.ones((), device=device), 0, False]
    yield "var", [n, True]
    yield "std.dim", [x, [0], False, True]
    yield "linalg_vector_norm", [x, 2, [1], True, None]
    yield "linalg_vector_norm", [n, 2, [1], True, None]
    yield "layer_norm", [x, [4], None, None, 1e-5, True]
    yield "layer_norm", [x, [3], torch.ones(4, device=device), None, 1e-5, True]
    yield "layer_norm", [n, [3], None, None, 1e-5, True]
    yield "batch_norm", [x, None, None, None, None, False, 0.1, 1e-5, True]
    yield "group_norm", [x, 2, None, None, 1e-5, True]
    yield "view", [x, [4, 2]]
    yield "view", [x, [-1, -1]]
    yield "view", [x.t(), [6]]
    yield "view", [torch.ones(0, 3, device=device), [-1, 3]]
    yield "view", [torch.ones(0, 3, device=device), [-1, 0]]
    yield "reshape", [torch.ones((), device=device), [1, 1]]
    yield "expand", [x, [3, 3], False]
    yield "expand", [x, [3], False]
    yield "expand", [x, [-1, 2, 3], False]
    yield "permute", [x, [0, 0]]
    yield "transpose.int", [x, 0, 2]
    yield "t", [torch.ones(2, 3, 4, device=device)]
    yield "select.int", [x, 0, 2]
    yield "narrow", [x, 0, 1, 2]
    yield "slice.Tensor", [x, 0, 5, 9, 1]
    yield "slice.Tensor", [x, 1, -2, -1, 1]
    yield "slice.Tensor", [x, 1, 0, 2, 0]
    yield "split_with_sizes", [x, [1, 1], 1]
    yield "split_with_sizes", [x, [1, 2], 1]
    yield "cat", [[x, torch.ones(2, 4, device=device)], 0]
    yield "cat", [[x, torch.ones(2, 4, device=device)], 1]
    yield "cat", [[x, torch.ones(0, device=device)], 1]
    yield "cat", [[x, n], 1]
    yield "cat", [[torch.ones((), device=device)], 0]
    yield "stack", [[x, torch.ones(2, 4, device=device)], 0]
    yield "gelu", [x, "other"]
    yield "constant_pad_nd", [x, [-2, -2], 0]
    yield "constant_pad_nd", [x, [1], 0]
    yield "constant_pad_nd", [x, [1, 1, 1, 1, 1, 1], 0]
    yield "clamp", [x, None, None]
    yield "clamp", [n, 0, 1.5]
    yield "clamp.Tensor", [x, torch.ones(3, device=device), None]
    yield "masked_fill.Scalar", [x, n, 1]
    yield "masked_fill.Scalar", [torch.ones(3, device=device), x > 0, 1]
    yield "masked_fill.Tensor", [x, x > 0, x]
    yield "where.self", [x, x, x]
    yield "where.self", [x > 0, x, n]
    yield "where.Scalar", [x > 0, 5.0, 3.0]
    yield "where.Scalar", [x > 0, 5, 3]
    yield "where.ScalarSelf", [x > 0, 0.5, n]
    yield "unflatten.int", [x, 1, [2, -1]]
    yield "pow.Tensor_Scalar", [n, -1]
    yield "pow.Scalar", [2, x]
    yield "pow.Scalar", [0.5, n]
    yield "div.Tensor_mode", [x, x, "floor"]
    yield "div.Tensor_mode", [n, x, "trunc"]
    yield "div.Scalar_mode", [n, 2, "floor"]
    yield "div.Scalar_mode", [n, 2, None]
    yield "floor_divide", [x, x]
    yield "lerp.Scalar", [x, x, 0.5]
    yield "lerp.Scalar", [x, x.half(), 0.5]
    yield "addcmul", [x, x, n, 1]
    yield "addcmul", [n, n, n, 2]
    yield "hardtanh", [n, -1, 1]
    yield "hardtanh", [n.to(torch.uint8), -1, 1]
    yield "addcdiv", [x, n, n, 1]
    yield "glu", [x, 1]
    yield "glu", [torch.ones((), device=device), 0]
    yield "prelu", [x, torch.ones(2, device=device)]
    yield "prelu", [x, n[0]]
    yield "celu", [x, 0]
    yield "lerp.Tensor", [x, x, x.half()]
    yield "tril", [x[0], 0]
    yield "repeat", [x, [2]]
    yield "flip", [x, [0, 0]]
    yield "roll", [x, [1, 1], [0]]
    yield "pixel_shuffle", [x[None], 2]
    yield "instance_norm", [x, None, None, None, None, False, 0.1, 1e-5, True]
    yield "clamp.Tensor", [x > 0, x > 0, None]
    yield "clamp.Tensor", [x > 0, x > 0, x > 0]
    yield "contiguous", [x.t(), 1]
    yield "logsumexp", [n, [0], False]
    yield "elu", [x, 1, 1, 1]
    yield "elu", [n, 1, 1, 1]
    yield "softplus", [x, 1, 20]
    yield "threshold", [x, 0.1, 0]
    yield "threshold", [n, 1, 0]
    yield "type_as", [x, n]
    yield "full_like", [n, 0.5, None, None, None, None, None]
    yield "any.dim", [n, 0, False]
    yield "any", [torch.ones(2, dtype=torch.uint8, device=device)]
    yield "prod.dim_int", [x, 0, True, None]


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
