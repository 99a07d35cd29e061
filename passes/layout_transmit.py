"""Layouts for all values, from those that some ops know."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Literal, cast

from xdsl.context import Context
from xdsl.dialects.builtin import AnyDenseElement, DenseIntOrFPElementsAttr, FunctionType, ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import ConstantLike
from xdsl.utils.exceptions import PassFailedException

from ..dialects.npu.base import NpuOp, layout_of, rank_of, tensor_type
from ..dialects.npu.relay import retype, with_layout
from ..dialects.npu.shape import RelabelOp
from ..layout import Layout, LayoutError
from .call_graph import call_graph
from .colours import Colours, Relabelling, blocks_within, find_colours
from .moves_layouts import MovesLayouts
from .relations import TENSOR, Resolve, encoding, is_identity, may_have_layout


@dataclass(frozen=True)
class LayoutTransmit(MovesLayouts, ModulePass):
    """Give every value a layout, starting from the ops that know theirs.

    Convolutions and other ops with `data_layout`, matrix products, and typed arguments know their layouts. A sweep
    against the direction of data says what their operands are; arguments and constants that are still open take the
    layout of an elementwise sibling, else the default; a sweep in the direction of data fills in the rest. Where values
    of several classes meet at one op, the result is a feature if one of them is, else a weight, whichever comes first.
    What an op stated about its layouts moves into the types.

    Layouts are names for what is stored, so nothing is moved and no number changes. Where a value is needed under two
    names, the producer's stands, else that of most users, and each other user reads it through a `npu.relabel` right
    before it. Running the pass again changes nothing.
    """

    name = "layout-transmit"

    default: str = "Tensor"
    """The layout of arguments and constants that nothing is known about."""
    resolve: Literal["forward", "next", "previous", "nearest"] = "forward"
    """What settles the operand of an op whose result cannot tell it, such as a reshape: nothing, so that the layout of
    its producer stands, or the next, the previous or the nearest op that knows its layouts."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        transmit(op, parsed_default(self.default), self.resolve)


def parsed_default(text: str) -> Layout:
    """The layout that an option `default` says."""
    try:
        default = Layout.parse(text)
    except LayoutError as error:
        raise PassFailedException(f"option default: {error}") from error
    if not default.cls.is_cnn and not is_identity(default):
        raise PassFailedException(f"option default: expected a layout that is not re-ordered, found {default}")
    return default


def transmit(module: ModuleOp, default: Layout = TENSOR, resolve: Resolve = "forward") -> None:
    """Colour all values of a module, those of its functions callees first."""
    graph = call_graph(module)
    for function in graph.callees_first:
        if function.is_declaration or function in graph.recursive or len(function.body.blocks) > 1:
            fix_signature(function)
    for function in graph.callees_first:
        apply_colours(function, find_colours(function, graph.callees, default, resolve))
        if not function.is_declaration:
            function.update_function_type()
    apply_colours(module, find_colours(module, graph.callees, default, resolve))


def fix_signature(function: FuncOp) -> None:
    """Let a function take and return tensors without letters: one that others see before it is coloured, or a wall."""
    inputs = [coloured(type_, TENSOR) for type_ in function.function_type.inputs]
    outputs = [coloured(type_, TENSOR) for type_ in function.function_type.outputs]
    function.function_type = FunctionType.from_lists(inputs, outputs)


def apply_colours(root: Operation, colours: Colours) -> None:
    """Write layouts into the types of a program, and put in the relabels."""
    for value, layout in colours.values.items():
        recolour(value, layout)
    for op, group in groupby(colours.relabellings, key=lambda relabelling: relabelling.op):
        insert_relabels(op, group)
    for block in blocks_within(root):
        for op in block.ops:
            if isinstance(op, NpuOp):
                state_layouts_in_types(op)


def recolour(value: SSAValue, layout: Layout) -> None:
    """Write a layout into the type of a value, unless it has one."""
    old = value.type
    new = coloured(old, layout)
    if new is old:
        return
    if isinstance(value, OpResult) and value.op.has_trait(ConstantLike):
        retype_numbers(value.op, old, new)
    retype(value, new)


def retype_numbers(constant: Operation, old: Attribute, new: Attribute) -> None:
    """Give the numbers of a constant the type that its result gets."""
    for name, value in constant.properties.items():
        if isinstance(value, DenseIntOrFPElementsAttr) and value.get_type() == old:
            constant.properties[name] = DenseIntOrFPElementsAttr(cast("TensorType[AnyDenseElement]", new), value.data)


def coloured(type_: Attribute, layout: Layout) -> Attribute:
    """A tensor type with a layout, if it has none yet; any other type as it is."""
    if not may_have_layout(type_) or encoding(type_) is not None:
        return type_
    return with_layout(cast(TensorType, type_), layout)


def insert_relabels(op: Operation, relabellings: Iterable[Relabelling]) -> None:
    """Let an op read operands under other layouts. What it reads twice is relabelled once."""
    made: dict[tuple[SSAValue, Layout], SSAValue] = {}
    for relabelling in relabellings:
        value, layout = op.operands[relabelling.operand], relabelling.layout
        if (value, layout) not in made:
            type_ = with_layout(tensor_type(value), layout)
            relabel = RelabelOp.create(operands=[value], result_types=[type_], location=op.location)
            Rewriter.insert_op(relabel, InsertPoint.before(op))
            made[value, layout] = relabel.result
        op.operands[relabelling.operand] = made[value, layout]


def state_layouts_in_types(op: NpuOp) -> None:
    """Drop what an op states about its layouts where the types say it."""
    for name, value in op.lettered():
        if layout_of(value) is not None:
            op.properties.pop(name, None)


def is_coloured(module: ModuleOp) -> bool:
    """Whether every value that can have a layout has one."""
    return not any(may_have_layout(value.type) and encoding(value.type) is None for value in _values(module))


def is_nothing_known(module: ModuleOp) -> bool:
    """Whether there are values that could be features, and nothing says of any value which layout it has."""
    values = [value for value in _values(module) if may_have_layout(value.type)]
    if not any(3 <= rank_of(value) <= 5 for value in values) or any(encoding(value.type) for value in values):
        return False
    return not any(isinstance(op, NpuOp) and _says_layouts(op) for op in module.walk())


def _says_layouts(op: NpuOp) -> bool:
    declared = op.declared()
    own = (op.infer_results([None] * len(op.operands)), op.infer_operands([None] * len(op.results)))
    return declared is not None or any(map(any, own))


def _values(module: ModuleOp) -> Iterator[SSAValue]:
    for op in module.walk():
        yield from op.results
        for region in op.regions:
            for block in region.blocks:
                yield from block.args
