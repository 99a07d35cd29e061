"""A program of nests as one of linalg and tosa."""

from collections.abc import Iterator
from typing import cast

from xdsl.dialects.arith import ConstantOp as ArithConstantOp
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FunctionType, ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.dialects.tensor import EmptyOp
from xdsl.ir import Attribute, Block, Operation, OpResult
from xdsl.rewriter import InsertPoint, Rewriter

from ...compat.xdsl import retype
from ...dialects.loops.nest import NestOp
from ...dialects.npu.base import NpuOp
from ...dialects.npu.relayout import with_layout
from ...dialects.npu.shape import AnyTransposeOp, RelabelOp, ReshapeOp, ViewOp
from ...dialects.npu.source import ConstantOp
from ...dialects.npu.values import encoding, order_of_value, shape_of, tensor_type
from ...layout import Order, identity, permute, same_storage
from ..common.graph.producers import values_of
from ..common.plans.recolour import recolour
from .nests import replace
from .ops import Destinations, as_op, as_reshape, as_transpose


def write_program(module: ModuleOp) -> None:
    """Replace the nests of a program, and its transposes if it has no other ops of npu."""
    move_sources(module)
    is_pure = all(_may_go(op) for op in module.walk())
    if is_pure:
        drop_layouts(module)
    for block in [*_blocks(module)]:
        destinations = Destinations()
        for op in [*block.ops]:
            if isinstance(op, EmptyOp):
                destinations.note(op)
            elif isinstance(op, NestOp):
                replace(op, as_op(op, destinations))
            elif is_pure and isinstance(op, ConstantOp) and isinstance(op.value, DenseIntOrFPElementsAttr):
                replace(op, ArithConstantOp(op.value))
            elif is_pure and isinstance(op, NpuOp):
                if isinstance(op, ViewOp) and op.input.type == op.result.type and not _moves(op):
                    op.result.replace_all_uses_with(op.input)
                    Rewriter.erase_op(op)
                elif (new := _written(op, destinations)) is not None:
                    replace(op, new)
    for op in [*module.walk(reverse=True)]:
        if isinstance(op, EmptyOp) and not op.tensor.first_use:
            Rewriter.erase_op(op)


def move_sources(module: ModuleOp) -> None:
    """Replace transposes of constants and of what other sources make by sources in the order of the result."""
    for op in [*module.walk()]:
        if not isinstance(op, AnyTransposeOp) or not isinstance(op.input, OpResult):
            continue
        source, index = op.input.op, op.input.index
        if not isinstance(source, ConstantOp | NestOp) or not source.is_source:
            continue
        new = _moved_constant(source, op) if isinstance(source, ConstantOp) else _moved(source, index, op)
        new.location = source.location
        Rewriter.insert_op(new, InsertPoint.before(op))
        new.results[index].name_hint = op.result.name_hint
        op.result.replace_all_uses_with(new.results[index])
        Rewriter.erase_op(op)
        if all(result.first_use is None for result in source.results):
            Rewriter.erase_op(source)


def _moved_constant(source: ConstantOp, op: AnyTransposeOp) -> ConstantOp:
    type_ = tensor_type(op.result)
    return ConstantOp(source.value_of_view(shape_of(op.input), op.moved(), type_), type_)


def _moved(source: NestOp, index: int, op: AnyTransposeOp) -> NestOp:
    """A copy of a source that makes one result as a transpose of it would be."""
    new = source.clone()
    results: list[Order | None] = [None] * len(new.results)
    results[index] = permute(order_of_value(op.input), op.moved())
    new.properties.update(new.relayouts([], results)[0].properties)
    retype(new.results[index], op.result.type)
    return new


def drop_layouts(module: ModuleOp) -> None:
    """Remove the layouts of all types; the stored shapes remain."""
    for value in [*values_of(module.walk())]:
        if encoding(value.type) is not None:
            recolour(value, value.type, with_layout(tensor_type(value), None))
    for op in module.walk():
        if isinstance(op, FuncOp):
            ends = [[*map(_plain, side)] for side in (op.function_type.inputs, op.function_type.outputs)]
            op.function_type = FunctionType.from_lists(*ends)


def _plain(type_: Attribute) -> Attribute:
    return with_layout(cast("TensorType", type_), None) if encoding(type_) is not None else type_


def _may_go(op: Operation) -> bool:
    """True unless a program with this op is one of npu."""
    if isinstance(op, ConstantOp):
        return isinstance(op.value, DenseIntOrFPElementsAttr)
    if isinstance(op, ReshapeOp):
        return all(size > 0 for size in (*shape_of(op.input), *shape_of(op.result)))
    return not isinstance(op, NpuOp) or isinstance(op, NestOp | RelabelOp | AnyTransposeOp)


def _written(op: NpuOp, destinations: Destinations) -> Operation | None:
    """An op of npu as one of linalg, tensor or arith, if it is not as it came."""
    if isinstance(op, ConstantOp):
        return ArithConstantOp(op.value) if isinstance(op.value, DenseIntOrFPElementsAttr) else None
    if isinstance(op, ViewOp) and not _moves(op) and (reshape := as_reshape(op)) is not None:
        return reshape
    return as_transpose(op, op.moved(), destinations) if isinstance(op, AnyTransposeOp) else None


def _moves(op: ViewOp) -> bool:
    """True if a view is a transpose that moves axes with several elements."""
    sizes = shape_of(op.input)
    return isinstance(op, AnyTransposeOp) and not same_storage(identity(len(sizes)), op.moved(), sizes)


def _blocks(module: ModuleOp) -> Iterator[Block]:
    return (block for op in module.walk() for region in op.regions for block in region.blocks)
