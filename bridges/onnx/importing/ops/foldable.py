"""Folders of ops on shapes."""

from collections.abc import Callable
from math import prod

import numpy as np
from onnx import TensorProto, helper

from ...errors import UnsupportedNode
from ..folding import broadcast_pair, check_count, elementwise, equal, quotient, required, size_array
from ..node import ImportedNode, one
from ..registry import folds
from ..sizes import Size, maximum, minimum, product
from ..types import ONNX_TYPES, Array
from .slicing import positions


@folds("Shape")
def shape(node: ImportedNode) -> Array:
    sizes = node.sizes(0)
    end = node.integer("end", len(sizes))
    return size_array(sizes[slice(node.integer("start"), end)])


@folds("Size")
def size(node: ImportedNode) -> Array:
    return size_array([product(node.sizes(0))]).reshape(())


@folds("Identity")
def identity(node: ImportedNode) -> Array:
    return required(node, 0)


@folds("Gather")
def gather(node: ImportedNode) -> Array:
    values, axis, indices = required(node, 0), node.integer("axis"), node.constant(1)
    check_count(values.size // max(values.shape[axis], 1) * indices.size)
    return np.take(values, indices, axis=axis)


@folds("Concat")
def concat(node: ImportedNode) -> Array:
    values = [required(node, index) for index in range(node.input_count)]
    check_count(sum(each.size for each in values))
    return np.concatenate(values, axis=node.integer("axis"))


@folds("Unsqueeze")
def unsqueeze(node: ImportedNode) -> Array:
    values, axes = required(node, 0), node.list_of("axes", 1) or []
    return np.expand_dims(values, tuple(axes))


@folds("Squeeze")
def squeeze(node: ImportedNode) -> Array:
    axes = node.list_of("axes", 1)
    return np.squeeze(required(node, 0), None if axes is None else tuple(axes))


@folds("Reshape")
def reshape(node: ImportedNode) -> Array:
    values, sizes = required(node, 0), node.constants(1)
    if 0 in sizes and not node.flag("allowzero"):
        sizes = [values.shape[axis] if each == 0 else each for axis, each in enumerate(sizes)]
    return values.reshape(sizes)


@folds("Slice")
def slice_(node: ImportedNode) -> Array:
    values = required(node, 0)
    starts, ends = node.list_of("starts", 1) or [], node.list_of("ends", 2) or []
    axes = node.list_of("axes", 3) or list(range(len(starts)))
    steps = node.constants(4) if node.has_input(4) else [1] * len(starts)
    for axis, start, end, step in zip(node.axes(axes, values.ndim), starts, ends, steps, strict=True):
        taken = positions(values.shape[axis], start, end, step)
        values = values.take(np.array(taken, np.int64), axis)
    return values


@folds("Transpose")
def transpose(node: ImportedNode) -> Array:
    return required(node, 0).transpose(node.integers("perm"))


@folds("Expand")
def expand(node: ImportedNode) -> Array:
    values, sizes = required(node, 0), tuple(node.constants(1))
    result = np.broadcast_shapes(values.shape, sizes)
    check_count(prod(result))
    return np.broadcast_to(values, result)


@folds("ConstantOfShape")
def constant_of_shape(node: ImportedNode) -> Array:
    value = node.tensor("value")
    sizes = node.constants(0)
    check_count(prod(sizes))
    return np.full(sizes, np.float32(0) if value is None else one(value, "value"))


@folds("Range")
def range_(node: ImportedNode) -> Array:
    start, limit, step = (node.single(index) for index in range(3))
    if start.dtype.kind != "i":
        raise UnsupportedNode("not integers")
    found = range(int(start), int(limit), int(step))
    check_count(len(found))
    return np.array(found, start.dtype)


@folds("Cast")
def cast(node: ImportedNode) -> Array:
    return _as_type(required(node, 0), node.integer("to"))


def _as_type(values: Array, to: int) -> Array:
    """Cast an array to a type that is used in arithmetic on shapes."""
    if values.dtype == np.object_:
        if to not in (TensorProto.INT64, TensorProto.INT32):
            raise UnsupportedNode("an unknown size in another type")
        return values
    if to not in (TensorProto.INT64, TensorProto.INT32, TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.BOOL):
        raise UnsupportedNode("a type not used for shapes")
    # The kind of some floats of 8 bits is that of floats.
    is_usual = values.dtype.isbuiltin == 1 and values.dtype.kind in "iufb"
    if not is_usual or (values.dtype.kind == "f" and not np.isfinite(values).all()):
        raise UnsupportedNode("not a finite number")
    wanted = np.dtype(helper.tensor_dtype_to_np_dtype(to))
    if wanted.kind == "i" and values.dtype.kind == "f" and (np.abs(values) >= 2.0 ** (8 * wanted.itemsize - 1)).any():
        raise UnsupportedNode("a number that does not fit")
    return values.astype(wanted)


def _arithmetic(compute: Callable[[Array, Array], Array]) -> Callable[[ImportedNode], Array]:
    def folder(node: ImportedNode) -> Array:
        first, second = broadcast_pair(node)
        result = np.asarray(compute(first, second))
        return result if result.dtype == np.object_ else result.astype(first.dtype)

    return folder


folds("Add")(_arithmetic(lambda first, second: first + second))
folds("Sub")(_arithmetic(lambda first, second: first - second))
folds("Mul")(_arithmetic(lambda first, second: first * second))


def _of_two(
    compute: Callable[[Array, Array], Array], of_sizes: Callable[[Size, Size], Size | None]
) -> Callable[[ImportedNode], Array]:
    def folder(node: ImportedNode) -> Array:
        first, second = broadcast_pair(node)
        if np.object_ in (first.dtype, second.dtype):
            return elementwise(of_sizes, first, second)
        return np.asarray(compute(first, second)).astype(first.dtype)

    return folder


folds("Max")(_of_two(np.maximum, maximum))
folds("Min")(_of_two(np.minimum, minimum))


@folds("Div")
def div(node: ImportedNode) -> Array:
    first, second = broadcast_pair(node)
    if first.dtype.kind == "f":
        return first / second
    return elementwise(quotient, first, second).astype(object if first.dtype == object else first.dtype)


@folds("Floor", "Ceil")
def round_(node: ImportedNode) -> Array:
    values = node.constant(0)
    return np.floor(values) if node.proto.op_type == "Floor" else np.ceil(values)


@folds("Neg")
def neg(node: ImportedNode) -> Array:
    return -required(node, 0)


@folds("Equal")
def equal_(node: ImportedNode) -> Array:
    first, second = broadcast_pair(node)
    if first.dtype.kind == "O" or second.dtype.kind == "O":
        return elementwise(equal, first, second).astype(np.bool_)
    return np.asarray(first == second)


@folds("Where")
def where(node: ImportedNode) -> Array:
    condition = node.constant(0)
    first, second = required(node, 1), required(node, 2)
    check_count(prod(np.broadcast_shapes(condition.shape, first.shape, second.shape)))
    if np.object_ in (first.dtype, second.dtype):
        first, second = first.astype(object), second.astype(object)
    return np.where(condition, first, second)


@folds("ReduceProd")
def reduce_prod(node: ImportedNode) -> Array:
    values, axes = required(node, 0), node.list_of("axes", 1)
    if values.ndim != 1 or axes not in (None, [0], [-1]) or values.dtype.kind not in "iO":
        raise UnsupportedNode("not a list of sizes")
    elements: list[Size] = list(values)
    return size_array([product(elements)]).reshape((1,) if node.flag("keepdims", 1) else ())


def _plain(compute: Callable[..., Array], count: int) -> Callable[[ImportedNode], Array]:
    """A folder of an elementwise op that does not support unknown sizes."""

    def folder(node: ImportedNode) -> Array:
        values = [node.constant(index) for index in range(count)]
        check_count(prod(np.broadcast_shapes(*(each.shape for each in values))))
        return np.asarray(compute(*values))

    return folder


folds("Not")(_plain(np.logical_not, 1))
folds("And")(_plain(np.logical_and, 2))
folds("Or")(_plain(np.logical_or, 2))
folds("Xor")(_plain(np.logical_xor, 2))
folds("Less")(_plain(np.less, 2))
folds("LessOrEqual")(_plain(np.less_equal, 2))
folds("Greater")(_plain(np.greater, 2))
folds("GreaterOrEqual")(_plain(np.greater_equal, 2))
folds("Abs")(_plain(np.abs, 1))
folds("Sqrt")(_plain(np.sqrt, 1))


@folds("Mod")
def mod(node: ImportedNode) -> Array:
    first, second = broadcast_pair(node)
    if object in (first.dtype, second.dtype):
        raise UnsupportedNode("unknown sizes")
    return np.fmod(first, second) if node.flag("fmod") else np.mod(first, second)


@folds("CastLike")
def cast_like(node: ImportedNode) -> Array:
    return _as_type(required(node, 0), ONNX_TYPES[node.shaped(1).element])


@folds("ReduceSum", "ReduceMax", "ReduceMin")
def reduce(node: ImportedNode) -> Array:
    values, axes = node.constant(0), node.list_of("axes", 1)
    reductions = {"ReduceSum": np.sum, "ReduceMax": np.max, "ReduceMin": np.min}
    compute: Callable[..., Array] = reductions[node.proto.op_type]
    if not axes and node.integer("noop_with_empty_axes"):
        return values
    result = compute(values, axis=tuple(axes) if axes else None, keepdims=node.flag("keepdims", 1))
    return np.asarray(result).astype(values.dtype)
