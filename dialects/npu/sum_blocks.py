"""Blocks of axes in the operands and results of ops that sum products: convolutions and products of matrices.

What is checked follows from the part that an axis plays. An axis that is summed needs zeros as padding, which add
nothing. An axis that the result keeps has padding in all values or in none, and zeros in the result only if the numbers
that are computed there are zeros.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from ...layout import Layout

CHANNELS = 1
"""The logical axis of the channels of a feature map, and of the input channels of a kernel."""
OUTPUTS = 0
"""The logical axis of the output channels of a kernel."""
LETTERS = {OUTPUTS: "O", CHANNELS: "I"}
"""The letters of these axes of a kernel."""


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

    def axis_problem(self) -> BlockProblem | None:
        """The first value whose axes do not have the blocks and the padding of others with the same positions."""
        axes = {*self.summed, *(axis for axes in self.kept for axis in axes)}
        for name, layout in self.layouts.items():
            if not layout.tiles and layout.order is not None:
                return BlockProblem(name, "axes in logical order beside values with blocks", layout)
            if {AxisOf(name, axis) for axis, _ in layout.tiles} - axes:
                return BlockProblem(name, "blocks of rows and columns only", layout)
        for first, *others in (self.summed, *self.kept):
            for other in others:
                if self.ending(other) != self.ending(first):
                    expected = f"blocks and padding along axis {other.axis} like axis {first.axis} of {first.name}"
                    return BlockProblem(other.name, expected, self.layouts.get(other.name, "none"))
        return None

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

    @property
    def is_depthwise(self) -> bool:
        return self.axes.summed == self.axes.kept

    def axis_problem(self) -> BlockProblem | None:
        data, result = self.layouts["data"], self.layouts["result"]
        has_whole_data = not data.tiles and self.groups == 1
        for name, layout in (("data", data), ("result", result)):
            if _axes_of(layout) not in ([], [CHANNELS]):
                return BlockProblem(name, "blocks of channels only", layout)
        if _axes_of(result) != _axes_of(data) and not has_whole_data:
            return BlockProblem("result", "the blocks of data", result)
        return self._kernel_problem(has_whole_data) or self._padding_problem() or self._vector_problem()

    def _kernel_problem(self, has_whole_data: bool) -> BlockProblem | None:
        kernel, tile = self.layouts["kernel"], self.layouts["data"].tile_of(CHANNELS)
        summed, kept = (LETTERS[axis] for axis in self.axes)
        if not self.layouts["result"].tiles:
            return None if not kernel.tiles else BlockProblem("kernel", "no blocks", kernel)
        if self.is_depthwise or has_whole_data:
            if _axes_of(kernel) != [self.axes.kept]:
                return BlockProblem("kernel", f"blocks along {kept}", kernel)
        elif _axes_of(kernel) != [OUTPUTS, CHANNELS] or kernel.tile_of(self.axes.summed) != tile:
            return BlockProblem("kernel", f"blocks along {kept}, and of {tile} along {summed} like data", kernel)
        return None if self.groups == 1 else self._group_problem()

    def _group_problem(self) -> BlockProblem | None:
        outputs, inputs = self.sizes
        if self.is_depthwise:
            is_alone = outputs == self.groups
            return None if is_alone else BlockProblem("groups", "one output channel each", outputs // self.groups)
        sizes = {OUTPUTS: outputs // self.groups, CHANNELS: inputs}
        tiles = {(axis, self.layouts["kernel"].tile_of(axis)) for axis in sizes}
        tiles.add((self.axes.kept, self.layouts["result"].tile_of(CHANNELS)))
        if any(tile is not None and sizes[axis] % tile for axis, tile in tiles):
            return BlockProblem("groups", "whole blocks of channels in each", self.groups)
        return None

    def _padding_problem(self) -> BlockProblem | None:
        for name, axis in (("result", self.axes.kept), ("data", self.axes.summed)):
            if not self._is_filled_alike(name, axis):
                expected = f"padding of channels like {LETTERS[axis]} of kernel"
                return BlockProblem(name, expected, self.layouts[name])
        return None

    def _is_filled_alike(self, name: str, axis: int) -> bool:
        """True if the channels of a feature map and an axis of the kernel are filled up both, or have one element."""
        channels, kernel = self.ending(AxisOf(name, CHANNELS)), self.ending(AxisOf("kernel", axis))
        if channels.tile == kernel.tile:
            return (channels.padded is None) == (kernel.padded is None)
        size = self.groups if self.is_depthwise else self.sizes[axis]
        return size != 1 or None not in (channels.padded, kernel.padded)

    def _vector_problem(self) -> BlockProblem | None:
        wanted = self.ending(AxisOf("result", CHANNELS))
        for name in (name for name, _ in self.kept[0] if name not in ("data", "kernel", "result")):
            found = self.ending(AxisOf(name, 0))
            if found.tile != wanted.tile or (found.padded is None) != (wanted.padded is None):
                expected = "blocks and padding like the channels of the result"
                return BlockProblem(name, expected, self.layouts[name])
        return None


def _axes_of(layout: Layout) -> list[int]:
    """The logical axes with blocks."""
    return [axis for axis, _ in layout.tiles]
