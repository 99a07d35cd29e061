"""The change of a value's type, with that of the numbers that a constant has."""

from typing import cast

from xdsl.dialects.builtin import AnyDenseElement, DenseIntOrFPElementsAttr, TensorType
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.traits import ConstantLike

from ....compat.xdsl import retype


def recolour(value: SSAValue, old: Attribute, new: Attribute) -> None:
    """Change the type of a value."""
    if isinstance(value, OpResult) and value.op.properties and value.op.has_trait(ConstantLike):
        retype_numbers(value.op, old, new)
    retype(value, new)


def retype_numbers(constant: Operation, old: Attribute, new: Attribute) -> None:
    """Change the type of a constant's elements along with that of its result."""
    for name, value in constant.properties.items():
        if isinstance(value, DenseIntOrFPElementsAttr) and value.get_type() == old:
            constant.properties[name] = DenseIntOrFPElementsAttr(cast("TensorType[AnyDenseElement]", new), value.data)
