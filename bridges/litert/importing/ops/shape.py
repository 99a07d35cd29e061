"""Reshapes, broadcasts and transposes."""

from xdsl.ir import SSAValue

from .....dialects.npu.attrs import i64_array
from .....dialects.npu.shape import BroadcastOp, TransposeOp
from .....layout import DYNAMIC
from ..node import FileNode
from ..registry import reads
from .movement import require_same_numbers


@reads("RESHAPE", "SQUEEZE", "EXPAND_DIMS")
def reshape(node: FileNode) -> SSAValue:
    """The shape is that of the result, at most one of whose sizes is unknown."""
    require_same_numbers(node, 0)
    quantization = node.result.quantization
    node.require(quantization is None or len(quantization.scale) == 1, "a scale per channel")
    node.require(node.result.shape.count(DYNAMIC) < 2, "sizes that are known at run time only")
    return node.reshaped(node.value(0), node.result.shape)


@reads("TRANSPOSE")
def transpose(node: FileNode) -> SSAValue:
    node.require(node.input(0).element == node.result.element, "another element type")
    permutation = [node.axis(axis, len(node.shape())) for axis in node.ints(1)]
    return node.add(TransposeOp, [node.value(0)], {"permutation": i64_array(*permutation)})


@reads("BROADCAST_TO")
def broadcast(node: FileNode) -> SSAValue:
    require_same_numbers(node, 0)
    count = len(node.result.shape) - len(node.shape())
    node.require(count >= 0 and DYNAMIC not in (*node.shape(), *node.result.shape), "an unknown size")
    axes = range(count, len(node.result.shape))
    return node.add(BroadcastOp, [node.value(0)], {"axes": i64_array(*axes)})
