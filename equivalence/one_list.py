"""Elements at positions along one axis that are the same at all places of the other axes: slices at a list of them."""

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Block

from ..dialects.npu.indexing import GatherElementsOp, ScatterElementsOp, ScatterOp
from ..dialects.npu.movement import GatherOp
from ..dialects.npu.values import element_type_of, shape_of
from ..layout import DYNAMIC, Arrangement
from .values import NumberedValue, tensor

ByElements = GatherElementsOp | ScatterElementsOp


class BySlices(NamedTuple):
    """A block with the op that moves slices, and its operands."""

    block: Block
    operands: list[NumberedValue]


def by_slices(op: ByElements, operands: Sequence[NumberedValue]) -> BySlices | None:
    """The op on slices that computes the same; None if the positions may differ between places of other axes."""
    axis, given, sizes = op.axis.value.data, shape_of(op.input), shape_of(op.indices)
    stored = tensor(operands[1]).axes
    others = [place for place in range(len(given)) if place != axis]
    if any(given[place] != sizes[place] or given[place] == DYNAMIC for place in others):
        return None
    if not Arrangement(tuple(stored[place] for place in others)).is_repeated:
        return None
    positions = TensorType(element_type_of(op.indices), [sizes[axis]])
    properties = {"axis": op.axis}
    block = Block(arg_types=[op.input.type, positions, *(each.type for each in op.operands[2:])])
    if isinstance(op, ScatterElementsOp):
        properties |= {"reduction": op.reduction}
    kind = ScatterOp if isinstance(op, ScatterElementsOp) else GatherOp
    block.add_op(kind.create(operands=block.args, result_types=[op.result.type], properties=properties))
    listed = NumberedValue(operands[1].node, Arrangement((stored[axis],)))
    return BySlices(block, [operands[0], listed, *operands[2:]])
