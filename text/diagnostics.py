"""Diagnostics of the tools: `file:line:col: error: message`, the source line, a caret, notes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import ArrayAttr, FusedLoc, NameLoc, StringAttr
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import DiagnosticException, MultipleSpansParseError, ParseError
from xdsl.utils.lexer import Span

from ..compat.terminal import one_line, printable
from .locations import file_place

if TYPE_CHECKING:
    from .parser import SourceMap

MAX_SHOWN_COLUMNS = 120

_DENSE_BODY = re.compile(r'dense<("0x[0-9A-Fa-f]*"|\[[^<>]*\])>')


@dataclass(frozen=True)
class Report:
    """A diagnostic; `str()` is its text."""

    message: str
    place: str = "npu-opt"
    """`file:line:col`, or the known part of it."""
    source_lines: tuple[str, ...] = ()
    """The source line and the caret under it."""
    severity: str = "error"
    notes: tuple[Report | str, ...] = ()

    def __str__(self) -> str:
        head = one_line(f"{self.place}: {self.severity}: {elide(self.message)}")
        notes = (str(note) if isinstance(note, Report) else f"note: {elide(note)}" for note in self.notes)
        return printable("\n".join((head, *self.source_lines, *notes)))

    def from_tool(self, tool: str) -> Report:
        """Replace `npu-opt` by another tool, unless the place is in a file."""
        return replace(self, place=tool) if self.place == Report.place else self

    def with_notes(self, *notes: Report | str) -> Report:
        return replace(self, notes=(*self.notes, *notes))


class ReportedError(Exception):
    """An error with its diagnostic."""

    exit_code: int | None = None
    """The exit code of the tool, if it is not that of all errors."""

    def __init__(self, report: Report) -> None:
        super().__init__(str(report))
        self.report = report


def elide(text: str) -> str:
    """Elide the content of large constants in a text."""
    # Imported late: --help prints no program.
    from .printer import ELIDED, MAX_SHOWN_ELEMENTS

    def shorten(match: re.Match[str]) -> str:
        is_small = match[1].startswith("[") and match[1].count(",") < MAX_SHOWN_ELEMENTS
        return match[0] if is_small else f"dense<{ELIDED}>"

    return _DENSE_BODY.sub(shorten, text)


def report_parse_error(error: ParseError) -> Report:
    report = _report_span(error.span, " ".join(error.msg.splitlines())).with_notes(*getattr(error, "__notes__", ()))
    if not isinstance(error, MultipleSpansParseError):
        return report
    fallback = (error.ref_text or "see here").rstrip(":")
    notes = (_report_span(span, text or fallback, severity="note") for span, text in error.refs)
    return report.with_notes(*notes)


def report_op_error(op: Operation, message: str, source: SourceMap | None, fallback_place: str) -> Report:
    """An error in `op`, at its source position or the nearest known one."""
    note = f"see current operation: {_safe_brief_text(op)}"
    span = source.span_of(op) if source else None
    location = file_place(op.location)
    if location and (span is None or location != str(span.get_location())):
        return Report(message, location, notes=(note,))
    if span is not None:
        return _report_span(span, message).with_notes(note)
    if source is None and (nodes := _node_names(op.location)):
        # A model has no text: its nodes have names. The last one has the result.
        made_of = [f"made of the nodes {', '.join(nodes)}"] if len(nodes) > 1 else []
        return Report(message, f"{fallback_place}:{nodes[-1]}", notes=(note, *made_of))

    # An op created by a pass: report the nearest enclosing op that is in the file.
    message = f"{message} (in {_owner_name(op)}, at an operation created by a pass)"
    for ancestor in _ancestors(op):
        if source and (span := source.span_of(ancestor)) is not None:
            return replace(_report_span(span, message), source_lines=(), notes=(note,))
    return Report(message, fallback_place, notes=(note,))


def _node_names(location: Attribute) -> list[str]:
    """The names of the nodes that an op comes from, or that an inserted op serves; else its reason."""
    # Imported late: --help does not load the dialects.
    from ..dialects.notes.reasons import without_reasons

    match without_reasons(location)[0]:
        case NameLoc() as node:
            return [node.desc.data]
        case FusedLoc() as several:
            parts = cast("ArrayAttr[Attribute]", several.locations)
            return list(dict.fromkeys(name for part in parts for name in _node_names(part)))
        case _:
            return [location.desc.data] if isinstance(location, NameLoc) else []


def definition_notes(error: BaseException, source: SourceMap | None) -> tuple[Report | str, ...]:
    """The note at the definition of the value that a dominance error is about."""
    # Imported late: --help does not load the dialects.
    from ..dialects.program.dominance import DominanceError

    if not isinstance(error, DominanceError):
        return ()
    op = error.definition
    span = source.span_of(op) if source is not None and op is not None else None
    if span is not None:
        return (_report_span(span, error.note, "note"),)
    place = None if op is None else file_place(op.location)
    return (error.note,) if place is None else (Report(error.note, place, severity="note"),)


def _report_span(span: Span[Any], message: str, severity: str = "error") -> Report:
    location = span.get_location()
    return Report(message, str(location), _source_lines(span, location.col), severity)


def _source_lines(span: Span[Any], column: int) -> tuple[str, ...]:
    content = cast(str, span.input.content)
    line_start = span.input.get_start_of_line(span.start)
    line = content[line_start : span.input.get_end_of_line(span.start)].rstrip("\r\n")
    if not line.strip():
        return ()
    start = column - 1
    length = max(min(span.end - span.start, len(line) - start), 1)

    # A line with a constant may be megabytes long: show the part around the caret.
    cut = max(0, min(start - MAX_SHOWN_COLUMNS // 2, len(line) - MAX_SHOWN_COLUMNS))
    prefix = "..." if cut else ""
    suffix = "..." if cut + MAX_SHOWN_COLUMNS < len(line) else ""
    excerpt = prefix + line[cut : cut + MAX_SHOWN_COLUMNS] + suffix
    # Keep tabs, so that the caret is aligned.
    padding = re.sub(r"[^\t]", " ", prefix + line[cut:start])
    return excerpt, padding + "^" * min(length, MAX_SHOWN_COLUMNS - (start - cut))


def _ancestors(op: Operation) -> Iterator[Operation]:
    parent = op.parent_op()
    while parent is not None:
        yield parent
        parent = parent.parent_op()


def _owner_name(op: Operation) -> str:
    for ancestor in _ancestors(op):
        name = ancestor.properties.get("sym_name") or ancestor.attributes.get("sym_name")
        if isinstance(name, StringAttr):
            return f"@{name.data}"
    return "the module"


def _safe_brief_text(op: Operation) -> str:
    # Imported late: --help prints no program.
    from .printer import brief_text

    try:
        return brief_text(op)
    except Exception:  # Printing an invalid op may fail.
        return op.name


def summarize(error: BaseException) -> str:
    """The message of an exception, with the type of unexpected ones."""
    if isinstance(error, RecursionError):
        return "nested too deeply"
    if isinstance(error, MemoryError):
        return ": ".join(filter(None, ("there is not enough memory", str(error))))
    # One line, as editors and tests expect; some messages of xDSL have several.
    text = " ".join(str(error).splitlines())
    if isinstance(error, DiagnosticException):
        return text
    return ": ".join(filter(None, (type(error).__name__, text)))
