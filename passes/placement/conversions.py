"""The transposes that a plan needs: what they read, where they stand, and who reads them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, cast

from xdsl.dialects.builtin import TensorType
from xdsl.dialects.func import ReturnOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from ...dialects.npu.axes import Relayout, numbers_of
from ...dialects.npu.relayout import stored_in
from ...dialects.npu.shape import AnyTransposeOp, RelabelOp, ReshapeOp
from ...dialects.npu.source import ConstantOp
from ...dialects.npu.values import shape_of
from ...layout import (
    DYNAMIC,
    Arrangement,
    Extent,
    Order,
    Piece,
    identity,
    named,
    permutation_between,
    permute,
    same_storage,
    unpermute,
)
from ..common.insertion import After, AtHead, Before, InsertionPoint, before_reader, right_behind
from ..common.op_kinds import order_of
from ..common.origins import Origins
from ..common.producers import Use
from ..common.reasons import Reason
from ..common.transpose_cost import Cost, NotCounted, cost_of, transposes
from .plan import LayoutPlan, PlacementRule


class Reading(NamedTuple):
    """An op that reads what a conversion makes, under a type of its own."""

    use: Use
    type: TensorType
    sizes: tuple[Extent, ...]


@dataclass(slots=True)
class Conversion:
    """A value, stored again in another order."""

    source: SSAValue
    """The value of the input program that it reads."""
    behind: Conversion | None
    """The conversion of that value that it reads instead."""
    permutation: Order
    type: TensorType
    """The type that it makes of the source."""
    sizes: tuple[Extent, ...]
    """The sizes of its dimensions, in the symbols of the stored tensor that the source is a view of."""
    moves: bool
    """Whether any data is moved: not if only dimensions of one element change places."""
    of_constant: bool
    reason: Reason
    served: Operation
    """The first op that reads it."""
    point: InsertionPoint
    readings: list[Reading] = field(default_factory=list[Reading])

    @property
    def is_counted(self) -> bool:
        """Whether it costs anything at run time; constants are stored as they are needed from the start."""
        return self.moves and not self.of_constant


def find_conversions(plan: LayoutPlan) -> list[Conversion]:
    """All conversions of a plan, in a sequence in which they can be put in.

    Values that are views of one stored tensor share its conversions.
    """
    finder = _Finder(plan)
    for use in _converted_uses(plan):
        finder.convert(use)
    if plan.rule is PlacementRule.AT_BORDERS:
        for conversion in finder.conversions:
            conversion.point = _at_end(plan, conversion)
    return sorted(finder.conversions, key=_sequence)


def cost_of_plan(plan: LayoutPlan) -> Cost:
    """What all transposes cost that a program has when it is written as the plan says."""
    origins = Origins()
    cost = sum((cost_of(each.source, origins) for each in find_conversions(plan) if each.is_counted), Cost())
    for op, not_counted in transposes(plan.module, origins):
        relayout = plan.relayouts.get(op)
        if relayout is None:
            cost += Cost() if not_counted else cost_of(op.input, origins)
        elif not_counted is not NotCounted.CONSTANT and _moves(op, relayout):
            cost += cost_of(op.input, origins)
    return cost


def _moves(op: AnyTransposeOp, relayout: Relayout) -> bool:
    """Whether a transpose moves data when it is written in another way."""
    permutation = relayout.properties.get("permutation")
    moved = op.moved() if permutation is None else numbers_of(permutation)
    shape = stored_in(op.input, relayout.operands[0]).get_shape()
    return not same_storage(identity(len(shape)), moved, shape)


def _converted_uses(plan: LayoutPlan) -> Iterator[Use]:
    """The edges on which a value changes its order, in the sequence of the text."""
    for op in plan.module.walk():
        for index, value in enumerate(op.operands):
            use = Use(op, index)
            if op not in plan.relayouts and value.owner not in plan.relayouts and use not in plan.via:
                continue
            given = plan.given(value)
            if given != plan.read(use) or plan.via.get(use, given) != given:
                yield use


def _leaves(plan: LayoutPlan, value: SSAValue) -> bool:
    """Whether a value is not produced in the order that it has in the input program."""
    return plan.given(value) != order_of(value)


def _at_end(plan: LayoutPlan, conversion: Conversion) -> InsertionPoint:
    """What leaves a region only to be returned is put back right before that."""
    readers = {reading.use.op for reading in conversion.readings}
    last = conversion.readings[0].use.op
    if len(readers) == 1 and isinstance(last, ReturnOp) and _leaves(plan, conversion.source):
        return Before(last)
    return conversion.point


def _sequence(conversion: Conversion) -> tuple[bool, int]:
    """What stands before an op may read what stands behind another, so it comes later."""
    if isinstance(conversion.point, Before):
        return True, 0
    return False, cast("OpResult | BlockArgument", conversion.source).index


class _Stored(NamedTuple):
    """A value as a view of a stored tensor, that is of a value that is no view itself."""

    root: SSAValue
    arrangement: Arrangement


class _Finder:
    def __init__(self, plan: LayoutPlan) -> None:
        self.conversions: list[Conversion] = []
        self._plan = plan
        self._views: dict[SSAValue, _Stored] = {}
        self._shared: dict[object, Conversion] = {}
        self._origins = Origins()

    def convert(self, use: Use) -> None:
        """Let an op read a value in the order in which it wants it."""
        given, read = self._plan.given(use.value), self._plan.read(use)
        assert given is not None
        assert read is not None
        via = self._plan.via.get(use, given)
        conversion = None
        if via != given:
            reason = Reason(use.value, self._plan.why_via)
            conversion = self._made(use, None, given, via, right_behind(use.value), reason)
        if via != read:
            reason = self._plan.reason(use)
            conversion = self._made(use, conversion, via, read, self._point(use), reason)
        assert conversion is not None
        conversion.readings.append(Reading(use, stored_in(use.value, read), self._sizes(use.value, read)))

    def _point(self, use: Use) -> InsertionPoint:
        """Where a value is converted for an op that reads it."""
        value = use.value
        if isinstance(value.owner, ConstantOp):
            return After(value.owner)
        at_borders = self._plan.rule is PlacementRule.AT_BORDERS
        if at_borders and (isinstance(value, BlockArgument) or _leaves(self._plan, value)):
            return right_behind(value)
        return before_reader(value, use.op)

    def _made(
        self, use: Use, behind: Conversion | None, given: Order, wanted: Order, point: InsertionPoint, reason: Reason
    ) -> Conversion:
        """The conversion that an edge reads: one that makes these bytes already, or a new one."""
        value = use.value
        logical = unpermute(shape_of(value), order_of(value) or ())
        moves = not same_storage(given, wanted, logical)
        key = *self._what_is_made(value, wanted, moves), id(behind), self._who_shares(use, point)
        if (known := self._shared.get(key)) is not None:
            return known
        conversion = Conversion(
            source=value,
            behind=behind,
            permutation=permutation_between(given, wanted),
            type=stored_in(value, wanted),
            sizes=self._sizes(value, wanted),
            moves=moves,
            of_constant=self._origins.is_constant(value),
            reason=reason,
            served=use.op,
            point=point,
        )
        self._shared[key] = conversion
        self.conversions.append(conversion)
        return conversion

    def _what_is_made(self, value: SSAValue, wanted: Order, moves: bool) -> tuple[object, ...]:
        """What is the same for all conversions that could be one: the bytes that they make of a stored tensor.

        Where nothing moves there is nothing to save, and the other strategies look at values and not at what is stored.
        """
        if not moves or self._plan.rule is not PlacementRule.AT_BORDERS:
            return value, wanted
        (dimensions,) = Arrangement.merged([self._pieces(value, wanted)]).axes
        return self._view(value).root, dimensions

    def _who_shares(self, use: Use, point: InsertionPoint) -> object:
        """What all readers have in common that read one conversion."""
        if use in self._plan.via and not isinstance(point, Before):
            # A second conversion may come behind this one, and is of the class of this value.
            return use.value
        if isinstance(point, Before) and self._plan.rule is PlacementRule.BEFORE_EACH_READER:
            return use
        return point.block if isinstance(point, AtHead) else point.op.parent

    def _sizes(self, value: SSAValue, order: Order) -> tuple[Extent, ...]:
        """The sizes of the dimensions of a value that is stored in an order."""
        given = self._plan.given(value)
        assert given is not None
        return permute(unpermute(self._view(value).arrangement.shape, given), order)

    def _pieces(self, value: SSAValue, order: Order) -> tuple[Piece, ...]:
        """The pieces of the stored tensor in the sequence in which a value has them that is stored in an order."""
        given = self._plan.given(value)
        assert given is not None
        axes = permute(unpermute(self._view(value).arrangement.axes, given), order)
        return tuple(piece for pieces in axes for piece in pieces)

    def _view(self, value: SSAValue) -> _Stored:
        """A value as a view of the stored tensor behind the relabels and reshapes that move nothing in the plan."""
        path: list[SSAValue] = []
        while value not in self._views:
            path.append(value)
            above = self._viewed(value)
            if above is None:
                self._views[value] = _Stored(value, Arrangement.of(named(self._stored_shape(value))))
                break
            value = above
        for view in reversed(path):
            if view not in self._views:
                self._views[view] = self._seen_from(view, self._views[value])
            value = view
        return self._views[value]

    def _viewed(self, value: SSAValue) -> SSAValue | None:
        """The value of which this one is a view in the plan."""
        op = value.owner
        if not isinstance(op, RelabelOp | ReshapeOp):
            return None
        use = Use(op, 0)
        given = self._plan.given(op.input)
        return op.input if given == self._plan.read(use) == self._plan.via.get(use, given) else None

    def _seen_from(self, view: SSAValue, above: _Stored) -> _Stored:
        if isinstance(view.owner, RelabelOp):
            return above
        shape = self._stored_shape(view)
        if DYNAMIC not in shape and all(size.factor and not size.symbols for size in above.arrangement.shape):
            reshaped = above.arrangement.reshaped([Extent(size) for size in shape]) if 0 not in shape else None
            if reshaped is not None:
                return _Stored(above.root, reshaped)
        return _Stored(view, Arrangement.of(named(shape)))

    def _stored_shape(self, value: SSAValue) -> tuple[int, ...]:
        """The physical shape of a value in the plan."""
        given = self._plan.given(value)
        return shape_of(value) if given is None else stored_in(value, given).get_shape()
