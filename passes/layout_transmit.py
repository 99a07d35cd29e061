"""Layouts for all values, from those that some ops know."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from xdsl.context import Context
from xdsl.dialects.builtin import FunctionType, ModuleOp, TensorType
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Attribute, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import SymbolTable
from xdsl.utils.exceptions import PassFailedException
from xdsl.utils.hints import isa

from ..dialects.npu.attrs import LayoutAttr
from ..dialects.npu.base import NpuOp, layout_of, shape_of
from ..dialects.npu.shape import RelabelOp
from ..dialects.npu.source import ConstantOp
from ..layout import Layout, LayoutError, identity
from .colours import Colours, Relabelling, colour_block
from .relations import TENSOR, Resolve, encoding


@dataclass(frozen=True)
class LayoutTransmit(ModulePass):
    """Give every value a layout, starting from the ops that know theirs.

    Convolutions and other ops with `data_layout`, matrix products, and typed arguments know their layouts. A sweep
    against the direction of data says what their operands are; arguments and constants that are still open take the
    layout of an elementwise sibling, else the default; a sweep in the direction of data fills in the rest. What an op
    stated about its layouts moves into the types.

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
        try:
            default = Layout.parse(self.default)
        except LayoutError as error:
            raise PassFailedException(f"option default: {error}") from error
        transmit(op, default, self.resolve)


def transmit(module: ModuleOp, default: Layout = TENSOR, resolve: Resolve = "forward") -> None:
    """Colour all functions of a module, callees first."""
    done: set[FuncOp] = set()
    for function in callees_first(module):
        for callee in called_functions(function):
            if callee not in done:
                fix_signature(callee)
        done.add(function)
        colours = Colours()
        for block in function.body.blocks:
            colour_block(block, colours, default, resolve)
        apply_colours(function, colours)


def callees_first(module: ModuleOp) -> list[FuncOp]:
    """The functions of a module, each behind those that it calls; those of a cycle in some sequence."""
    functions = [op for op in module.walk() if isinstance(op, FuncOp)]
    calls = {function: list(called_functions(function)) for function in functions}
    ordered: dict[FuncOp, None] = {}
    entered: set[FuncOp] = set()
    for function in functions:
        waiting = [function]
        while waiting:
            current = waiting[-1]
            entered.add(current)
            callees = [callee for callee in calls.get(current, ()) if callee not in entered]
            if callees:
                waiting.append(callees[0])
            else:
                ordered.setdefault(waiting.pop())
    return list(ordered)


def called_functions(function: FuncOp) -> Iterator[FuncOp]:
    for op in function.walk():
        if isinstance(op, CallOp) and isinstance(callee := SymbolTable.lookup_symbol(op, op.callee), FuncOp):
            yield callee


def apply_colours(function: FuncOp, colours: Colours) -> None:
    """Write the layouts of a function into its types, and put in the relabels."""
    for value, layout in colours.values.items():
        recolour(value, layout)
    for relabelling in colours.relabellings:
        insert_relabel(relabelling)
    for op in function.walk():
        if isinstance(op, NpuOp):
            state_layouts_in_types(op)
    if function.is_declaration:
        fix_signature(function)
    else:
        function.update_function_type()


def fix_signature(function: FuncOp) -> None:
    """Let a function that has no body, or that calls itself, take and return tensors without letters."""
    for argument in () if function.is_declaration else function.args:
        recolour(argument, TENSOR)
    inputs = [coloured(type_, TENSOR) for type_ in function.function_type.inputs]
    outputs = [coloured(type_, TENSOR) for type_ in function.function_type.outputs]
    function.function_type = FunctionType.from_lists(inputs, outputs)


def recolour(value: SSAValue, layout: Layout) -> None:
    """Write a layout into the type of a value, unless it has one."""
    type_ = coloured(value.type, layout)
    if type_ == value.type:
        return
    if isinstance(value.owner, ConstantOp) and isa(type_, TensorType):
        value.owner.value = value.owner.permuted_value(identity(len(shape_of(value))), type_)
    Rewriter.replace_value_with_new_type(value, type_)


def coloured(type_: Attribute, layout: Layout) -> Attribute:
    """A tensor type with a layout, if it has none yet; any other type as it is."""
    if not isa(type_, TensorType) or encoding(type_) is not None:
        return type_
    return TensorType(type_.get_element_type(), type_.get_shape(), LayoutAttr(layout))


def insert_relabel(relabelling: Relabelling) -> None:
    """Let an op read an operand under another layout."""
    op, value = relabelling.op, relabelling.op.operands[relabelling.operand]
    type_ = value.type
    assert isa(type_, TensorType)
    result = TensorType(type_.get_element_type(), type_.get_shape(), LayoutAttr(relabelling.layout))
    relabel = RelabelOp.create(operands=[value], result_types=[result], location=op.location)
    Rewriter.insert_op(relabel, InsertPoint.before(op))
    op.operands[relabelling.operand] = relabel.result


def state_layouts_in_types(op: NpuOp) -> None:
    """Drop what an op states about its layouts where the types say it."""
    for name, value in op.lettered():
        if layout_of(value) is not None:
            op.properties.pop(name, None)
