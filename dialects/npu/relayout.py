"""Rewriting an op for operands and results in other orders."""

from functools import lru_cache

from xdsl.dialects.builtin import NoneAttr, TensorType
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...compat.xdsl import retype
from ...layout import Layout, Order, permute, unpermute
from ..notes.interfaces import dims_of, note_dims
from .attrs import LayoutAttr
from .axes import Relayout
from .base import NpuOp
from .values import order_of_type, tensor_type

KNOWN_TYPES = 4096
"""Size of the cache of types; making and verifying a type is slow."""


@lru_cache(maxsize=KNOWN_TYPES)
def with_layout(type: TensorType, layout: Layout | None) -> TensorType:
    """The tensor type with this layout, or without any."""
    return TensorType(type.element_type, type.shape, NoneAttr() if layout is None else LayoutAttr(layout))


def stored_in(value: SSAValue, order: Order) -> TensorType:
    """The type of a coloured value in another order."""
    return type_in(tensor_type(value), order)


@lru_cache(maxsize=KNOWN_TYPES)
def type_in(type: TensorType, order: Order) -> TensorType:
    """The type of a coloured value, stored in another order."""
    old = order_of_type(type)
    if order == old:
        return type
    if not isinstance(type.encoding, LayoutAttr):
        raise ValueError(f"a value without a layout cannot be stored in another order: {type}")
    shape = permute(unpermute(type.get_shape(), old), order)
    return TensorType(type.element_type, shape, LayoutAttr(type.encoding.data.with_order(order)))


def move_dims(result: OpResult, order: Order) -> None:
    """Restate the names of dimensions for a result that will be stored in this order."""
    if dims := dims_of(result):
        note_dims(result, permute(unpermute(dims, order_of_type(tensor_type(result))), order))


def apply_relayout(op: NpuOp, relayout: Relayout) -> Operation:
    """Rewrite `op` as `relayout` says, and return the rewritten op.

    The operands must already be in the orders of the relayout, in the present order of operands. The results get new
    types; their users are not changed.
    """
    if relayout.operand_permutation is not None:
        op.operands = permute(op.operands, relayout.operand_permutation)
    types = [stored_in(result, order) for result, order in zip(op.results, relayout.results, strict=True)]
    for result, order in zip(op.results, relayout.results, strict=True):
        move_dims(result, order)
    if relayout.becomes is None:
        op.properties.update(relayout.properties)
        for name in relayout.removed:
            op.properties.pop(name, None)
        for result, type_ in zip(op.results, types, strict=True):
            retype(result, type_)
        return op
    kept: dict[str, Attribute] = {name: value for name, value in op.properties.items() if name not in relayout.removed}
    new = relayout.becomes.create(
        operands=op.operands,
        result_types=types,
        properties={**kept, **relayout.properties},
        attributes=op.attributes,
        location=op.location,
    )
    Rewriter.insert_op(new, InsertPoint.before(op))
    for old_result, result in zip(op.results, new.results, strict=True):
        result.name_hint = old_result.name_hint
        old_result.replace_all_uses_with(result)
    Rewriter.erase_op(op)
    return new
