"""The logical program: every tensor in its logical order, without layouts."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, TypeAlias

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, FunctionType, ModuleOp, TensorType
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException
from xdsl.utils.hints import isa

from ..compat.xdsl import retype
from ..dialects.notes.interfaces import interface_of
from ..dialects.npu.attrs import LayoutAttr
from ..dialects.npu.axes import MatmulFreedom, Relayout
from ..dialects.npu.base import NpuOp
from ..dialects.npu.kinds import OpKinds
from ..dialects.npu.relayout import KNOWN_TYPES, apply_relayout, move_dims, with_layout
from ..dialects.npu.shape import FixedTransposeOp, RelabelOp, TransposeOp
from ..dialects.npu.source import ConstantOp, OpaqueOp
from ..dialects.npu.values import encoding, layout_of, logical_shape, order_of_value, rank_of, shape_of, tensor_type
from ..dialects.program.symbols import Symbols, symbols_in
from ..layout import Order, identity, identity_layout, invert, permute, unpermute
from .common.same_meaning import PreservesMeaning

Step: TypeAlias = Callable[[], None]
"""The rewrite of one op, decided before any type has changed."""


@dataclass(frozen=True)
class StripLayouts(PreservesMeaning, ModulePass):
    """Rewrite every op to the identity order of its axes and remove the layouts.

    The result is the logical program, for people to read. Transposes and relabels that only change how data is stored
    are erased; those that permute logical axes remain as transposes. Attributes that name axes by position name the
    logical ones. Ops that find axes by name get `data_layout = <NCHW>`, as in a program without layouts.

    Arguments and results of functions become logical too, so an interface in another layout changes. Opaque ops and
    functions without a body depend on stored bytes: their operands are transposed to their previous layouts, and their
    results back. The same holds for an op without a form in identity order, and for the arguments and results of
    functions that an attribute refers to, such as the subgraphs of an ONNX model.

    A value in blocks is an error, because only its type can state them.
    """

    name = "strip-layouts"

    MAKES_INTERFACE_LOGICAL: ClassVar[bool] = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = [each for each in op.walk() if isinstance(each, FuncOp)]
        for each in op.walk():
            check_no_blocks(each)
        decisions = Decisions(op)
        steps = [step for function in functions for each in function.body.walk() for step in decisions.of(each)]
        steps += [restore_arguments_step(function) for function in functions if decisions.is_stored(function)]
        for step in steps:
            step()
        for function in functions:
            strip_types(function, not decisions.is_stored(function))


def check_no_blocks(op: Operation) -> None:
    """Check that no type of an op states blocks, which have no other place."""
    types = [*op.function_type.inputs, *op.function_type.outputs] if isinstance(op, FuncOp) else op.result_types
    for layout in map(encoding, types):
        if layout is not None and layout.tiles:
            problem = f"the layout {layout} has blocks, which only a type can state: unpack the value first"
            op.emit_error(problem, PassFailedException(problem))


class Decisions:
    """The steps that rewrite the ops of a program."""

    def __init__(self, module: ModuleOp) -> None:
        self._symbols = Symbols()
        self._named = set(_named_functions(module, self._symbols))
        """The functions that attributes refer to."""
        self._kinds = OpKinds()
        self._forms: dict[int, Relayout | None] = {}
        """The relayout of the ops of a kind for identity orders."""

    def of(self, op: Operation) -> Iterator[Step]:
        """The step that rewrites an op to identity orders."""
        match op:
            case TransposeOp():
                yield transpose_step(op, op.permutation.get_values())
            case FixedTransposeOp():
                yield transpose_step(op, op.PERMUTATION)
            case RelabelOp():
                yield transpose_step(op, identity(len(shape_of(op.input))))
            case ConstantOp():
                yield permute_step(op)
            case NpuOp() if not isinstance(op, OpaqueOp):
                form = self._form(op)
                yield restore_step(op) if form is None else relayout_step(op, form)
            case ReturnOp() if op.parent_op() not in self._named:
                pass
            case CallOp() if not self.is_stored(self._symbols.lookup(op, op.callee)):
                pass
            case _:
                yield restore_step(op)

    def is_stored(self, function: Operation | None) -> bool:
        """True if the interface of a function keeps its stored orders: an op that is not changed relies on them."""
        return not isinstance(function, FuncOp) or not function.body.blocks or function in self._named

    def _form(self, op: NpuOp) -> Relayout | None:
        """The relayout for identity orders; None if there is none, as for a transposed integer product."""
        kind = self._kinds.of(op)
        if kind not in self._forms:
            operands = [identity(rank_of(operand)) for operand in op.operands]
            results = [identity(rank_of(result)) for result in op.results]
            self._forms[kind] = next(iter(op.relayouts_within(operands, results, MatmulFreedom.FREE)), None)
        return self._forms[kind]


def _named_functions(module: ModuleOp, symbols: Symbols) -> Iterator[Operation]:
    """The functions that ops refer to without calling them."""
    for op in module.walk():
        for symbol in () if isinstance(op, CallOp) else symbols_in(op):
            if (function := symbols.lookup(op, symbol)) is not None:
                yield function


def transpose_step(op: TransposeOp | FixedTransposeOp | RelabelOp, permutation: Order) -> Step:
    """Replace an op that moves or renames axes by the permutation of its logical axes."""
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
    """Replace the only result of `op` by a transpose of `operand`, inserted before it."""
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


def permute_step(op: ConstantOp) -> Step:
    """Rewrite a constant in its logical order."""
    type_ = TensorType(tensor_type(op.result).element_type, logical_shape(op.result))
    value = op.value_of_view(shape_of(op.result), invert(order_of_value(op.result)), type_)

    def step() -> None:
        op.value = value
        retype(op.result, type_)

    return step


def relayout_step(op: NpuOp, relayout: Relayout) -> Step:
    """Apply the relayout for identity orders."""
    layouts = {
        name: LayoutAttr(identity_layout(layout.cls, len(shape_of(value))))
        for name, value in op.data_layouts()
        if (layout := layout_of(value)) is not None
    }

    def step() -> None:
        apply_relayout(op, relayout).properties.update(layouts)

    return step


def restore_step(op: Operation) -> Step:
    """Keep the stored orders of an op, with transposes before its operands and after its results."""
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
                restore_result(op, index, order)

    return step


def restore_arguments_step(function: FuncOp) -> Step:
    """Keep the stored orders of the arguments of a function, with transposes for their users."""
    entry = function.body.first_block
    arguments = [argument for argument in (entry.args if entry is not None else ()) if is_tensor(argument)]
    orders = [order_of_value(argument) for argument in arguments]

    def step() -> None:
        for argument, order in reversed([*zip(arguments, orders, strict=True)]):
            retype(argument, with_layout(tensor_type(argument), None))
            if order != identity(len(order)):
                logical = transpose(argument, invert(order))
                argument.replace_uses_with_if(logical.result, lambda use, op=logical: use.operation is not op)
                Rewriter.insert_op(logical, InsertPoint.at_start(argument.block))

    return step


def restore_result(op: Operation, index: int, order: Order) -> None:
    """Remove the layout of a result, and transpose it to the logical order for its users."""
    stored = op.results[index]
    retype(stored, with_layout(tensor_type(stored), None))
    if order == identity(len(order)):
        return
    logical = transpose(stored, invert(order))
    Rewriter.insert_op(logical, InsertPoint.after(op))
    stored.replace_uses_with_if(logical.result, lambda use: use.operation is not logical)


def strip_types(function: FuncOp, reorder: bool) -> None:
    """Remove the layouts of all values of a function, and of its signature, which becomes logical if `reorder`."""
    if reorder:
        strip_notes(function)
    for block in function.body.blocks:
        for argument in block.args:
            strip_type(argument)
        for op in block.ops:
            for result in op.results:
                strip_type(result)
    inputs = [logical_type(type_, reorder) for type_ in function.function_type.inputs]
    outputs = [logical_type(type_, reorder) for type_ in function.function_type.outputs]
    function.function_type = FunctionType.from_attrs(ArrayAttr(inputs), ArrayAttr(outputs))


def strip_notes(function: FuncOp) -> None:
    """Change the notes about interfaces: arguments and results will be in logical order."""
    for value in interface_of(function):
        layout = encoding(value.type)
        if value.note is not None and layout is not None and layout.order is not None:
            rank = len(layout.order)
            value.note_move(invert(layout.order), identity_layout(layout.cls, rank))


def strip_type(value: SSAValue) -> None:
    if isinstance(value, OpResult) and is_tensor(value):
        move_dims(value, identity(rank_of(value)))
    retype(value, logical_type(value.type, True))


@lru_cache(maxsize=KNOWN_TYPES)
def logical_type(type_: Attribute, reorder: bool) -> Attribute:
    """A type without its layout, in logical order if `reorder`."""
    if not isa(type_, TensorType) or not isinstance(type_.encoding, LayoutAttr):
        return type_
    shape = type_.get_shape()
    if reorder:
        shape = unpermute(shape, type_.encoding.data.order_for(len(shape)))
    return TensorType(type_.get_element_type(), shape)


def is_tensor(value: SSAValue) -> bool:
    return isinstance(value.type, TensorType)
