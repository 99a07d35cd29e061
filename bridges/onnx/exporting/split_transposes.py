"""Transposes of split axes, for compilers that do them together with the op of images beside them."""

from collections import Counter
from collections.abc import Sequence
from math import prod

from ....layout import DYNAMIC, Order, invert, permute
from .graph import OnnxGraph, OnnxNode, OnnxTensor
from .transposes import sizes_before, transposed_by

Sizes = tuple[int, ...]
Runs = Sequence[Sequence[int]]


def split_transposes(graph: OnnxGraph, nodes: Sequence[OnnxNode], reads: Counter[OnnxTensor | None]) -> None:
    """Let a Transpose change places with a Reshape in front of it that merges axes, or behind it that splits them.

    Between them is a tensor with one reader; `reads` has the number of readers of each. A Transpose of matrices in
    front of a product stays, as compilers read a right operand transposed. So does one of data that others read as
    well, since a Reshape in front of it parts it from the op that all of them run with.
    """
    if not graph.rules.splits_transposes:
        return
    readers = {x: node for node in nodes for x in node.inputs[:1] if reads[x] == 1}
    right = {x for node in nodes if node.kind == "MatMul" for x in node.inputs[1:] if reads[x] == 1}
    own = set(nodes)
    for node in nodes:
        order, result = transposed_by(node), next(iter(node.outputs), None)
        if order is None or result is None or (result in right and _swaps_matrices(order)):
            continue
        view, behind = node.inputs[0] and node.inputs[0].node, readers.get(result)
        if view in own and _is_reshape(view) and reads[node.inputs[0]] == 1:
            _split_in_front(graph, view, node, order)
        elif behind is not None and _is_reshape(behind) and reads[node.inputs[0]] == 1:
            _split_behind(graph, node, behind, order)


def _split_in_front(graph: OnnxGraph, view: OnnxNode, node: OnnxNode, order: Order) -> None:
    """Transpose what a Reshape merges, and merge it then."""
    x, sizes = view.inputs[0], sizes_before(node)
    runs = None if x is None or x.weights is not None else _merged(x.sizes, sizes)
    if x is None or x.sizes is None or sizes is None or runs is None or not _is_allowed(graph, x.sizes):
        return
    axes = _joined(permute(runs, order))
    between = _change(view, node, permute(x.sizes, axes))
    _become_transpose(view, x, axes)
    _become_reshape(graph, node, between, permute(sizes, order))


def _split_behind(graph: OnnxGraph, node: OnnxNode, view: OnnxNode, order: Order) -> None:
    """Split what a Transpose reads as a Reshape splits its result, and transpose that."""
    x, sizes, result = node.inputs[0], sizes_before(node), view.outputs[0]
    runs = None if sizes is None or result is None else _merged(result.sizes, permute(sizes, order))
    if x is None or result is None or result.sizes is None or runs is None or not _is_allowed(graph, result.sizes):
        return
    axes = _joined(permute(runs, invert(order)))
    between = _change(node, view, permute(result.sizes, axes))
    _become_reshape(graph, node, x, permute(result.sizes, axes))
    _become_transpose(view, between, invert(axes))


def _merged(fine: Sizes | None, coarse: Sizes | None) -> Runs | None:
    """The axes that each axis of a shape merges; None if none merges several, or one merges a unit axis or a part."""
    if fine is None or coarse is None or 0 in fine or len(fine) <= len(coarse):
        return None
    runs: list[tuple[int, ...]] = []
    for size in coarse:
        first = sum(map(len, runs))
        ends = [end for end in range(first + 1, len(fine) + 1) if _is_run(fine[first:end], size)]
        if not ends:
            return None
        runs.append(tuple(range(first, ends[0])))
    return runs if sum(map(len, runs)) == len(fine) else None


def _is_run(sizes: Sizes, size: int) -> bool:
    if DYNAMIC in sizes or size == DYNAMIC:
        return sizes == (size,)
    return prod(sizes) == size and (len(sizes) == 1 or 1 not in sizes)


def _is_allowed(graph: OnnxGraph, sizes: Sizes) -> bool:
    """True if a Transpose may have so many axes, of which one size may be unknown."""
    limits = [each for each in (graph.rules.transposed, graph.rules.max_rank) if each is not None]
    return len(sizes) <= min([*limits, len(sizes)]) and sizes.count(DYNAMIC) <= 1


def _change(first: OnnxNode, second: OnnxNode, sizes: Sizes) -> OnnxTensor:
    """Let two nodes be new ones, with each other's names; returns the tensor between them."""
    first.name, second.name = second.name, first.name
    first.doc, second.doc = second.doc, first.doc
    first.part_of, second.part_of = second.part_of, first.part_of
    for node in (first, second):
        node.is_as_it_came, node.implied = False, frozenset()
    (x,) = first.outputs
    assert x is not None
    between = OnnxTensor(x.element, first, sizes=sizes)
    first.outputs = (between,)
    return between


def _become_transpose(node: OnnxNode, x: OnnxTensor, axes: Order) -> None:
    node.kind, node.inputs, node.attributes = "Transpose", (x,), {"perm": [*axes]}


def _become_reshape(graph: OnnxGraph, node: OnnxNode, x: OnnxTensor, sizes: Sizes) -> None:
    shape = graph.ints(*(-1 if size == DYNAMIC else size for size in sizes))
    node.kind, node.inputs, node.attributes = "Reshape", (x, shape), {}


def _swaps_matrices(order: Order) -> bool:
    return order == (*range(len(order) - 2), len(order) - 1, len(order) - 2)


def _joined(runs: Runs) -> Order:
    return tuple(axis for run in runs for axis in run)


def _is_reshape(node: OnnxNode) -> bool:
    return node.kind == "Reshape" and not node.domain
