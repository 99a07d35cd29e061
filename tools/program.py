"""Reading a program for a tool that only looks at it."""

import sys
from dataclasses import dataclass
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.universe import Universe
from xdsl.utils.exceptions import ParseError

from ..text.diagnostics import (
    Report,
    ReportedError,
    find_failing_op,
    report_op_error,
    report_parse_error,
    summarize,
    without_module_dumps,
)
from ..text.parser import NpuParser, SourceMap


@dataclass(frozen=True)
class Program:
    """A program that was read and verifies, and where its ops stand in the text."""

    name: str
    module: ModuleOp
    source: SourceMap

    def place(self, op: Operation) -> str:
        """`file:line:col` of an op."""
        span = self.source.span_of(op)
        return self.name if span is None else str(span.get_location())


def new_context() -> Context:
    """A context that knows every installed dialect; each is loaded when a program names it."""
    context = Context()
    for name, factory in Universe.get_multiverse().all_dialects.items():
        context.register_dialect(name, factory)
    return context


def read_program(file: str, context: Context) -> Program:
    """Read and verify a file, or standard input for `-`; what is wrong with it is raised as a `ReportedError`."""
    name = "<stdin>" if file == "-" else file
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise ReportedError(Report(f"cannot read: {error.strerror}", name)) from error
    parser = NpuParser(context, decoded(data, name), name)
    with without_module_dumps():
        try:
            module = parser.parse_module()
            module.verify()
        except ParseError as error:
            raise ReportedError(report_parse_error(error)) from error
        except Exception as error:
            raise ReportedError(_report(error, parser.source, name)) from error
    return Program(name, module, parser.source)


def decoded(data: bytes, name: str, line_offset: int = 0) -> str:
    """The text of a file."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1 + line_offset
        column = error.start - data.rfind(b"\n", 0, error.start)
        report = Report(f"not UTF-8 text: byte 0x{data[error.start]:02x}", f"{name}:{line}:{column}")
        raise ReportedError(report) from error


def _report(error: Exception, source: SourceMap, name: str) -> Report:
    op = find_failing_op(error)
    if op is None:
        return Report(summarize(error), name)
    return report_op_error(op, summarize(error), source, name)
