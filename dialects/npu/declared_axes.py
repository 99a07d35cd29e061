"""The axes of an op as text in its class, such as `"input[*A], scale[axis] -> result[*A]; axis: one, splits"`.

Operands are on the left and results on the right, each with its logical axes. An operand that is missing has one
element. Values that have an axis of one name have its positions in common. Those that begin and end with the same axes
as the first value share its layout, the others have layouts of their own.

- `N`, `O`: one axis
- `*S`: any number of axes
- `S~`: an axis along which the op relates different positions, as a window does, so that it cannot be split
- `A?`: an axis along which the value may have one element, which is repeated
- `axis`: the axis that this attribute names

The attributes that name axes by physical position follow: `one` axis, `some` axes, `any` axes or none, axes that are
`listed` in an order that matters, or a number for `each` axis with the one that has no effect. With `splits` the op
keeps its meaning when an axis that is named there is split in two and both parts are named.
"""

import re
from collections.abc import Sequence

from ...layout import Layout
from .axes import AxisAttribute, AxisTable, Counts, DeclaredAxis

VALUE = re.compile(r"(\w+)\[([^\]]*)\]")
AXIS = re.compile(r"(\*?)(\w+)([~?]?)")
ATTRIBUTE = re.compile(r"(\w+): (one|some|any|listed|each (-?\d+))(, splits)?")
COUNTS = {"one": Counts.ONE, "some": Counts.SEVERAL, "any": Counts.SEVERAL, "listed": Counts.LISTED}


def axes_of(text: str) -> AxisTable:
    """The axes that a text declares; raises `ValueError` if it is not understood."""
    signature, *named = text.split("; ")
    groups = [_values(side) for side in _parts(signature, " -> ", 2)]
    attributes = dict(map(_attribute, named))
    values = {name: found for group in groups for name, found in group}
    all_axes = [axis for found in values.values() for axis in found]
    if wrong := {axis.name for axis in all_axes if axis.name.islower()} - attributes.keys():
        raise ValueError(f"'{text}': {min(wrong)} is named by no attribute behind ';'")
    ends = _ends(next(iter(values.values())))
    return AxisTable(
        attributes,
        values,
        frozenset(name for name, found in values.items() if _ends(found) != ends),
        frozenset(name for name, found in values.items() if any(axis.name.islower() for axis in found)),
        any(axis.may_repeat for axis in all_axes),
        next((name for name, found in values.items() if found and found[0].name == "N"), ""),
        {"".join(axis.name for axis in found[:2]): name for name, found in values.items()},
    )


def stored_axes(declared: Sequence[DeclaredAxis], layout: Layout, rank: int) -> list[str]:
    """The names of the axes of a value as stored; inner pieces have lower-case names."""
    stored = [""] * rank
    pieces = [[place] for place in range(rank)] if layout.order is None else layout.pieces_by_axis()
    for name, places in zip(expanded(declared, len(pieces)), pieces, strict=True):
        for place, text in zip(places, (name, name.lower()), strict=False):
            stored[place] = text
    return stored


def expanded(declared: Sequence[DeclaredAxis], rank: int) -> list[str]:
    """The names of that many logical axes, the last ones if there are more; those of any number are numbered."""
    names: list[str] = []
    for axis in declared:
        count = range(rank + 1 - len(declared))
        names += [f"{axis.name}{number}" for number in count] if axis.is_any_number else [axis.name]
    return names[len(names) - rank :]


def _parts(text: str, border: str, count: int) -> list[str]:
    found = text.split(border)
    if len(found) != count:
        raise ValueError(f"'{text}': expected one '{border.strip()}'")
    return found


def _values(side: str) -> list[tuple[str, tuple[DeclaredAxis, ...]]]:
    if VALUE.sub("", side).strip(", "):
        raise ValueError(f"'{side}': expected values such as input[N, C, *S]")
    return [(name, tuple(map(_axis, found.split(", ") if found else ()))) for name, found in VALUE.findall(side)]


def _axis(text: str) -> DeclaredAxis:
    if (found := AXIS.fullmatch(text)) is None:
        raise ValueError(f"'{text}': expected an axis such as N, *S, S~, A? or the name of an attribute")
    star, name, mark = found.groups()
    return DeclaredAxis(name, bool(star), mark == "~", mark == "?")


def _attribute(text: str) -> tuple[str, AxisAttribute]:
    if (found := ATTRIBUTE.fullmatch(text)) is None:
        raise ValueError(f"'{text}': expected an attribute such as 'axis: one, splits' or 'low: each 0'")
    name, kind, neutral, splits = found.groups()
    return name, AxisAttribute(
        COUNTS.get(kind, Counts.EACH), bool(splits), None if neutral is None else int(neutral), kind == "any"
    )


def _ends(declared: tuple[DeclaredAxis, ...]) -> tuple[str, ...]:
    return tuple(axis.name for axis in (*declared[:1], *declared[-1:]))
