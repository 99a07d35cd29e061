"""The facts from which the forms of all ops follow, as data of a certificate.

`checkers/check_forms.py` states the laws of the ops, reads these facts, and shares nothing with this package.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, UnitAttr
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from ....dialects.npu.axes import numbers_of
from ....dialects.npu.base import NpuOp
from ....dialects.npu.feature import FeatureOp
from ....dialects.npu.values import encoding, order_of_value, shape_of
from ....layout import ByteOrder, Extent, Layout, LayoutClass, Piece, is_dirty, permute
from ....layout.blocks import numbered_pieces
from ....targets import name_of
from ...common.graph.producers import Use
from ..choice.mode_choice import ModeTable
from ..modes.closure import MOST_DIRTY
from ..modes.forms import Form
from ..modes.free_interface import FreeEnd, TiedEnd, present_order
from ..modes.modes import Decider, producer_of
from ..solve.problem import Access, Problem
from .core import Json

FORMAT = "npu-opt forms 1"

Link = int
"""The place of a value among what its op reads or writes in the certificate; -1 if it is not listed there."""


def forms_of(table: ModeTable, problem: Problem, content: Json) -> Json:
    """The facts about the forms of the ops in the problem of a certificate, whose content this is."""
    text = _FormsText(table, problem, content)
    return {
        "format": FORMAT,
        "axes": table.target_layouts.target.max_rank(LayoutClass.TENSOR),
        "complete": table.modes.is_complete,
        "storages": [*text.storages()],
        "ops": [*text.ops()],
    }


class _FormsText:
    """The ops and storages of a certificate, in the order in which it lists them."""

    def __init__(self, table: ModeTable, problem: Problem, content: Json) -> None:
        self._table = table
        self._problem = problem
        self._content = content
        self._storage = table.storage
        self._deciders = [*table.modes.of]
        self._numbers = {decider: number for number, decider in enumerate(self._deciders)}
        self._kept = [number for number, each in enumerate(problem.storages) if not each.is_free and each.readers]
        self._links: dict[tuple[Decider, int], Link] = {}
        """For each operand, and for each result with numbers behind those of the operands, its place in the lists."""
        self._ops = sorted({*self._link(), *problem.prices})

    def _link(self) -> set[int]:
        """Find the place of each use and of each root, and return the ops that have any."""
        reads, writes, roots = Counter[int](), Counter[int](), self._table.problem.roots
        for root in (roots[number] for number in self._kept):
            for decider, operand in self._table.problem.readers(root):
                op = self._deciding(decider)
                self._links[decider, operand] = reads[op]
                reads[op] += 1
            producer = producer_of(root, self._numbers)
            if producer in self._numbers:
                op = self._deciding(producer)
                self._links[producer, self._place(producer, root)] = writes[op]
                writes[op] += 1
        return {*reads, *writes}

    def _deciding(self, decider: Decider) -> int:
        return self._numbers[self._table.modes.tied_to(decider)[0]]

    @staticmethod
    def _place(decider: Decider, value: SSAValue) -> int:
        """The number of a result behind those of the operands."""
        return (
            len(decider.operands) + value.index if isinstance(decider, Operation) and isinstance(value, OpResult) else 0
        )

    def storages(self) -> Iterator[Json]:
        """The digits of each layout of each storage, by its number."""
        orders: list[dict[str, Json]] = [{} for _ in self._kept]
        places = {number: place for place, number in enumerate(self._kept)}
        entries = dict(zip(self._ops, self._content["ops"], strict=True))
        seen, roots = Counter[int](), self._table.problem.roots
        for number, place in places.items():
            term = self._problem.storages[number]
            listed: list[tuple[Json, Json]] = []
            for reader in term.readers:
                listed += zip(entries[reader.op]["reads"][seen[reader.op]][1], reader.byte_orders, strict=True)
                seen[reader.op] += 1
            if isinstance(term.producer, Access):
                uses = dict(entries[term.producer.op]["writes"])
                listed += zip(uses[place], term.producer.byte_orders, strict=True)
            else:
                listed.append((self._content["storages"][place]["given"], term.producer))
            for layout, byte_order in listed:
                if isinstance(layout, int) and str(layout) not in orders[place]:
                    orders[place][str(layout)] = _byte_order(byte_order)
        pins = {each.root: each.byte_order for each in self._table.pinned.each}
        for number, known in zip(self._kept, orders, strict=True):
            pin = {"pin": _byte_order(pins[roots[number]])} if roots[number] in pins else {}
            yield {"orders": known, **pin}

    def ops(self) -> Iterator[Json]:
        """The facts on which the forms of each op depend."""
        for number in self._ops:
            decider = self._deciders[number]
            match decider:
                case Operation():
                    yield self._op(decider)
                case _:
                    yield self._ends(decider)

    def _op(self, op: Operation) -> Json:
        values = [
            self._value(op, place, value, name)
            for place, (value, name) in enumerate(zip((*op.operands, *op.results), _names(op), strict=True))
        ]
        facts = self._facts(op) if isinstance(op, NpuOp) else {}
        return {"kind": op.name, "operands": len(op.operands), "values": values, **facts}

    def _value(self, decider: Decider, place: int, value: SSAValue, name: str) -> Json:
        """The name of an operand or result, its link, and its axes as they are stored."""
        link = self._links.get((decider, place), -1)
        return [name, link, self._axes(value, link >= 0)]

    def _axes(self, value: SSAValue, is_listed: bool) -> Json:
        """The digits along each stored axis, or the sizes alone."""
        if encoding(value.type) is None:
            return []
        order, view = order_of_value(value), self._storage.view(value)
        if not is_listed:
            return [*map(_size, permute(view.sizes, order))]
        return [*map(_digits, permute(view.axes.axes, order))]

    def _facts(self, op: NpuOp) -> dict[str, Json]:
        """The attributes of an op, and what the target demands of it."""
        if op.has_blocks():
            return {"blocks": None}
        found: dict[str, Json] = {}
        if attributes := {name: _number(each) for name, each in op.properties.items() if _is_number(name, each)}:
            found["attributes"] = attributes
        rules = self._table.target_layouts.rules
        if demands := [each.demands for each in rules.alternatives(op)]:
            values = (*op.operands, *op.results)
            wanted = ((*each.operands, *each.results) for each in demands)
            found["demands"] = [[*map(_demanded, each, values)] for each in wanted]
        if places := rules.axis_places(op):
            found["places"] = dict(places)
        listed = self._table.target_layouts.target.demands.get(name_of(op), ())
        if any(rule.axes for rule in listed) and any(rule.when is not None for rule in listed):
            found["conditional"] = True
        if isinstance(op, FeatureOp):
            found["letters"] = "".join(op.shared_layout().letters_stored())
        if op.LETTERED:
            values = zip(_names(op), (*op.operands, *op.results), strict=True)
            letters = ((op.letters(name), value) for name, value in values)
            found["heads"] = ["".join(permute(of, order_of_value(value))) if of else "" for of, value in letters]
        if op.IS_PRODUCT:
            freedom = rules.freedom(op, None)
            found["freedom"] = [freedom.lhs, freedom.rhs, freedom.result, freedom.batch]
        if ways := [_blocks(op, form) for form in self._in_blocks(op)]:
            found["blocks"] = None if op.IS_PRODUCT else [way for at, way in enumerate(ways) if way not in ways[:at]]
        if stuck := [place for place, value in enumerate((*op.operands, *op.results)) if not self._may_move(value)]:
            found["stuck"] = stuck
        return found

    def _in_blocks(self, op: NpuOp) -> Iterator[Form]:
        """The forms of an op in blocks, with the operands whose padding could be anything or zeros."""
        rewrites = self._table.modes.rewrites
        if rewrites.blocks is None or op not in rewrites.ops:
            return
        yield from rewrites.in_blocks(op)
        own, demands, _ = rewrites.ops[op]
        known = (self._table.modes.byte_orders.get(self._storage.root(value), ()) for value in op.operands)
        dirty = [place for place, each in enumerate(known) if any(map(is_dirty, each))][: MOST_DIRTY + 1]
        for count in range(1, len(dirty) + 1):
            for places in combinations(dirty, count):
                yield from rewrites.blocks.forms(own, demands, places)

    def _may_move(self, value: SSAValue) -> bool:
        """True if the target can store a value in another order."""
        order = order_of_value(value)
        return self._table.target_layouts.may_have(value, (*order[1:], *order[:1]))

    def _ends(self, decider: FreeEnd) -> Json:
        """The arguments and results of functions, calls and loops that take one order, with their dimensions."""
        tied = {end.end: end for tie in self._table.modes.free.ties for end in tie}
        together = (end for end in self._table.modes.tied_to(decider) if not isinstance(end, Operation))
        ends = [tied.get(end) or TiedEnd.inside(end) for end in together]
        reads = [each for each in ends if isinstance(each.end, Use)]
        ordered = [*reads, *(each for each in ends if not isinstance(each.end, Use))]
        values = [self._value(each.end, 0, each.value, "") for each in ordered]
        stuck = [place for place, each in enumerate(ordered) if not self._may_move(each.value)]
        dims = [[*each.shared(present_order(each.value))] for each in ordered]
        kind = {"kind": "ends", "operands": len(reads), "values": values, "dims": dims}
        return {**kind, "stuck": stuck} if stuck else kind


def _names(op: Operation) -> Sequence[str]:
    if isinstance(op, NpuOp):
        return (*op.operand_fields(), *op.result_fields())
    return [""] * (len(op.operands) + len(op.results))


def _is_number(name: str, value: Attribute) -> bool:
    return isinstance(value, IntegerAttr | DenseArrayBase | UnitAttr) and not name.endswith("SegmentSizes")


def _number(value: Attribute) -> Json:
    """The numbers in an attribute; true for a flag."""
    if isinstance(value, UnitAttr):
        return True
    numbers = numbers_of(value)
    return [*numbers] if isinstance(value, DenseArrayBase) else numbers[0]


def _demanded(layout: Layout | None, value: SSAValue) -> Json:
    """The stored axes of a value in the order that a target demands; the inner piece of an axis has its size."""
    if layout is None:
        return None
    own, rank = order_of_value(value), len(shape_of(value)) + len(layout.tiles)
    numbered = numbered_pieces(layout.tiles, rank)
    pieces = [numbered[number] for number in layout.order_for(rank)]
    return [own.index(axis) if tile is None else [own.index(axis), tile] for axis, tile in pieces]


def _blocks(op: NpuOp, form: Form) -> Json:
    """For each value of a form in blocks nothing, or 1 if its padding may be anything, and its axes with blocks.

    An axis has its place as stored, the size of its blocks, and the digits of both pieces.
    """
    found: list[Json] = []
    for place, (value, cut) in enumerate(zip((*op.operands, *op.results), form.values, strict=True)):
        layout, view, own = encoding(cut.type), form.views[place], order_of_value(value)
        if layout is None or view is None or not layout.tiles:
            found.append([])
            continue
        tiles, pieces = dict(layout.tiles), layout.pieces_by_axis()
        cuts = [
            [own.index(axis), tiles[axis], *(_digits(view.axes.axes[each]) for each in pieces[axis])] for axis in tiles
        ]
        found.append([int(bool(layout.padded_axes) and not view.has_zeros), *cuts])
    return found


def _byte_order(byte_order: ByteOrder) -> Json:
    """The digits of a byte order, behind them one of no axis if padding may be anything."""
    return [*_digits(byte_order), *([[-1, 1, 2]] if is_dirty(byte_order) else [])]


def _digits(pieces: Iterable[Piece]) -> list[Json]:
    """The axis, the inner and the size of each digit."""
    return [[piece.axis, _size(piece.inner), _size(piece.size)] for piece in pieces]


def _size(extent: Extent) -> Json:
    """A size; an unknown one is a list of its factor and its symbols."""
    return [extent.factor, *extent.symbols] if extent.symbols else extent.factor
