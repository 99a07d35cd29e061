"""The Transposes of a finished graph: those that move nothing become Reshapes, and the others are counted."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from onnx import helper
from xdsl.ir import SSAValue

from ....dialects.npu.values import is_whole
from ....layout import DYNAMIC, Order, identity, permute, same_storage
from ...moved_data import MovedData, StorageSizes
from .elements import I64
from .graph import OnnxNode, OnnxTensor
from .kernels import KERNELS
from .opset import Opset
from .weights import from_array

Sizes = tuple[int, ...]
MOVING = frozenset({"Cast", "Identity", "Reshape", "Squeeze", "Transpose", "Unsqueeze"})
"""The nodes that keep the number of elements."""
VIEWS = frozenset({"Flatten", "Reshape", "Squeeze", "Transpose", "Unsqueeze"})


def without_idle_transposes(nodes: Sequence[OnnxNode], opset: Opset) -> MovedData:
    """Turn the Transposes of axes of one element into Reshapes, and count those that are left, but those of constants.

    One that came stays unchanged, unless a new Reshape behind it shows its data in yet another shape.
    """
    found, stored, reshaped = MovedData(), StorageSizes(), _reshaped_again(nodes)
    for node, source, order in _transposes(nodes):
        if source.weights is not None:
            continue
        sizes = sizes_before(node)
        if sizes is not None and _moves_nothing(sizes, order):
            is_opaque = not isinstance(node.attributes, Mapping)
            if not is_opaque and (not node.is_as_it_came or node in reshaped):
                _replace_by_reshape(node, sizes, order, opset)
            found = found.with_idle() if node.kind == "Transpose" else found
            continue
        width = helper.tensor_dtype_to_np_dtype(source.element).itemsize if source.element else 0
        value = _value(source) or _value(node.outputs[0])
        likely = None
        if value is not None:
            sizes, likely = (None, None) if is_whole(value) else (stored.of(value), stored.likely(value))
        found = found.with_transpose(sizes, width, node.part_of, likely)
    return found


def _reshaped_again(nodes: Sequence[OnnxNode]) -> set[OnnxNode]:
    """The nodes behind which is a new Reshape, with no view of the model in between."""
    readers: dict[OnnxTensor, list[OnnxNode]] = {}
    for node in nodes:
        for tensor in filter(None, node.inputs):
            readers.setdefault(tensor, []).append(node)
    found: set[OnnxNode] = set()
    for node in reversed(nodes):
        for reader in (each for tensor in filter(None, node.outputs) for each in readers.get(tensor, ())):
            is_view = reader.kind in VIEWS and not reader.domain
            # The attributes of a node that stayed opaque are those of the model.
            is_new = not reader.is_as_it_came and isinstance(reader.attributes, Mapping)
            if (reader.kind == "Reshape" and is_new) if is_view else reader in found:
                found.add(node)
    return found


def _moves_nothing(sizes: Sizes, order: Order) -> bool:
    return same_storage(identity(len(sizes)), order, sizes)


def _transposes(nodes: Sequence[OnnxNode]) -> Iterator[tuple[OnnxNode, OnnxTensor, Order]]:
    for node in nodes:
        if (order := transposed_by(node)) is not None and node.inputs[0] is not None:
            yield node, node.inputs[0], order


def transposed_by(node: OnnxNode) -> Order | None:
    """The permutation of a Transpose, which for an opaque one may follow from its rank; None for other nodes."""
    if node.kind != "Transpose" or node.domain or node.inputs[0] is None:
        return None
    if isinstance(node.attributes, Mapping):
        return tuple(node.attributes["perm"])
    given = next((tuple(each.ints) for each in node.attributes if each.name == "perm"), None)
    return given or tuple(range(len(node.inputs[0].sizes or ())))[::-1]


def sizes_before(node: OnnxNode) -> Sizes | None:
    """The stored shape of the operand of a Transpose, if it is known."""
    order = transposed_by(node)
    if order is None or node.inputs[0] is None:
        return None
    return _sizes(node.inputs[0]) or _before(node.outputs[0], order)


def _sizes(x: OnnxTensor) -> Sizes | None:
    """The stored shape of a tensor, also through casts and transposes."""
    if x.sizes is not None or x.node is None or x.node.domain or not x.node.inputs:
        return x.sizes
    (source, *_), attributes = x.node.inputs, x.node.attributes
    if source is None or x.node.kind not in ("Cast", "Transpose") or not isinstance(attributes, Mapping):
        return None
    sizes = _sizes(source)
    if sizes is None or x.node.kind == "Cast":
        return sizes
    return permute(sizes, tuple(attributes["perm"]))


def _value(x: OnnxTensor | None) -> SSAValue | None:
    """The value of the program whose data a tensor has, also through nodes that only move or cast it."""
    while x is not None and x.value is None and x.node is not None and x.node.kind in MOVING and not x.node.domain:
        x = x.node.inputs[0]
    return None if x is None else x.value


def _before(result: OnnxTensor | None, order: Order) -> Sizes | None:
    """The shape of the operand of a Transpose, if that of the result is known."""
    if result is None or result.sizes is None:
        return None
    return tuple(result.sizes[order.index(axis)] for axis in range(len(order)))


def _replace_by_reshape(node: OnnxNode, sizes: Sizes, order: Order, opset: Opset) -> None:
    """Turn a Transpose into a Reshape, unless it has several unknown sizes: it stays, and moves nothing."""
    source, shape = node.inputs[0], list(permute(sizes, order))
    if source is None or source.element not in KERNELS["Reshape"].types:
        return
    if shape.count(DYNAMIC) > 1 or (0 in shape and DYNAMIC in shape):
        return
    if 0 in shape and not opset.has_attribute("Reshape", "allowzero"):
        return
    numbers = np.array([-1 if size == DYNAMIC else size for size in shape], np.int64)
    node.kind, node.attributes = "Reshape", {"allowzero": 1} if 0 in shape else {}
    node.is_as_it_came, node.implied = False, frozenset()
    node.inputs = (source, OnnxTensor(I64, weights=from_array(numbers, I64)))
