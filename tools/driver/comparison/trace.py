"""The trace of a proof about two ONNX models, which `checkers/check_equal.py` follows without npu-opt.

A claim names a result of a node of the second model and one of the first model that have the same elements, in some
order. Constants need none: their elements are in the files.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ....bridges.files import drafted
from ....bridges.origins import origin_of
from ....dialects.npu.shape import ShapeOp
from ....dialects.npu.source import ConstantOp
from ....equivalence.outcome import Outcome
from ....text.diagnostics import Report, ReportedError
from ..formats.models import cannot_write

if TYPE_CHECKING:
    from ..formats.program import Program
    from .check_result import CheckResult


FORMATS = {"litert": "a LiteRT model", "torch": "a program of PyTorch"}


def check_traced(programs: Sequence[Program], file: str) -> None:
    """Check that a proof about two programs can leave a trace; raises `ReportedError`."""
    for each in programs:
        format = each.imported.format if each.imported else ""
        if format != "onnx":
            text = f"a trace is about two ONNX models, and {each.name} is {FORMATS.get(format, 'a program')}"
            raise ReportedError(Report(text, file).with_notes("the proof without --trace is about any two programs"))


def write_trace(result: CheckResult, file: str) -> None:
    """Write the claims of a proof as JSON, compressed if the name ends so; raises `ReportedError`."""
    text = json.dumps(trace_of(result), separators=(",", ":")).encode()
    path = Path(file)
    with cannot_write(path), drafted(path) as draft:
        # Without a time in it, so that equal traces are equal files.
        draft.stream.write(gzip.compress(text, mtime=0) if path.suffix == ".gz" else text)
        draft.put_in_place()


def trace_of(result: CheckResult) -> Mapping[str, object]:
    """The claims of a proof about two ONNX models, by the values of the first and of the second one."""
    ((left, right),) = result.answer.outcomes
    there, here = (_names_made(each.name) for each in (result.first, result.second))
    by_node: dict[int, list[str]] = {}
    for name, node in _named(left):
        by_node.setdefault(node, []).append(name)
    claims: dict[str, str] = {}
    for name, node in _named(right):
        known = [each for each in by_node.get(node, ()) if each in there]
        if name in here and known:
            claims[name] = name if name in known else known[0]
    twice = {name: names[0] for names in by_node.values() for name in names[1:] if name not in here and name in there}
    return {"first": twice, "second": claims}


def _names_made(file: str) -> dict[str, None]:
    """The results of nodes that other nodes read, or that are outputs."""
    # Imported late: the package onnx is an extra.
    from onnx import load  # pyright: ignore[reportUnknownVariableType] - its first argument has half a type

    graph = load(file, load_external_data=False).graph
    read = {name for node in graph.node for name in node.input} | {each.name for each in graph.output}
    return dict.fromkeys(name for node in graph.node for name in node.output if name in read and name)


def _named(outcome: Outcome) -> Iterator[tuple[str, int]]:
    """The values that ops compute and that have a name in the file, with their nodes."""
    for op, values in outcome.values.items():
        if isinstance(op, ConstantOp | ShapeOp):
            # Its elements are in the file, or those of its operand.
            continue
        for name, result, value in zip(origin_of(op).results, op.results, values, strict=True):
            if (known := name or result.name_hint) is not None:
                yield known, value.node
