"""The least cost of a program on a target that prices conversions between blocks, tried over all ways to store values.

Nothing here knows layouts: a way to store a value is the sequence of its numbers in memory.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import permutations
from random import Random
from typing import NamedTuple

import numpy as np

from support.generators.block_programs import BlockProgram
from support.oracles.every_block import (
    DEMANDED,
    TILE,
    Way,
    computes_zeros,
    dirty_reads,
    reads_whole,
    takes_blocks,
)
from support.oracles.other_axes import TooMany
from support.oracles.prices import AVOIDED, Moved, moved

Stored = tuple[int, ...]
MOST_CHOICES = 100_000
ANYTHING = 1_000_000
"""More than the numbers of any value."""
WHOLE = ["".join(letters) for letters in permutations("chw")]
PIECES = ["".join(letters) for letters in permutations("Cchw")]
CONDITIONS = {"keeps": "keeps the last axis", "swaps": "swaps blocks", "packs": "packs", "unpacks": "unpacks"}


class Entry(NamedTuple):
    """The price of conversions of a form, in units."""

    form: str
    per_byte: int
    per_call: int

    @property
    def text(self) -> str:
        when = f'when = "{CONDITIONS[self.form]}", ' if self.form in CONDITIONS else ""
        return f"{{ {when}per-byte = {self.per_byte}, per-call = {self.per_call} }}"


class BlockPriceTable(NamedTuple):
    """The tables `costs` and `transposes` of a target."""

    entries: Sequence[Entry]
    can: Sequence[str]

    @property
    def text(self) -> str:
        can = ", ".join(f'"{CONDITIONS[form]}"' for form in self.can)
        rules = f"[transposes]\ncan = [{can}]\n" if self.can else ""
        prices = ", ".join(entry.text for entry in self.entries)
        return f'[costs]\nunit = "cycles"\ntranspose = [{prices}]\n{rules}'


def random_table(seed: int) -> BlockPriceTable:
    rng = Random(seed)
    forms = rng.sample([*CONDITIONS], rng.randint(0, 3))
    can = rng.choice(((), (), (), ("packs", "unpacks", "swaps"), ("keeps", "unpacks"), ("packs", "keeps")))
    entries = [Entry(form, rng.choice((1, 2, 5)), rng.choice((0, 0, 100, 3000))) for form in (*forms, "any")]
    return BlockPriceTable(entries, can)


class EveryPricedBlock:
    """All ways to store the values of a program."""

    def __init__(self, program: BlockProgram, target: str, table: BlockPriceTable) -> None:
        self._program = program
        self._target = target
        self._table = table
        self._price = lru_cache(maxsize=None)(self._price_of)
        self._stored = lru_cache(maxsize=None)(self._stored_as)
        self._ways = [[*self._different_ways(place)] for place in range(len(program.steps))]
        self._tried = 0

    def cheaper_than(self, claimed: int) -> int | None:
        """The cost of a program that costs less than this, if there is any."""
        return self._search([], claimed)

    def _search(self, chosen: list[Way], claimed: int) -> int | None:
        self._tried += 1
        if self._tried > MOST_CHOICES:
            raise TooMany
        cost = self._cost(chosen)
        if cost >= claimed:
            return None
        if len(chosen) == len(self._ways):
            return cost
        found = (self._search([*chosen, way], claimed) for way in self._ways[len(chosen)])
        return next((each for each in found if each is not None), None)

    def _cost(self, chosen: Sequence[Way]) -> int:
        """The cost of the conversions for the first ops alone."""
        program, total = self._program, 0
        for value, way in enumerate(chosen):
            given = self._stored(value, way.order, self._has_zeros(value, way))
            readers = set[Stored]()
            for place, step in enumerate(program.steps[: len(chosen)]):
                if value in chosen[place].dirty and chosen[place].order != way.order:
                    return AVOIDED * AVOIDED
                if value in step.reads and value not in chosen[place].dirty:
                    readers.add(self._read(value, place, chosen[place].order))
            if value in program.returned:
                readers.add(self._stored(value, "chw", True))
            total += sum(self._price(value, given, each) for each in readers if each != given)
        return total

    def _has_zeros(self, value: int, way: Way) -> bool:
        return computes_zeros(self._program, value, way.dirty)

    def _different_ways(self, place: int) -> Iterator[Way]:
        """The ways in which a step can store what it reads and computes, each different one once."""
        seen, step = set[tuple[object, ...]](), self._program.steps[place]
        for order in self._orders_of(place):
            for dirty in dirty_reads(self._program, self._target, place, order):
                way = Way(order, dirty)
                produced = self._stored(place, order, self._has_zeros(place, way))
                stored = (*(self._read(value, place, order) for value in step.reads), produced, dirty)
                if stored not in seen:
                    seen.add(stored)
                    yield way

    def _orders_of(self, place: int) -> Sequence[str]:
        step = self._program.steps[place]
        if step.op == "argument":
            return ["chw"]
        demanded = DEMANDED[self._target].get(step.op)
        return demanded or [*WHOLE, *(PIECES if takes_blocks(self._program, step) else [])]

    def _read(self, value: int, place: int, order: str) -> Stored:
        """The numbers of a value in memory as a step reads them, with zeros as padding."""
        return self._stored(value, "chw" if reads_whole(self._program, self._target, place) else order, True)

    def _stored_as(self, value: int, order: str, has_zeros: bool) -> Stored:
        """The numbers of a value in memory; those of padding are below 0, and far below where it may be anything."""
        channels, size = self._program.channels(value), self._program.size
        numbers = np.arange(channels * size * size).reshape(channels, size, size)
        if "C" not in order:
            return tuple(numbers.transpose([*map("chw".index, order)]).ravel().tolist())
        more = -channels % TILE
        padding = -1 - np.arange(more * size * size).reshape(more, size, size) - (0 if has_zeros else ANYTHING)
        pieces = np.concatenate([numbers, padding]).reshape(-1, TILE, size, size)
        return tuple(pieces.transpose([*map("Cchw".index, order)]).ravel().tolist())

    def _price_of(self, value: int, given: Stored, wanted: Stored) -> int:
        """The price of a conversion, in ticks."""
        found = moved(*(self._places(value, each, max(len(given), len(wanted))) for each in (given, wanted)))
        if found is None:
            return AVOIDED * 1000
        size, forms = 4 * max(len(given), len(wanted)), self._forms(value, given, wanted, found)
        entry = next(entry for entry in self._table.entries if entry.form in forms)
        is_possible = not self._table.can or bool(forms & {*self._table.can})
        return 1000 * (size * entry.per_byte + entry.per_call) + (0 if is_possible else AVOIDED)

    def _forms(self, value: int, given: Stored, wanted: Stored, found: Moved) -> set[str]:
        wholes = {self._stored(value, order, True) for order in WHOLE}
        kind = {(True, False): "packs", (False, True): "unpacks"}.get((given in wholes, wanted in wholes))
        if min(given) < -ANYTHING <= min(wanted) and wanted not in wholes:
            kind = "packs"
        forms = {"keeps": found.keeps_last, "swaps": found.swaps}
        return {"any", *(form for form, fits in forms.items() if fits), *([kind] if kind else [])}

    def _places(self, value: int, stored: Stored, count: int) -> bytes:
        """The numbers in memory, filled up to a count of them behind the last channel."""
        size = self._program.size
        if len(stored) == count:
            numbers = np.array(stored)
            numbers = np.where(numbers < -ANYTHING, numbers + ANYTHING, numbers)
            last = self._program.channels(value) * size * size
            return np.where(numbers < 0, last - 1 - numbers, numbers).astype(np.int64).tobytes()
        way = next(way for way in WHOLE if self._stored(value, way, True) == stored)
        numbers = np.arange(count).reshape(-1, size, size)
        return numbers.transpose([*map("chw".index, way)]).ravel().astype(np.int64).tobytes()
