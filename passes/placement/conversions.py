"""The conversions that a choice of orders needs, with their insertion points and the uses that share them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple, cast

from xdsl.dialects.builtin import TensorType
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from ...dialects.npu.shape import RelabelOp, ReshapeOp, ViewOp
from ...dialects.npu.source import ConstantOp
from ...dialects.npu.values import encoding, order_of_type, shape_of
from ...dialects.npu.views import Sizes
from ...layout import DYNAMIC, Order, permutation_between, permute, same_storage, unpermute
from ..common.graph.dead_ops import live_ops
from ..common.graph.op_classes import order_of
from ..common.graph.producers import Use
from ..common.plans.insertion import After, AtStart, Before, InsertionPoint, at_border, before_user, right_behind
from ..common.plans.plan import Conversion, LayoutPlan, Source
from ..common.storages.origins import Origins
from ..common.storages.storage import Storage
from ..common.words.reasons import Reason
from .order_choice import OrderChoice, PlacementRule, Stored, type_of


def plan_of(choice: OrderChoice) -> LayoutPlan:
    """The plan that realises a choice of orders."""
    finder = _Finder(choice)
    for use, orders in _converted_uses(choice):
        finder.convert(use, orders)
    if choice.rule is PlacementRule.AT_BORDERS:
        # All users are known only now.
        for conversion in finder.conversions:
            users = [use.op for use in conversion.uses]
            conversion.point = at_border(conversion.source, users, _leaves(choice, conversion.source))
    inserted: list[Conversion] = []
    reads: dict[Use, Source] = {}
    for conversion in sorted(finder.conversions, key=_insertion_key):
        inserted.append(conversion)
        views: dict[TensorType, Conversion] = {}
        for use in conversion.uses:
            read_type = finder.read_types[use]
            if read_type is conversion.type or read_type == conversion.type:
                reads[use] = conversion
                continue
            if read_type not in views:
                views[read_type] = finder.view_of(conversion, use)
                inserted.append(views[read_type])
            reads[use] = views[read_type]
    return LayoutPlan(choice.module, choice.strategy, choice.relayouts, inserted, reads)


class _Orders(NamedTuple):
    """The orders of a value on its way to a use, or its types."""

    given: Stored
    via: Stored
    read: Stored


def _converted_uses(choice: OrderChoice) -> Iterator[tuple[Use, _Orders]]:
    """The uses between whose producer and user the order changes, in program order."""
    relayouts, vias = choice.relayouts, choice.via
    for op in choice.module.walk():
        is_rewritten = op in relayouts
        for index, value in enumerate(op.operands):
            use = Use(op, index)
            if not is_rewritten and value.owner not in relayouts and use not in vias:
                continue
            given, read = choice.produced(value), choice.wanted(use)
            via = vias.get(use, given)
            if given != read or via != given:
                assert given is not None
                assert via is not None
                assert read is not None
                yield use, _Orders(given, via, read)


def _leaves(choice: OrderChoice, value: SSAValue) -> bool:
    """True if a value is not produced in the order of the input program."""
    return choice.produced(value) != order_of(value)


def _insertion_key(conversion: Conversion) -> tuple[bool, int]:
    """Conversions before an op may read those behind another one, so they are inserted later."""
    if isinstance(conversion.point, Before):
        return True, 0
    return False, cast("OpResult | BlockArgument", conversion.source).index


class _Finder:
    def __init__(self, choice: OrderChoice) -> None:
        self.conversions: list[Conversion] = []
        self.read_types: dict[Use, TensorType] = {}
        """The type under which a use reads its conversion."""
        self._choice = choice
        self._shared: dict[object, Conversion] = {}
        self._origins = Origins()
        self._storage = Storage(self._is_view)

    def convert(self, use: Use, orders: _Orders) -> None:
        """Convert a value to the order in which a use reads it."""
        value, (given, via, read) = use.value, orders
        conversion = None
        if via != given:
            reason = Reason(value, self._choice.why_via)
            conversion = self._conversion(use, value, None, given, via, right_behind(value), reason)
        if via != read:
            point, reason = self._point(use, value), self._choice.reason(use)
            conversion = self._conversion(use, value, conversion, via, read, point, reason)
        assert conversion is not None
        if conversion.uses and conversion.served not in self._live and use.op in self._live:
            # A dead op is no reason.
            conversion.served, conversion.reason = use.op, self._choice.reason(use)
        conversion.uses.append(use)
        self.read_types[use] = type_of(value, read)

    @cached_property
    def _live(self) -> set[Operation]:
        return live_ops(self._choice.module)

    def view_of(self, conversion: Conversion, use: Use) -> Conversion:
        """The result of a shared conversion under the type that a use needs."""
        read_type = self.read_types[use]
        return Conversion(
            source=conversion.source,
            behind=conversion,
            permutation=None,
            type=read_type,
            source_sizes=self._sizes(conversion.source, order_of_type(conversion.type)),
            sizes=self._sizes(use.value, order_of_type(read_type)),
            served=conversion.served,
            name=conversion.name,
            reason=conversion.reason,
        )

    def _point(self, use: Use, value: SSAValue) -> InsertionPoint:
        if self._choice.rule is PlacementRule.AT_BORDERS:
            return at_border(value, [use.op], _leaves(self._choice, value))
        return After(value.owner) if isinstance(value.owner, ConstantOp) else before_user(value, use.op)

    def _conversion(
        self,
        use: Use,
        value: SSAValue,
        behind: Conversion | None,
        given: Stored,
        wanted: Stored,
        point: InsertionPoint,
        reason: Reason,
    ) -> Conversion:
        """A conversion to these bytes: an earlier one if it can be shared, or a new one."""
        moves = _moves(value, given, wanted)
        key = *self._bytes_key(value, wanted, moves), id(behind), self._sharing_key(use, point)
        if (known := self._shared.get(key)) is not None:
            return known
        permutation = _permutation(value, given, wanted)
        conversion = Conversion(
            source=value,
            behind=behind,
            permutation=permutation,
            type=type_of(value, wanted),
            # A transpose needs no sizes.
            source_sizes=() if moves else self._sizes(value, cast("Order", given)),
            sizes=() if moves else self._sizes(value, cast("Order", wanted)),
            served=use.op,
            name=value.name_hint,
            point=point,
            reason=reason,
            moves=moves,
            is_pack=permutation is None,
            of_constant=self._origins.is_constant(value),
        )
        self._shared[key] = conversion
        self.conversions.append(conversion)
        return conversion

    def _bytes_key(self, value: SSAValue, wanted: Stored, moves: bool) -> tuple[object, ...]:
        """Key under which conversions are shared: the storage and the byte order they produce.

        The key is the value if no data moves, or if the rule is not AT_BORDERS.
        """
        if not moves or self._choice.rule is not PlacementRule.AT_BORDERS or isinstance(wanted, TensorType):
            return value, wanted
        return self._storage.root(value), self._storage.byte_order(value, wanted)

    def _sharing_key(self, use: Use, point: InsertionPoint) -> object:
        """The property that all users of one conversion have in common."""
        if use in self._choice.via and not isinstance(point, Before):
            # A second conversion may follow this one, and is of the class of this value.
            return use.value
        if isinstance(point, Before) and self._choice.rule is PlacementRule.BEFORE_EACH_USER:
            return use
        return point.block if isinstance(point, AtStart) else point.op.parent

    def _sizes(self, value: SSAValue, order: Order) -> Sizes:
        """The sizes of the dimensions of a value in an order."""
        return permute(self._storage.view(value).sizes, order)

    def _is_view(self, op: ViewOp) -> bool:
        """True if no conversion separates the result from the operand, and all sizes are static."""
        use = Use(op, 0)
        given = self._choice.produced(op.input)
        if given != self._choice.wanted(use) or self._choice.via.get(use, given) != given:
            return False
        if isinstance(op, ReshapeOp):
            return DYNAMIC not in shape_of(op.input) and DYNAMIC not in shape_of(op.result)
        return isinstance(op, RelabelOp)


def _moves(value: SSAValue, given: Stored, wanted: Stored) -> bool:
    """True if a conversion moves data."""
    if isinstance(given, TensorType) or isinstance(wanted, TensorType):
        return True
    return not same_storage(given, wanted, unpermute(shape_of(value), order_of(value) or ()))


def _permutation(value: SSAValue, given: Stored, wanted: Stored) -> Order | None:
    """The permutation of a conversion; None for a pack or unpack."""
    if not isinstance(given, TensorType) and not isinstance(wanted, TensorType):
        return permutation_between(given, wanted)
    types = type_of(value, given), type_of(value, wanted)
    before, after = map(encoding, types)
    if before is not None and after is not None and after.is_packed_from(before):
        return None
    return permutation_between(*map(order_of_type, types))
