"""The trace of a proof about two ONNX models, which `checkers/check_equal.py` follows without npu-opt.

A claim says that a value of the second model has the elements of a value of the first one. Values have one name each in
both files, so claims are pairs of names, in the order of the second file; one about a constant that is stored otherwise
also has the digits (size, stride) of its elements in the first one.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from xdsl.ir import Operation

from ....bridges.files import drafted
from ....bridges.origins import constant_origin_of, origin_of
from ....dialects.npu.shape import ShapeOp
from ....dialects.npu.source import ConstantOp
from ....equivalence.outcome import Outcome
from ....equivalence.values import NumberedValue, tensor
from ....layout import Extent
from ....layout.common_pieces import common_pieces
from ....text.diagnostics import Report, ReportedError
from ..formats.models import cannot_write

if TYPE_CHECKING:
    from .check_result import CheckResult

Claims: TypeAlias = dict[str, list[object]]
FORMAT = "npu-opt equality 1"


def write_trace(result: CheckResult, file: str) -> None:
    """Write the claims of a proof as JSON, compressed if the name ends so; raises `ReportedError`."""
    models = [each.name for each in (result.first, result.second) if each.imported and each.imported.format == "onnx"]
    if len(models) < 2 or len(result.answer.outcomes) != 1:
        raise ReportedError(Report("--trace is for two ONNX models that are proved to compute the same", file))
    text = json.dumps(trace_of(result), separators=(",", ":")).encode()
    path = Path(file)
    with cannot_write(path), drafted(path) as draft:
        # Without a time in the header, equal traces are equal files.
        draft.stream.write(gzip.compress(text, mtime=0) if path.suffix == ".gz" else text)
        draft.put_in_place()


def trace_of(result: CheckResult) -> Mapping[str, object]:
    """The claims that a proof about two ONNX models makes."""
    ((left, right),) = result.answer.outcomes
    names = [_names_in(each.name) for each in (result.first, result.second)]
    there = list(_named(left))
    by_node: dict[int, list[tuple[str, NumberedValue]]] = {}
    for name, _, value in there:
        by_node.setdefault(value.node, []).append((name, value))
    # What the proof sees as one op, such as the steps of a norm, has its names in both files.
    claims: Claims = {name: [name] for name in names[1] if name in names[0]}
    for name, op, value in _named(right):
        same = by_node.get(value.node, [])
        found = next((each for each in same if each[0] == name), same[0] if same else None)
        if found is not None:
            claims[name] = [found[0], *_digits(op, found[1], value)]
    twice: Claims = {}
    for name, op, value in there:
        first = by_node[value.node][0]
        if first[0] != name and name not in names[1] and not isinstance(op, ShapeOp):
            twice[name] = [first[0], *_digits(op, first[1], value)]
    return {"format": FORMAT, "first": twice, "second": claims}


def _names_in(file: str) -> dict[str, None]:
    """The names of the values that a model computes or stores."""
    # Imported late: the package onnx is an extra.
    import onnx

    graph = onnx.load(file, load_external_data=False).graph
    made = [name for node in graph.node for name in node.output if name]
    return dict.fromkeys([*(each.name for each in graph.initializer), *made])


def _named(outcome: Outcome) -> Iterator[tuple[str, Operation, NumberedValue]]:
    """The values of a function that have names in the file."""
    for op, values in outcome.values.items():
        names = [constant_origin_of(op)] if isinstance(op, ConstantOp) else origin_of(op).results
        for name, result, value in zip(names, op.results, values, strict=True):
            if (known := name or result.name_hint) is not None:
                yield known, op, value


def _digits(op: Operation, first: NumberedValue, second: NumberedValue) -> list[object]:
    """The digits of a constant in the order of another one, if it is stored otherwise."""
    if not isinstance(op, ConstantOp) or first.stored is None or first.stored.byte_order == tensor(second).byte_order:
        return []
    stored, moved = common_pieces(first.stored.byte_order, tensor(second).byte_order)
    step, steps = 1, dict[tuple[int, Extent], int]()
    for piece in reversed(stored):
        steps[piece.axis, piece.inner] = step
        step *= piece.size.factor
    return [[(piece.size.factor, steps[piece.axis, piece.inner]) for piece in moved]]
