"""The axes rule of check_equal.py: two nodes of one op whose operands are the same, renumbered.

Axes are cut into digits until both nodes have digits of the same sizes. Those are paired by what they add to the
positions of one operand that is no constant, or by the bytes of a constant. Then all operands are compared.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING or __package__:
    from .onnx_sizes import SizesDiffer, take_sizes
    from .onnx_steps import OnnxStep, OnnxValue
    from .positions import Array, Lines, reshaped, whole
else:
    from onnx_sizes import SizesDiffer, take_sizes
    from onnx_steps import OnnxStep, OnnxValue
    from positions import Array, Lines, reshaped, whole

RESULT, SHOWN = -1, -2
"""The places of the result of a node, by its own numbers, and by those of the root that it shows."""
Pairs: TypeAlias = list[tuple["Digit", "Digit", Array]]


@dataclass
class Digit:
    """A part of an axis, and what its positions add in each operand, and in the result."""

    kind: str
    """The whole name of an axis that stays, else + or nothing."""
    size: int
    lines: dict[int, Array] = field(default_factory=dict[int, Array])

    def line(self, place: int) -> Array:
        return self.lines.get(place, np.zeros(self.size, int))

    def run(self, place: int) -> int:
        """The number of positions up to the first one that adds more or less than the one before it."""
        steps = np.diff(self.line(place))
        return int(np.argmax(steps != steps[0])) + 1 if (steps != steps[0]).any() else self.size

    def cut(self, inner: int) -> "list[Digit]":
        """The digit as two, the second one of this size."""
        if self.size % inner:
            raise ValueError("the operands have other axes")
        found = [Digit(self.kind, self.size // inner), Digit(self.kind, inner)]
        for place, line in self.lines.items():
            for part, new in zip(found, reshaped([line], (self.size // inner, inner))[1:], strict=True):
                part.lines |= {place: new} if new.any() else {}
        return found

    def rank(self, constants: set[int]) -> tuple[int, int, str, int]:
        """Digits are compared by the first operand that has them, constants last, the fastest in it first."""
        ranks = [(2 if place < 0 else int(place in constants), place) for place in self.lines]
        kind, place = min(ranks, default=(2, 0))
        steps = np.diff(np.sort(self.line(place)))
        return kind, place, self.kind, min(steps[steps > 0], default=0)


def digits_of(node: OnnxStep, place: int) -> list[Digit]:
    """The axes of the operands and of one result."""
    (operands, results), found, result = node.law(), dict[str, Digit](), node.outputs[place]
    columns = [*enumerate(zip(node.inputs, operands, strict=True)), (RESULT, (result, results[place]))]
    for at, (value, names) in [*columns, (SHOWN, columns[-1][1])]:
        if value is None or names is None:
            continue
        if len(names) != len(value.shape) or not value.is_known:
            raise ValueError(f"an operand or result of {node.op} has another rank, or unknown sizes")
        lines = whole(value.shape) if at == RESULT else value.at
        for name, size, line in zip(names, value.shape, lines[1:], strict=True):
            if size > 1:
                digit = found.setdefault(name, Digit(name if name[0] == "." else "+"[: name[0] == "+"], size))
                digit.lines |= {at: line} if line.any() else {}
                if digit.size != size and node.model.source is node.model:
                    raise SizesDiffer(digit.size, size)
                if digit.size != size:
                    raise ValueError(f"an axis of {node.op} has two sizes")
    if any(each.kind == "" and RESULT not in each.lines for each in found.values()):
        raise ValueError(f"a position of the result of {node.op} depends on some of the operands only")
    return [*found.values()]


def elements(value: OnnxValue | None, lines: Sequence[Array]) -> Array:
    """The elements of a constant by the positions of its digits."""
    array = None if value is None else value.array
    return np.asarray(array).reshape(-1)[reduce(np.add.outer, lines, np.zeros((), int))]


def paired(p: OnnxStep, q: OnnxStep, place: int, constants: set[int]) -> Pairs:
    """The digits of both nodes, and the positions of the first one's at those of the second one's."""
    one, other, found = digits_of(p, place), digits_of(q, place), Pairs()
    while one and other:
        for digits in (one, other):
            digits.sort(key=lambda each: each.rank(constants), reverse=True)
        x, y = one[-1], other[-1]
        (kind, at, name, _), stays = x.rank(constants), x.kind[:1] == "."
        if (kind, at, name) != y.rank(constants)[:3] or (stays and x.size != y.size):
            break
        inner, lines = min(x.run(at), y.run(at)), [np.sort(each.line(at) - each.line(at).min()) for each in (x, y)]
        if not stays and max(x.size, y.size) > inner and not np.array_equal(lines[0], lines[1]):
            for digits in (one, other):
                digits[-1:] = digits[-1].cut(inner) if digits[-1].size > inner else digits[-1:]
            continue
        new = np.arange(x.size)
        if kind == 0 and not stays:
            new[np.argsort(y.lines[at], kind="stable")] = np.argsort(x.lines[at], kind="stable")
        elif kind == 1 and not stays:  # Slices of a constant are found by their bytes.
            known = [each for each in found if at in {*each[0].lines, *each[1].lines}]
            rows = elements(p.inputs[at], [x.line(at), *(each.line(at)[moved] for each, _, moved in known)])
            wanted = elements(q.inputs[at], [y.line(at), *(each.line(at) for _, each, _ in known)])
            places = defaultdict[bytes, list[int]](list)
            for number in range(x.size)[::-1]:
                places[rows[number].tobytes()].append(number)
            new = np.array([places[row.tobytes()].pop() for row in wanted])
        found.append((one.pop(), other.pop(), new))
    if one or other or any((RESULT in x.lines) != (RESULT in y.lines) for x, y, _ in found):
        raise ValueError("the operands have other axes")
    return found


def are_same(at: int, x: OnnxValue, y: OnnxValue, pairs: Pairs) -> bool:
    """True if an operand of q is that of p, renumbered."""
    lines = [(one.line(at)[new], two.line(at)) for one, two, new in pairs if at in {*one.lines, *two.lines}]
    if x.array is not None and y.array is not None:
        found, wanted = elements(x, [each for each, _ in lines]), elements(y, [each for _, each in lines])
        return (found.dtype, found.tobytes()) == (wanted.dtype, wanted.tobytes())
    is_first = x.at[0] + sum(each[0] for each, _ in lines) == y.at[0]
    return bool(is_first) and all((one - one[0] == two).all() for one, two in lines)


def renumbered(p: OnnxStep, q: OnnxStep, place: int) -> Lines:
    """The positions that a result of q shows of the root of that of p; raises `ValueError` if it is none of p."""
    ends = [(at, x, y) for at, (x, y) in enumerate(zip(p.inputs, q.inputs, strict=True)) if x and y]
    constants = {at for at, x, y in ends if x.array is not None and y.array is not None}
    take_sizes(p, q, place)
    if any(x.root is not y.root for at, x, y in ends if at not in constants):
        raise ValueError("the operands are not shown to be equal")
    pairs, (operands, _) = paired(p, q, place, constants), p.law()
    if not all(are_same(at, x, y, pairs) for at, x, y in ends if operands[at] is not None):
        raise ValueError("the operands show other positions, or are other constants")
    # The digits of the result, the slowest first, are its axes, or several of them each.
    order = sorted((each for each in pairs if RESULT in each[1].lines), key=lambda each: -each[1].lines[RESULT][1])
    own = whole([len(new) for _, _, new in order])[1:]
    if any((line != two.lines[RESULT]).any() for line, (_, two, _) in zip(own, order, strict=True)):
        raise ValueError("the axes of the result are mixed")
    shown = [one.line(SHOWN)[new] for one, _, new in order]
    origin = p.outputs[place].at[0] + sum(line[0] for line in shown)
    return reshaped([origin, *(line - line[0] for line in shown)], q.outputs[place].shape)
