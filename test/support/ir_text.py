"""Modules from text and back, for tests of the Python interface."""

import re
from io import StringIO

from npu_opt.dialects.npu import NPU
from npu_opt.dialects.program.symbols import verify
from npu_opt.text.parser import NpuParser
from xdsl.context import Context
from xdsl.dialects import get_all_dialects
from xdsl.dialects.builtin import ModuleOp
from xdsl.printer import Printer

CASE_SEPARATOR = "// -----"


def split_cases(text: str) -> list[str]:
    """The programs of one file, split as by `--split-input-file`."""
    return re.split(rf"^{CASE_SEPARATOR}\s*$", text, flags=re.MULTILINE)


def context() -> Context:
    """A context with the dialects of xDSL and npu-opt, loaded on demand."""
    made = Context()
    for name, factory in get_all_dialects().items():
        made.register_dialect(name, factory)
    made.register_dialect(NPU.name, lambda: NPU)
    return made


def parse(text: str) -> ModuleOp:
    return NpuParser(context(), text).parse_module()


def parse_verified(text: str) -> ModuleOp:
    module = parse(text)
    verify(module)
    return module


def print_generic(module: ModuleOp) -> str:
    stream = StringIO()
    Printer(stream, print_generic_format=True).print_op(module)
    return stream.getvalue()


def split_and_joined(count: int) -> str:
    """A program that splits a tensor into so many parts, and joins them again."""
    names = ", ".join(f"%p{index}" for index in range(count))
    parts = ", ".join(["tensor<4x2xf32>"] * count)
    whole = f"tensor<4x{2 * count}xf32>"
    return f"""func.func @main(%x: {whole}) -> {whole} {{
      {names} = npu.split %x axis = 1 sizes = [{", ".join("2" * count)}] : ({whole}) -> ({parts})
      %y = npu.concat {names} axis = 1 : ({parts}) -> {whole}
      func.return %y : {whole}
    }}"""
