"""The step that changes a program as `layout-optimal` has decided."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from xdsl.dialects.builtin import LocationAttr, NameLoc, StringAttr, TensorType
from xdsl.dialects.func import ReturnOp
from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.utils.exceptions import PassFailedException

from ...compat.xdsl import retype
from ...dialects.npu.axes import Relayout
from ...dialects.npu.base import NpuOp
from ...dialects.npu.relayout import apply_relayout, stored_in
from ...dialects.npu.shape import AnyTransposeOp, TransposeOp, ViewOp
from ...dialects.npu.source import ConstantOp
from ...dialects.npu.values import tensor_type
from ...dialects.npu.views import Sizes, views_without_moving
from ...layout import Order, permutation_between, permute
from ..common.dead_ops import erase_dead
from ..common.insertion import Before, Inserter, InsertionPoint, before_reader, right_behind
from ..common.storage import ByteOrder
from .common_pieces import common_pieces, tensor_of_pieces
from .plan import Reading, StoragePlan


def apply_storage(plan: StoragePlan, why: Callable[[Reading], str]) -> None:
    """Write the ops in their modes, and give each what it reads: a view of its family, stored again where it has to be.

    Relabels and reshapes of the program stay where they still say what is needed; its transposes make room for those
    of the plan. `why` says in words why an op needs a family to be stored again.
    """
    reasons = {id(reading): why(reading) for reading in plan.readings if reading.is_stored_again}
    erase_dead(plan.module, plan.live)
    step = _Step(plan, reasons)
    for reading in plan.readings:
        step.connect(reading)
    step.erase_unread()


class _Shown(NamedTuple):
    """A value, and the sizes of its dimensions in the symbols of its family."""

    value: SSAValue
    sizes: Sizes


class _Step:
    """The program on its way from what it is to what the plan says."""

    def __init__(self, plan: StoragePlan, reasons: dict[int, str]) -> None:
        self._plan = plan
        self._storage = plan.storage
        self._reasons = reasons
        self._old_views = [op for op in plan.module.walk() if isinstance(op, ViewOp)]
        self._kept: dict[SSAValue, Order | None] = {}
        """The first values of families, and views that show a family as it comes into being, with their orders.

        What comes into being in a sequence that is no order of it has none.
        """
        self._again: dict[tuple[SSAValue, ByteOrder], _Shown] = {}
        """Families that are stored again."""
        self._views: dict[tuple[SSAValue, TensorType, Block | None], SSAValue] = {}
        """New views."""
        self._readers: dict[tuple[SSAValue, ByteOrder], list[Operation]] = {}
        """The ops that read a family that is stored again in a sequence, in the sequence of the text."""
        for reading in plan.readings:
            if reading.is_stored_again:
                self._readers.setdefault((reading.root, reading.byte_order), []).append(reading.op)
        self._inserter = Inserter({})
        self._write()

    def _write(self) -> None:
        """Write all ops in their modes. The views of the program follow, as far as they can."""
        written = self._plan.written
        relayouts = {
            op: mode.relayout
            for op, mode in self._plan.modes.items()
            if mode.relayout is not None and op not in written
        }
        for reading in self._plan.readings:
            self._kept[reading.root] = self._plan.given(reading.root)[0]
        for view in self._old_views:
            if not isinstance(view, AnyTransposeOp) and (relayout := self._followed(view)) is not None:
                relayouts[view] = relayout
                self._kept[view.result] = relayout.results[0]
        for op, relayout in relayouts.items():
            assert isinstance(op, NpuOp)
            apply_relayout(op, relayout)
        for op, new in written.items():
            if new.operand_permutation is not None:
                op.operands = permute(op.operands, new.operand_permutation)
            op.properties = {**new.properties}
            for result, type_ in zip(op.results, new.results, strict=True):
                retype(result, type_)

    def _followed(self, view: ViewOp) -> Relayout | None:
        """How a view is written that shows its family as it comes into being."""
        root = self._storage.root(view.result)
        order = self._kept.get(view.input)
        if order is None or root is not self._storage.root(view.input):
            return None
        for relayout in view.relayouts([order], [None]):
            if self._storage.byte_order(view.result, relayout.results[0]) == self._plan.given(root)[1]:
                return relayout
        return None

    def connect(self, reading: Reading) -> None:
        """Let an op read its family in the sequence that it wants, under the type that it wants."""
        value = reading.value
        if reading.is_stored_again:
            shown = self._stored_again(reading)
            point = right_behind(shown.value)
        elif value in self._kept:
            shown = self._as_kept(value)
            point = right_behind(value)
        else:
            shown = self._as_kept(reading.root)
            assert isinstance(value, OpResult)
            point = Before(value.op)
        reading.op.operands[self._place(reading)] = self._view(
            shown, reading.type, reading.sizes, point, reading, value.name_hint
        )

    def _place(self, reading: Reading) -> int:
        """Which operand of its op a reading is now."""
        written, relayout = self._plan.written.get(reading.op), self._plan.modes[reading.op].relayout
        permutation = (
            written.operand_permutation
            if written is not None
            else relayout.operand_permutation
            if relayout is not None
            else None
        )
        return reading.operand if permutation is None else permutation.index(reading.operand)

    def erase_unread(self) -> None:
        """Erase the views of the program that nobody needs any more, the last ones first."""
        for view in reversed(self._old_views):
            if view.result.first_use is None:
                view.detach()
                view.erase()

    def _as_kept(self, value: SSAValue) -> _Shown:
        """A value as it comes into being."""
        order = self._kept[value]
        return _Shown(value, self._plan.given_sizes(value) if order is None else self._sizes(value, order))

    def _sizes(self, value: SSAValue, order: Order) -> Sizes:
        return permute(self._storage.view(value).sizes, order)

    def _stored_again(self, reading: Reading) -> _Shown:
        """The family as an op wants it, stored again for the first one that does."""
        key = reading.root, reading.byte_order
        if key not in self._again:
            self._again[key] = self._transposed(reading)
        return self._again[key]

    def _transposed(self, reading: Reading) -> _Shown:
        """A transpose of what the op reads, else of the first value of the family, else of pieces of that."""
        value, root, order = reading.value, reading.root, reading.order
        # A view of one block may not be there for those who read in another.
        kept = self._kept.get(value) if order is not None and len(self._blocks(reading)) == 1 else None
        if kept is None and (whole := self._storage.order(root, reading.byte_order)) is not None:
            value, order, kept = root, whole, self._kept[root]
        if kept is not None and order is not None:
            permutation = permutation_between(kept, order)
            made = self._transpose(value, permutation, stored_in(value, order), reading)
            return _Shown(made, self._sizes(value, order))
        before, after = common_pieces(self._plan.given(root)[1], reading.byte_order)
        permutation, sizes = tuple(map(before.index, after)), tuple(piece.size for piece in before)
        element_type = tensor_type(root).element_type
        type_ = tensor_of_pieces(before, element_type)
        pieces = self._view(self._as_kept(root), type_, sizes, right_behind(root), reading, root.name_hint)
        made = self._transpose(pieces, permutation, tensor_of_pieces(after, element_type), reading)
        return _Shown(made, permute(sizes, permutation))

    def _transpose(self, source: SSAValue, permutation: Order, type_: TensorType, reading: Reading) -> SSAValue:
        transpose = TransposeOp(source, permutation, type_)
        name = (source if source in self._kept else reading.value).name_hint
        self._inserter.put([transpose], self._border(source, reading), self._location(reading), name)
        return transpose.result

    def _border(self, source: SSAValue, reading: Reading) -> InsertionPoint:
        """Behind what comes in, and behind an op that gives another order than before; else right before the reader."""
        if not isinstance(source, OpResult) or isinstance(source.op, ConstantOp):
            return right_behind(source)
        root, readers = reading.root, self._readers[reading.root, reading.byte_order]
        leaves = isinstance(root, OpResult) and self._plan.is_written_anew(root.op)
        if leaves and not all(isinstance(reader, ReturnOp) for reader in readers):
            return right_behind(source)
        block = source.op.parent
        if len(self._blocks(reading)) > 1 and not all(block and block.find_ancestor_op_in_block(op) for op in readers):
            return right_behind(source)
        return before_reader(source, reading.op)

    def _blocks(self, reading: Reading) -> set[Block | None]:
        """The blocks in which a family is read in this sequence."""
        return {reader.parent for reader in self._readers[reading.root, reading.byte_order]}

    def _view(
        self, shown: _Shown, type_: TensorType, sizes: Sizes, point: InsertionPoint, reading: Reading, name: str | None
    ) -> SSAValue:
        """A value under another type. Views of one block that show the same are one."""
        if shown.value.type == type_:
            return shown.value
        block = point.op.parent if isinstance(point, Before) else None
        key = shown.value, type_, block
        if key not in self._views:
            ops = views_without_moving(shown.value, shown.sizes, type_, sizes)
            if not ops:
                raise PassFailedException(f"cannot show {shown.value.type} as {type_}")
            self._inserter.put(ops, point, self._location(reading), name)
            self._views[key] = ops[-1].result
        return self._views[key]

    def _location(self, reading: Reading) -> LocationAttr:
        reason, place = self._reasons.get(id(reading)), reading.op.location
        return place if reason is None else NameLoc(StringAttr(f"layout-optimal: {reason}"), place)
