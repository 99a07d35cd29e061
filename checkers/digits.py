"""Digits of axes: numbers of several digits, of which a reshape gives some to one axis and some to another.

A digit of an axis has an `inner`, the product of the sizes of all less significant digits of the axis, and a size. An
unknown size is a prime number that no known size has as a factor: products and quotients are then those of symbols.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import Any, TypeAlias, cast

Digit: TypeAlias = tuple[Any, int, int]  # The axis, the inner and the size.
Digits: TypeAlias = tuple[Digit, ...]
Name: TypeAlias = Any  # Of an axis: a number, a letter, or a pair of numbers.
ByName: TypeAlias = dict[Name, list[Digit]]
Span: TypeAlias = tuple[int, int, Any, int]
POWERS = (61, 89, 107, 127, 521, 607, 1279, 2203, 2281, 3217, 4253, 4423, 9689, 9941, 11213, 19937)
SYMBOLS = [(1 << power) - 1 for power in POWERS]  # primes of Mersenne in the place of unknown sizes
UNKNOWN = SYMBOLS[0]  # sizes from here on are not known
ANYTHING: Digit = (-1, 1, 2)  # behind the digits of a byte order whose padding may be anything


def each_of(value: Any) -> list[Any]:
    """The members of a list, or a value alone."""
    return cast("list[Any]", value) if type(value) is list else [value]


def size_of(entry: Any) -> int:
    """A size; a list is a factor and the unknown sizes that it is multiplied by."""
    numbers = each_of(entry)
    if type(numbers[0]) is not int or numbers[0] < 0:
        raise ValueError(f"expected a size, found {entry}")
    return numbers[0] * prod(SYMBOLS[int(symbol)] for symbol in numbers[1:])


def digits_of(entry: Any) -> Digits:
    """The digits of a list: the axis, the inner and the size of each."""
    return tuple((int(axis), size_of(inner), size_of(size)) for axis, inner, size in entry)


def merged(digits: Iterable[Digit]) -> Digits:
    """A sequence of digits (of, inner, size); neighbours that continue each other are one."""
    found: list[Digit] = []
    for of, inner, size in digits:
        if found and found[-1][0] == of and found[-1][1] == inner * size:
            size *= found.pop()[2]
        found.append((of, inner, size))
    return tuple(found)


def by_name(digits: Sequence[Digit]) -> ByName:
    """The digits of each name, in their order."""
    return {name: [digit for digit in digits if digit[0] == name] for name, _, _ in digits}


def parts(digits: Iterable[Digit], spans_of: Mapping[Any, Sequence[Span]]) -> Digits | None:
    """Digits as parts of others, which are spans (begin, end, of, step) of each axis; None if one would be in two."""
    found: list[Digit] = []
    for axis, inner, size in digits:
        end, left = inner * size, size
        for begin, behind, of, step in spans_of.get(axis, ()):
            if begin % end and inner % behind:
                low = inner if inner % begin == 0 else begin
                high = end if behind % end == 0 else behind
                if low % inner or low % begin or end % high or behind % high or high % low:
                    return None
                found.append((of, step * (low // begin), high // low))
                left //= high // low
        if left != 1:
            return None
    return merged(found)
