"""Which ops know layouts by themselves, and which of them are nearest to an op that cannot tell."""

from collections.abc import Iterable
from typing import Literal, NamedTuple, TypeAlias

from xdsl.dialects.builtin import TensorType
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.traits import SymbolTable
from xdsl.utils.hints import isa

from ..dialects.npu.attrs import LayoutAttr
from ..dialects.npu.base import NpuOp, shape_of
from ..dialects.npu.source import OpaqueOp
from ..layout import Layout, LayoutClass, identity

TENSOR = Layout(LayoutClass.TENSOR)

Known: TypeAlias = list[Layout | None]
"""A layout for each operand or result; None where there is none to say."""

Resolve: TypeAlias = Literal["forward", "next", "previous", "nearest"]
"""From where the operand of an op takes its layout if its result does not tell: not at all, or from a known op."""


class Relation(NamedTuple):
    """A known op, how many ops away it is, and the layout that it has on the side that is looked at."""

    distance: int
    layout: Layout


class Relations:
    """For each op of a block the nearest op before it and behind it that knows its layouts.

    Two sweeps fill the table, one in either direction, so that no question is answered by searching.
    """

    def __init__(self, block: Block, resolve: Resolve) -> None:
        self.resolve = resolve
        self.previous: dict[Operation, Relation] = {}
        self.next: dict[Operation, Relation] = {}
        if resolve == "forward":
            return
        ops = list(block.ops)
        places = {op: place for place, op in enumerate(ops)}
        for op in ops:
            producers = (operand.owner for operand in op.operands)
            self._note(self.previous, op, (each for each in producers if isinstance(each, Operation)), side=1)
        for op in reversed(ops):
            users = {use.operation for result in op.results for use in result.uses if use.operation in places}
            self._note(self.next, op, sorted(users, key=places.__getitem__), side=0)

    def _note(
        self, table: dict[Operation, Relation], op: Operation, neighbours: Iterable[Operation], side: int
    ) -> None:
        """Fill in one op: it is its own relation if it knows layouts, else it has the nearest of its neighbours."""
        known = declared(op) if isinstance(op, NpuOp) else None
        layout = next((each for each in known[side] if each is not None), None) if known else None
        if layout is not None:
            table[op] = Relation(0, layout)
            return
        related = [table[each] for each in neighbours if each in table]
        if related:
            nearest = min(related, key=lambda relation: relation.distance)
            table[op] = Relation(nearest.distance + 1, nearest.layout)

    def operand_layouts(self, op: Operation) -> Known:
        """The layouts of the operands of an op whose result does not tell them."""
        previous, following = self.previous.get(op), self.next.get(op)
        match self.resolve:
            case "forward":
                chosen = None
            case "previous":
                chosen = previous or following
            case "next":
                chosen = following or previous
            case _:
                both = [each for each in (previous, following) if each is not None]
                chosen = min(both, key=lambda relation: relation.distance) if both else None
        if chosen is None:
            return [None for _ in op.operands]
        return [fitting(chosen.layout, operand) if is_tensor(operand) else None for operand in op.operands]


def fitting(layout: Layout, value: SSAValue) -> Layout:
    """The layout, or TENSOR if the rank of the value does not have it."""
    return TENSOR if layout.misfit(len(shape_of(value))) else layout


def declared(op: Operation) -> tuple[Known, Known] | None:
    """The layouts that an op knows by itself. Ops of other systems and calls know all of theirs."""
    if isinstance(op, ReturnOp):
        function = op.parent_op()
        assert isinstance(function, FuncOp)
        return [encoding(type_) for type_ in function.function_type.outputs], []
    if isinstance(op, CallOp):
        return called_layouts(op)
    if not isinstance(op, NpuOp) or isinstance(op, OpaqueOp):
        return [TENSOR if is_tensor(value) else None for value in op.operands], [TENSOR for _ in op.results]
    known = op.declared()
    return None if known is None else (known.operands, known.results)


def called_layouts(op: CallOp) -> tuple[Known, Known]:
    """The layouts of a callee's signature; TENSOR where it has none."""
    callee = SymbolTable.lookup_symbol(op, op.callee)
    if not isinstance(callee, FuncOp):
        return [TENSOR for _ in op.operands], [TENSOR for _ in op.results]
    inputs, outputs = callee.function_type.inputs, callee.function_type.outputs
    return [encoding(each) or TENSOR for each in inputs], [encoding(each) or TENSOR for each in outputs]


def encoding(type_: Attribute) -> Layout | None:
    """The layout that a type says, if it says one."""
    return type_.encoding.data if isa(type_, TensorType) and isinstance(type_.encoding, LayoutAttr) else None


def is_identity(layout: Layout) -> bool:
    return layout.order is None or layout.order == identity(len(layout.order))


def is_tensor(value: SSAValue) -> bool:
    return isinstance(value.type, TensorType)
