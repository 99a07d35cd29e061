"""Reading of programs for npu-check and npu-run."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, NameLoc
from xdsl.ir import Operation
from xdsl.utils.exceptions import ParseError

from ....bridges.fixed_sizes import NO_SIZES, FixedSizes
from ....text.diagnostics import (
    Report,
    ReportedError,
    definition_notes,
    report_op_error,
    report_parse_error,
    summarize,
)
from ....text.locations import file_place
from ....universe import installed
from .guessed_format import hint_on_lowering, is_tosa
from .model_formats import format_of_bytes, model_format
from .models import WeightsOptions, not_from_stdin, read_litert, read_model, read_torch
from .tosa import read_tosa

if TYPE_CHECKING:
    from onnx import ModelProto

    from ....bridges.imported import Imported
    from ....text.parser import SourceMap


@dataclass(frozen=True)
class Program:
    """A verified program, and the positions of its ops in the text."""

    name: str
    module: ModuleOp
    source: SourceMap | None
    imported: Imported | None = None
    """The import of a model, if it is one."""
    is_file: bool = True
    """True if the file of this name has the same program."""

    def place(self, op: Operation) -> str:
        """`file:line:col` of an op, or the file and the name of its node in a model."""
        span = self.source.span_of(op) if self.source is not None else None
        if span is not None:
            return str(span.get_location())
        if self.imported is not None and isinstance(op.location, NameLoc):
            return f"{self.name}:{op.location.desc.data}"
        return file_place(op.location) or self.name


def new_context(allow_unregistered: bool = False) -> Context:
    """A context with all installed dialects, which are loaded lazily."""
    context = Context(allow_unregistered=allow_unregistered)
    for name, factory in installed().all_dialects.items():
        context.register_dialect(name, factory)
    return context


def unknown_ending(file: str) -> Report:
    """The error about a file name whose ending is that of no frontend."""
    # Imported late: few names end so.
    from .foreign_files import notes_on_file

    ending = Path(file).suffix
    text = f"'{ending}' is the ending of no frontend (.mlir, .onnx, .pt2, .tflite); -f chooses one for any name"
    return Report(text, file).with_notes(*notes_on_file(file))


def read_program(
    file: str,
    context: Context,
    frontend: str = "",
    target: str | None = None,
    folds_weights: bool = False,
    fixed: FixedSizes = NO_SIZES,
    whole: frozenset[str] = frozenset(),
) -> Program:
    """Read and verify a file, or standard input for `-`; raises `ReportedError`. Its name chooses the frontend.

    The `target` may describe ops of other domains of an ONNX model. Its `whole` ops are not read as their definitions.
    Inputs have the sizes that are fixed.
    """
    if (format := model_format(file, frontend)) is not None:
        return read_model_program(
            file, target=target, format=format, folds_weights=folds_weights, fixed=fixed, whole=whole
        )
    name = "<stdin>" if file == "-" else file
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise ReportedError(Report(f"cannot read: {error.strerror}", name)) from error
    text = decoded(data, name)
    if frontend == "tosa" or (not frontend and is_tosa(text)):
        return Program(name, _verified(with_fixed_sizes(read_tosa(text, name), fixed, name), name), None)
    # Imported late: npu-opt --help loads this file, but neither the parser nor the dialects.
    from ....compat.xdsl import without_module_dumps
    from ....dialects.program.symbols import verify
    from ....text.parser import NpuParser

    with without_module_dumps():
        try:
            with hint_on_lowering(text, name):
                # The constructor reads the first token.
                parser = NpuParser(context, text, name)
                module = parser.parse_module()
        except ParseError as error:
            raise ReportedError(report_parse_error(error)) from error
        try:
            verify(module)
            verify(with_fixed_sizes(module, fixed, name))
        except ReportedError:
            raise
        except Exception as error:
            raise ReportedError(_report(error, parser.source, name)) from error
    return Program(name, module, parser.source)


Reader: TypeAlias = Callable[[FixedSizes], Program]
Rereader: TypeAlias = Callable[[frozenset[str]], Program]
"""Reads a program again with these ops whole."""


def read_both(first: Reader, second: Reader, fixed: FixedSizes) -> tuple[Program, Program]:
    """Read two programs, one of which has the sizes that are fixed; the other one may have them already."""
    try:
        return first(fixed), second(fixed.if_there())
    except ReportedError:
        if not fixed:
            raise
        try:
            other = second(fixed)
        except ReportedError:
            other = None
        if other is None:
            raise
    return first(fixed.if_there()), other


def with_same_whole_ops(
    first: Program, second: Program, again: Rereader, second_again: Rereader
) -> tuple[Program, Program]:
    """Two programs to be compared, of which one may have an op that the model of the other defines by others.

    A model that has fewer of an op is read again, without its definition.
    """
    here, there = _whole_ops(first), _whole_ops(second)
    return _with_whole_ops(first, there - here, again), _with_whole_ops(second, here - there, second_again)


def _with_whole_ops(program: Program, ops: Counter[str], again: Rereader) -> Program:
    if not ops or program.imported is None or program.imported.format != "onnx":
        return program
    # Imported late: the package onnx is an extra.
    from ....bridges.onnx.importing.expanded import MAY_BE_WHOLE

    whole = MAY_BE_WHOLE.intersection(ops)
    return again(whole) if whole else program


def _whole_ops(program: Program) -> Counter[str]:
    """The ops of ONNX that a program does not define by others, with their numbers."""
    # Imported late: npu-opt --help loads this file.
    from ....dialects.npu.attention import HeadsOp
    from ....dialects.npu.source import OpaqueOp

    found: Counter[str] = Counter()
    for op in program.module.walk():
        if isinstance(op, HeadsOp):
            found[op.DEFINED_AS] += 1
        elif isinstance(op, OpaqueOp) and op.op_name.data.startswith("onnx."):
            found[op.op_name.data.removeprefix("onnx.")] += 1
    return found


def with_fixed_sizes(module: ModuleOp, fixed: FixedSizes, name: str) -> ModuleOp:
    """The program of a text, with sizes that are fixed; raises `ReportedError`."""
    if fixed:
        # Imported late: few runs fix sizes.
        from .fixed_programs import fix_sizes

        fix_sizes(module, fixed, name)
    return module


def read_model_program(
    file: str,
    model: ModelProto | None = None,
    target: str | None = None,
    format: str = "onnx",
    folds_weights: bool = False,
    fixed: FixedSizes = NO_SIZES,
    whole: frozenset[str] = frozenset(),
) -> Program:
    """Read and verify a model from its file, or one of ONNX from memory; raises `ReportedError`."""
    if file == "-":
        raise ReportedError(not_from_stdin(format))
    options = WeightsOptions(target=target, folds_weights=folds_weights, fixed=fixed, whole=whole)
    match format:
        case "litert":
            imported = read_litert(file, options)
        case "torch":
            imported = read_torch(file, options)
        case _:
            imported = read_model(file, options, model=model)
    return Program(file, _verified(imported.module, file), None, imported, is_file=model is None)


def _verified(module: ModuleOp, file: str) -> ModuleOp:
    """Verify an imported module."""
    from ....compat.xdsl import without_module_dumps
    from ....dialects.program.symbols import verify

    try:
        with without_module_dumps():
            verify(module)
    except Exception as error:
        raise ReportedError(Report(summarize(error), file)) from error
    return module


def decoded(data: bytes, name: str, line_offset: int = 0) -> str:
    """Decode a file as UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1 + line_offset
        column = error.start - data.rfind(b"\n", 0, error.start)
        report = Report(f"not UTF-8 text: byte 0x{data[error.start]:02x}", f"{name}:{line}:{column}")
        raise ReportedError(report.with_notes(*_what_it_is(data, name))) from error


def _what_it_is(data: bytes, name: str) -> list[str]:
    # Imported late: few files are no text.
    from .foreign_files import content_notes

    if name == "<stdin>" and (format := format_of_bytes(data[:8])) is not None:
        return [not_from_stdin(format).message]
    return content_notes(data)


def _report(error: Exception, source: SourceMap, name: str) -> Report:
    from ....compat.xdsl import failing_op

    op = failing_op(error)
    if op is None:
        return Report(summarize(error), name)
    return report_op_error(op, summarize(error), source, name).with_notes(*definition_notes(error, source))
