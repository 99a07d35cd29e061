"""The form of an op for values whose axes are not cut into blocks, which defines the meaning of the op with blocks."""

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Block, SSAValue

from ...layout import identity, identity_layout
from .attrs import LayoutAttr
from .base import NpuOp
from .copies import like
from .elementwise import AnyElementwiseOp
from .movement import MovementOp
from .same_layout import SameLayoutOp
from .values import has_one_element, layout_of, logical_shape, rank_of, tensor_type


def uncut(op: NpuOp) -> Block | None:
    """A block with the op on logical tensors in identity order, whose arguments are the operands.

    None if the op treats the pieces of an axis differently.
    """
    properties = {name: value for name, value in op.properties.items() if not isinstance(value, LayoutAttr)}
    block = Block(arg_types=[_uncut_type(operand) for operand in op.operands])
    whole = like(op, [*block.arg_types, *map(_uncut_type, op.results)], properties)
    whole.operands = block.args
    if isinstance(op, SameLayoutOp):
        layouts = [layout_of(value) for value in op.shared() if not has_one_element(value)]
        shared = next((layout for layout in layouts if layout is not None and layout.tiles), None)
        if shared is None or None in layouts:
            return None
        if not all(op.treats_alike(*each) for each in shared.pieces_by_axis() if len(each) > 1):
            return None
        order = shared.order_for(rank_of(op.results[0]))
        whole.properties.update(op.AXES.rewritten(op, order, identity(len(order))))
        whole.properties.update(whole.axes_uncut(dict(shared.tiles)))
    block.add_op(whole)
    return block


def uncut_if_by_letters(op: NpuOp) -> Block | None:
    """A block of logical tensors for an op on blocks that finds axes by letters or places, or several; None for others.

    Elements of other axes than those in blocks, and whole blocks, are moved as they are stored.
    """
    if isinstance(op, AnyElementwiseOp | MovementOp) or not op.has_blocks():
        return None
    return uncut(op) if op.IS_PRODUCT or op.SHARES_LAYOUT else None


def _uncut_type(value: SSAValue) -> TensorType:
    """The type of the logical tensor, with the identity layout of its class."""
    layout, type_ = layout_of(value), tensor_type(value)
    if layout is None:
        return type_
    shape = logical_shape(value, layout)
    return TensorType(type_.element_type, shape, LayoutAttr(identity_layout(layout.cls, len(shape))))
