"""Ranges, and the positions of elements that are not zero."""

from xdsl.dialects.builtin import TensorType, i64
from xdsl.ir import SSAValue

from .....dialects.npu import selection as ops
from .....dialects.npu.attrs import i64_array
from .....dialects.npu.shape import TransposeOp
from .....layout import DYNAMIC
from ..node import FileNode
from ..registry import reads
from .elementwise import require_plain


@reads("RANGE")
def range_of(node: FileNode) -> SSAValue:
    require_plain(node)
    is_known = all(map(node.is_known, range(3)))
    node.require(is_known or DYNAMIC in node.result.shape, "a size that the numbers of the run may not lead to")
    return node.add(ops.RangeOp, [node.reshaped(node.value(index), ()) for index in range(3)])


@reads("WHERE")
def non_zero(node: FileNode) -> SSAValue:
    """The positions, with a row for each element that is found."""
    node.require(node.count == 1 and node.input(0).quantization is None, "numbers with a scale")
    count, rank = node.result.shape
    node.require(count == DYNAMIC, "a size that the numbers of the run may not lead to")
    rows = node.add(ops.NonZeroOp, [node.value(0)], type=TensorType(i64, (rank, count)))
    return node.add(TransposeOp, [rows], {"permutation": i64_array(1, 0)})
