"""Writing an op again for operands and results that are stored in other orders."""

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...layout import Order, permute, unpermute
from .attrs import LayoutAttr
from .axes import Relayout
from .base import NpuOp, layout_of, order_of_value, shape_of, tensor_type


def stored_in(value: SSAValue, order: Order) -> TensorType:
    """The type of a value when it is stored in another order; only a coloured value can be."""
    type_, old = tensor_type(value), order_of_value(value)
    if order == old:
        return type_
    layout = layout_of(value)
    if layout is None:
        raise ValueError(f"a value without a layout cannot be stored in another order: {type_}")
    shape = permute(unpermute(shape_of(value), old), order)
    return TensorType(type_.element_type, shape, LayoutAttr(layout.with_order(order)))


def relay(op: NpuOp, relayout: Relayout) -> Operation:
    """Write `op` as `relayout` says, and return the op that it is then.

    The operands must already be stored in the orders that the relayout wants, in the sequence in which the op has them
    now. The results get new types; what reads them is not changed.
    """
    if relayout.sequence is not None:
        op.operands = permute(op.operands, relayout.sequence)
    types = [stored_in(result, order) for result, order in zip(op.results, relayout.results, strict=True)]
    if relayout.becomes is None:
        op.properties.update(relayout.properties)
        for name in relayout.removed:
            op.properties.pop(name, None)
        for result, type_ in zip(tuple(op.results), types, strict=True):
            if result.type != type_:
                Rewriter.replace_value_with_new_type(result, type_)
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
