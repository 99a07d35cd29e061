"""Colouring: the layout of every value of a function, without moving data.

Nothing here changes the program. `find_colours` finds the layouts of all values, and the operands that need a relabel
because their producer has another layout.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import SymbolOpInterface

from ...dialects.npu.attrs import OperandDim
from ...dialects.npu.base import NpuOp
from ...dialects.npu.elementwise import AnyElementwiseOp
from ...dialects.npu.shape import BroadcastOp, RelabelOp, ReshapeOp, TransposeOp
from ...dialects.npu.source import ConstantOp
from ...dialects.npu.values import encoding, is_identity, is_tensor, rank_of, shape_of
from ...layout import DYNAMIC, Layout, precedence
from .known_layouts import TENSOR, Known, Relations, Resolve, declared


@dataclass(frozen=True)
class Relabelling:
    """An operand whose op demands another layout than its producer has."""

    op: Operation
    operand: int
    layout: Layout


@dataclass
class Colours:
    """The layouts of the values of a program, and the operands that need a relabel."""

    values: dict[SSAValue, Layout] = field(default_factory=dict[SSAValue, Layout])
    relabellings: list[Relabelling] = field(default_factory=list[Relabelling])


def find_colours(root: Operation, callees: Mapping[CallOp, FuncOp], default: Layout, resolve: Resolve) -> Colours:
    """Find the layouts of a function's values, or of a module's values outside of functions.

    The signatures of callees have layouts already.
    """
    colours = Colours()
    blocks = list(blocks_within(root))
    for block in blocks:
        colours.values |= fixed_layouts(block)
    colourings = [_BlockColouring(block, colours, callees, default, Relations(block, resolve)) for block in blocks]
    for colouring in colourings:
        colouring.colour_values()
    for colouring in colourings:
        colouring.note_relabels()
    return colours


def blocks_within(root: Operation) -> Iterator[Block]:
    """The blocks of an op and of the ops in them, outer ones first; symbol ops are not entered."""
    waiting = [root]
    while waiting:
        for region in waiting.pop().regions:
            for block in region.blocks:
                yield block
                waiting += [op for op in block.ops if op.regions and not _has_a_name(op)]


def _has_a_name(op: Operation) -> bool:
    return op.has_trait(SymbolOpInterface, value_if_unregistered=False)


def fixed_layouts(block: Block) -> dict[SSAValue, Layout]:
    """The layouts known before inference: those in types, and TENSOR for block arguments of control flow."""
    region, parent = block.parent, block.parent_op()
    is_wall = not isinstance(parent, FuncOp) or (region is not None and len(region.blocks) > 1)
    layouts: dict[SSAValue, Layout] = {value: TENSOR for value in block.args if is_wall and is_tensor(value)}
    values: list[SSAValue] = [*block.args, *(result for op in block.ops for result in op.results)]
    layouts |= {value: layout for value in values if (layout := encoding(value.type)) is not None}
    if isinstance(parent, FuncOp) and block is parent.body.blocks[0]:
        typed = zip(block.args, parent.function_type.inputs, strict=True)
        layouts |= {value: layout for value, type_ in typed if (layout := encoding(type_)) is not None}
    return layouts


class _BlockColouring:
    """The colouring of the ops of one block."""

    def __init__(
        self,
        block: Block,
        colours: Colours,
        callees: Mapping[CallOp, FuncOp],
        default: Layout,
        relations: Relations,
    ) -> None:
        self.block = block
        self.values = colours.values
        self.relabellings = colours.relabellings
        self.callees = callees
        self.default = default
        self.relations = relations
        # The layouts that the users of a value need, the last user first.
        self.wanted: dict[SSAValue, list[Layout]] = {}
        # The ops with known layouts.
        self.known: dict[Operation, tuple[Known, Known]] = {}

    def colour_values(self) -> None:
        ops = list(self.block.ops)
        for op in reversed(ops):
            self.backward(op)
        sources = [*self.block.args, *(op.result for op in ops if isinstance(op, ConstantOp))]
        for value in sources:
            self.give([value], [self.chosen([value])])
        for value in sources:
            if is_tensor(value) and value not in self.values:
                self.values[value] = self.of_open_source(value)
        for op in ops:
            self.forward(op)

    def note_relabels(self) -> None:
        for op in self.block.ops:
            operands = tuple(op.operands)
            if not operands or not (_has_uncoloured(operands) or _has_uncoloured(op.results)):
                continue
            for index, (operand, layout) in enumerate(zip(operands, self.needed(op), strict=True)):
                if layout is not None and self.values.get(operand, layout) != layout:
                    self.relabellings.append(Relabelling(op, index, layout))

    # The backward sweep: results first, then the operands they need.

    def backward(self, op: Operation) -> None:
        if isinstance(op, ConstantOp):
            return
        known = declared(op, self.callees)
        if known is not None:
            self.known[op] = known
            self.give(op.results, known[1])
            self.want(op, known[0])
            return
        assert isinstance(op, NpuOp)
        if op.SHARES_LAYOUT:
            sharing = [op.results[index] for index in op.sharing_results()]
            if (shared := self.chosen(sharing)) is not None:
                self.values |= {result: shared for result in sharing}
        else:
            for index, result in enumerate(op.results):
                self.give([result], [self.acceptable(op, index, self.chosen([result]))])
        inferred = op.infer_operands([self.values.get(result) for result in op.results])
        is_open = not any(inferred) and self.relations.settle_operands and cannot_tell_operands(op)
        self.want(op, self.relations.operand_layouts(op) if is_open else inferred)

    def give(self, values: Sequence[SSAValue], layouts: Sequence[Layout | None]) -> None:
        """Set the layouts of values that have none yet."""
        for value, layout in zip(values, layouts, strict=True):
            if layout is not None and value not in self.values and is_tensor(value) and may_be_given(layout, value):
                self.values[value] = layout

    def want(self, op: Operation, layouts: Sequence[Layout | None]) -> None:
        """Record the layouts that an op needs of its operands. An op that uses a value twice counts once."""
        target_layouts = [
            (operand, layout)
            for operand, layout in zip(op.operands, layouts, strict=True)
            if layout is not None and is_tensor(operand) and may_be_given(layout, operand)
        ]
        if len(target_layouts) > 1:
            target_layouts = [*dict.fromkeys(target_layouts)]
        for operand, layout in reversed(target_layouts):
            self.wanted.setdefault(operand, []).append(layout)

    def chosen(self, values: Sequence[SSAValue]) -> Layout | None:
        """The layout that one of the values has already, else that needed by most users, the first of equals."""
        for value in values:
            if value in self.values:
                return self.values[value]
        target_layouts = [layout for value in values for layout in reversed(self.wanted.get(value, ()))]
        if len(target_layouts) <= 1:
            return target_layouts[0] if target_layouts else None
        return max(dict.fromkeys(target_layouts), key=target_layouts.count)

    def acceptable(self, op: NpuOp, index: int, layout: Layout | None) -> Layout | None:
        """The layout, if a result of an op that changes axes can have it."""
        if layout is None or repeats_only(op):
            return layout
        results: Known = [None] * len(op.results)
        results[index] = layout
        if any(op.infer_operands(results)):
            return layout
        may_have_letters = isinstance(op, ReshapeOp | BroadcastOp)
        return layout if is_identity(layout) and (may_have_letters or not layout.cls.is_cnn) else None

    def of_open_source(self, value: SSAValue) -> Layout:
        """The layout of an argument or constant whose users need none: that of an elementwise sibling."""
        candidates = chain(self.siblings(value), [self.default])
        return next((layout for layout in candidates if may_be_given(layout, value)), TENSOR)

    def siblings(self, value: SSAValue) -> Iterator[Layout]:
        """The layouts of the values that elementwise ops combine with this one, the first user first."""
        rank = rank_of(value)
        for use in reversed([*value.uses]):
            if isinstance(use.operation, AnyElementwiseOp):
                operands = [operand for operand in use.operation.operands if rank_of(operand) == rank]
                layouts = (self.values[operand] for operand in operands if operand in self.values)
                yield from sorted(layouts, key=precedence)

    # The forward sweep: layouts that are still open follow from the operands.

    def forward(self, op: Operation) -> None:
        if not isinstance(op, NpuOp) or all(result in self.values for result in op.results):
            return
        operands = [self.values.get(operand) for operand in op.operands]
        if isinstance(op, AnyElementwiseOp):
            operands = self.of_full_operands(op, operands)
        if leaves_axes_alone(op):
            self.give(op.results, [layout if layout and is_identity(layout) else None for layout in operands])
        self.give(op.results, op.infer_results(operands))
        self.give(op.results, [TENSOR] * len(op.results))

    def of_full_operands(self, op: AnyElementwiseOp, layouts: Known) -> Known:
        """If operands have several layouts, a feature or weight decides; of equals, one that is not repeated."""
        shape = shape_of(op.result)
        full = [
            layout if shape_of(operand) == shape else None for operand, layout in zip(op.operands, layouts, strict=True)
        ]
        sharing = [layouts[index] for index in op.sharing_operands()]
        repeated_decide = _has_letters(sharing) and not _has_letters(full)
        return layouts if repeated_decide or not any(full) else full

    # The operands.

    def needed(self, op: Operation) -> Known:
        """The layouts that an op needs of its operands, once all values have layouts."""
        if not isinstance(op, NpuOp):
            return self.known[op][0]
        if (known := self.known.get(op)) is not None:
            return [layout or self.needed_vector(op, index) for index, layout in enumerate(known[0])]
        results = [self.values.get(result) for result in op.results]
        inferred = op.infer_operands(results)
        if op.SHARES_LAYOUT:
            for index, name in enumerate(op.operand_names() if op.AXES.independent else ()):
                if name in op.AXES.independent:
                    inferred[index] = self.needed_vector(op, index)
            return inferred
        operands = [self.values.get(operand) for operand in op.operands]
        match op:
            case RelabelOp():
                return inferred
            case TransposeOp():
                same_class = operands[0] is not None and results[0] is not None and operands[0].cls is results[0].cls
                return [None] if same_class else inferred
            case _ if repeats_only(op):
                return results
            case _ if any(inferred) or op.infer_results(operands) == results:
                return inferred
            case _:
                return self.in_identity(op, operands)

    def needed_vector(self, op: Operation, index: int) -> Layout | None:
        """TENSOR for an operand with a layout of its own, such as a number per channel, if it has letters."""
        layout = self.values.get(op.operands[index])
        return TENSOR if layout is not None and layout.cls.is_cnn else None

    def in_identity(self, op: NpuOp, operands: Known) -> Known:
        """Identity orders for the operands of an op that changes axes, unless its result is in identity order."""
        if all(layout is not None and is_identity(layout) for layout in op.infer_results(operands)):
            return [None] * len(operands)
        return [None if layout is None or is_identity(layout) else TENSOR for layout in operands]


def _has_uncoloured(values: Sequence[SSAValue]) -> bool:
    """True if there is a value that can have a layout and has none."""
    for value in values:
        if is_tensor(value) and encoding(value.type) is None:
            return True
    return False


def _has_letters(layouts: Sequence[Layout | None]) -> bool:
    return any(layout is not None and layout.cls.is_cnn for layout in layouts)


def may_be_given(layout: Layout, value: SSAValue) -> bool:
    """True if a value without a layout can get this one. Axes without letters are in identity order."""
    is_reordered = not layout.cls.is_cnn and not is_identity(layout)
    return not is_reordered and layout.rank_mismatch(rank_of(value)) is None


def cannot_tell_operands(op: NpuOp) -> bool:
    """True if the layouts of the results do not determine those of the operands; a relabel states that they differ."""
    return not isinstance(op, RelabelOp) and not any(op.infer_operands([TENSOR] * len(op.results)))


def repeats_only(op: NpuOp) -> bool:
    """True if an op is a broadcast without new axes, whose result has the layout of its operand."""
    return isinstance(op, BroadcastOp) and rank_of(op.input) == rank_of(op.result)


def leaves_axes_alone(op: NpuOp) -> bool:
    """True if an op is a reshape to the shape of its operand."""
    if not isinstance(op, ReshapeOp) or shape_of(op.input) != shape_of(op.result):
        return False
    dims = op.dims.data if op.dims is not None else ()
    moved = [place for place, dim in enumerate(dims) if isinstance(dim, OperandDim) and dim.position != place]
    return not moved and (len(dims) > 0 or shape_of(op.result).count(DYNAMIC) <= 1)
