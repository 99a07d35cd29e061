"""Recurrent layers with the batch first: layers whose neighbours are permuted read and write data in that order.

The op of a layer has the steps first, so that permutes cross it. A layer, the elementwise calls beside it and the
layers beside these are turned together if fewer permutes are left.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from xdsl.ir import Block, Operation, SSAValue

from ....dialects.npu.source import OpaqueOp
from ....dialects.npu.values import element_type_of, shape_of
from ....layout import DYNAMIC
from ...building import Sizes
from ..calls import Call
from ..counterparts import ACTIVATIONS, UNARY
from ..importing.node import names_of
from ..importing.pointwise import POINTWISE
from ..recurrent import LAYERS

TURNED = 1, 0, 2
ELEMENTWISE = POINTWISE | {row.name for row in (*UNARY, *ACTIVATIONS)}
OF_ROWS = frozenset({"aten.layer_norm.default", "aten.linear.default", "aten.matmul.default"})
"""Operators on the last axis of their first operand."""
ALONG: Mapping[str, str] = {
    "aten.amax.default": "dim",
    "aten.cat.default": "dim",
    "aten.flip.default": "dims",
    "aten.mean.dim": "dim",
    "aten.select.int": "dim",
    "aten.select_copy.int": "dim",
    "aten.slice.Tensor": "dim",
    "aten.slice_copy.Tensor": "dim",
    "aten.softmax.int": "dim",
    "aten.sum.dim_IntList": "dim",
}
"""Operators along axes, which these arguments number."""
PERMUTES = "aten.permute.default", "aten.permute_copy.default"


def turn_layers(block: Block, has_copies: bool) -> None:
    """Turn layers with their neighbours, in place."""
    seen: set[Operation] = set()
    for op in [*block.ops]:
        if op not in seen and _reads_steps_first(op):
            region = _Region(op)
            seen |= region.calls.keys()
            if region.gain > 0:
                region.turn(PERMUTES[has_copies])


class _Turned(NamedTuple):
    """A call that is turned."""

    values: Sequence[SSAValue]
    """The operands and results with their first two axes exchanged."""
    changed: Mapping[str, Any] = {}
    """The arguments that are others."""


class _Region:
    """Calls that are turned together."""

    def __init__(self, layer: Operation) -> None:
        self.calls: dict[Operation, _Turned] = {}
        waiting = [layer]
        while waiting:
            op = waiting.pop()
            if op in self.calls or (turned := _turned(op)) is None:
                continue
            self.calls[op] = turned
            for value in turned.values:
                owners = [value.owner, *(use.operation for use in value.uses)]
                waiting += [each for each in owners if isinstance(each, Operation)]
        values = {value: None for each in self.calls.values() for value in each.values}
        self._made = [value for value in values if value.owner in self.calls]
        self._read = [value for value in values if value.owner not in self.calls]

    @property
    def gain(self) -> int:
        """The permutes that are saved."""
        gone = added = 0
        for value in self._read:
            if _source(value.owner) is None:
                added += 1
            else:
                gone += not [*self._outside(value)]
        for value in self._made:
            users = [*self._outside(value)]
            permutes = sum(_source(user) is not None for user in users)
            gone += permutes
            added += permutes < len(users)
        return gone - added

    def _outside(self, value: SSAValue) -> Iterator[Operation]:
        """The calls behind the region that read a value."""
        users = (use.operation for use in value.uses)
        return (user for user in users if user not in self.calls or value not in self.calls[user].values)

    def turn(self, permute: str) -> None:
        turned: dict[SSAValue, SSAValue] = {}
        block = next(iter(self.calls)).parent
        assert block is not None
        calls = [op for op in block.ops if op in self.calls]
        for op in calls:
            for value in self.calls[op].values:
                if value in self._read and value not in turned:
                    turned[value] = _source(value.owner) or _permuted(value, permute, block, op)
            self._turn(op, block, turned)
        for value in self._made:
            users = [*self._outside(value)]
            for user in users:
                if _source(user) is not None:
                    user.results[0].replace_all_uses_with(turned[value])
                    user.detach()
                    user.erase()
            if [*self._outside(value)]:
                behind = turned[value].owner
                assert isinstance(behind, Operation)
                back = _permuted(turned[value], permute, block, behind.next_op)
                for use in [*value.uses]:
                    if use.operation not in self.calls:
                        use.operation.operands[use.index] = back
        for op in reversed(calls):
            op.detach()
            op.erase()

    def _turn(self, op: Operation, block: Block, turned: dict[SSAValue, SSAValue]) -> None:
        """Add a call in place of another one, which reads and writes turned data."""
        call, (values, changed) = _call_of(op), self.calls[op]
        assert call is not None
        assert isinstance(op, OpaqueOp)
        operands = {name: turned[value] if value in values else value for name, value in call.operands.items()}
        sizes = [_turned_sizes(each) if each in values else _sizes(each) for each in op.results]
        elements = [element_type_of(each) for each in op.results]
        made = Call(call.name, operands, {**call.values, **changed}).op(elements, sizes, op.pure is not None)
        made.location = op.location
        block.insert_op_before(made, op)
        for before, after in zip(op.results, made.results, strict=True):
            after.name_hint = before.name_hint
            if before in values:
                turned[before] = after
            else:
                before.replace_all_uses_with(after)


def _call_of(op: object) -> Call | None:
    return Call.of(op) if isinstance(op, OpaqueOp) else None


def _reads_steps_first(op: Operation) -> bool:
    call = _call_of(op)
    return call is not None and call.name in LAYERS and not call.values.get("batch_first")


def _turned(op: Operation) -> _Turned | None:
    """The call as it is turned; None for one that is not."""
    call = _call_of(op)
    if call is None:
        return None
    if _reads_steps_first(op):
        return _Turned([call.operands["input"], op.results[0]], {"batch_first": True})
    if len(op.results) != 1:
        return None
    (result,) = op.results
    shapes = {value: shape_of(value) for value in (*op.operands, result)}
    whole = [value for value, shape in shapes.items() if len(shape) == len(TURNED)]
    if call.name in ELEMENTWISE:
        values = [value for value in whole if value is result or shapes[value][:2] != (1, 1)]
        others = (shape for value, shape in shapes.items() if value not in values)
        return _Turned(values) if result in values and all(set(shape[:-1]) <= {1} for shape in others) else None
    if call.name in OF_ROWS:
        is_row = len(call.values.get("normalized_shape", [0])) == 1 and whole == [op.operands[0], result]
        return _Turned(whole) if is_row else None
    name = ALONG.get(call.name, "")
    given: Any = call.values.get(name)
    if given is None or not {*op.operands} <= {*whole}:
        return None
    numbers: Sequence[int] = [given] if isinstance(given, int) else given
    axes = [axis % len(TURNED) for axis in numbers]
    # Of two axes that are left, the first one would be the second one.
    if result not in whole and axes == [2]:
        return None
    turned = [TURNED[axis] for axis in axes]
    return _Turned(whole, {name: turned[0] if isinstance(given, int) else turned})


def _source(op: object) -> SSAValue | None:
    """The value that a permute of the first two axes reads; None for any other op."""
    call = _call_of(op)
    is_turn = call is not None and call.name in PERMUTES and tuple(call.values["dims"]) == TURNED
    return call.operands["self"] if call is not None and is_turn else None


def _sizes(value: SSAValue) -> Sizes:
    shape = shape_of(value)
    names = names_of(value) if DYNAMIC in shape else shape
    return [name or size if size == DYNAMIC else size for size, name in zip(shape, names, strict=True)]


def _turned_sizes(value: SSAValue) -> Sizes:
    return [_sizes(value)[axis] for axis in TURNED]


def _permuted(value: SSAValue, name: str, block: Block, behind: Operation | None) -> SSAValue:
    """Add a permute of a value in front of an op."""
    made = Call(name, {"self": value}, {"dims": [*TURNED]}).op([element_type_of(value)], [_turned_sizes(value)])
    assert behind is not None
    made.location = behind.location
    block.insert_op_before(made, behind)
    return made.results[0]
