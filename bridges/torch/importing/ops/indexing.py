"""Conversion of operators on positions along an axis."""

from collections.abc import Sequence

from xdsl.dialects.builtin import i1, i8
from xdsl.ir import SSAValue

from .....dialects.npu.indexing import GatherElementsOp, ScatterElementsOp, ScatterOp, TopKOp
from .....dialects.npu.movement import GatherOp
from .....dialects.npu.values import element_type_of
from ....building import Typed, are_known
from ....formats.records import UI8
from ..node import CallNode
from ..registry import Converted, converts
from .movement import sliced


def _gathered(node: CallNode, x: SSAValue, indices: SSAValue, axis: int) -> SSAValue:
    sizes = node.sizes_of(x)
    result = (*sizes[:axis], *node.sizes_of(indices), *sizes[axis + 1 :])
    return node.add(GatherOp, [x, indices], result, axis=axis)


@converts("aten.embedding.default")
def embedding(node: CallNode) -> SSAValue:
    return _gathered(node, node.operand("weight"), node.operand("indices"), 0)


@converts("aten.index_select.default")
def index_select(node: CallNode) -> SSAValue:
    x, index = node.operand("self"), _vector(node, node.operand("index"))
    node.require(node.rank(x) > 0, "an index into a number")
    return _gathered(node, x, index, node.axis(node.integer("dim"), node.rank(x)))


def _vector(node: CallNode, index: SSAValue) -> SSAValue:
    return node.reshape(index, (1,)) if node.rank(index) == 0 else index


def _only_index(node: CallNode) -> tuple[int, SSAValue]:
    """The axis and the indices of a call that has integers for one axis."""
    names = [name for name in node.call.operands if name.startswith("indices.")]
    node.require(len(names) == 1, "indices along several axes")
    index = node.operand(names[0])
    # Bytes are truth values here.
    node.require(element_type_of(index) not in (i1, i8, UI8), "a mask")
    return int(names[0].removeprefix("indices.")), index


@converts("aten.index.Tensor", "aten._unsafe_index.Tensor")
def index_tensor(node: CallNode) -> SSAValue:
    axis, index = _only_index(node)
    return _gathered(node, node.operand("self"), index, axis)


@converts("aten.index_put.default", "aten._unsafe_index_put.default")
def index_put(node: CallNode) -> SSAValue:
    axis, index = _only_index(node)
    x, values = node.operand("self"), node.operand("values")
    node.require(node.rank(index) == 1, "indices of several axes")
    sizes = node.sizes_of(x)
    updates = node.broadcast(values, (*sizes[:axis], *node.sizes_of(index), *sizes[axis + 1 :]))
    reduction = "add" if node.get("accumulate", False) else None
    return node.add(ScatterOp, [x, index, updates], sizes, axis=axis, reduction=reduction)


@converts("aten.index_copy.default", "aten.index_add.default")
def index_copy(node: CallNode) -> SSAValue:
    x, index = node.operand("self"), _vector(node, node.operand("index"))
    node.require(node.rank(x) > 0 and node.get("alpha", 1) == 1, "a factor")
    axis = node.axis(node.integer("dim"), node.rank(x))
    reduction = "add" if node.call.name == "aten.index_add.default" else None
    operands = [x, index, node.operand("source")]
    return node.add(ScatterOp, operands, node.sizes_of(x), axis=axis, reduction=reduction)


@converts("aten.gather.default")
def gather(node: CallNode) -> SSAValue:
    x, index = node.operand("self"), node.operand("index")
    node.require(node.rank(x) == node.rank(index) > 0, "a number")
    axis = node.axis(node.integer("dim"), node.rank(x))
    return node.add(GatherElementsOp, [x, index], node.sizes_of(index), axis=axis)


REDUCTIONS = {"sum": "add", "prod": "mul", "amax": "max", "amin": "min", "add": "add", "multiply": "mul"}


@converts("aten.scatter.src", "aten.scatter_add.default", "aten.scatter_reduce.two", "aten.scatter.reduce")
def scatter(node: CallNode) -> SSAValue:
    way = "sum" if node.call.name == "aten.scatter_add.default" else node.get("reduce")
    node.require(way is None or way in REDUCTIONS, "a mean")
    node.require(node.get("include_self", True) is True, "elements that are left out")
    return _scattered(node, node.operand("src"), REDUCTIONS.get(way or ""))


@converts("aten.scatter.value")
def scatter_value(node: CallNode) -> SSAValue:
    x = node.operand("self")
    number = node.scalar(node.get("value"), element_type_of(x))
    return _scattered(node, node.broadcast(number, node.sizes_of(node.operand("index"))), None)


def _scattered(node: CallNode, source: SSAValue, reduction: str | None) -> SSAValue:
    """As many updates as there are indices count."""
    x, index = node.operand("self"), node.operand("index")
    node.require(node.rank(x) == node.rank(index) > 0, "a number")
    sizes = node.sizes_of(index)
    if node.sizes_of(source) != sizes:
        node.require(are_known(sizes), "updates of unknown sizes")
        for axis, (size, own) in enumerate(zip(sizes, node.sizes_of(source), strict=True)):
            source = source if size == own else sliced(node, source, axis, 0, size)
    axis = node.axis(node.integer("dim"), node.rank(x))
    return node.add(ScatterElementsOp, [x, index, source], node.sizes_of(x), axis=axis, reduction=reduction)


@converts("aten.topk.default")
def top_k(node: CallNode) -> Converted:
    x = node.operand("self")
    node.require(node.rank(x) > 0, "a number")
    axis, count = node.axis(node.integer("dim", -1), node.rank(x)), node.integer("k")
    sizes: Sequence[object] = (*node.sizes_of(x)[:axis], count, *node.sizes_of(x)[axis + 1 :])
    results = [Typed(node.result(place).element, tuple(sizes)) for place in range(2)]
    return node.add_many(TopKOp, [x, None], results, axis=axis, smallest=not node.get("largest", True))
