"""Reshapes around ops that compute each element by itself, and around transposes: the first is merged with the last."""

from collections.abc import Mapping, Sequence

from ....layout import DYNAMIC, Order
from .graph import MOST_PLAIN_AXES, LiteGraph, LiteNode, LiteTensor, Shape
from .kinds import BY_ELEMENT
from .uses import take_result, uses_of


def without_reshape_pairs(nodes: Sequence[LiteNode], outputs: Sequence[LiteTensor]) -> None:
    """Let ops between two reshapes work in the shape before the first one, so that at most the second one is left.

    NPUs plan such ops by their shape: 1x192x192 has 192 channels of one row, 192x192x1 one channel.
    """
    uses = uses_of(nodes, outputs)
    for last in nodes:
        if not _is_fixed_reshape(last):
            continue
        (result,) = last.outputs
        between, reshaped = _ops_above(last, uses)
        source = _operand_of_reshape(reshaped)
        if not between or source is None or (source.shape != result.shape and uses[reshaped] > 1):
            continue
        for node, _ in between:
            node.outputs[0].shape = source.shape
        first, place = between[-1]
        first.inputs[place] = source
        if source.shape == result.shape:
            take_result(between[0][0], last)


def without_units_behind_transposes(graph: LiteGraph, nodes: Sequence[LiteNode], outputs: Sequence[LiteTensor]) -> None:
    """Let a transpose between two reshapes have the axes of one element that the second one adds or drops.

    NPUs join a transpose with the product behind it, but not through a reshape.
    """
    uses = uses_of(nodes, outputs)
    for last in nodes:
        moved = last.inputs[0] if _is_fixed_reshape(last) else None
        transpose = None if moved is None or uses[moved] > 1 else moved.node
        if transpose is None or transpose.kind != "TRANSPOSE" or transpose.kept is not None:
            continue
        tensor, order = transpose.inputs
        assert tensor is not None
        source = _operand_of_reshape(tensor)
        if source is None or uses[tensor] > 1 or tensor.node is None or not _is_fixed_reshape(tensor.node):
            continue
        assert order is not None
        assert order.data is not None
        known = _with_units(tensor.shape, tuple(map(int, order.data.array())), last.outputs[0].shape)
        if known is None:
            continue
        tensor.shape, permutation = known
        tensor.node.inputs[1] = graph.sizes(tensor.shape)
        transpose.inputs = [source if source.shape == tensor.shape else tensor, graph.ints(*permutation)]
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


def _ops_above(reshape: LiteNode, uses: Mapping[LiteTensor, int]) -> tuple[list[tuple[LiteNode, int]], LiteTensor]:
    """The ops that compute the operand of a reshape element by element, the last one first, and the tensor above."""
    found: list[tuple[LiteNode, int]] = []
    tensor = reshape.inputs[0]
    assert tensor is not None
    while uses[tensor] == 1 and (op := _operand(tensor)) is not None:
        node, place = op
        found.append(op)
        tensor = node.inputs[place]
        assert tensor is not None
    return found, tensor


def _operand(tensor: LiteTensor) -> tuple[LiteNode, int] | None:
    """The op that computes a tensor element by element, and the place of its only operand that is no scalar."""
    node = tensor.node
    if node is None or node.kept is not None or node.kind not in BY_ELEMENT:
        return None
    places = [place for place, each in enumerate(node.inputs) if each is None or each.shape]
    if len(places) != 1 or (data := node.inputs[places[0]]) is None or data.shape != tensor.shape:
        return None
    return node, places[0]


def _operand_of_reshape(tensor: LiteTensor) -> LiteTensor | None:
    """The operand of the reshape that computes a tensor, unless several sizes are unknown or the numbers change."""
    node = tensor.node
    if node is None or node.kind != "RESHAPE" or node.kept is not None:
        return None
    source = node.inputs[0]
    if source is None or source.quantization != tensor.quantization:
        return None
    return source if source.shape and source.shape.count(DYNAMIC) <= 1 else None


def _is_fixed_reshape(node: LiteNode) -> bool:
    """True for a reshape of which at most one size is computed at run time."""
    if node.kind != "RESHAPE" or node.kept is not None or node.outputs[0].is_variable:
        return False
    sizes = node.inputs[1]
    return sizes is not None and sizes.data is not None and node.outputs[0].shape.count(DYNAMIC) <= 1
