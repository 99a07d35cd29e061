"""Reshape, Flatten, Squeeze, Unsqueeze, and constants of computed shapes."""

from collections.abc import Sequence

import numpy as np
from onnx import helper

from ....building import are_known
from ...errors import UnsupportedNode
from ..node import ImportedNode, one
from ..registry import Converted, converts, sizes_of
from ..sizes import Size, Unknown, broadcast, divide, product, subtract
from ..types import ONNX_TYPES


def _wanted(node: ImportedNode, index: int) -> list[Size]:
    """The value of an input that is a shape, which may contain unknown sizes."""
    found = node.known(index)
    if found is None:
        raise UnsupportedNode("the shape is not known")
    return [each if isinstance(each, Unknown) else int(each) for each in found.reshape(-1)]


@sizes_of("Reshape")
def reshape_sizes(node: ImportedNode) -> Sequence[Size | None]:
    """0 is the operand's size along the same axis, -1 the remaining size."""
    before, wanted = node.sizes(), _wanted(node, 1)
    if not node.flag("allowzero"):
        wanted = [before[axis] if size == 0 and axis < len(before) else size for axis, size in enumerate(wanted)]
    if -1 not in wanted:
        return wanted
    rest = product(size for size in wanted if size != -1)
    left = divide(product(before), rest) if rest != 0 else None
    return [left if size == -1 else size for size in wanted]


@sizes_of("Flatten")
def flatten_sizes(node: ImportedNode) -> Sequence[Size | None]:
    sizes, axis = node.sizes(), node.integer("axis", 1)
    axis = axis + len(sizes) if axis < 0 else axis
    return product(sizes[:axis]), product(sizes[axis:])


@converts("Flatten")
def flatten(node: ImportedNode) -> Converted:
    return node.reshape(node.operand(0), [size for size in flatten_sizes(node) or () if size is not None], is_own=True)


@sizes_of("Squeeze")
def squeeze_sizes(node: ImportedNode) -> Sequence[Size | None]:
    sizes, given = node.sizes(), node.list_of("axes", 1)
    if given is None and not are_known(sizes):
        raise UnsupportedNode("an unknown size that may be 1")
    if given is None:
        given = [axis for axis, size in enumerate(sizes) if size == 1]
    axes = node.axes(given)
    return [size for axis, size in enumerate(sizes) if axis not in axes]


@sizes_of("Unsqueeze")
def unsqueeze_sizes(node: ImportedNode) -> Sequence[Size | None]:
    axes = node.list_of("axes", 1) or []
    places = node.axes(axes, node.rank() + len(axes))
    if len({*places}) < len(places):
        raise UnsupportedNode("an axis that is named twice")
    left = iter(node.sizes())
    return [1 if axis in places else next(left) for axis in range(node.rank() + len(axes))]


@converts("Squeeze")
def squeeze(node: ImportedNode) -> Converted:
    if node.list_of("axes", 1) == [] and any(isinstance(size, Unknown) or size == 1 for size in node.sizes()):
        # By ONNX's shape inference it removes no axis, in ONNX Runtime all of size 1.
        raise UnsupportedNode("an empty list of axes")
    return reshape(node)


@converts("Reshape", "Unsqueeze")
def reshape(node: ImportedNode) -> Converted:
    """All sizes are known from the type of the result, or by name.

    Sizes that a model only declares are none to which its nodes reshape.
    """
    if node.has_input(1) and node.known(1) is None:
        raise UnsupportedNode("the shape is not known")
    node.mark_read("axes", "allowzero", 1)
    return node.reshape(node.operand(0), node.output().sizes, is_own=True)


@sizes_of("Expand")
def expand_sizes(node: ImportedNode) -> Sequence[Size | None] | None:
    return broadcast((node.sizes(), _wanted(node, 1)))


@sizes_of("ConstantOfShape")
def constant_of_shape_sizes(node: ImportedNode) -> Sequence[Size | None]:
    return _wanted(node, 0)


@sizes_of("Range")
def range_sizes(node: ImportedNode) -> Sequence[Size | None]:
    given = [_wanted(node, index) for index in range(3)]
    if any(len(sizes) != 1 for sizes in given):
        raise UnsupportedNode("a range whose bounds are not scalars")
    (start,), (limit,), (step,) = given
    if step != 1 or start != 0:
        raise UnsupportedNode("a start other than 0 or a step other than 1")
    return [subtract(limit, start)]


@converts("ConstantOfShape")
def constant_of_shape(node: ImportedNode) -> Converted:
    node.mark_read(0)
    value = node.tensor("value")
    element = node.output().element
    dtype = helper.tensor_dtype_to_np_dtype(ONNX_TYPES[element])
    number = np.zeros((), dtype) if value is None else one(value, "value")
    return node.broadcast(node.constant_of(number), node.output().sizes)
