"""Inferred layouts written into a program."""

from collections.abc import Iterable
from itertools import groupby
from typing import cast

from xdsl.dialects.builtin import FunctionType, IntegerType, ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...compat.attribute_table import AttributeTable
from ...dialects.npu.base import NpuOp
from ...dialects.npu.relayout import with_layout
from ...dialects.npu.shape import RelabelOp
from ...dialects.npu.values import (
    element_type_of,
    encoding,
    is_identity,
    layout_of,
    may_have_layout,
    rank_of,
    tensor_type,
)
from ...layout import Layout, LayoutError
from ..common.graph.call_graph import call_graph
from ..common.graph.producers import values_of
from ..common.plans.recolour import recolour
from .colouring import Colours, Relabelling, blocks_within, find_colours
from .known_layouts import TENSOR, Resolve


def parsed_default(text: str) -> Layout:
    """The layout in an option `default`; raises `ValueError`."""
    try:
        default = Layout.parse(text)
    except LayoutError as error:
        raise ValueError(f"option default: {error}") from error
    if not default.cls.is_cnn and not is_identity(default):
        raise ValueError(f"option default: expected a layout that is not re-ordered, found {default}")
    if default.padded_axes:
        raise ValueError(f"option default: expected a layout without padding, found {default}")
    return default


def transmit(module: ModuleOp, default: Layout = TENSOR, resolve: Resolve = "forward") -> None:
    """Give all values of a module a layout, callees before callers."""
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
    """Set the layouts of a signature to TENSOR, for a function that is used before its layouts can be inferred."""
    inputs = [coloured(type_, TENSOR) for type_ in function.function_type.inputs]
    outputs = [coloured(type_, TENSOR) for type_ in function.function_type.outputs]
    function.function_type = FunctionType.from_lists(inputs, outputs)


def apply_colours(root: Operation, colours: Colours) -> None:
    """Write layouts into the types of a program, and insert the relabels."""
    types = AttributeTable[dict[Layout, Attribute]]()
    for value, layout in colours.values.items():
        old = value.type
        if (known := types.get(old)) is None:
            known = types.enter(old, {})
        if layout not in known:
            known[layout] = coloured(old, layout)
        if known[layout] is not old:
            recolour(value, old, known[layout])
    for op, group in groupby(colours.relabellings, key=lambda relabelling: relabelling.op):
        insert_relabels(op, group)
    for block in blocks_within(root):
        for op in block.ops:
            if isinstance(op, NpuOp):
                state_layouts_in_types(op)


def coloured(type_: Attribute, layout: Layout) -> Attribute:
    """A tensor type with a layout, if it has none yet; any other type is not changed."""
    if not may_have_layout(type_) or encoding(type_) is not None:
        return type_
    return with_layout(cast(TensorType, type_), layout)


def insert_relabels(op: Operation, relabellings: Iterable[Relabelling]) -> None:
    """Relabel operands of an op. A value that it uses twice is relabelled once."""
    made: dict[tuple[SSAValue, Layout], SSAValue] = {}
    for relabelling in relabellings:
        value, layout = op.operands[relabelling.operand], relabelling.layout
        if (value, layout) not in made:
            type_ = with_layout(tensor_type(value), layout)
            relabel = RelabelOp(value, type_)
            relabel.location = op.location
            Rewriter.insert_op(relabel, InsertPoint.before(op))
            made[value, layout] = relabel.result
        op.operands[relabelling.operand] = made[value, layout]


def state_layouts_in_types(op: NpuOp) -> None:
    """Remove the layout properties of an op whose types have layouts."""
    for name, value in op.data_layouts():
        if layout_of(value) is not None:
            op.properties.pop(name, None)


def is_coloured(module: ModuleOp) -> bool:
    """True if every value that can have a layout has one."""
    return not any(may_have_layout(value.type) and encoding(value.type) is None for value in values_of(module.walk()))


def is_nothing_known(module: ModuleOp) -> bool:
    """True if an argument could be a feature, none is a text, and neither a type nor an op determines any layout."""
    ops = [op for op in module.walk() if isinstance(op, NpuOp)]
    # Most programs have an op that declares a layout, so that no type needs a look.
    if any(op.declared() is not None for op in ops):
        return False
    values = [value for value in values_of(module.walk()) if may_have_layout(value.type)]
    arguments = [value for value in values if isinstance(value, BlockArgument)]
    if not any(3 <= rank_of(value) <= 5 for value in arguments) or any(map(_may_be_tokens, arguments)):
        return False
    if any(encoding(value.type) for value in values):
        return False
    return not any(map(_infers_layouts, ops))


def _may_be_tokens(value: SSAValue) -> bool:
    """True for the numbers of the words of a text: then values of rank 3 and more are heads and rows, not images."""
    element = element_type_of(value)
    return rank_of(value) <= 2 and isinstance(element, IntegerType) and element.bitwidth >= 32


def _infers_layouts(op: NpuOp) -> bool:
    """True if an op infers a layout from nothing."""
    own = (op.infer_results([None] * len(op.operands)), op.infer_operands([None] * len(op.results)))
    return any(map(any, own))
