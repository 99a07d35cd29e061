"""The cheapest program by exhaustive search, to compare `layout-optimal` with. Nothing is shared with that pass.

The data of a value is an array of numbers, one for each element of its storage root. The stored form of a value is the
order of these numbers in memory: two values with the same order share their bytes, and a conversion to another order
costs the size of the value once, for all its users. An op can be written in every form that its relayouts have for any
orders of its operands or results, as long as the demands of the target are met. Ops without demands are also tried over
other axes of the same data (other_axes.py).
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import permutations, product
from math import prod
from operator import itemgetter
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from npu_opt.dialects.npu.attention import HeadsOp
from npu_opt.dialects.npu.axes import Relayout, numbers_of
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.linear import LinearOp, MatmulFreedom
from npu_opt.dialects.npu.shape import AnyTransposeOp, RelabelOp, ReshapeOp
from npu_opt.dialects.npu.source import ConstantOp, OpaqueOp
from npu_opt.dialects.npu.values import layout_of, order_of_value, shape_of
from npu_opt.layout import DYNAMIC, Order, invert, unpermute
from npu_opt.targets import LAST, Target
from xdsl.dialects.builtin import ModuleOp, StringAttr, TensorType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.traits import is_side_effect_free
from xdsl.utils.hints import isa

from support.oracles.constants import read_numbers
from support.oracles.demanded import Wanted, are_in_place, are_met, demanded_places, freedom_of, wanted_of
from support.oracles.other_axes import Lines, TooMany, other_ways
from support.oracles.prices import OpForm, counts_lines, moved_bytes, price_of_axes, price_of_form, priced_axes

MOST_QUESTIONS = 15_000
"""The largest number of combinations of orders tried for one op."""
MOST_STEPS = 300_000
"""The largest number of partial programs visited."""

MOST_ANSWERS = 200
"""The largest number of ops whose relayouts are remembered."""
_ANSWERS: dict[Hashable, Sequence[Relayout]] = {}

Numbers: TypeAlias = npt.NDArray[np.int64]
Weigh: TypeAlias = Callable[[SSAValue, bytes | None, bytes | None], int]
"""The cost of a conversion of a value from one sequence of its elements to another."""


class Way(tuple[tuple[bytes | None, ...], tuple[bytes | None, ...]]):
    """One form of an op: the orders in which its operands and its results are stored."""

    __slots__ = ()


@dataclass(frozen=True, eq=False)
class FreeEnd:
    """An argument or result of a function that may be stored in any order, as an op that makes it or reads it."""

    operands: tuple[SSAValue, ...]
    results: tuple[SSAValue, ...]


@dataclass
class EveryWay:
    """The forms of the ops of a program, and the cost of all of them together."""

    module: ModuleOp
    target: Target
    ways: dict[Operation | FreeEnd, list[Way]] = field(default_factory=dict[Operation | FreeEnd, list[Way]])
    prices: dict[tuple[Operation | FreeEnd, Way], int] = field(
        default_factory=dict[tuple[Operation | FreeEnd, Way], int]
    )
    """The prices of forms, where there are any."""
    _data: dict[SSAValue, tuple[SSAValue, Numbers]] = field(default_factory=dict[SSAValue, tuple[SSAValue, Numbers]])
    """For each value its storage root, and the numbers of its elements in its logical shape."""
    weighs_constants: bool = False
    """True if each order of a constant beside the first costs something; constants of equal data are one."""

    def __post_init__(self) -> None:
        live = _live(self.module)
        for op in self.module.walk():
            for region in op.regions:
                for argument in (each for block in region.blocks for each in block.args):
                    self._number(argument)
            if not self._look_through(op):
                for result in op.results:
                    self._number(result)
                if op in live:
                    self.ways[op] = self._ways(op)
        lines = Lines([op for op in self.ways if isinstance(op, Operation)], self._data)
        for op in self.ways:
            if isinstance(op, NpuOp) and not isinstance(op, OpaqueOp | ConstantOp) and self._may_be_cut(op):
                border, known = len(op.operands), dict.fromkeys(self.ways[op])
                for orders in other_ways(op, [form.orders for form in self._forms(op)], self._data, lines):
                    if self._named_are_together(op, orders[0]):
                        way = Way((orders[:border], orders[border:]))
                        known[way] = None
                        self._note_price(op, way, self._price_over_other_axes(op, orders[0]))
                self.ways[op] = list(known)

    def with_free_ends(self) -> "EveryWay":
        """All ways with free arguments and results of the functions."""
        every = copy(self)
        every.ways = {}
        for op, ways in self.ways.items():
            if isinstance(op, FuncOp):
                every.ways |= {FreeEnd((), (each,)): self._end_ways((each,), ()) for each in self._ends(op.args)}
            if isinstance(op, ReturnOp):
                every.ways |= {FreeEnd((each,), ()): self._end_ways((), (each,)) for each in self._ends(op.operands)}
            else:
                every.ways[op] = ways
        return every

    def _ends(self, values: Sequence[SSAValue]) -> list[SSAValue]:
        return [value for value in values if layout_of(value) is not None]

    def _end_ways(self, made: Sequence[SSAValue], read: Sequence[SSAValue]) -> list[Way]:
        (value,) = *made, *read
        orders = (order for order in _orders(value) if self._can_be_stored(value, order))
        sequences = dict.fromkeys(self._sequence(value, order) for order in orders)
        return [Way(((), (each,)) if made else ((each,), ())) for each in sequences]

    # Data.

    def _number(self, value: SSAValue) -> None:
        if not isa(value.type, TensorType):
            return
        if DYNAMIC in shape_of(value):
            raise TooMany("unknown sizes")
        if self.weighs_constants and isinstance(value.owner, ConstantOp):
            self._data[value] = value, read_numbers(value.owner)[1].transpose(invert(order_of_value(value)))
            return
        logical = unpermute(shape_of(value), order_of_value(value))
        self._data[value] = value, np.arange(prod(logical)).reshape(logical)

    def _look_through(self, op: Operation) -> bool:
        """True if an op is a view; its numbers are recorded then."""
        if not isinstance(op, AnyTransposeOp | RelabelOp | ReshapeOp) or 0 in shape_of(op.input):
            return False
        root, numbers = self._data[op.input]
        if isinstance(op, ReshapeOp):
            logical = numbers.reshape(unpermute(shape_of(op.result), order_of_value(op.result)))
            if not _has_whole_axes(logical, shape_of(root), order_of_value(root)):
                return False
        else:
            stored = numbers.transpose(order_of_value(op.input))
            if isinstance(op, AnyTransposeOp):
                stored = stored.transpose(op.moved())
            logical = stored.transpose(invert(order_of_value(op.result)))
        self._data[op.result] = root, logical
        return True

    def _sequence(self, value: SSAValue, order: Order) -> bytes | None:
        if value not in self._data:
            return None
        return self._data[value][1].transpose(order).tobytes()

    # Forms of ops.

    def _ways(self, op: Operation) -> list[Way]:
        now = [order_of_value(value) if isa(value.type, TensorType) else () for value in (*op.operands, *op.results)]
        found: dict[Way, None] = {}
        if isinstance(op, NpuOp) and not isinstance(op, OpaqueOp | ConstantOp):
            demands = wanted_of(op, self.target)
            for form in self._forms(op):
                if any(are_met(wanted, form.orders) for wanted in demands):
                    way = self._way(op, form.orders)
                    found[way] = None
                    self._note_price(op, way, price_of_form(op, form, self.target))
        if found:
            return list(found)
        # An op without an allowed form keeps its own.
        way = self._way(op, now)
        if isinstance(op, NpuOp) and op.operands:
            form = OpForm(tuple(now), tuple(op.operands), now[0], op.properties)
            self._note_price(op, way, price_of_form(op, form, self.target))
        return [way]

    def _note_price(self, op: Operation, way: Way, price: int) -> None:
        self.prices[op, way] = min(price, self.prices.get((op, way), price))

    def _price_over_other_axes(self, op: NpuOp, stored: bytes | None) -> int:
        if isinstance(op, LinearOp) and self.target.costs is not None and self.target.costs.has_products:
            raise TooMany("prices of products over other axes")
        if counts_lines(op, self.target):
            raise TooMany("lines over other axes")
        named = priced_axes(op, self.target)
        return price_of_axes(op, {name: self._are_together(op, name, stored) for name in named}, self.target, ())

    def _way(self, op: Operation, orders: Sequence[Order]) -> Way:
        values = (*op.operands, *op.results)
        sequences = tuple(map(self._sequence, values, orders))
        return Way((sequences[: len(op.operands)], sequences[len(op.operands) :]))

    def _may_be_cut(self, op: Operation) -> bool:
        """True if an op has no demand that it could lose over other axes.

        A condition of demands on named axes may hold for the op and not for the op over other axes.
        """
        rules = self.target.demands.get(op.name, ())
        if any(rule.axes for rule in rules) and any(rule.when is not None for rule in rules):
            return False
        return not any(map(any, wanted_of(op, self.target)))

    def _forms(self, op: NpuOp) -> Iterator[OpForm]:
        """The orders of operands and results, relative to the present ones, in which the op can be written."""
        count = len(op.operands)
        if isinstance(op, HeadsOp):
            for orders in _orders_of_heads(op, wanted_of(op, self.target)):
                yield OpForm(orders, tuple(op.operands), orders[0], op.properties)
            return
        for answer in _relayouts_for_any_orders(op, freedom_of(op, self.target)):
            permuted = answer.operand_permutation or tuple(range(count))
            orders = *(answer.operands[permuted.index(index)] for index in range(count)), *answer.results
            if all(map(self._can_be_stored, (*op.operands, *op.results), orders)):
                properties = {**op.properties, **answer.properties}
                if are_in_place(op, properties, self.target):
                    properties = {name: each for name, each in properties.items() if name not in answer.removed}
                    read = tuple(op.operands[index] for index in permuted)
                    yield OpForm(orders, read, (*answer.operands, ())[0], properties)

    def _named_are_together(self, op: NpuOp, stored: bytes | None) -> bool:
        """True if elements that differ along the named axes only are neighbours in memory."""
        demands = {name: place for name, place in demanded_places(op, self.target).items() if name in op.properties}
        return all(place == LAST and self._are_together(op, name, stored) for name, place in demands.items())

    def _are_together(self, op: NpuOp, name: str, stored: bytes | None) -> bool:
        """True if elements that differ along the axes that an attribute names only are neighbours in memory."""
        if stored is None:
            return False
        numbers, sequence = self._data[op.operands[0]][1], np.frombuffer(stored, np.int64)
        named = [order_of_value(op.operands[0])[axis] for axis in numbers_of(op.properties[name])]
        rest = [axis for axis in range(numbers.ndim) if axis not in named]
        lines = numbers.transpose([*rest, *named]).reshape(-1, prod(numbers.shape[axis] for axis in named))
        line_of = np.empty(numbers.size, np.int64)
        line_of[lines] = np.arange(len(lines))[:, None]
        found = line_of[sequence].reshape(lines.shape)
        return not (found != found[:, :1]).any()

    def _can_be_stored(self, value: SSAValue, order: Order) -> bool:
        layout = layout_of(value)
        return layout is None or order == order_of_value(value) or len(order) <= self.target.max_rank(layout.cls)

    # Costs.

    def cheaper_than(self, claimed: int, weigh: Weigh, is_priced: bool = False) -> int | None:
        """A cost below the claimed one that some choice of forms has, or None if there is none.

        With `is_priced` the prices of forms count as well.
        """
        search = _Search(self, weigh, claimed, is_priced)
        search.run()
        return search.best if search.best < claimed else None

    def choices(self) -> int:
        """The number of ways to write the program."""
        return prod(len(ways) for ways in self.ways.values())

    def root(self, value: SSAValue) -> SSAValue | None:
        """The storage root of a value; None if no conversion is needed at run time."""
        found = self._data.get(value)
        if found is None or not _is_constant(found[0]):
            return None if found is None else found[0]
        return self._first_of_data(found[0]) if self.weighs_constants else None

    def _first_of_data(self, root: SSAValue) -> SSAValue:
        """The first of the constants that are equal to one; what a reshape has made is its own."""
        if not isinstance(root.owner, ConstantOp):
            return root
        data = read_numbers(root.owner)[0]
        ops = (each for each in self.module.walk() if isinstance(each, ConstantOp))
        return next(each.result for each in ops if read_numbers(each)[0] == data)

    def present(self, value: SSAValue) -> bytes | None:
        return self._sequence(value, order_of_value(value))


class _Search:
    """Depth-first search over all choices that are cheaper than the best one so far."""

    def __init__(self, every: EveryWay, weigh: Weigh, best: int, is_priced: bool) -> None:
        self.best = best
        self._is_priced = is_priced
        self._every = every
        self._ops = list(every.ways)
        self._reads = [list(self._read_by(op)) for op in self._ops]
        self._weigh = lru_cache(maxsize=None)(weigh)
        self._steps = 0
        roots = [root for reads in self._reads for _, root in reads]
        # A constant is given in none: the first order in which it is read is free.
        self._given = {root: None if isinstance(root.owner, ConstantOp) else every.present(root) for root in roots}
        self._again: dict[SSAValue, set[bytes | None]] = {root: set() for root in self._given}

    def run(self) -> None:
        self._go_on(0, 0)

    def _read_by(self, op: Operation | FreeEnd) -> Iterator[tuple[int, SSAValue]]:
        """The operands of an op that may need a conversion, with their storage roots."""
        for place, value in enumerate(op.operands):
            if (root := self._every.root(value)) is not None:
                yield place, root

    def _go_on(self, place: int, cost: int) -> None:
        self._steps += 1
        if self._steps > MOST_STEPS:
            raise TooMany("too many choices")
        if place == len(self._ops):
            self.best = cost
            return
        op = self._ops[place]
        prices = self._every.prices if self._is_priced else {}
        tried = [(again := self._stored_again(place, way), self._cost_of(again), way) for way in self._every.ways[op]]
        ways = [(again, added + prices.get((op, way), 0), way) for again, added, way in tried]
        for again, added, way in sorted(ways, key=itemgetter(1)):
            if cost + added >= self.best:
                break
            for root, sequence in again:
                self._again[root].add(sequence)
            if not isinstance(op, ConstantOp):
                self._given.update(zip(op.results, way[1], strict=True))
            self._go_on(place + 1, cost + added)
            for root, sequence in again:
                self._again[root].remove(sequence)

    def _stored_again(self, place: int, way: Way) -> set[tuple[SSAValue, bytes | None]]:
        """The conversions that a form of an op adds."""
        read = ((root, way[0][operand]) for operand, root in self._reads[place])
        return {
            (root, sequence)
            for root, sequence in read
            if sequence != self._given[root] and sequence not in self._again[root]
        }

    def _cost_of(self, again: set[tuple[SSAValue, bytes | None]]) -> int:
        first = {root for root, _ in again if isinstance(root.owner, ConstantOp) and not self._again[root]}
        all_of_them = sum(self._weigh(root, self._given[root], sequence) for root, sequence in again)
        return all_of_them - sum(self._weigh(root, None, None) for root in first)


def _is_constant(value: SSAValue) -> bool:
    """True if a value is a constant, through any views."""
    while isinstance(op := value.owner, AnyTransposeOp | RelabelOp | ReshapeOp):
        value = op.input
    return isinstance(value.owner, ConstantOp)


WEIGHTS: Mapping[str, Weigh] = {
    "bytes": lambda value, given, wanted: moved_bytes(value),
    "count": lambda value, given, wanted: int(prod(shape_of(value)) > 0),
}


def _orders_of_heads(op: HeadsOp, listed: Sequence[Wanted]) -> Iterator[tuple[Order, ...]]:
    """The orders that a target lists, or else the present ones, and those with heads and rows exchanged everywhere."""
    values = [*zip(op.operand_names(), op.operands, strict=True), ("result", op.result)]
    now = [order_of_value(value) for _, value in values]
    for wanted in listed:
        yield tuple(each.order_for(len(own)) if each else own for own, each in zip(now, wanted, strict=True))
    if any(map(any, listed)):
        return
    changed: list[Order] = []
    for (name, _), own in zip(values, now, strict=True):
        stated = op.properties.get(f"{name}_axes")
        axes = stated.data if isinstance(stated, StringAttr) else "BHNC"
        has_heads = name in ("query", "key", "value", "input", "result")
        places = {axes.index("H"): axes.index("N"), axes.index("N"): axes.index("H")} if has_heads else {}
        changed.append(tuple(own[places.get(place, place)] for place in range(len(own))))
    yield tuple(changed)


def _relayouts_for_any_orders(op: NpuOp, freedom: MatmulFreedom) -> Sequence[Relayout]:
    """The relayouts for all orders of operands and results. Ops that look the same are asked once, as it takes long."""
    operands, results = [list(_orders(value)) for value in op.operands], [list(_orders(v)) for v in op.results]
    if prod(map(len, (*operands, *results))) > MOST_QUESTIONS:
        raise TooMany(f"{op.name} has too many orders")
    looks = (
        type(op),
        freedom,
        *((value.type, [*op.operands].index(value), _is_constant(value)) for value in op.operands),
        *op.result_types,
        *sorted(op.properties.items()),
    )
    if looks not in _ANSWERS:
        asked = product(product(*operands), product(*results))
        if len(_ANSWERS) >= MOST_ANSWERS:
            _ANSWERS.clear()
        _ANSWERS[looks] = [answer for each in asked for answer in op.relayouts_within(*each, freedom)]
    return _ANSWERS[looks]


def _orders(value: SSAValue) -> Iterator[Order]:
    """All orders that can be requested for a value; one if it has no layout."""
    if layout_of(value) is None:
        yield order_of_value(value) if isa(value.type, TensorType) else ()
        return
    yield from permutations(range(len(shape_of(value))))


def _has_whole_axes(numbers: Numbers, stored: Sequence[int], order: Order) -> bool:
    """True if every axis of a view is made of whole pieces of the axes of its storage root.

    Then a step along one axis adds the same to the coordinates wherever the other axes are.
    """
    if not stored or numbers.ndim == 0:
        return True
    for each in np.unravel_index(numbers, unpermute(stored, order)):
        total = np.full(numbers.shape, each[(0,) * numbers.ndim])
        for axis in range(numbers.ndim):
            line = each[tuple(slice(None) if other == axis else 0 for other in range(numbers.ndim))]
            steps = line - line[0]
            total = total + steps.reshape([-1 if other == axis else 1 for other in range(numbers.ndim)])
        if not np.array_equal(total, each):
            return False
    return True


def _live(module: ModuleOp) -> set[Operation]:
    live = {op for op in module.walk() if not is_side_effect_free(op) or op.regions or not op.results}
    for op in reversed(list(module.walk())):
        if op in live:
            live.update(value.op for value in op.operands if isinstance(value, OpResult))
    return live
