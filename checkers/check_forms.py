"""Checks that the certificate of a minimum leaves no form of an op out. It needs Python alone.

    python check_forms.py model.cert.json

`check_minimum.py` proves that no choice of the listed modes costs less. This program checks the lists.

DIGITS. An axis of 24 elements that a reshape makes of 4 by 6 has two digits: one of size 4 with steps of 6 (`inner`),
and one of size 6 with steps of 1. A byte order of a storage is a sequence of digits of its axes, the slowest first.
Axes of one element have none, and neighbours that continue each other are one. An operand or result is a view: along
each of its axes it has digits of the storage, so that a byte order is a sequence of digits of the op's axes as well.

LAWS. Axes of one name in several values are indexed together. An op computes the same elements in another form if
  - the values that share its axes have them in one sequence S, each those that it has: an elementwise op, a reduction;
  - an axis is several digits of S only if its positions are computed alike, or all are summed, and the op can name the
    parts (cut); if it can name one axis only, these digits are neighbours (together); an axis along which positions
    differ, as those of a slice or a window do, is one digit (whole);
  - a product of matrices has its batch axes in one sequence, and behind it the axes of each matrix in the order of its
    flags, or of those that `freedom` of the target lets it have; exchanged operands exchange rows and columns;
  - a gather has the axes of its indices, in their order, where the input has the axis along which it picks;
  - attention has each value in any order that the target demands, or without a demand heads and rows exchanged in all;
  - other operands have any order of their axes (own), or the one in which they came (fixed);
  - demands of the target on values are met, and axes that attributes name are at the places that it wants.
Nothing is cut where the target has a demand, or of unknown size. An op over digits has at most as many axes as the
target's tensors. Behind this text read `axis_laws.py`, which has the law of each kind, and `blocks.py` if the target
stores axes in blocks: each is two axes then, in the ways that the facts state. `digits.py` and `views.py` compute.

THE CLAIM. K is the set of byte orders in which a storage is written or read anywhere.
  Sound: every mode of an op is a form by its law.
  Closed: for every op, value, and byte order in K but the one that it came with, each form with that byte order is a
  mode. Axes that the value lacks are whole, and anywhere in S; but a vector, what is repeated, and the input and the
  indices of a gather leave them where they are. Values with orders of their own have all those in K. Of the ways to
  have blocks the first one with that byte order counts, and all that read padding which may be anything there.
  Begun: K has given byte orders, those that the target demands, and those that ops came with (products: all flags).
So the minimum is that over all byte orders that follow from those of the program and of the target.

BELIEVED. That a byte order to which nothing leads costs no less: where laws only rename digits, it can be exchanged for
that of the program, in all values that agree in it, at no cost. That the facts are those of the program and the target:
views, sizes, attributes, demands, the ways to have blocks, and where their padding is zeros. That storages which are
not listed cost nothing, and that pairs of forms (ops that run twice) are left out only where they save nothing. Kinds
of ops without a law are listed with their number.

The last line is `accepted: ...; believed: ...` (exit code 0), or `refused: ` with the step that does not hold (1).
"""

import gzip
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby, product
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING or __package__:
    from .axis_laws import LAW_OF, Law
    from .blocks import INNER, are_lawful, cut
    from .digits import ByName, Digit, Digits, Name, by_name, each_of
    from .views import FormRefused, StatedValue, StorageDigits, need
else:
    from axis_laws import LAW_OF, Law
    from blocks import INNER, are_lawful, cut
    from digits import ByName, Digit, Digits, Name, by_name, each_of
    from views import FormRefused, StatedValue, StorageDigits, need

Form: TypeAlias = tuple[Any, ...]  # The layouts of values; -1 for one in which nothing is stored.
Group: TypeAlias = Sequence[StatedValue]
Leads: TypeAlias = dict[int, set[int]]  # For each value, byte orders from which forms follow.


class OpForms:
    """The forms of an op over its axes, or in one of the ways in which its values may have blocks.

    Values whose orders depend on each other are a group. Behind the axes of S that a value has are those of its tail.
    """

    def __init__(self, entry: Any, listed: Any, storages: Sequence[StorageDigits], most: int, way: Any = None) -> None:
        self.most, self.border, self.name = most, entry["operands"], f"{listed['name']} ({entry['kind']})"
        self.way: Any = way
        self.values: list[StatedValue] = []
        for place, each in enumerate(entry["values"]):
            self.values.append(StatedValue(each, place, storages, listed["reads" if place < self.border else "writes"]))
        for kind, some in (("reads", entry["values"][: self.border]), ("writes", entry["values"][self.border :])):
            links = sorted(link for _, link, _ in some if link != -1)
            need(links == [*range(len(listed[kind]))], self.name, ": expected one value for each of ", kind)
        self.law = Law(entry, [each.name for each in self.values], [each.sizes for each in self.values])
        self.demands = entry["demands"] if "demands" in entry else [()]
        self.values[0].kept = self.law.kept
        every: Sequence[Any] = way or [()] * len(self.values)
        for value, names, blocks in zip(self.values, self.law.axes, every, strict=True):
            cut(value, blocks, names)
        if way:
            tiles = [value.tiles for value in self.values]
            need(are_lawful(self.law, self.values), self.name, ": no blocks by the law: ", tiles)
            self.law.free = {}
            if "kernel" in self.law.names and not tiles[0]:
                self.law.alone.add(0)
        together = [value for value in self.values if value.place not in self.law.alone]
        groups = [together, *([value] for value in self.values if value.place in self.law.alone)]
        self.groups = [group for group in groups if in_list(group)]
        self.listed = in_list(self.values)
        self.dirty = [value.place for value in self.values[: self.border] if value.may_be_anything]

    def _form(self, group: Group, common: Digits, tails: Sequence[Sequence[Name]], inner: ByName) -> Form | None:
        """The layouts of a group's listed values in a form; None if it is none."""
        runs, still = [name for name, _ in groupby(common, key=lambda digit: digit[0])], self.law.still
        rank, more = max(len(value.names) for value in group), len(runs) - len({*runs})
        may_be = (self.law.may_be(name, own, runs) for name, own in (by_name(common) | inner).items())
        if (more and more + rank > self.most) or not all(may_be) or not self.law.are_in_place(runs, rank):
            return None
        found: list[int | None] = []
        for value in group:
            own = [digit for digit in common if digit[0] in value.here]
            behind = [name for name in tails[value.place] if name in value.here]
            own += chain(*(inner.get(name, [(name, 0, 0)]) for name in behind))
            if [digit for digit in own if digit[0] in still] != [digit for digit in value.came if digit[0] in still]:
                return None
            found += [value.stored(own)] if value.storage else []
        return None if None in found else tuple(found)

    def _order(self, group: Group) -> list[Name]:
        """The axes of S that listed values of a group have, in the order in which the program has them."""
        axes = sorted((value.names for value in group), key=len, reverse=True)
        here = {name for value in in_list(group) for name in value.here}.difference(*self.law.templates[0])
        return [name for name in dict.fromkeys(chain(*axes)) if name in here]

    def _longer(self, common: Digits, lacked: Sequence[Digit], order: Sequence[Name] | None) -> set[Digits]:
        """The sequences with further digits: anywhere, or where they are in an order of whole axes."""
        if not lacked:
            return {common}
        if order is None:
            longer = {(*common[:at], lacked[0], *common[at:]) for at in range(len(common) + 1)}
            return {each for one in longer for each in self._longer(one, lacked[1:], None)}
        rest, known = iter(common), {name for name, _, _ in common}
        found = tuple(next(rest) if name in known else (name, 0, 0) for name in order)
        return {found} if len(known) == len(common) else set()

    def _with(
        self, group: Group, value: StatedValue, layout: int, others: ByName, stays: bool
    ) -> Iterator[Form | None]:
        """The forms in which a value has a layout; `others` has digits of axes that it lacks, if they are not whole."""
        common, here, axes = value.seen(layout), value.here, self._order(group)
        for tails in self.law.templates if common is not None else ():
            head = tuple(digit for digit in common or () if digit[0] in axes)
            own = by_name((common or ())[len(head) :])
            if common == (*head, *chain(*(own.get(name, ()) for name in tails[value.place]))):
                inner = {name: digits for name, digits in others.items() if name not in axes} | own
                lacked = [each for name in axes if name not in here for each in others.get(name, [(name, 0, 0)])]
                for each in self._longer(head, lacked, axes if stays else None):
                    yield self._form(group, each, tails, inner)

    def _allows(self, group: Group, form: Form) -> bool:
        """True if layouts of a group's listed values are a form by the law."""
        seen = [value.seen(layout) for value, layout in zip(in_list(group), form) if layout != -1]
        if None in seen or len(seen) < len(form):
            return False
        at = max(range(len(seen)), key=lambda each: len(seen[each] or ()))
        others: ByName = {}
        for common in seen:
            others = by_name(common or ()) | others
        return form in self._with(group, in_list(group)[at], form[at], others, stays=False)

    def sees(self, place: int, layout: int) -> bool:
        """True if a value has a byte order without more digits.

        Operands whose padding may be anything came so; a result whose padding may be so can be wanted with zeros.
        """
        value, digits = self.values[place], self.values[place].seen(layout)
        if digits is None or any(size for _, _, size in digits) or (self.dirty and place not in self.dirty):
            return False
        before, after = value.has_anything(layout), value.may_be_anything
        return before == after or (after and place >= self.border)

    def _closed(self, group: Group, leads: Leads) -> set[Form]:
        """The forms in the order of the program, and those that follow from the byte orders of a group's values."""
        came = tuple((name, 0, 0) for name in self._order(group))
        is_begun = not self.way and self.law.came_in_place()
        found = {self._form(group, came, tails, {}) for tails in self.law.templates if is_begun}
        for value in in_list(group):
            known = leads[value.place]
            for layout in known if self.law.are_ends else known - {value.stored(value.came)}:
                found.update(self._with(group, value, layout, {}, value.place in self.law.stays))
        return {form for form in found if form is not None}

    def _met(self, group: Group, demands: Any) -> set[Form] | None:
        """The form that meets the demands on a group's values, if these are one order; None without demands."""
        named = [(value, demands[value.place]) for value in group if demands and demands[value.place] is not None]
        if not named:
            return None
        names = [(self.law.axes[value.place], wanted) for value, wanted in named]
        orders = [[of[at] if type(at) is int else (of[at[0]], INNER) for at in wanted] for of, wanted in names]
        axes = self._order(group)
        form = self._form(group, tuple((name, 0, 0) for name in orders[0] if name in axes), self.law.templates[0], {})
        return set() if form is None or orders != orders[:1] * len(orders) else {form}

    def _fits(self, demands: Any) -> bool:
        """True if demands are for the blocks that the values have."""
        named = [(value, wanted) for value, wanted in zip(self.values, demands) if wanted is not None]
        blocks = [{each[0]: each[1] for each in map(each_of, wanted) if len(each) > 1} for _, wanted in named]
        if self.way and 0 in self.law.alone and None in demands[self.border :]:
            return False
        return blocks == [value.tiles for value, _ in named]

    def forms(self, modes: Iterable[Form], leads: Leads) -> tuple[set[Form], set[Form]]:
        """The forms that follow, and those of the modes that the law allows."""
        wanted, allowed = set[Form](), set[Form]()
        order = [value.place for group in self.groups for value in in_list(group)]
        for demands in self.demands:
            if demands and not self._fits(demands):
                continue
            met = [self._met(group, demands) for group in self.groups]
            every = [self._closed(group, leads) if each is None else each for each, group in zip(met, self.groups)]
            for forms in product(*every):
                at = dict(zip(order, chain(*forms)))
                wanted.add(tuple(at[value.place] for value in self.listed))
            for mode in modes:
                at = dict(zip((value.place for value in self.listed), mode))
                forms = [tuple(at[value.place] for value in in_list(group)) for group in self.groups]
                each = zip(self.groups, forms, met)
                if all(self._allows(group, form) if own is None else form in own for group, form, own in each):
                    allowed.add(mode)
        return wanted, allowed


def is_checked(entry: Any, listed: Any, storages: Sequence[StorageDigits], most: int) -> bool:
    """Check that the modes of an op are forms by its law, and that none is left out; false if nothing is known."""
    ways = entry.get("blocks", [])
    if entry["kind"] not in LAW_OF or ways is None:
        return False
    every = [OpForms(entry, listed, storages, most, way) for way in (None, *ways)]
    own = every[0]
    modes: list[Form] = [*zip(*(value.modes for value in own.listed), strict=True)] if own.listed else [()]
    single = {mode for mode in modes if list not in map(type, mode)}
    leads: list[Leads] = [{value.place: set() for value in own.listed} for _ in every]
    for value in own.listed:
        for layout in value.storage.used if value.storage else ():
            seen = [place for place, each in enumerate(every) if each.sees(value.place, layout)]
            for place in seen if value.has_anything(layout) else seen[:1] or [0]:
                leads[place][value.place].add(layout)
    wanted, allowed = set[Form](), set[Form]()
    for each, of_each in zip(every, leads):
        following, by_law = each.forms(single, of_each)
        wanted |= following if any(of_each.values()) or not each.dirty else set()
        allowed |= by_law
    allowed |= set() if wanted else {tuple(value.stored(value.came) for value in own.listed)}
    pins = [value.storage.pin if value.storage and value.place >= own.border else None for value in own.listed]
    wanted = {mode for mode in wanted if all(pin in (None, layout) for pin, layout in zip(pins, mode))}
    for mode in chain(single - allowed, sorted(wanted - single)) if own.law.is_known else ():
        stored = ((value.storage, layout) for value, layout in zip(own.listed, mode))
        words = (f"{each.name}: {each.orders.get(layout, 'new')}" for each, layout in stored if each)
        need(False, own.name, ": no form" if mode in single else ": a form is left out", ": ", ", ".join(words))
    for mode in modes:
        pairs = [(*each_of(each), each)[:2] for each in mode]
        need(not mode or {*zip(*pairs)} <= single, own.name, ": a pair of modes, one of which is none")
    return own.law.is_known


def in_list(group: Group) -> list[StatedValue]:
    """The values of a group whose storages are in the certificate."""
    return [value for value in group if value.storage]


def verdict_of(data: bytes) -> tuple[int, str]:
    """The exit code and the verdict on the content of a file."""
    try:
        content = json.loads(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
        problem, forms, believed = content["problem"], content["forms"], Counter[str]()
        need(forms["format"] == "npu-opt forms 1", "unknown format")
        need(forms["complete"] is True, "a limit of the search has left modes out")
        storages: list[StorageDigits] = [
            StorageDigits(*each) for each in zip(forms["storages"], problem["storages"], strict=True)
        ]
        for op in problem["ops"]:
            for number, modes in (*op["reads"], *op["writes"]):
                storages[int(number)].used.update(chain(*map(each_of, modes)))
        for storage in storages:
            need(storage.used <= {*storage.orders}, storage.name, ": a layout without digits")
        for entry, listed in zip(forms["ops"], problem["ops"], strict=True):
            if not is_checked(entry, listed, storages, forms["axes"]):
                believed[entry["kind"]] += 1
    except FormRefused as error:
        return 1, f"refused: {error}"
    except Exception as error:
        return 1, f"refused: this is no certificate with forms: {type(error).__name__}: {error}"
    names = ", ".join(f"{kind} ({count})" for kind, count in sorted(believed.items()))
    text = f"accepted: no form is left out (ops: {len(problem['ops']) - believed.total()}); believed: the facts"
    return 0, f"{text}, and the forms of {names}" if names else text


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python check_forms.py FILE.json[.gz]")
    try:
        code, verdict = verdict_of(Path(sys.argv[1]).read_bytes())
    except OSError as error:
        code, verdict = 1, f"refused: cannot read '{sys.argv[1]}': {error.strerror}"
    print(verdict)
    sys.exit(code)
