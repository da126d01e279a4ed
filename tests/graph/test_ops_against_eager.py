"""The meaning of the op table against eager: regions are lowered by torchweld-opt and the primitives evaluated here.

    pytest tests/graph

Needs a built torchweld-opt, in $TORCHWELD_OPT or build/bin.
"""
import os
import pathlib
import re
import subprocess
import sys

import pytest
import torch

HERE = pathlib.Path(__file__).resolve().parent
TOOL = os.environ.get("TORCHWELD_OPT", str(HERE.parents[1] / "build/bin/torchweld-opt"))
pytestmark = pytest.mark.skipif(not os.path.exists(TOOL), reason=f"no {TOOL}")

sys.path.insert(0, str(HERE))
from record_eager import DTYPES, call, operand_text, type_text  # noqa: E402

PASSES = "infer,lower,simplify,merge_common_subexpressions,remove_dead_nodes"


def run_tool(*arguments, text=""):
    result = subprocess.run([TOOL, *arguments], input=text, capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 0, f"{result.stderr}\n{text}"
    return result.stdout


@pytest.fixture(scope="session")
def table():
    return dict(line.split("\t")[:2] for line in run_tool("--ops").splitlines())


# ---- functions of graph/functions.h, in the plainest terms of torch

def floor_div(a, b):
    return torch.div(a, b, rounding_mode="floor")


FUNCTIONS = {
    "tw_sigmoid": torch.sigmoid, "tw_rsqrt": torch.rsqrt, "tw_max": torch.maximum, "tw_min": torch.minimum,
    "tw_select": lambda c, a, b: torch.where(c.bool(), a, b), "tw_not": torch.logical_not,
    "tw_and": torch.logical_and, "tw_or": torch.logical_or, "tw_xor": torch.logical_xor,
    "tw_bit_not": torch.bitwise_not, "tw_floor_div": floor_div,
    "tw_trunc_div": lambda a, b: torch.div(a, b, rounding_mode="trunc"),
}
FUNCTIONS.update({"tw_" + name: getattr(torch, name) for name in """exp expm1 log log1p log2 log10 sin cos tan asin acos atan
sinh cosh tanh asinh acosh atanh erf erfc exp2 lgamma sqrt atan2 copysign hypot floor ceil trunc round abs sign isnan isinf
pow fmod remainder""".split()})


def compute_dtype(dtype):
    return torch.float32 if dtype in (torch.float16, torch.bfloat16) else dtype


class Evaluation:
    """The primitives of one graph, evaluated in order."""

    def __init__(self, table, inputs):
        self.table = table
        self.values = dict(inputs)

    def run(self, text):
        lines = text.splitlines()
        for line in lines[1:-1]:
            left, right = line.strip().split(" = ", 1)
            name, type_ = left.split(": ", 1)
            dtype, sizes = re.match(r"%?(\w+)\[([\d,]*)\]", type_).groups()
            sizes = [int(s) for s in sizes.split(",") if s]
            op, operands = right.split("(", 1)
            self.values[name] = self.apply(op, self.read("[" + operands[:-1] + "]"), DTYPES[dtype], sizes)
        return [self.values[name] for name in lines[-1].split("return ")[1].split(", ")]

    def read(self, text):
        python = re.sub(r"%[\w.]+", lambda name: f"values['{name.group()}']", text)
        return eval(python, {"values": self.values, "inf": float("inf"), "nan": float("nan")})  # noqa: S307

    def apply(self, op, operands, dtype, sizes):
        if self.table[op]:
            return self.pointwise(op, operands, dtype)
        kind = op.split("::")[1]
        x = operands[0]
        if kind == "permute":
            return x.permute(operands[1])
        if kind in ("reshape", "expand"):
            return getattr(x, kind)(operands[1])
        if kind == "slice":
            dim, start, step = operands[1:]
            index = start + step * torch.arange(sizes[dim])
            return x.index_select(dim, index)
        if kind == "cat":
            return torch.cat(x, operands[1])
        if kind == "full":
            return torch.full(sizes, x, dtype=dtype)
        if kind == "arange":
            return (x + operands[1] * torch.arange(sizes[0])).to(dtype)
        return self.reduce(kind, x, operands[1], dtype)

    @staticmethod
    def reduce(kind, x, dims, dtype):
        x = x.to(compute_dtype(x.dtype))
        if kind in ("argmax", "argmin"):
            return getattr(x, kind)(dims[0])
        for dim in sorted(dims, reverse=True):
            x = {"sum": x.sum, "prod": x.prod, "max": x.amax, "min": x.amin, "any": x.any, "all": x.all}[kind](dim)
        return x.to(dtype)

    def pointwise(self, op, operands, dtype):
        expression = self.table[op]
        common = dtype
        if dtype == torch.bool and not op.endswith("cast") and "where" not in op:
            common = torch.result_type(operands[0], operands[-1])  # a comparison has one or two operands
        compute = compute_dtype(common)

        def converted(x):
            return x.to(compute) if isinstance(x, torch.Tensor) else torch.tensor(x).to(compute)

        text = re.sub(r"\$(\d)", r"o[\1]", expression)
        names = dict(FUNCTIONS, o=[converted(x) for x in operands], T=lambda x: torch.tensor(x).to(compute))
        return eval(text, names).to(dtype)  # noqa: S307


def lowered(name, args, count):
    inputs = []
    operands = ", ".join(operand_text(arg, inputs) for arg in args)
    header = ", ".join(f"%x{i}: {type_text(x)}" for i, x in enumerate(inputs))
    results = ", ".join(f"%r{i}" for i in range(count))
    left = ", ".join(f"%r{i}: tensor" for i in range(count))
    region = f"graph({header}):\n  {left} = aten::{name}({operands})\n  return {results}\n"
    return run_tool(f"--pass={PASSES}", text=region), {f"%x{i}": x for i, x in enumerate(inputs)}


TOLERANCE = {torch.float16: 2e-3, torch.bfloat16: 2e-2, torch.float64: 1e-10}


def check(table, name, args):
    expected = call(name, args)
    assert expected is not None, f"eager refuses {name}"
    expected = list(expected) if isinstance(expected, (list, tuple)) else [expected]
    text, inputs = lowered(name, args, len(expected))
    for found, wanted in zip(Evaluation(table, inputs).run(text), expected):
        tolerance = TOLERANCE.get(wanted.dtype, 2e-6)
        torch.testing.assert_close(found, wanted, rtol=tolerance, atol=tolerance, equal_nan=True,
                                   msg=lambda message: f"{name}: {message}\n{text}")


def samples(dtype):
    """Numbers of every kind that the dtype has, some of them equal."""
    if dtype == torch.bool:
        return torch.tensor([True, False, True, True, False, False, True, False])
    if not dtype.is_floating_point:
        unsigned = dtype == torch.uint8
        return torch.tensor([0, 1, 2, 3, 7, 100, 120, 5] if unsigned else [0, 1, -1, 3, -7, 100, -120, 5], dtype=dtype)
    return torch.tensor([0.0, -0.0, 0.3, -0.7, 2.5, -3.5, float("inf"), float("nan")], dtype=dtype)


UNARY = """abs acos asin atan bitwise_not ceil cos cosh erf erfc exp expm1 floor frac hardsigmoid hardswish isnan log log10
log1p log2 logical_not mish neg reciprocal relu relu6 round rsqrt sigmoid sign silu sin sinh sqrt square tan tanh
trunc""".split()
BINARY = """atan2 bitwise_and.Tensor bitwise_or.Tensor bitwise_xor.Tensor div.Tensor eq.Tensor fmod.Tensor ge.Tensor gt.Tensor
le.Tensor logical_and logical_or logical_xor lt.Tensor max.other maximum min.other minimum mul.Tensor ne.Tensor
pow.Tensor_Tensor remainder.Tensor""".split()


@pytest.mark.parametrize("name", UNARY)
def test_unary(table, name):
    for dtype in DTYPES.values():
        if call(name, [samples(dtype)]) is not None:
            check(table, name, [samples(dtype)])


@pytest.mark.parametrize("name", BINARY)
def test_binary(table, name):
    for dtype in DTYPES.values():
        x, y = samples(dtype), samples(dtype).flip(0)
        if not dtype.is_floating_point:
            y = torch.where(y == 0, torch.ones_like(y), y)  # no division by zero, no negative power
            y = y if dtype == torch.bool else y.abs()
        may_raise = name.startswith(("fmod", "remainder")) and not dtype.is_floating_point  # for a divisor of 0
        if call(name, [x, y]) is not None and not may_raise:
            check(table, name, [x, y])
            check(table, name, [x, y[:, None]])


def float_cases():
    x = samples(torch.float32)
    y = x.flip(0)
    yield "add.Tensor", [x, y, 2]
    yield "add.Scalar", [x, 1.5, 2]
    yield "sub.Tensor", [x, y, 0.5]
    yield "rsub.Scalar", [x, 2, 3]
    yield "mul.Scalar", [x, 0.3]
    yield "addcmul", [x, y, y, 0.5]
    yield "lerp.Scalar", [x, y, 0.25]
    yield "lerp.Scalar", [x, y, 0.75]
    yield "clamp", [x, -0.5, 0.5]
    yield "clamp", [x, None, 0.5]
    yield "clamp.Tensor", [x, y, None]
    yield "clamp_min", [x, 0.1]
    yield "clamp_max", [x, 0.1]
    yield "elu", [x, 1.5, 2.0, 0.5]
    yield "leaky_relu", [x, 0.1]
    yield "hardtanh", [x, -1, 1]
    yield "softplus", [x, 2, 3]
    yield "threshold", [x, 0.1, 7]
    yield "gelu", [x, "none"]
    yield "gelu", [x, "tanh"]
    yield "floor_divide", [x, y]
    yield "div.Tensor_mode", [x, y, "trunc"]
    yield "div.Scalar_mode", [samples(torch.int32), 3, "floor"]
    yield "div.Scalar_mode", [samples(torch.int32), -3, "trunc"]
    yield "fmod.Scalar", [x, 0.4]
    yield "remainder.Scalar", [x, -0.4]
    for exponent in (2, 0.5, -0.5, -1, 3, 0, -2):
        yield "pow.Tensor_Scalar", [x, exponent]
    yield "pow.Tensor_Scalar", [samples(torch.int64), 3]
    yield "pow.Scalar", [2, x]
    yield "where.self", [x > 0, x, y]
    yield "where.ScalarOther", [x > 0, x, 3.0]
    yield "masked_fill.Scalar", [x, x > 0, -1.0]
    yield "masked_fill.Tensor", [x, x > 0, torch.tensor(3)]


@pytest.mark.parametrize("case", list(float_cases()), ids=lambda case: f"{case[0]}-{case[1][1:]!r:.30}")
def test_operands(table, case):
    check(table, *case)


def composite_cases(dtype):
    torch.manual_seed(0)
    x = torch.randn(4, 6, 5, 3).to(dtype)
    channels = [torch.rand(6).to(dtype) + 0.5 for _ in range(4)]
    weight, bias = torch.randn(3).to(dtype), torch.randn(3).to(dtype)
    for dim in (0, 1, -1):
        yield "softmax.int", [x, dim, None]
        yield "log_softmax.int", [x, dim, None]
        yield "sum.dim_IntList", [x, [dim], True, None]
        yield "amax", [x, [dim], False]
        yield "max.dim", [x, dim, False]
        yield "argmin", [x, dim, True]
        yield "unbind.int", [x, dim]
        yield "prod.dim_int", [x, dim, False, None]
    yield "layer_norm", [x, [3], weight, bias, 1e-5, True]
    yield "layer_norm", [x, [5, 3], None, None, 1e-5, True]
    yield "rms_norm", [x, [3], weight, 1e-5]
    yield "rms_norm", [x, [5, 3], None, None]
    yield "batch_norm", [x, *channels, False, 0.1, 1e-5, True]
    yield "batch_norm", [x, None, None, *channels[:2], False, 0.1, 1e-5, True]
    yield "group_norm", [x, 3, *channels[:2], 1e-5, True]
    yield "sum", [x, None]
    yield "mean", [x, None]
    yield "mean.dim", [x, [0, -1], False, None]
    yield "var.correction", [x, [1, 2], 1, False]
    yield "std.dim", [x, [1, 2], False, True]
    yield "var_mean.correction", [x, [3], 0, True]
    yield "linalg_vector_norm", [x, 2, [-1], True, None]
    yield "any.dim", [x > 1, 1, False]
    yield "all", [x > -9]
    yield "argmax", [x, None, False]
    yield "cat", [[x, x[:, :2]], 1]
    yield "stack", [[x, x.exp()], -1]
    yield "constant_pad_nd", [x, [1, 2, 0, -1], 0.5]
    yield "pad", [x, [0, 0, 3, 0], "constant", None]
    yield "pad", [x, [-1, 0], "constant", None]
    yield "new_full", [x, [2, 2], 0.5, None, None, None, None]
    yield "chunk", [x, 2, 1]
    yield "split.Tensor", [x, 2, 2]
    yield "narrow", [x, 1, -3, 2]
    yield "slice.Tensor", [x, 2, -4, None, 2]
    yield "flatten.using_ints", [x, 1, 2]
    yield "unflatten.int", [x, 1, [2, -1]]
    yield "reshape", [x.permute(0, 2, 3, 1), [4, -1]]
    yield "movedim.intlist", [x, [0, 1], [-1, 0]]
    yield "expand", [x[:, :1], [2, -1, 6, -1, -1], False]
    yield "squeeze", [x[:, :1]]
    yield "to.dtype", [x, 3, False, False, None]
    yield "ones_like", [x, None, None, None, None, None]


@pytest.mark.parametrize("dtype", ["f32", "f64", "bf16", "f16"])
def test_composites(table, dtype):
    for name, args in composite_cases(DTYPES[dtype]):
        check(table, name, args)


def test_every_row_has_a_schema_and_names_its_arguments(table):
    for name, expression in table.items():
        namespace, _, rest = name.partition("::")
        if namespace == "torchweld":
            continue
        base, _, overload = rest.partition(".")
        schemas = [s for s in torch._C._jit_get_schemas_for_operator(f"{namespace}::{base}")
                   if s.overload_name == overload]
        assert schemas or name == "prim::ListConstruct" or name == "prim::ListUnpack", f"no schema of {name}"
        if expression:  # it names every argument
            named = {int(number) for number in re.findall(r"\$(\d)", expression)}
            assert named == set(range(len(schemas[0].arguments))), name
