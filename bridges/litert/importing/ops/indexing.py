"""Elements at positions along one axis."""

from collections.abc import Sequence

from xdsl.ir import SSAValue

from .....dialects.npu import indexing as ops
from .....dialects.npu.attrs import i64_attr
from .....layout import DYNAMIC
from ..node import FileNode
from ..registry import reads
from .movement import require_same_numbers


@reads("TOPK_V2")
def top_k(node: FileNode) -> Sequence[SSAValue]:
    node.require(node.input(0).quantization is None, "numbers with a scale")
    rank = len(node.shape())
    node.require(rank > 0 and DYNAMIC not in node.result.shape, "an unknown number of elements")
    node.require(node.ints(1) == [node.result.shape[-1]], "another number of elements")
    made = ops.TopKOp.build(
        operands=[node.value(0), None],
        result_types=[node.typed(tensor) for tensor in node.results],
        properties={"axis": i64_attr(rank - 1)},
    )
    node.function.insert(made)
    return made.results


@reads("REVERSE_SEQUENCE")
def reverse_sequence(node: FileNode) -> SSAValue:
    require_same_numbers(node, 0)
    rank, options = len(node.shape()), node.options
    axes = {"axis": node.axis(options.seqDim, rank), "batch": node.axis(options.batchDim, rank)}
    if node.is_known(1):
        possible = range(node.known_shape()[axes["axis"]] + 1)
        node.require(all(length in possible for length in node.ints(1)), "lengths beyond the axis")
    properties = {name: i64_attr(axis) for name, axis in axes.items()}
    return node.add(ops.ReverseSequenceOp, [node.value(0), node.value(1)], properties)
