"""Convolutions of signals as convolutions of images with one row."""

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase, TensorType
from xdsl.ir import Attribute, SSAValue

from ...layout import Layout
from .attrs import LayoutAttr, i64_array
from .base import NpuOp
from .convolution import Conv1dOp
from .shape import ReshapeOp
from .values import layout_of, tensor_type


def layouts_of(op: Conv1dOp) -> tuple[Layout, Layout]:
    """The layouts of the data and of the kernel."""
    kernel = op.known_layout("kernel", op.kernel, "kernel_layout", op.kernel_layout)
    return op.feature_layout("data", op.data), kernel


def in_two_dimensions(
    op: Conv1dOp, on_images: type[NpuOp], operands: Sequence[SSAValue], result: SSAValue
) -> list[NpuOp]:
    """A convolution of images on these operands, the first of which are signals, between views."""
    layouts = layouts_of(op)
    rows = [ReshapeOp(value, _with_row(value, layout)) for value, layout in zip(operands, layouts, strict=False)]
    images = on_images.create(
        operands=[*(each.result for each in rows), *operands[len(rows) :]],
        result_types=[_with_row(result, layouts[0])],
        properties=_properties(op),
    )
    return [*rows, images, ReshapeOp(images.results[0], result.type)]


def _with_row(value: SSAValue, layout: Layout) -> TensorType:
    """The type of a value of this layout, with an axis H of one element in front of its axis W."""
    type_, place = tensor_type(value), str(layout).index("W")
    shape = [*type_.get_shape()[:place], 1, *type_.get_shape()[place:]]
    encoding = type_.encoding if layout_of(value) is None else LayoutAttr(_image(layout))
    return TensorType(type_.get_element_type(), shape, encoding)


def _image(layout: Layout) -> Layout:
    """The layout with an axis H in front of W."""
    return Layout.parse(str(layout).replace("W", "HW"))


def _properties(op: Conv1dOp) -> dict[str, Attribute]:
    """The properties of the convolution of images."""
    found = dict(op.properties)
    before = {"strides": (1,), "dilations": (1,), "pads": (0, 0)}
    for name, row in before.items():
        given = found.get(name)
        if isinstance(given, DenseArrayBase):
            found[name] = i64_array(*_interleaved(row, given.get_values()))
    for name in ("data_layout", "kernel_layout"):
        declared = found.get(name)
        if isinstance(declared, LayoutAttr):
            found[name] = LayoutAttr(_image(declared.data))
    return found


def _interleaved(row: Sequence[int], given: Sequence[object]) -> list[int]:
    """Each number of the row, and the given one behind it."""
    return [number for pair in zip(row, map(int, map(str, given)), strict=True) for number in pair]
