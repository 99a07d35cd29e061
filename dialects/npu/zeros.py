"""Values whose numbers are known to be zeros."""

from typing import cast

from xdsl.dialects.builtin import AnyDenseElement, DenseIntOrFPElementsAttr, TensorType
from xdsl.ir import Attribute, SSAValue

from ..program.written import splat
from .packing import PackingOp
from .shape import BroadcastOp, ViewOp
from .source import ConstantOp


def are_zeros(value: SSAValue) -> bool:
    """True if a value is a constant that is written out, or a view or pack of one, and all of its numbers are zeros."""
    op = value.owner
    while isinstance(op, BroadcastOp | PackingOp | ViewOp):
        op = op.input.owner
    if not isinstance(op, ConstantOp) or not isinstance(op.value, DenseIntOrFPElementsAttr):
        return False
    return not op.value.data.data.strip(b"\0")


def zeros(type_: Attribute) -> SSAValue:
    """A detached constant of zeros."""
    element = cast("TensorType[AnyDenseElement]", type_).get_element_type()
    return ConstantOp(splat(type_, bytes(element.compile_time_size))).result
