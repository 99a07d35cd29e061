"""The layout class that an op works on, ops that change the class, and ops without relayouts."""

from xdsl.ir import Operation, SSAValue

from ....dialects.npu.base import NpuOp
from ....dialects.npu.shape import AnyTransposeOp, RelabelOp, ReshapeOp
from ....dialects.npu.source import OpaqueOp
from ....dialects.npu.values import Shape, encoding, logical_shape, order_of_value, shape_of
from ....layout import LayoutClass, Order, same_storage


def order_of(value: SSAValue) -> Order | None:
    """The order of a value; None without a layout."""
    return None if encoding(value.type) is None else order_of_value(value)


def class_of(value: SSAValue) -> LayoutClass | None:
    """The class of a value, with NTensor as Tensor; None without a layout."""
    layout = encoding(value.type)
    if layout is None:
        return None
    return layout.cls if layout.cls.is_cnn else LayoutClass.TENSOR


def is_cnn(value: SSAValue) -> bool:
    """True if the axes of a value have letters."""
    layout = encoding(value.type)
    return layout is not None and layout.cls.is_cnn


def own_class(op: Operation) -> LayoutClass | None:
    """The class of an op: that of its first result."""
    return class_of(op.results[0]) if op.results else None


def works_on_cnn(op: Operation) -> bool:
    return bool(op.results) and is_cnn(op.results[0])


def is_cnn_to_tensor(op: Operation) -> bool:
    return own_class(op) is LayoutClass.TENSOR and any(map(is_cnn, op.operands))


def is_tensor_to_cnn(op: Operation) -> bool:
    return works_on_cnn(op) and len(op.operands) > 0 and not any(map(is_cnn, op.operands))


def is_fixed(op: Operation) -> bool:
    """True if an op has no relayouts: an op of another dialect, an opaque op or a source, such as a constant."""
    return not isinstance(op, NpuOp) or isinstance(op, OpaqueOp) or op.is_source


def is_product(op: Operation) -> bool:
    """True if an op is a product of matrices."""
    return isinstance(op, NpuOp) and op.IS_PRODUCT


def only_transposes(op: Operation) -> bool:
    """True if an op changes the order of a value and does nothing else.

    A transpose does so. A relabel or reshape does so if it moves axes of one element only: to the same logical
    shape, or on features and weights wherever a transpose could replace it.
    """
    if isinstance(op, AnyTransposeOp):
        return True
    if not isinstance(op, ReshapeOp | RelabelOp) or class_of(op.input) is not class_of(op.result):
        return False
    if isinstance(op, ReshapeOp) and is_cnn(op.input) and moves_unit_axes_only(op):
        return True
    logical = logical_shape(op.input)
    orders = order_of_value(op.input), order_of_value(op.result)
    return orders[0] != orders[1] and logical == logical_shape(op.result) and same_storage(*orders, logical)


def moves_unit_axes_only(op: ReshapeOp) -> bool:
    """True if a reshape only moves dimensions of one element."""
    before, after = shape_of(op.input), shape_of(op.result)
    return before != after and len(before) == len(after) and _without_units(before) == _without_units(after)


def _without_units(shape: Shape) -> list[int]:
    return [size for size in shape if size != 1]
