"""Blocks of channels in the data, the kernel, the vectors and the result of a convolution."""

from collections.abc import Mapping
from typing import NamedTuple

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


class KernelAxes(NamedTuple):
    """The axes of a kernel along which products are summed, and along which the channels of the result are."""

    summed: int
    kept: int


FORWARD = KernelAxes(CHANNELS, OUTPUTS)
TRANSPOSED = KernelAxes(OUTPUTS, CHANNELS)


class Zeros(NamedTuple):
    """The numbers of a convolution that are known without its data."""

    absorb: bool
    """True if zero times any number is zero, which holds for integers."""
    data: bool = True
    """True if the zero point of the data is zero, or it has none."""
    kernel: bool = True
    """True if the zero point of the kernel is zero, or it has none."""
    result: bool = True
    """True if the zero point of the result is zero, or it has none."""


class ChannelBlocks(NamedTuple):
    """The layouts of a convolution, and its numbers of channels; None where they are unknown."""

    data: Layout
    kernel: Layout
    vectors: Mapping[str, Layout]
    """The layouts of operands with one number for each channel of the result."""
    result: Layout
    groups: int
    axes: KernelAxes
    sizes: tuple[int, int]
    """The numbers of output and of input channels of the kernel."""
    zeros: Zeros

    @property
    def is_depthwise(self) -> bool:
        return self.groups > 1 and self.sizes[CHANNELS] == 1

    @property
    def has_whole_data(self) -> bool:
        """True if the data has no blocks, though the result may have some."""
        return not self.data.tiles and self.groups == 1

    @property
    def summed(self) -> int:
        """The axis of the kernel that has blocks like the data; a depthwise convolution has one axis of blocks."""
        return OUTPUTS if self.is_depthwise else self.axes.summed

    @property
    def kept(self) -> int:
        """The axis of the kernel along which the channels of the result are."""
        return OUTPUTS if self.is_depthwise else self.axes.kept

    def problem(self) -> BlockProblem | None:
        """The first value whose blocks or padding do not fit, or None."""
        for name, layout in (("data", self.data), ("result", self.result)):
            if _axes_of(layout) not in ([], [CHANNELS]):
                return BlockProblem(name, "blocks of channels only", layout)
        if _axes_of(self.result) != _axes_of(self.data) and not self.has_whole_data:
            return BlockProblem("result", "the blocks of data", self.result)
        return self._kernel_problem() or self._padding_problem() or self._vector_problem()

    def _kernel_problem(self) -> BlockProblem | None:
        tile = self.data.tile_of(CHANNELS)
        if not self.result.tiles:
            return None if not self.kernel.tiles else BlockProblem("kernel", "no blocks", self.kernel)
        if self.is_depthwise or self.has_whole_data:
            if _axes_of(self.kernel) != [self.kept]:
                return BlockProblem("kernel", f"blocks along {LETTERS[self.kept]}", self.kernel)
        elif _axes_of(self.kernel) != [OUTPUTS, CHANNELS] or self.kernel.tile_of(self.summed) != tile:
            letters = LETTERS[self.kept], LETTERS[self.summed]
            expected = f"blocks along {letters[0]}, and of {tile} along {letters[1]} like data"
            return BlockProblem("kernel", expected, self.kernel)
        return None if self.groups == 1 else self._group_problem()

    def _group_problem(self) -> BlockProblem | None:
        outputs, inputs = self.sizes
        if self.is_depthwise:
            is_alone = outputs == self.groups
            return None if is_alone else BlockProblem("groups", "one output channel each", outputs // self.groups)
        sizes = {OUTPUTS: outputs // self.groups, CHANNELS: inputs}
        tiles = {(axis, self.kernel.tile_of(axis)) for axis in sizes} | {(self.kept, self.result.tile_of(CHANNELS))}
        if any(tile is not None and sizes[axis] % tile for axis, tile in tiles):
            return BlockProblem("groups", "whole blocks of channels in each", self.groups)
        return None

    def _padding_problem(self) -> BlockProblem | None:
        if not self._is_filled_alike(self.result, self.kept):
            expected = f"padding of channels like {LETTERS[self.kept]} of kernel"
            return BlockProblem("result", expected, self.result)
        if not self._is_filled_alike(self.data, self.summed):
            return BlockProblem("data", f"padding of channels like {LETTERS[self.summed]} of kernel", self.data)
        if CHANNELS in self.data.padded_axes and not self.is_depthwise and (found := self._sum_problem()) is not None:
            return found
        if self.result.padded_axes and self.result.has_zeros and not self._gives_zeros():
            return BlockProblem("result", "padding that may be anything", self.result)
        return None

    def _is_filled_alike(self, feature: Layout, axis: int) -> bool:
        """True if the channels of a feature map and an axis of the kernel are filled up both, or have one element."""
        if feature.tile_of(CHANNELS) == self.kernel.tile_of(axis):
            return (CHANNELS in feature.padded_axes) == (axis in self.kernel.padded_axes)
        size = self.groups if self.is_depthwise else self.sizes[axis]
        return size != 1 or (CHANNELS in feature.padded_axes and axis in self.kernel.padded_axes)

    def _sum_problem(self) -> BlockProblem | None:
        """Products of padding are zeros: either factor is for integers, both are for floats."""
        data, kernel = (self.data.has_zeros and self.zeros.data), (self.kernel.has_zeros and self.zeros.kernel)
        if (data or kernel) if self.zeros.absorb else (data and kernel):
            return None
        expected = "zeros as padding of the channels that are summed"
        if not self.zeros.absorb:
            return BlockProblem(*(("kernel", expected, self.kernel) if data else ("data", expected, self.data)))
        return BlockProblem("kernel", f"{expected}, with a constant zero point of zeros", self.kernel)

    def _gives_zeros(self) -> bool:
        """True if the padding of the result is computed from zeros."""
        operands = [self.kernel, *self.vectors.values()]
        if self.is_depthwise and not self.zeros.absorb:
            operands.append(self.data)
        return self.zeros.kernel and self.zeros.result and all(layout.has_zeros for layout in operands)

    def _vector_problem(self) -> BlockProblem | None:
        tile = self.result.tile_of(CHANNELS)
        wanted = () if tile is None else ((0, tile),)
        for name, layout in self.vectors.items():
            is_alike = (CHANNELS in self.result.padded_axes) == bool(layout.padded_axes)
            if not is_alike or layout.tiles != wanted:
                return BlockProblem(name, "blocks and padding like the channels of the result", layout)
        return None


def _axes_of(layout: Layout) -> list[int]:
    """The logical axes with blocks."""
    return [axis for axis, _ in layout.tiles]
