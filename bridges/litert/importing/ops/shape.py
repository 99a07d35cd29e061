"""Reshapes, broadcasts and transposes."""

from xdsl.ir import SSAValue

from .....dialects.npu.attrs import OperandDim, ReshapeDim, ReshapeDimsAttr, i64_array
from .....dialects.npu.movement import ConcatOp
from .....dialects.npu.shape import BroadcastOp, ReshapeOp, TransposeOp
from .....dialects.npu.source import written_integers
from .....layout import DYNAMIC
from ..errors import NotReadable
from ..node import FileNode
from ..registry import reads
from ..shapes import permutation, squeezed
from .movement import axes_listed, require_same_numbers


@reads("RESHAPE", "SQUEEZE", "EXPAND_DIMS")
def reshape(node: FileNode) -> SSAValue:
    """The shape is that of the result. Of several unknown sizes, all but one are those of the operand.

    The axis that EXPAND_DIMS adds has to be known: the file may state another place than it takes at run time.

    The integers are those of the operand, also if they represent other numbers.
    """
    node.require(node.input(0).element == node.result.element, "another element type")
    if node.kind == "RESHAPE":
        is_list = len(node.shape(1)) == 1 if node.has(1) else node.options.newShape is not None
        node.require(is_list, "sizes that are no list")
    if node.kind == "EXPAND_DIMS":
        node.require(node.is_known(1), "an axis that is known at run time only")
        node.require(len(_kept(node)) == len(node.result.shape), "a result of another rank")
    if node.kind == "SQUEEZE":
        node.require(bool(squeezed(node)) or DYNAMIC not in node.shape(), "an unknown size that may be 1")
    if node.result.shape.count(DYNAMIC) < 2:
        return node.reshaped(node.value(0), node.result.shape)
    return node.add(ReshapeOp, [node.value(0)], {"dims": ReshapeDimsAttr(_dims(node))})


def _dims(node: FileNode) -> tuple[ReshapeDim, ...]:
    """The origin of each size: a number, or an axis of the operand, whose sizes SHAPE has read."""
    shape = node.shape()
    if node.kind != "RESHAPE":
        return tuple(
            1 if axis is None else OperandDim(axis) if shape[axis] == DYNAMIC else shape[axis] for axis in _kept(node)
        )
    sizes = node.value(1)
    parts = sizes.owner.inputs if isinstance(sizes.owner, ConcatOp) else [sizes]
    return tuple(dim for part in parts for dim in _dims_of(node, part))


def _kept(node: FileNode) -> list[int | None]:
    """The axis of the operand for each axis of the result of SQUEEZE or EXPAND_DIMS; None for a new one."""
    rank = len(node.shape())
    axes: list[int | None] = [*range(rank)]
    if node.kind == "EXPAND_DIMS":
        (axis,) = node.ints(1)
        axes.insert(node.axis(axis, rank + 1), None)
        return axes
    dropped = squeezed(node)
    return [axis for axis in axes if axis not in dropped]


def _dims_of(node: FileNode, part: SSAValue) -> list[ReshapeDim]:
    known = written_integers(part)
    if known is not None:
        return [DYNAMIC if size == -1 else size for size in known]
    places = axes_listed(part, node.value(0))
    if places is None:
        raise NotReadable("sizes that are known at run time only")
    return [OperandDim(place) if node.shape()[place] == DYNAMIC else node.shape()[place] for place in places]


@reads("TRANSPOSE")
def transpose(node: FileNode) -> SSAValue:
    node.require(node.input(0).element == node.result.element, "another element type")
    return node.add(TransposeOp, [node.value(0)], {"permutation": i64_array(*permutation(node))})


@reads("BROADCAST_TO")
def broadcast(node: FileNode) -> SSAValue:
    require_same_numbers(node, 0)
    count = len(node.result.shape) - len(node.shape())
    node.require(count >= 0 and DYNAMIC not in (*node.shape(), *node.result.shape), "an unknown size")
    axes = range(count, len(node.result.shape))
    return node.add(BroadcastOp, [node.value(0)], {"axes": i64_array(*axes)})
