"""The logical program: every tensor in its logical order, without layouts."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, FunctionType, ModuleOp, TensorType
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.hints import isa

from ..compat.xdsl import retype
from ..dialects.npu.attrs import LayoutAttr
from ..dialects.npu.axes import MatmulFreedom
from ..dialects.npu.base import NpuOp
from ..dialects.npu.linear import relayouts_of
from ..dialects.npu.relayout import apply_relayout, with_layout
from ..dialects.npu.shape import FixedTransposeOp, RelabelOp, TransposeOp
from ..dialects.npu.source import ConstantOp, OpaqueOp
from ..dialects.npu.values import layout_of, logical_shape, order_of_value, shape_of, tensor_type
from ..dialects.symbols import Symbols
from ..layout import Order, identity, identity_layout, invert, permute, unpermute
from .common.same_meaning import PreservesMeaning

Step: TypeAlias = Callable[[], None]
"""What is to be done to one op, decided while all types are still those of the stored program."""


@dataclass(frozen=True)
class StripLayouts(PreservesMeaning, ModulePass):
    """Put every op back to identity orders and drop the layouts.

    What is left is the logical program, for people to read. Transposes and relabels that only change how data is stored
    disappear; those that mean something for the logical axes stay, as transposes. Attributes that name axes by position
    name the logical ones. Ops that find axes by their letters say `data_layout = <NCHW>`, as they do in a program that
    is not coloured yet.

    Arguments and results of functions become logical too, so the interface changes where it was stored in another
    order. Opaque ops and functions without a body read stored bytes: their operands are transposed to what they were,
    and their results back. So are those of an op that cannot be written in any other way.
    """

    name = "strip-layouts"

    MAKES_INTERFACE_LOGICAL: ClassVar[bool] = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = [each for each in op.walk() if isinstance(each, FuncOp)]
        symbols = Symbols()
        steps = [step for function in functions for each in function.body.walk() for step in decide(each, symbols)]
        for step in steps:
            step()
        for function in functions:
            strip_types(function)


def decide(op: Operation, symbols: Symbols) -> Iterator[Step]:
    """The step that makes an op logical."""
    match op:
        case TransposeOp():
            yield transposing(op, op.permutation.get_values())
        case FixedTransposeOp():
            yield transposing(op, op.PERMUTATION)
        case RelabelOp():
            yield transposing(op, identity(len(shape_of(op.input))))
        case ConstantOp():
            yield permuting(op)
        case NpuOp() if not isinstance(op, OpaqueOp):
            yield relaying(op) or restoring(op)
        case ReturnOp() | CallOp() if not calls_outside(op, symbols):
            pass
        case _:
            yield restoring(op)


def calls_outside(op: Operation, symbols: Symbols) -> bool:
    """Whether an op calls a function that has no body here."""
    if not isinstance(op, CallOp):
        return False
    callee = symbols.lookup(op, op.callee)
    return not isinstance(callee, FuncOp) or not callee.body.blocks


def transposing(op: TransposeOp | FixedTransposeOp | RelabelOp, permutation: Order) -> Step:
    """Replace an op that moves or renames axes by what it means for the logical ones."""
    positions = invert(order_of_value(op.result))
    logical = permute(permute(order_of_value(op.input), permutation), positions)

    def step() -> None:
        if logical == identity(len(logical)):
            op.result.replace_all_uses_with(op.input)
        else:
            replace_by_transpose(op, op.input, logical)
        Rewriter.erase_op(op)

    return step


def replace_by_transpose(op: Operation, operand: SSAValue, permutation: Order) -> None:
    """Let a new transpose of `operand`, put before `op`, take the place of its only result."""
    new = transpose(operand, permutation)
    new.location = op.location
    new.result.name_hint = op.results[0].name_hint
    Rewriter.insert_op(new, InsertPoint.before(op))
    op.results[0].replace_all_uses_with(new.result)


def transpose(operand: SSAValue, permutation: Order) -> TransposeOp:
    """A transpose between values without layouts."""
    type_ = tensor_type(operand)
    result = TensorType(type_.element_type, permute(logical_shape(operand), permutation))
    return TransposeOp(operand, permutation, result)


def permuting(op: ConstantOp) -> Step:
    """Write a constant in its logical order."""
    type_ = TensorType(tensor_type(op.result).element_type, logical_shape(op.result))
    value = op.value_of_view(shape_of(op.result), invert(order_of_value(op.result)), type_)

    def step() -> None:
        op.value = value
        retype(op.result, type_)

    return step


def relaying(op: NpuOp) -> Step | None:
    """Write an op again for identity orders; None if it cannot be, as an integer product that is stored transposed."""
    operands = [identity(len(shape_of(operand))) for operand in op.operands]
    results = [identity(len(shape_of(result))) for result in op.results]
    relayouts = relayouts_of(op, operands, results, MatmulFreedom.FREE)
    if not relayouts:
        return None
    layouts = {
        name: LayoutAttr(identity_layout(layout.cls, len(shape_of(value))))
        for name, value in op.data_layouts()
        if (layout := layout_of(value)) is not None
    }

    def step() -> None:
        apply_relayout(op, relayouts[0]).properties.update(layouts)

    return step


def restoring(op: Operation) -> Step:
    """Store the operands of an op as they are stored now, and take its results from there."""
    operands = [order_of_value(operand) if is_tensor(operand) else None for operand in op.operands]
    results = [order_of_value(result) if is_tensor(result) else None for result in op.results]

    def step() -> None:
        for index, order in enumerate(operands):
            if order is not None and order != identity(len(order)):
                stored = transpose(op.operands[index], order)
                Rewriter.insert_op(stored, InsertPoint.before(op))
                op.operands[index] = stored.result
        for index, order in enumerate(results):
            if order is not None:
                unstore(op, index, order)

    return step


def unstore(op: Operation, index: int, order: Order) -> None:
    """Take a result without its layout, and transpose it to the logical order for those who use it."""
    stored = op.results[index]
    retype(stored, with_layout(tensor_type(stored), None))
    if order == identity(len(order)):
        return
    logical = transpose(stored, invert(order))
    Rewriter.insert_op(logical, InsertPoint.after(op))
    stored.replace_uses_with_if(logical.result, lambda use: use.operation is not logical)


def strip_types(function: FuncOp) -> None:
    """Drop the layouts of all values of a function, and of its signature."""
    for block in function.body.blocks:
        for argument in block.args:
            strip_type(argument)
        for op in block.ops:
            for result in op.results:
                strip_type(result)
    inputs = [logical_type(type_, bool(function.body.blocks)) for type_ in function.function_type.inputs]
    outputs = [logical_type(type_, bool(function.body.blocks)) for type_ in function.function_type.outputs]
    function.function_type = FunctionType.from_attrs(ArrayAttr(inputs), ArrayAttr(outputs))


def strip_type(value: SSAValue) -> None:
    retype(value, logical_type(value.type, True))


def logical_type(type_: Attribute, reorder: bool) -> Attribute:
    """A type without its layout, in logical order if `reorder` says so."""
    if not isa(type_, TensorType) or not isinstance(type_.encoding, LayoutAttr):
        return type_
    shape = type_.get_shape()
    if reorder:
        shape = unpermute(shape, type_.encoding.data.order_for(len(shape)))
    return TensorType(type_.get_element_type(), shape)


def is_tensor(value: SSAValue) -> bool:
    return isinstance(value.type, TensorType)
