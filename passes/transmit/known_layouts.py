"""Ops with known layouts, and the nearest of them to an op whose layouts are open."""

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple, TypeAlias

from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Block, Operation, OpResult, SSAValue

from ...dialects.npu.base import Declared, NpuOp
from ...dialects.npu.source import OpaqueOp
from ...dialects.npu.values import encoding, rank_of
from ...layout import Layout, LayoutClass, precedence

TENSOR = Layout(LayoutClass.TENSOR)

Known: TypeAlias = list[Layout | None]
"""A layout for each operand or result; None if it is not known."""

Resolve: TypeAlias = Literal["forward", "next", "previous", "nearest"]
"""Source of an operand's layout if the result does not determine it: the producer (forward), or a known op."""


class Relation(NamedTuple):
    """Distance to a known op, and the layout of the value by which it is reached."""

    distance: int
    layout: Layout


class Relations:
    """For each op of a block the nearest known op among its transitive producers and users.

    A forward and a backward sweep fill the tables, so queries do not search. Known ops are not in the tables; their
    neighbours have a distance of 1.
    """

    def __init__(self, block: Block, resolve: Resolve) -> None:
        self.resolve = resolve
        self.settle_operands = resolve != "forward"
        self.previous: dict[Operation, Relation] = {}
        self.next: dict[Operation, Relation] = {}
        if not self.settle_operands:
            return
        ops = list(block.ops)
        self._places = {op: place for place, op in enumerate(ops)}
        self._known: dict[Operation, Declared] = {
            op: known for op in ops if isinstance(op, NpuOp) and (known := op.declared()) is not None
        }
        for op in ops:
            before = [relation for relation in map(self._before, op.operands) if relation is not None]
            before.sort(key=lambda relation: precedence(relation.layout))
            _note(self.previous, op, before)
        for op in reversed(ops):
            _note(self.next, op, self._behind(op))

    def _before(self, operand: SSAValue) -> Relation | None:
        """The relation of an operand's producer to a known op."""
        if not isinstance(operand, OpResult):
            return None
        known = self._known.get(operand.op)
        return self.previous.get(operand.op) if known is None else _next_to(known.results[operand.index])

    def _behind(self, op: Operation) -> Iterable[Relation | None]:
        """The relations of an op's users to known ops, in program order."""
        uses = [use for result in op.results for use in result.uses if use.operation in self._places]
        uses.sort(key=lambda use: (self._places[use.operation], use.index))
        for use in uses:
            known = self._known.get(use.operation)
            yield self.next.get(use.operation) if known is None else _next_to(known.operands[use.index])

    def operand_layouts(self, op: Operation) -> Known:
        """The layouts of the operands of an op whose result does not determine them: only the first gets one."""
        previous, following = self.previous.get(op), self.next.get(op)
        if self.resolve == "next":
            chosen = following or previous
        elif self.resolve == "previous":
            chosen = previous or following
        else:
            both = [each for each in (previous, following) if each is not None]
            chosen = min(both, key=lambda relation: relation.distance, default=None)
        layouts: Known = [None] * len(op.operands)
        if chosen is not None:
            layouts[0] = fitting(chosen.layout, op.operands[0])
        return layouts


def _next_to(layout: Layout | None) -> Relation | None:
    """The relation to a known op through a value with this layout."""
    return None if layout is None else Relation(0, layout)


def _note(table: dict[Operation, Relation], op: Operation, related: Iterable[Relation | None]) -> None:
    """Add an op to a table: one further away than the nearest of its neighbours, the first of equals."""
    nearest = min((each for each in related if each is not None), key=lambda each: each.distance, default=None)
    if nearest is not None:
        table[op] = Relation(nearest.distance + 1, nearest.layout)


def fitting(layout: Layout, value: SSAValue) -> Layout:
    """The layout, or TENSOR if it is not valid for the rank of the value."""
    return TENSOR if layout.rank_mismatch(rank_of(value)) else layout


def declared(op: Operation, callees: Mapping[CallOp, FuncOp]) -> tuple[Known, Known] | None:
    """The known layouts of an op. Those of a call are in the signature; ops of other dialects have no letters."""
    match op:
        case NpuOp() if not isinstance(op, OpaqueOp):
            known = op.declared()
            if known is not None and op.IS_PRODUCT and (stated := encoding(op.results[0].type)) is not None:
                return product_layouts(stated, known.operands), [stated]
            return known
        case ReturnOp():
            function = op.parent_op()
            assert isinstance(function, FuncOp)
            return [encoding(type_) for type_ in function.function_type.outputs], []
        case CallOp() if op in callees:
            signature = callees[op].function_type
            return [encoding(type_) for type_ in signature.inputs], [encoding(type_) for type_ in signature.outputs]
        case _:
            return [encoding(value.type) or TENSOR for value in op.operands], [TENSOR for _ in op.results]


def product_layouts(result: Layout, operands: Known) -> Known:
    """The operand layouts of a matrix product whose result has a layout: its class and its order of batch axes."""
    order = result.order
    matrices = result if order is None else Layout(result.cls, (*order[:-2], len(order) - 2, len(order) - 1))
    layouts = [matrices, matrices, *(result for _ in operands[2:])]
    return [None if known is None else layout for known, layout in zip(operands, layouts, strict=True)]
