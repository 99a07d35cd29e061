"""Recurrent layers with the batch first: layers whose neighbours are permuted read and write data in that order.

The op of a layer has the steps first, so that permutes cross it. A layer, the elementwise calls beside it and the
layers beside these are turned together if fewer permutes are left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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


class _Region:
    """Calls that are turned together."""

    def __init__(self, layer: Operation) -> None:
        self.calls: dict[Operation, Sequence[SSAValue]] = {}
        """The calls, with the operands and results that are turned."""
        waiting = [layer]
        while waiting:
            op = waiting.pop()
            if op in self.calls or (values := _turned_values(op)) is None:
                continue
            self.calls[op] = values
            for value in values:
                waiting += [use.operation for use in value.uses if value in (_turned_values(use.operation) or ())]
                waiting += [value.owner] if isinstance(value.owner, Operation) else []
        values = {value: None for each in self.calls.values() for value in each}
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
        return (use.operation for use in value.uses if value not in self.calls.get(use.operation, ()))

    def turn(self, permute: str) -> None:
        turned: dict[SSAValue, SSAValue] = {}
        block = next(iter(self.calls)).parent
        assert block is not None
        calls = [op for op in block.ops if op in self.calls]
        for op in calls:
            for value in self.calls[op]:
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
        call, values = _call_of(op), self.calls[op]
        assert call is not None
        assert isinstance(op, OpaqueOp)
        operands = {name: turned[value] if value in values else value for name, value in call.operands.items()}
        others = {"batch_first": True} if call.name in LAYERS else {}
        sizes = [_turned_sizes(each) if each in values else _sizes(each) for each in op.results]
        elements = [element_type_of(each) for each in op.results]
        made = Call(call.name, operands, call.values | others).op(elements, sizes, op.pure is not None)
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


def _turned_values(op: Operation) -> Sequence[SSAValue] | None:
    """The operands and results that a call has in another order if it is turned; None for one that is not."""
    call = _call_of(op)
    if call is None:
        return None
    if _reads_steps_first(op):
        return [call.operands["input"], op.results[0]]
    if call.name not in ELEMENTWISE or len(op.results) != 1 or len(shape_of(op.results[0])) != len(TURNED):
        return None
    sizes = {value: shape_of(value) for value in op.operands}
    turned = [value for value, each in sizes.items() if len(each) == len(TURNED) and each[:2] != (1, 1)]
    others = (each for value, each in sizes.items() if value not in turned)
    is_alike = all(size == 1 for each in others for size in each[:-1])
    return [*turned, op.results[0]] if is_alike else None


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
