"""Colouring: deciding which layout every value of a function has, without moving any of them.

Nothing here changes the program. `colour_block` finds the layouts of all values, and the operands that have to be read
under another layout than that of their producer.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.ir import Block, Operation, SSAValue

from ..dialects.npu.base import NpuOp, SameLayoutOp, layout_of, shape_of
from ..dialects.npu.elementwise import ElementwiseOp
from ..dialects.npu.shape import BroadcastOp, ReshapeOp, TransposeOp
from ..dialects.npu.source import ConstantOp
from ..layout import Layout
from .relations import TENSOR, Known, Relations, Resolve, declared, is_identity, is_tensor


@dataclass(frozen=True)
class Relabelling:
    """An operand that its op reads under another layout than its producer gives it."""

    op: Operation
    operand: int
    layout: Layout


@dataclass
class Colours:
    """The layouts of the values of a program, and the operands that need a relabel."""

    values: dict[SSAValue, Layout] = field(default_factory=dict[SSAValue, Layout])
    relabellings: list[Relabelling] = field(default_factory=list[Relabelling])


def colour_block(block: Block, colours: Colours, default: Layout, resolve: Resolve) -> None:
    """Colour the values of a block. Functions that it calls have their layouts in their signatures already."""
    _BlockColouring(block, colours, default, Relations(block, resolve)).run()


class _BlockColouring:
    """The colouring of the ops of one block."""

    def __init__(self, block: Block, colours: Colours, default: Layout, relations: Relations) -> None:
        self.block = block
        self.values = colours.values
        self.relabellings = colours.relabellings
        self.default = default
        self.relations = relations
        # What the users of a value need it to be, the last user first.
        self.wanted: dict[SSAValue, list[Layout]] = {}

    def run(self) -> None:
        ops = list(self.block.ops)
        for value in (*self.block.args, *(result for op in ops for result in op.results)):
            if (layout := layout_of(value) if is_tensor(value) else None) is not None:
                self.values[value] = layout
        region = self.block.parent
        if region is not None and len(region.blocks) > 1:
            self.give(self.block.args, [TENSOR for _ in self.block.args])
        for op in reversed(ops):
            self.backward(op)
        for value in (*self.block.args, *(op.result for op in ops if isinstance(op, ConstantOp))):
            if is_tensor(value) and value not in self.values:
                self.values[value] = self.of_source(value)
        for op in ops:
            self.forward(op)
        for op in ops:
            if all(layout_of(value) for value in (*op.operands, *op.results) if is_tensor(value)):
                continue
            for index, layout in enumerate(self.needed(op)):
                if layout is not None and self.values.get(op.operands[index], layout) != layout:
                    self.relabellings.append(Relabelling(op, index, layout))

    # The sweep against the direction of data: results first, then what they need.

    def backward(self, op: Operation) -> None:
        known = declared(op)
        if known is not None:
            self.give(op.results, known[1])
            self.want(op, known[0])
            return
        if isinstance(op, ConstantOp):
            self.give(op.results, [self.chosen(op.results)])
            return
        assert isinstance(op, NpuOp)
        if isinstance(op, SameLayoutOp):
            shared = self.chosen([op.results[index] for index in op.sharing_results()])
            results: Known = [shared if index in op.sharing_results() else None for index in range(len(op.results))]
        else:
            results = [self.acceptable(op, self.chosen([result])) for result in op.results]
        self.give(op.results, results)
        inferred = op.infer_operands([self.values.get(result) for result in op.results])
        self.want(op, inferred if any(inferred) else self.relations.operand_layouts(op))

    def give(self, values: Sequence[SSAValue], layouts: Sequence[Layout | None]) -> None:
        """Colour values that have no colour yet."""
        for value, layout in zip(values, layouts, strict=True):
            if layout is not None and is_tensor(value) and layout.misfit(len(shape_of(value))) is None:
                self.values.setdefault(value, layout)

    def want(self, op: Operation, layouts: Sequence[Layout | None]) -> None:
        """Note what an op needs its operands to be."""
        for operand, layout in reversed([*zip(op.operands, layouts, strict=True)]):
            if layout is not None and is_tensor(operand) and layout.misfit(len(shape_of(operand))) is None:
                self.wanted.setdefault(operand, []).append(layout)

    def chosen(self, values: Sequence[SSAValue]) -> Layout | None:
        """The colour one of the values has already, else the one that most users want, the first of equals."""
        known = [self.values[value] for value in values if value in self.values]
        if known:
            return known[0]
        wishes = Counter(layout for value in values for layout in reversed(self.wanted.get(value, [])))
        return wishes.most_common(1)[0][0] if wishes else None

    def acceptable(self, op: NpuOp, layout: Layout | None) -> Layout | None:
        """The layout, if a result of an op that changes axes can have it."""
        if layout is None or isinstance(op, TransposeOp) or repeats_only(op):
            return layout
        may_have_letters = isinstance(op, ReshapeOp | BroadcastOp)
        return layout if is_identity(layout) and (may_have_letters or not layout.cls.is_cnn) else None

    def of_source(self, value: SSAValue) -> Layout:
        """The colour of an argument or constant: what most users want, else that of an elementwise sibling."""
        candidates = [self.chosen([value]), *self.siblings(value), self.default]
        rank = len(shape_of(value))
        return next((layout for layout in candidates if layout is not None and layout.misfit(rank) is None), TENSOR)

    def siblings(self, value: SSAValue) -> list[Layout]:
        """The colours of the values that elementwise ops combine with this one."""
        ops = [use.operation for use in value.uses if isinstance(use.operation, ElementwiseOp)]
        operands = [operand for op in ops for operand in op.operands if operand is not value]
        rank = len(shape_of(value))
        same_rank = [operand for operand in operands if len(shape_of(operand)) == rank]
        return [self.values[operand] for operand in same_rank if operand in self.values]

    # The sweep in the direction of data: what is still open follows from the operands.

    def forward(self, op: Operation) -> None:
        if not isinstance(op, NpuOp) or all(result in self.values for result in op.results):
            return
        operands = [self.values.get(operand) for operand in op.operands]
        if isinstance(op, ElementwiseOp):
            operands = self.of_full_operands(op, operands)
        for result, layout in zip(op.results, op.infer_results(operands), strict=True):
            fits = layout is not None and layout.misfit(len(shape_of(result))) is None
            is_moved = layout is not None and not layout.cls.is_cnn and not is_identity(layout)
            self.values.setdefault(result, layout if layout is not None and fits and not is_moved else TENSOR)

    def of_full_operands(self, op: ElementwiseOp, layouts: Known) -> Known:
        """Where operands of several layouts meet, those that are not repeated decide."""
        full = [
            layout if shape_of(operand) == shape_of(op.result) else None
            for operand, layout in zip(op.operands, layouts, strict=True)
        ]
        return full if any(full) else layouts

    # What the ops read.

    def needed(self, op: Operation) -> Known:
        """The layouts under which an op reads its operands, once all values are coloured."""
        known = declared(op)
        if known is not None:
            return [layout or self.needed_vector(op, index) for index, layout in enumerate(known[0])]
        if isinstance(op, ConstantOp):
            return []
        assert isinstance(op, NpuOp)
        results = [self.values.get(result) for result in op.results]
        operands = [self.values.get(operand) for operand in op.operands]
        if isinstance(op, TransposeOp):
            same_class = operands[0] is not None and results[0] is not None and operands[0].cls is results[0].cls
            return [None] if same_class else op.infer_operands(results)
        if repeats_only(op):
            return results
        if isinstance(op, SameLayoutOp):
            own = [name in op.INDEPENDENT for name in op.operand_names()]
            needed = op.infer_operands(results)
            return [self.needed_vector(op, index) if own[index] else layout for index, layout in enumerate(needed)]
        inferred = op.infer_operands(results)
        if any(inferred):
            return inferred
        return self.in_sequence(op, operands)

    def needed_vector(self, op: Operation, index: int) -> Layout | None:
        """An operand with a layout of its own, such as a number for each channel, has no letters."""
        layout = self.values.get(op.operands[index])
        return TENSOR if layout is not None and layout.cls.is_cnn else None

    def in_sequence(self, op: NpuOp, operands: Known) -> Known:
        """An op that changes axes reads letters only where its result then has its axes in logical sequence."""
        results = op.infer_results(operands)
        keeps = all(layout is None or is_identity(layout) for layout in results)
        if keeps and not isinstance(op, ReshapeOp | BroadcastOp):
            return [None for _ in operands]
        return [None if layout is None or is_identity(layout) else TENSOR for layout in operands]


def repeats_only(op: NpuOp) -> bool:
    """Whether an op is a broadcast without new axes, whose result has the layout of its operand."""
    return isinstance(op, BroadcastOp) and len(shape_of(op.input)) == len(shape_of(op.result))
