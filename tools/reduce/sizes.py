"""Simpler numbers: constants that are one number throughout, and smaller dimensions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, DenseIntOrFPElementsAttr, ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute
from xdsl.utils.hints import isa

from ...compat.xdsl import retype
from ...dialects.npu.source import ConstantOp
from ...dialects.npu.values import is_float, tensor_type
from ...passes.common.graph.producers import values_of
from .edits import Edit, Left


class FillConstants(Edit):
    """Fills constants with one number."""

    def count(self, module: ModuleOp) -> int:
        return len(_constants(module))

    def apply(self, module: ModuleOp, left: Left) -> None:
        for number, op in enumerate(_constants(module)):
            if number in left:
                op.properties["value"] = _filled(op.value, tensor_type(op.result))


def sizes_to_try(module: ModuleOp) -> Iterator[tuple[int, int]]:
    """Sizes of dimensions, the largest first, each with smaller ones."""
    types = (value.type for value in values_of(module.walk()))
    sizes = {size for type_ in types if isa(type_, TensorType) for size in type_.get_shape()}
    for size in sorted(sizes, reverse=True):
        for smaller in dict.fromkeys((1, 2, 3, 4, size // 4, size // 2)):
            if 0 < smaller < size:
                yield size, smaller


def resize(module: ModuleOp, old: int, new: int) -> None:
    """Replace a size in all types and lists of numbers of a program, in place. It may be invalid then."""
    for value in values_of(module.walk()):
        retype(value, _resized(value.type, old, new))
    for op in module.walk():
        op.properties.update({name: _resized(each, old, new) for name, each in op.properties.items()})
        if isinstance(op, ConstantOp) and _type_of(op.value) != op.result.type:
            op.properties["value"] = _filled(op.value, tensor_type(op.result))
        if isinstance(op, FuncOp) and op.body.blocks:
            op.update_function_type()


def _constants(module: ModuleOp) -> list[ConstantOp]:
    """The constants of several numbers, or with numbers in a file."""
    ops = (op for op in module.walk() if isinstance(op, ConstantOp))
    return [op for op in ops if not isinstance(op.value, DenseIntOrFPElementsAttr) or not op.value.is_splat()]


def _type_of(value: Attribute) -> Attribute | None:
    return value.get_type() if isinstance(value, DenseIntOrFPElementsAttr) else None


def _filled(value: Attribute, type_: TensorType) -> Attribute:
    """A constant of this type, of the first number of the given one."""
    first = 1.0 if is_float(type_.element_type) else 1
    if isinstance(value, DenseIntOrFPElementsAttr):
        first = next(iter(value.get_values()), first)
    return DenseIntOrFPElementsAttr.from_list(cast("TensorType[Any]", type_), [first])


def _resized(attribute: Attribute, old: int, new: int) -> Attribute:
    """An attribute with a size replaced."""
    if isa(attribute, TensorType):
        shape = [new if size == old else size for size in attribute.get_shape()]
        return TensorType(attribute.element_type, shape, attribute.encoding)
    if isa(attribute, ArrayAttr):
        return ArrayAttr([_resized(each, old, new) for each in attribute])
    if isinstance(attribute, DenseArrayBase):
        array = cast("DenseArrayBase[Any]", attribute)
        return DenseArrayBase.from_list(array.elt_type, [new if each == old else each for each in array.get_values()])
    return attribute
