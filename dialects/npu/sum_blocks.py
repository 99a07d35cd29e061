"""Blocks of axes in the operands and results of ops that sum products: convolutions and products of matrices.

What is checked follows from the part that an axis plays. An axis that is summed needs zeros as padding, which add
nothing. An axis that the result keeps has padding in all values or in none, and zeros in the result only if the numbers
that are computed there are zeros.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from ...layout import Layout, letters

CHANNELS = 1
"""The logical axis of the channels of a feature map, and of the input channels of a kernel."""
OUTPUTS = 0
"""The logical axis of the output channels of a kernel."""


class BlockProblem(NamedTuple):
    """The operand or result that does not fit the others."""

    name: str
    expected: str
    found: object


class AxisOf(NamedTuple):
    """A logical axis of an operand or result."""

    name: str
    axis: int


class Ending(NamedTuple):
    """The size of the blocks along an axis, and that of the axis if it ends in padding."""

    tile: int | None = None
    padded: int | None = None


class Zeros(NamedTuple):
    """The numbers that are known without the data."""

    absorb: bool
    """True if zero times any number is zero, which holds for integers."""
    unknown: Collection[str] = ()
    """The operands and results whose zero points may be other numbers than zero."""


@dataclass(frozen=True, slots=True)
class SumBlocks:
    """The layouts of a product, and its axes."""

    layouts: Mapping[str, Layout]
    """The layouts by the names of the values; values without a layout are missing."""
    summed: Sequence[AxisOf]
    """The axis that is summed, in both factors."""
    kept: Sequence[Sequence[AxisOf]]
    """Each axis of the result that has blocks, in all values whose numbers it depends on."""
    added: Collection[str]
    """The operands that are added to the sums."""
    zeros: Zeros

    SUMMED: ClassVar[str] = "numbers that are summed"
    CONSTANT: ClassVar[str] = ""
    """The further condition of integers, which have zero points."""

    def problem(self) -> BlockProblem | None:
        """The first value whose blocks or padding do not fit, or None."""
        return self.axis_problem() or self._sum_problem() or self._zeros_problem()

    def pairs(self) -> Sequence[tuple[AxisOf, AxisOf]]:
        """The axes of two values each that have the same positions."""
        return [(other, first) for first, *others in (self.summed, *self.kept) for other in others]

    def axis_problem(self) -> BlockProblem | None:
        """The first value whose axes do not have the blocks and the padding of others with the same positions."""
        pairs = self.pairs()
        axes = {axis for pair in pairs for axis in pair}
        for name, layout in self.layouts.items():
            if wrong := {AxisOf(name, axis) for axis, _ in layout.tiles} - axes:
                return BlockProblem(name, f"no blocks along {self._named(min(wrong))}", layout)
        for place, other in pairs:
            if not self.are_alike(place, other):
                expected = f"blocks and padding along {self._named(place)} like {self._named(other)} of {other.name}"
                return BlockProblem(place.name, expected, self.layouts.get(place.name, "none"))
        return None

    def are_alike(self, place: AxisOf, other: AxisOf) -> bool:
        """True if axes of two values have the same blocks and end in the same place."""
        return self.ending(place) == self.ending(other)

    def _named(self, place: AxisOf) -> str:
        layout = self.layouts.get(place.name)
        if layout is None or layout.order is None or not layout.cls.is_cnn:
            return f"axis {place.axis}"
        return letters(layout.cls, layout.logical_rank(len(layout.order)))[place.axis]

    def ending(self, place: AxisOf) -> Ending:
        """The ending of an axis of a value."""
        layout = self.layouts.get(place.name)
        return Ending() if layout is None else Ending(layout.tile_of(place.axis), layout.padded_axes.get(place.axis))

    def _is_padded(self, places: Sequence[AxisOf]) -> bool:
        return any(self.ending(place).padded is not None for place in places)

    def _has_zeros(self, name: str) -> bool:
        return self.layouts[name].has_zeros and name not in self.zeros.unknown

    def _sum_problem(self) -> BlockProblem | None:
        """Products of padding are zeros: either factor is for integers, both are for floats."""
        others = [name for name, _ in self.summed if self._is_padded(self.summed) and not self._has_zeros(name)]
        if len(others) <= (1 if self.zeros.absorb else 0):
            return None
        expected = f"zeros as padding of the {self.SUMMED}{self.CONSTANT if self.zeros.absorb else ''}"
        return BlockProblem(others[-1], expected, self.layouts[others[-1]])

    def _zeros_problem(self) -> BlockProblem | None:
        """Padding of the result is zeros only if it is computed from zeros."""
        result = self.layouts.get("result")
        if result is None or not result.padded_axes or not result.has_zeros:
            return None
        sources = [{name for name, _ in axes} - {"result"} for axes in self.kept if self._is_padded(axes)]
        if "result" not in self.zeros.unknown and all(
            names.issuperset(self.added) and all(map(self._has_zeros, names)) for names in sources
        ):
            return None
        return BlockProblem("result", "padding that may be anything", result)


class KernelAxes(NamedTuple):
    """The axes of a kernel along which products are summed, and along which the channels of the result are.

    They are one in a depthwise convolution.
    """

    summed: int
    kept: int


@dataclass(frozen=True, slots=True)
class ChannelBlocks(SumBlocks):
    """The layouts of a convolution, and its channels."""

    groups: int
    axes: KernelAxes
    sizes: tuple[int, int]
    """The numbers of output and of input channels of the kernel."""

    SUMMED: ClassVar[str] = "channels that are summed"
    CONSTANT: ClassVar[str] = ", with a constant zero point of zeros"

    def pairs(self) -> Sequence[tuple[AxisOf, AxisOf]]:
        """The axes of the kernel and of vectors, with the channels of data and result that they belong to."""
        data, result = AxisOf("data", CHANNELS), AxisOf("result", CHANNELS)
        vectors = (axis for axis in self.kept[0] if axis.name not in ("data", "kernel", "result"))
        kernel = ((AxisOf("kernel", self.axes.kept), result), (AxisOf("kernel", self.axes.summed), data))
        return [*kernel, *((axis, result) for axis in vectors)]

    def axis_problem(self) -> BlockProblem | None:
        data, result = self.layouts["data"], self.layouts["result"]
        if bool(result.tiles) != bool(data.tiles) and (data.tiles or self.groups > 1):
            return BlockProblem("result", "the blocks of data", result)
        # A class with slots is made anew, so that plain `super` would not find it.
        return (self._group_problem() if result.tiles and self.groups > 1 else None) or SumBlocks.axis_problem(self)

    def are_alike(self, place: AxisOf, other: AxisOf) -> bool:
        """Blocks of outputs may be of another size in the kernel than in the result."""
        one, two = self.ending(place), self.ending(other)
        if one == two or place != AxisOf("kernel", self.axes.kept):
            return one == two
        if None in (one.tile, two.tile) or one.tile == two.tile:
            return False
        return self.sizes[place.axis] != 1 or None not in (one.padded, two.padded)

    def _group_problem(self) -> BlockProblem | None:
        outputs, inputs = self.sizes
        if self.axes.summed == self.axes.kept:
            is_alone = outputs == self.groups
            return None if is_alone else BlockProblem("groups", "one output channel each", outputs // self.groups)
        sizes = {OUTPUTS: outputs // self.groups, CHANNELS: inputs}
        tiles = {(axis, self.layouts["kernel"].tile_of(axis)) for axis in sizes}
        tiles.add((self.axes.kept, self.layouts["result"].tile_of(CHANNELS)))
        if any(tile is not None and sizes[axis] % tile for axis, tile in tiles):
            return BlockProblem("groups", "whole blocks of channels in each", self.groups)
        return None
