"""Transposes in two steps, where a target does that faster."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ..dialects.npu.attrs import LayoutAttr
from ..dialects.npu.shape import TransposeOp
from ..dialects.npu.values import encoding, shape_of, tensor_type
from ..layout import DYNAMIC, Order, permute
from ..targets import load
from ..targets.costs import Costs
from ..targets.facts import TransposeFacts
from .common.moves.transpose_cost import counted_transposes, moved_bytes
from .common.same_meaning import PreservesMeaning

MOST_BLOCKS = 5
"""The number of blocks that move as one up to which all orders between are tried."""


@dataclass(frozen=True)
class SplitTransposes(PreservesMeaning, ModulePass):
    """Write a transpose as two where the target does that faster.

    Hardware moves blocks of data along two or three axes well, and takes many steps for more. A target says so by its
    prices of transposes (`[costs]`). Every order of the blocks that the transpose keeps together is tried as the one
    between the two. This belongs behind all other passes: canonicalize joins neighbouring transposes. Those of
    constants, of views, and of unknown sizes stay.
    """

    name = "split-transposes"

    target: str = "opu"
    """The hardware: a name that `npu-opt --list-targets` prints, or the path of a file."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        costs = load(self.target).costs
        if costs is None:
            return
        for each in counted_transposes(op):
            if isinstance(each, TransposeOp) and (step := first_step(each, costs)) is not None:
                _split(each, step)


def first_step(op: TransposeOp, costs: Costs) -> Order | None:
    """The permutation of the first of two transposes that cost less than one; None if there is none."""
    type_, wanted = tensor_type(op.input), op.moved()
    sizes, size = type_.get_shape(), moved_bytes(type_)
    if DYNAMIC in sizes:
        return None

    def price(shape: Sequence[int], permutation: Order) -> int:
        return costs.of_transpose(TransposeFacts.of(type_.element_type, shape, permutation, size))

    best, found = price(sizes, wanted), None
    for first in _orders(sizes, wanted):
        cost = price(sizes, first) + price(permute(sizes, first), rest_of(wanted, first))
        if cost < best:
            best, found = cost, first
    return found


def rest_of(wanted: Order, first: Order) -> Order:
    """The permutation that has to follow the first one."""
    return tuple(map(first.index, wanted))


def _orders(sizes: Sequence[int], wanted: Order) -> Iterator[Order]:
    """The orders of the blocks that a permutation keeps together, with axes of one element in front."""
    units = tuple(axis for axis, size in enumerate(sizes) if size == 1)
    blocks: list[tuple[int, ...]] = []
    for axis in (axis for axis in wanted if sizes[axis] != 1):
        between = range(blocks[-1][-1] + 1, axis) if blocks and blocks[-1][-1] < axis else None
        if between is not None and all(sizes[each] == 1 for each in between):
            blocks[-1] = (*blocks[-1], axis)
        else:
            blocks.append((axis,))
    if len(blocks) <= MOST_BLOCKS:
        for order in permutations(blocks):
            yield (*units, *(axis for block in order for axis in block))


def _split(op: TransposeOp, first: Order) -> None:
    type_ = tensor_type(op.input)
    layout = encoding(type_)
    moved = None if layout is None else layout.with_order(permute(layout.order_for(len(first)), first))
    between = TensorType(
        type_.element_type, permute(shape_of(op.input), first), *([] if moved is None else [LayoutAttr(moved)])
    )
    step = TransposeOp(op.input, first, between)
    last = TransposeOp(step.result, rest_of(op.moved(), first), op.result.type)
    step.location, last.location = op.location, op.location
    last.attributes.update(op.attributes)
    Rewriter.insert_op([step, last], InsertPoint.before(op))
    Rewriter.replace_op(op, (), [last.result])
