"""Runs ops through the kernels that the host printer makes: many graphs in one call of torchweld-opt, all their kernels
in one library.
"""
import ctypes
import json
import os
import pathlib
import subprocess
import tempfile

import torch

from record_eager import DTYPES, operand_text, type_text

HERE = pathlib.Path(__file__).resolve().parent
TOOL = os.environ.get("TORCHWELD_OPT", str(HERE.parents[1] / "build/bin/torchweld-opt"))
CXX = os.environ.get("TORCHWELD_CXX", "c++")
OPTIONS = "-std=c++17 -O0 -ffp-contract=off -fno-math-errno -fno-trapping-math -fPIC -shared -w".split()
NUMBERS = {"f32": ctypes.c_float, "f64": ctypes.c_double, "i64": ctypes.c_longlong}


def run_tool(*arguments, text=""):
    result = subprocess.run([TOOL, *arguments], input=text, capture_output=True, text=True, timeout=300, check=False)
    assert result.returncode == 0, f"{result.stderr}\n{text[:400]}"
    return result.stdout


def alignment_text(x):
    """What the text of a type says of an address that is not a multiple of 16."""
    alignment = next(a for a in (16, 8, 4, 2, 1) if x.data_ptr() % a == 0)
    return "" if alignment == 16 else f"@align{alignment}"


def region_text(name, args, count):
    inputs = []
    operands = ", ".join(operand_text(arg, inputs) for arg in args)
    header = ", ".join(f"%x{i}: {type_text(x)}{alignment_text(x)}" for i, x in enumerate(inputs))
    results = ", ".join(f"%r{i}" for i in range(count))
    left = ", ".join(f"%r{i}: tensor" for i in range(count))
    return f"graph({header}):\n  {left} = aten::{name}({operands})\n  return {results}\n", inputs


def compile_kernels(programs):
    """One library of all kernels; those of equal text are one function. Sets the "function" of each kernel."""
    names = {}
    texts = [run_tool("--prelude", "host")]
    for program in programs:
        for kernel in program.get("kernels", []):
            text = kernel["text"].replace(f" {kernel['name']}(", " NAME(", 1)
            if text not in names:
                names[text] = f"kernel_{len(names)}"
                texts.append(text.replace(" NAME(", f" {names[text]}(", 1))
            kernel["function"] = names[text]
    with tempfile.TemporaryDirectory() as folder:
        source, library = f"{folder}/kernels.cpp", f"{folder}/kernels.so"
        pathlib.Path(source).write_text("".join(texts))
        result = subprocess.run([CXX, *OPTIONS, "-o", library, source], capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stderr[:4000]
        loaded = ctypes.CDLL(library)
    for program in programs:
        for kernel in program.get("kernels", []):
            kernel["function"] = getattr(loaded, kernel["function"])


def bytes_of(argument, memory):
    """The bytes of a kernel's argument, as a ctypes value."""
    if "pointer" in argument:
        return ctypes.c_void_p(memory[argument["pointer"]].data_ptr() + argument["offset"])
    if "int" in argument:
        return (ctypes.c_longlong if argument["bytes"] == 8 else ctypes.c_uint)(argument["int"])
    if "divisor" in argument:
        return (ctypes.c_uint * 3)(*argument["divisor"])
    text = argument["number"]
    if argument["dtype"] in ("f32", "f64"):
        return NUMBERS[argument["dtype"]](float(text))
    if argument["dtype"] == "bool":
        return ctypes.c_bool(float(text) != 0)
    return NUMBERS[argument["dtype"]](int(text) if text.lstrip("-").isdigit() else int(float(text)))


def run(program, inputs):
    """The outputs of one program; its kernels run in two halves, as threads would run them."""
    memory = dict(zip(program["inputs"], inputs))
    for buffer in program["buffers"]:
        memory[buffer["value"]] = torch.empty(max(buffer["elements"], 1), dtype=DTYPES[buffer["dtype"]])
    for kernel in program["kernels"]:
        held = [bytes_of(argument, memory) for argument in kernel["arguments"]]
        pointers = (ctypes.c_void_p * len(held))(*[ctypes.addressof(value) for value in held])
        grid = kernel["grid"]
        for begin, end in ((grid // 3, grid), (0, grid // 3)):
            kernel["function"](pointers, ctypes.c_longlong(begin), ctypes.c_longlong(end))
    results = []
    for output in program["outputs"]:
        source = memory[output.get("input", output["value"])]
        offset = output["offset"] + source.storage_offset() if "input" in output else 0
        results.append(source.as_strided(output["sizes"], output["strides"], offset))
    return results


def programs_of(cases):
    """A program and its inputs for each (name, args, number of results), compiled."""
    texts, inputs = zip(*[region_text(*case) for case in cases])
    programs = json.loads(run_tool("--kernels", "host", text="".join(texts)))
    assert len(programs) == len(texts)
    compile_kernels(programs)
    return list(zip(programs, inputs, texts))
