"""A checker of certificates in the text format VIPR 1.1, written from its specification: integer programs to minimise,
whose bound is derived by combinations, rounding, assumptions and branches."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

SIGNS = {"G": 1, "E": 0, "L": -1}
Factors = Mapping[int, Fraction]


class WrongVipr(Exception):
    """A step that does not hold."""


@dataclass(frozen=True)
class Constraint:
    """A sum of variables with a bound; derived ones rest on assumptions."""

    sense: str
    bound: Fraction
    factors: Factors
    assumed: frozenset[int] = frozenset()

    def dominates(self, other: "Constraint") -> bool:
        if not self.factors:
            absurd = {"G": self.bound > 0, "L": self.bound < 0, "E": self.bound != 0}
            if absurd[self.sense]:
                return True
        if self.factors != other.factors or self.sense not in ("E", other.sense):
            return False
        if other.sense == "E":
            return self.bound == other.bound
        return self.bound >= other.bound if other.sense == "G" else self.bound <= other.bound


def need(holds: bool, *what: object) -> None:
    if not holds:
        raise WrongVipr(" ".join(map(str, what)))


class Vipr:
    """The sections of a file, read and checked one after the other."""

    def __init__(self, text: str) -> None:
        lines = [line for line in text.splitlines() if not line.startswith("%")]
        self._words = iter(re.findall(r"[{}]|[^\s{}]+", "\n".join(lines)))
        self.constraints: list[Constraint] = []

    def check(self) -> tuple[Fraction, Fraction]:
        """The bounds of the least value that the file proves."""
        self._expect("VER", "1.1")
        self.count = self._section("VAR")
        names = [next(self._words) for _ in range(self.count)]
        need(len({*names}) == self.count, "names of variables")
        self.integers = {self._index(self.count) for _ in range(self._section("INT"))}
        self._expect("OBJ", "min")
        self.objective = self._factors()
        self._expect("CON")
        count, bounds = int(next(self._words)), int(next(self._words))
        for number in range(count):
            self.constraints.append(self._constraint())
            need(number >= bounds or len(self.constraints[-1].factors) == 1, "bound", number)
        self._expect("RTP", "range")
        low, high = Fraction(next(self._words)), Fraction(next(self._words))
        values = [self._solution() for _ in range(self._section("SOL"))]
        need(min(values) <= high, "no solution costs", high)
        for number in range(count, count + self._section("DER")):
            self.constraints.append(self._derived(number))
        last = self.constraints[-1]
        need(not last.assumed, "the last constraint rests on assumptions", last.assumed)
        need(last.dominates(Constraint("G", low, self.objective)), "the last constraint is not the bound")
        need(next(self._words, None) is None, "text behind the end")
        return low, high

    def _expect(self, *words: str) -> None:
        for word in words:
            found = next(self._words)
            need(found == word, "expected", word, "found", found)

    def _section(self, name: str) -> int:
        self._expect(name)
        return int(next(self._words))

    def _index(self, below: int) -> int:
        found = int(next(self._words))
        need(0 <= found < below, "index", found)
        return found

    def _factors(self, below: int | None = None) -> Factors:
        return self._factors_behind(next(self._words), below)

    def _factors_behind(self, word: str, below: int | None = None) -> Factors:
        if word == "OBJ":
            return self.objective
        found: dict[int, Fraction] = {}
        for _ in range(int(word)):
            place = self._index(self.count if below is None else below)
            need(place not in found, "twice:", place)
            found[place] = Fraction(next(self._words))
        return {place: factor for place, factor in found.items() if factor}

    def _constraint(self) -> Constraint:
        next(self._words)
        sense, bound = next(self._words), Fraction(next(self._words))
        need(sense in SIGNS, "sense", sense)
        return Constraint(sense, bound, self._factors())

    def _solution(self) -> Fraction:
        """The value of a solution, which obeys all constraints."""
        next(self._words)
        values = self._factors()
        need(all(values[each].denominator == 1 for each in values if each in self.integers), "a part of an integer")
        for number, each in enumerate(self.constraints):
            left = sum((factor * values.get(place, 0) for place, factor in each.factors.items()), Fraction(0))
            holds = {"G": left >= each.bound, "L": left <= each.bound, "E": left == each.bound}
            need(holds[each.sense], "the solution breaks constraint", number)
        return sum((factor * values.get(place, 0) for place, factor in self.objective.items()), Fraction(0))

    def _derived(self, number: int) -> Constraint:
        stated = self._constraint()
        self._expect("{")
        reason = next(self._words)
        match reason:
            case "asm":
                assumed = frozenset({number})
            case "lin" | "rnd":
                factors = self._factors(number)
                found = self._combined(factors, stated.sense)
                need((self._rounded(found) if reason == "rnd" else found).dominates(stated), "C", number, reason)
                assumed = found.assumed
            case "uns":
                assumed = self._resolved(number, stated)
            case _:
                raise WrongVipr(f"reason {reason}")
        self._expect("}")
        next(self._words)
        return Constraint(stated.sense, stated.bound, stated.factors, assumed)

    def _combined(self, factors: Factors, stated: str) -> Constraint:
        """The combination of constraints with such factors."""
        signs = {SIGNS[self.constraints[place].sense] * (1 if factor > 0 else -1) for place, factor in factors.items()}
        need(not {1, -1} <= signs, "signs of a combination")
        sense = "G" if 1 in signs else "L" if -1 in signs else "E"
        left: dict[int, Fraction] = {}
        for place, factor in factors.items():
            for variable, own in self.constraints[place].factors.items():
                left[variable] = left.get(variable, Fraction(0)) + factor * own
        bound = sum((factor * self.constraints[place].bound for place, factor in factors.items()), Fraction(0))
        assumed = frozenset[int]().union(*(self.constraints[place].assumed for place in factors))
        return Constraint(sense, bound, {place: each for place, each in left.items() if each}, assumed)

    def _rounded(self, found: Constraint) -> Constraint:
        are_whole = all(each.denominator == 1 and place in self.integers for place, each in found.factors.items())
        need(found.sense != "E" and are_whole, "rounding of parts")
        bound = ceil(found.bound) if found.sense == "G" else floor(found.bound)
        return Constraint(found.sense, Fraction(bound), found.factors, found.assumed)

    def _resolved(self, number: int, stated: Constraint) -> frozenset[int]:
        """The assumptions that are left behind a branch."""
        one, its, other, others = (self._index(number) for _ in range(4))
        need(all(self.constraints[each].dominates(stated) for each in (one, other)), "C", number, "uns")
        low, high = sorted((self.constraints[its], self.constraints[others]), key=lambda each: each.sense, reverse=True)
        are_sides = (low.sense, high.sense) == ("L", "G") and low.factors == high.factors
        need(are_sides and high.bound == low.bound + 1 and low.bound.denominator == 1, "sides of a branch")
        need(all(place in self.integers and each.denominator == 1 for place, each in low.factors.items()), "a branch")
        return (self.constraints[one].assumed - {its}) | (self.constraints[other].assumed - {others})


def bounds_of(text: str) -> tuple[Fraction, Fraction]:
    """The bounds that a certificate proves of the least value; raises an exception if a step does not hold."""
    return Vipr(text).check()


def numbers_in(text: str) -> Iterator[re.Match[str]]:
    """The numbers of the file behind its names."""
    start = text.index("OBJ min")
    yield from (match for match in re.finditer(r"(?<=[ \n])-?\d+(?:/\d+)?(?=[ \n])", text) if match.start() > start)
