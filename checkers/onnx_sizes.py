"""The sizes that ONNX models leave open, for check_equal.py: the numbers that they are taken to be.

A proof with these numbers is one for all sizes unless it rests on them. So they fit the first model and are rarely the
sizes of other axes, and two sets of them have to lead to a proof. A Slice that goes beyond an axis whose end is one of
them needs numbers on both sides of its bound; one whose bound follows from them is not followed.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
from collections.abc import Callable, Mapping, Sequence
from itertools import count, zip_longest
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING or __package__:
    from .onnx_ops import ELEMENTWISE
    from .onnx_steps import OnnxStep
else:
    from onnx_ops import ELEMENTWISE
    from onnx_steps import OnnxStep

T = TypeVar("T")
NUMBERS = (23, 6), (41, 8)
"""The first number that is taken, and the steps to the next ones, for each of two proofs."""
STEP = 12
"""The step from the bound of a Slice to the first number behind it, and to the next ones."""
FARTHEST = 1 << 11
"""The last bound behind which numbers are taken: an axis costs as much as it is long."""
ENDLESS = (1 << 31) - 1
"""Bounds of a Slice from here on mean the end of any axis."""


class SizesDiffer(Exception):
    """Two sizes of one axis of a node of the first model, which therefore computes nothing."""


class NeitherIsOne(SizesDiffer):
    """Two sizes of one axis of an elementwise op, which may be different if one of them is 1."""


class SizesOpen(Exception):
    """The names of sizes of a result of the first model, for which the proof needs a number."""


class Sizes(dict[str, int]):
    """Open sizes by their names: a new one has the next number."""

    def __init__(self, given: Mapping[str, int], numbers: tuple[int, int]) -> None:
        super().__init__(given)
        self.given, self.numbers = given, count(*numbers)
        self.ones, self.ends = set[str](), set[int]()
        """The names of those that could be 1 as well, and the bounds behind those that end an axis."""

    def __missing__(self, name: str) -> int:
        self[name] = next(self.numbers)
        return self[name]


def with_sizes(attempt: Callable[[dict[str, int]], T], given: Mapping[str, int]) -> T:
    """The result of an attempt with numbers for the open sizes of which none is given; raises `ValueError`."""
    found, ones, numbers = list[T](), set[str](), [*NUMBERS]
    for each in numbers:  # It grows.
        sizes = Sizes(given, each)
        found.append(fitting(attempt, sizes))
        if sizes.keys() <= given.keys():
            break  # No other numbers can be taken.
        ones |= sizes.ones
        larger = [(end + STEP, STEP) for end in sorted(sizes.ends)]
        numbers += [each for each in larger if each not in numbers]
    for name in sorted(ones):
        with_sizes(attempt, {**given, name: 1})
    return found[0]


def fitting(attempt: Callable[[dict[str, int]], T], sizes: Sizes) -> T:
    """The result of an attempt with the numbers that the first model demands; raises `ValueError` if some differ.

    A size that has no number may have to be that of another axis, else the first model computes nothing.
    """
    for _ in range(100):
        try:
            return attempt(sizes)
        except SizesOpen as error:
            sizes.update({name: sizes[name] for name in error.args})
        except SizesDiffer as error:
            free = {name: size for name, size in sizes.items() if name not in sizes.given}
            if isinstance(error, NeitherIsOne):
                sizes.ones |= {name for name, size in free.items() if size in error.args}
            if not corrected(free, *error.args):
                break
            sizes.update(free)
    raise ValueError("an axis of an op has two sizes")


def corrected(sizes: dict[str, int], one: int, other: int) -> bool:
    """Let sizes be those that an op demands; false if both are stated by the model."""
    old, new = (other, one) if other in sizes.values() else (one, other)
    names = [name for name, size in sizes.items() if size == old]
    sizes.update(dict.fromkeys(names, new))
    return bool(names)


def take_open(node: OnnxStep, sizes: dict[str, int]) -> None:
    """Let open sizes of the results of a node be those that are given, by the name of the result and the axis.

    Raises `NeitherIsOne` if the sizes that are taken do not fit those of other operands of an elementwise op.
    """
    for value in node.outputs:
        dims = enumerate(value.type.tensor_type.shape.dim)
        names = {axis: f"{value.name}:{axis}" for axis, dim in dims if not dim.HasField("dim_value")}
        value.resize({axis: sizes[name] for axis, name in names.items() if name in sizes})
    shapes = [each.shape[::-1] for each in node.inputs if each and each.is_sized]
    is_broadcast = node.op in ELEMENTWISE and node.version[0] == "" and node.version[1] > 6
    for column in zip_longest(*shapes, fillvalue=1) if is_broadcast else ():
        found = sorted({*column} - {1})
        if len(found) > 1 and {*found} & {*sizes.values()}:
            raise NeitherIsOne(*found[:2])


def cut_short(node: OnnxStep, shape: Sequence[int]) -> set[int]:
    """The axes that end before a Slice does, or begin behind it, where the bound follows from numbers that are taken.

    If the end of the axis is such a number, there has to be a proof with numbers behind the bound as well.
    """
    found, sizes, at = set[int](), node.model.sizes, node.attributes
    axes = at.get("axes") or node.listed(3) or range(len(shape))
    for place, name in enumerate(("starts", "ends"), 1):
        given = node.inputs[place] if place < len(node.inputs) else None
        for axis, bound in zip(axes, at.get(name) or node.listed(place), strict=False):
            is_open, end = given is not None and given.is_open, max(bound, -bound)
            if shape[axis] < end < ENDLESS and (is_open or (shape[axis] in sizes.values() and end > FARTHEST)):
                found.add(axis % len(shape))
            elif shape[axis] < end < ENDLESS and shape[axis] in sizes.values():
                sizes.ends.add(end)
    return found


def take_sizes(p: OnnxStep, q: OnnxStep, place: int) -> None:
    """Give a result of q the sizes of that of p, if they follow from what their axes have in common."""
    shown, value, (names, others) = p.outputs[place], q.outputs[place], (each.law()[1][place] for each in (p, q))
    if value.is_sized or any(name[0] != "." for name in names):
        return
    if not shown.is_sized and p.model.source is p.model:
        raise SizesOpen(*(f"{shown.name}:{axis}" for axis in range(len(names))))
    sizes = dict(zip(names, shown.shape, strict=True))
    value.resize({axis: sizes[name] for axis, name in enumerate(others)})
