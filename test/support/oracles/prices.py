"""The costs of a target, worked out without the code of the passes: of transposes from the places of elements."""

from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import NamedTuple

import numpy as np
from npu_opt.dialects.npu.axes import numbers_of
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.linear import LinearOp
from npu_opt.dialects.npu.shape import ViewOp
from npu_opt.dialects.npu.source import ConstantOp
from npu_opt.dialects.npu.values import order_of_value, shape_of, tensor_type
from npu_opt.layout import Order, unpermute
from npu_opt.targets import Target
from npu_opt.targets.prices import LINES, Price
from xdsl.dialects.builtin import FixedBitwidthType
from xdsl.ir import Attribute, SSAValue

from support.oracles.condition_values import facts_of, holds
from support.oracles.demanded import are_met, fitting_choices, named_values

AVOIDED = 10**15
"""The price of a conversion that nothing can do beside its own, above all others together."""


class Moved(NamedTuple):
    """The movement of data, as blocks from the slowest to the fastest one of the result."""

    sizes: tuple[int, ...]
    permutation: tuple[int, ...]
    """The places of these blocks in the source."""

    @property
    def keeps_last(self) -> bool:
        return not self.permutation or self.permutation[-1] == len(self.permutation) - 1

    @property
    def swaps(self) -> bool:
        return self.permutation in ((1, 0), (0, 2, 1))


def moved(given: bytes, wanted: bytes) -> Moved | None:
    """The blocks that move; None if no transpose leads from one order of the elements to the other."""
    source = np.frombuffer(given, np.int64)
    place = np.empty(len(source), np.int64)
    place[source] = np.arange(len(source))
    left = place[np.frombuffer(wanted, np.int64)]
    blocks: list[tuple[int, int]] = []
    while len(left) > 1:
        step = int(left[1] - left[0])
        steps = np.nonzero(np.diff(left) != step)[0]
        size = int(steps[0]) + 1 if len(steps) else len(left)
        if step < 1 or len(left) % size:
            return None
        rows = left.reshape(-1, size)
        if (rows != rows[:, :1] + step * np.arange(size)).any():
            return None
        blocks.insert(0, (step, size))
        left = rows[:, 0]
    by_step = sorted((step for step, _ in blocks), reverse=True)
    return Moved(tuple(size for _, size in blocks), tuple(by_step.index(step) for step, _ in blocks))


class PricedForm(NamedTuple):
    """The price of the transposes of a form."""

    form: str
    """`keeps`, `swaps`, `small` or `any`."""
    per_byte: int
    """In thousandths of a tick."""
    per_call: int


class TransposeTable(NamedTuple):
    """The costs of transposes of a target."""

    forms: Sequence[PricedForm]
    can: Sequence[str]
    """Forms that the hardware can do; none means all."""
    fallback: PricedForm | None

    def price(self, value: SSAValue, given: bytes | None, wanted: bytes | None) -> int:
        """The price of one conversion, in ticks."""
        assert given is not None
        assert wanted is not None
        size = moved_bytes(value)
        if not size or given == wanted:
            return 0
        found = moved(given, wanted)
        if found is None:
            return AVOIDED * 1000
        is_possible = not self.can or any(_fits(form, found, size) for form in self.can)
        if not is_possible and self.fallback is not None:
            return _ticks(self.fallback, size)
        found_price = _ticks(next(each for each in self.forms if _fits(each.form, found, size)), size)
        return found_price if is_possible else AVOIDED + found_price


SMALL = 100
"""Transposes of fewer bytes are small."""


def _fits(form: str, found: Moved, size: int) -> bool:
    fits = {"keeps": found.keeps_last, "swaps": found.swaps, "small": size < SMALL, "any": True}
    return fits[form]


def _ticks(price: PricedForm, size: int) -> int:
    return (price.per_byte * size + 500) // 1000 + price.per_call


def moved_bytes(value: SSAValue) -> int:
    element = tensor_type(value).element_type
    assert isinstance(element, FixedBitwidthType)
    return -(-prod(shape_of(value)) * element.bitwidth // 8)


class OpForm(NamedTuple):
    """One way to write an op over its own axes."""

    orders: tuple[Order, ...]
    """The orders of the operands of the op, then of the results."""
    read: tuple[SSAValue, ...]
    """The operands as the form reads them."""
    first: Order
    """The order of the first of them."""
    properties: Mapping[str, Attribute]


def price_of_form(op: NpuOp, form: OpForm, target: Target) -> int:
    """The price of a form: the cheapest demands that it meets, its axes, and the matrices that it reads transposed."""
    priced = priced_axes(op, target)
    stored = [logical_sizes(form.read[0])[axis] for axis in form.first] if priced else []
    are_last = {name: _are_innermost(numbers_of(form.properties[name]), stored) for name in priced}
    transposed = sum(_ticks_of(price, op, form.read) for price in _transposed(op, form, target))
    total = _price_of_demands(op, form.orders, target) + price_of_axes(op, are_last, target, stored) + transposed
    return total + _price_of_product(op, form, target)


def price_of_axes(op: NpuOp, are_last: Mapping[str, bool], target: Target, stored: Sequence[int]) -> int:
    """The price of the places of axes; lines are those of the sizes of the first operand as stored."""
    if target.costs is None:
        return 0
    places = target.costs.axes.get(op.name, {})
    priced = [places[name].get("last" if is_last else "other", ()) for name, is_last in are_last.items()]
    ask = facts_of(op)
    held = ((each.price for each in rules if each.when is None or holds(each.when.text, ask)) for rules in priced)
    first = (next(prices, None) for prices in held)
    return sum(_ticks_of(price, op, op.operands, stored) for price in first if price is not None)


def counts_lines(op: NpuOp, target: Target) -> bool:
    """True if a price of an op counts lines, which an op over other axes has others of."""
    places = () if target.costs is None else target.costs.axes.get(op.name, {}).values()
    prices = (each.price for place in places for rules in place.values() for each in rules)
    return any(term.quantity == LINES for price in prices for term in price.terms)


def _price_of_product(op: NpuOp, form: OpForm, target: Target) -> int:
    """The price of the first rule that holds for the stored matrices of the result."""
    if not isinstance(op, LinearOp) or target.costs is None:
        return 0
    *_, rows, columns = (logical_sizes(op.result)[axis] for axis in form.orders[len(op.operands)])
    constant = is_constant(form.read[0])
    holds = {
        "columns % 2 == 0": columns % 2 == 0,
        "lhs is constant": constant,
        "lhs is constant and rows % 2 == 0": constant and rows % 2 == 0,
        "matrices of lhs == 1": prod(logical_sizes(form.read[0])[:-2]) == 1,
    }
    for rule in target.costs.products:
        if rule.when is None or holds[rule.when.text]:
            return _ticks_of(rule.price, op, form.read)
    return 0


def is_constant(value: SSAValue) -> bool:
    while isinstance(value.owner, ViewOp):
        value = value.owner.input
    return isinstance(value.owner, ConstantOp)


def priced_axes(op: NpuOp, target: Target) -> list[str]:
    """The attributes that name axes whose place has a price."""
    return (
        [] if target.costs is None else [name for name in target.costs.axes.get(op.name, {}) if name in op.properties]
    )


def logical_sizes(value: SSAValue) -> tuple[int, ...]:
    return unpermute(shape_of(value), order_of_value(value))


def _price_of_demands(op: NpuOp, orders: Sequence[Order], target: Target) -> int:
    met = (
        0 if choice.price is None else _ticks_of(choice.price, op, op.operands)
        for choice, wanted in fitting_choices(op, target)
        if any(wanted) and are_met(wanted, orders)
    )
    return min(met, default=0)


def _are_innermost(named: Sequence[int], shape: Sequence[int]) -> bool:
    """True if no axis of several elements that is not named lies behind one that is."""
    behind = [axis for axis, size in enumerate(shape) if size > 1]
    while behind and behind[-1] in named:
        behind.pop()
    return not set(behind) & set(named)


def _transposed(op: NpuOp, form: OpForm, target: Target) -> Iterator[Price]:
    if not isinstance(op, LinearOp) or target.costs is None:
        return
    for name, flag, value in zip(("lhs", "rhs"), ("trans_a", "trans_b"), form.read, strict=False):
        if form.properties.get(flag) is not None and min(shape_of(value)[-2:]) > 1 and name in target.costs.matmul:
            yield target.costs.matmul[name]


def _ticks_of(price: Price, op: NpuOp, read: Sequence[SSAValue], stored: Sequence[int] = ()) -> int:
    """A price in ticks, from its factors in billionths."""
    counts = (term.factor * _count(term.quantity, term.of, op, read, stored) for term in price.terms)
    return (sum(counts) + 500_000) // 1_000_000


def _count(quantity: str | None, of: str | None, op: NpuOp, read: Sequence[SSAValue], stored: Sequence[int]) -> int:
    if quantity is None:
        return 1
    if quantity == LINES:
        return prod(stored) // next((size for size in reversed(stored) if size > 1), 1)
    names = [name for name, _ in named_values(op)]
    if of is not None and of not in names:
        # An optional operand that the op does not have.
        return 0
    values = [*read, *op.results]
    value = values[0] if of is None else values[names.index(of)]
    return moved_bytes(value) if quantity == "bytes" else prod(shape_of(value))
