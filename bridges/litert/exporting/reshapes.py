"""Reshapes around ops that compute each element by itself, and around transposes: the first is merged with the last."""

from collections.abc import Sequence

from ....layout import DYNAMIC, Order
from ..dialect import LiteNode, LiteTensor, Shape, take_result
from .graph import MOST_PLAIN_AXES, LiteGraph
from .kinds import BY_ELEMENT


def without_reshape_pairs(graph: LiteGraph, nodes: Sequence[LiteNode]) -> None:
    """Let ops between two reshapes work in the shape before the first one, so that at most the second one is left.

    NPUs plan such ops by their shape: 1x192x192 has 192 channels of one row, 192x192x1 one channel.
    """
    for last in nodes:
        if not _is_fixed_reshape(last):
            continue
        (result,) = last.outputs
        between, reshaped = _ops_above(last)
        source = _operand_of_reshape(reshaped)
        if not between or source is None or (source.shape != result.shape and not reshaped.value.has_one_use()):
            continue
        for node, _ in between:
            node.outputs[0].change(shape=source.shape)
        first, place = between[-1]
        first.operands[place] = source.value
        if source.shape == result.shape:
            take_result(between[0][0], last)


def without_units_behind_transposes(graph: LiteGraph, nodes: Sequence[LiteNode]) -> None:
    """Let a transpose between two reshapes have the axes of one element that the second one adds or drops.

    NPUs join a transpose with the product behind it, but not through a reshape.
    """
    for last in nodes:
        moved = last.inputs[0] if _is_fixed_reshape(last) else None
        transpose = None if moved is None or not moved.value.has_one_use() else moved.node
        if transpose is None or transpose.kind != "TRANSPOSE":
            continue
        tensor, order = transpose.inputs
        assert tensor is not None
        source = _operand_of_reshape(tensor)
        if (
            source is None
            or not tensor.value.has_one_use()
            or tensor.node is None
            or not _is_fixed_reshape(tensor.node)
        ):
            continue
        assert order is not None
        assert order.data is not None
        known = _with_units(tensor.shape, tuple(map(int, order.data.array())), last.outputs[0].shape)
        if known is None:
            continue
        shape, permutation = known
        tensor.change(shape=shape)
        tensor.node.operands[1] = graph.sizes(shape).value
        given = source if source.shape == shape else tensor
        transpose.operands = [given.value, graph.ints(*permutation).value]
        take_result(transpose, last)


def _with_units(shape: Shape, permutation: Order, wanted: Shape) -> tuple[Shape, Order] | None:
    """The shape and permutation for a transpose to a shape that has other axes of one element."""
    long = [axis for axis, size in enumerate(wanted) if size != 1]
    moved = [axis for axis in permutation if shape[axis] != 1]
    if len(wanted) > MOST_PLAIN_AXES or [shape[axis] for axis in moved] != [wanted[axis] for axis in long]:
        return None
    # Axes of one element stay where they are.
    places = dict(zip(sorted(moved), long, strict=True))
    new_shape, new_permutation = [*wanted], [*range(len(wanted))]
    for axis, place in places.items():
        new_shape[place] = shape[axis]
    for place, axis in zip(long, moved, strict=True):
        new_permutation[place] = places[axis]
    return tuple(new_shape), tuple(new_permutation)


def _ops_above(reshape: LiteNode) -> tuple[list[tuple[LiteNode, int]], LiteTensor]:
    """The ops that compute the operand of a reshape element by element, the last one first, and the tensor above."""
    found: list[tuple[LiteNode, int]] = []
    tensor = reshape.inputs[0]
    assert tensor is not None
    while tensor.value.has_one_use() and (op := _operand(tensor)) is not None:
        node, place = op
        found.append(op)
        tensor = node.inputs[place]
        assert tensor is not None
    return found, tensor


def _operand(tensor: LiteTensor) -> tuple[LiteNode, int] | None:
    """The op that computes a tensor element by element, and the place of its only operand that is no scalar."""
    node = tensor.node
    if node is None or node.kind not in BY_ELEMENT:
        return None
    places = [place for place, each in enumerate(node.inputs) if each is None or each.shape]
    if len(places) != 1 or (data := node.inputs[places[0]]) is None or data.shape != tensor.shape:
        return None
    return node, places[0]


def _operand_of_reshape(tensor: LiteTensor) -> LiteTensor | None:
    """The operand of the reshape that computes a tensor, unless several sizes are unknown or the numbers change."""
    node = tensor.node
    if node is None or node.kind != "RESHAPE":
        return None
    source = node.inputs[0]
    if source is None or source.quantization != tensor.quantization:
        return None
    return source if source.shape and source.shape.count(DYNAMIC) <= 1 else None


def _is_fixed_reshape(node: LiteNode) -> bool:
    """True for a reshape of which at most one size is computed at run time."""
    if node.kind != "RESHAPE" or node.outputs[0].type.is_variable:
        return False
    sizes = node.inputs[1]
    return sizes is not None and sizes.data is not None and node.outputs[0].shape.count(DYNAMIC) <= 1
