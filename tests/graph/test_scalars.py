"""Each row that is evaluated while planning and takes numbers or lists of ints: what TorchScript gives.

    pytest tests/graph/test_scalars.py
"""
import itertools
import os
import re

import pytest
import torch

from host_kernels import TOOL, run_tool

pytestmark = pytest.mark.skipif(not os.path.exists(TOOL), reason=f"no {TOOL}")

VALUES = {"int": [7, -3, 2], "float": [2.5, -0.75, 3.0], "bool": [True, False], "number": [4, 2.5],
          "List[int]": [[3, 1, 2], [3]]}


def number_rows():
    """The overloads whose operands VALUES has."""
    for line in run_tool("--ops").splitlines() if os.path.exists(TOOL) else []:
        name, _, kind = line.split("\t")
        namespace, _, rest = name.partition("::")
        base, _, overload = rest.partition(".")
        packet = getattr(getattr(torch.ops, namespace), base, None) if kind == "scalar" else None
        op = getattr(packet, overload or "default", None)
        if op and all(type_name(argument.type) in VALUES for argument in op._schema.arguments):
            yield name, op


def type_name(type_):
    return str(type_.annotation_str)


def literal(value):
    return str(value) if isinstance(value, (bool, list)) else repr(value)


def evaluated(name, args, result):
    """The value that planning has for a call, read back from the node that takes it; or why there is none."""
    is_list = isinstance(result, list)
    type_ = "list" if is_list else type(result).__name__
    taker = "aten::zeros(%n, 7, None, None, None)" if is_list else "aten::full([1], %n, 7, None, None, None)"
    text = f"graph(%x: f32[1]):\n  %n: {type_} = {name}({', '.join(map(literal, args))})\n  %r: tensor = {taker}\n"
    typed = run_tool("--pass=infer", text=text + "  return %r\n")
    return eval(re.search(r"aten::(?:zeros\(|full\(\[1\], )(.*), 7, None", typed).group(1),  # noqa: S307
                {"inf": float("inf"), "nan": float("nan")})


def call(op, args):
    """TorchScript's result. A call from Python may find another overload, whose result is another kind of number."""
    try:
        result = op(*args)
    except (RuntimeError, ZeroDivisionError, IndexError):
        return None
    kind = {"int": int, "float": float, "bool": bool}.get(type_name(op._schema.returns[0].type), lambda same: same)
    return kind(result)


@pytest.mark.parametrize("name,op", list(number_rows()), ids=lambda value: value if isinstance(value, str) else "")
def test_number(name, op):
    tried = 0
    for args in itertools.product(*[VALUES[type_name(argument.type)] for argument in op._schema.arguments]):
        wanted = call(op, args)
        if wanted is None or (isinstance(wanted, float) and wanted != wanted) or tried == 6:
            continue
        try:
            found = evaluated(name, args, wanted)
        except AssertionError as error:
            assert "not supported: op_form" in str(error), error
            continue
        tried += 1
        assert (type(found), found) == (type(wanted), pytest.approx(wanted)), args
    assert tried, f"{name} was never evaluated"
