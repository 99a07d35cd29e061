"""Blocks of channels in the data, the kernel, the bias and the result of a convolution."""

from typing import NamedTuple

from ...layout import Layout, Tile

CHANNELS = 1
"""The logical axis of the channels of a feature map, and of the input channels of a kernel."""
OUTPUTS = 0
"""The logical axis of the output channels of a kernel."""


class BlockProblem(NamedTuple):
    """The operand or result that does not fit the others."""

    name: str
    expected: str
    found: object


class ChannelBlocks(NamedTuple):
    """The layouts of a convolution, and its numbers of channels; None where they are unknown."""

    data: Layout
    kernel: Layout
    bias: Layout | None
    result: Layout
    groups: int
    inputs: int
    """Those of each group."""
    outputs: int

    @property
    def is_depthwise(self) -> bool:
        return self.groups > 1 and self.inputs == 1

    @property
    def has_whole_data(self) -> bool:
        """True if the data has no blocks, though the result may have some."""
        return self.data.cut is None and self.groups == 1

    @property
    def _tile(self) -> int | None:
        """The size of the blocks of the result."""
        return self.result.tile_of(CHANNELS)

    def problem(self) -> BlockProblem | None:
        """The first value whose blocks or padding do not fit, or None."""
        for name, layout in (("data", self.data), ("result", self.result)):
            if _tiles_of(layout) not in ((), _blocks(layout.tile_of(CHANNELS), CHANNELS)):
                return BlockProblem(name, "blocks of channels only", layout)
        if _tiles_of(self.result) != _tiles_of(self.data) and not self.has_whole_data:
            return BlockProblem("result", "the blocks of data", self.result)
        return self._kernel_problem() or self._padding_problem() or self._bias_problem()

    def _kernel_problem(self) -> BlockProblem | None:
        tile, has_whole_inputs = self._tile, self.is_depthwise or self.has_whole_data
        wanted = _blocks(tile, OUTPUTS) if has_whole_inputs else _blocks(tile, OUTPUTS, CHANNELS)
        if _tiles_of(self.kernel) != wanted:
            axes, like = "O" if has_whole_inputs else "O and I", "result" if self.has_whole_data else "data"
            return BlockProblem(
                "kernel", f"blocks of {tile} along {axes} like {like}" if tile else "no blocks", self.kernel
            )
        if tile is None or self.groups == 1:
            return None
        if self.is_depthwise:
            is_whole = self.outputs == self.groups
            return None if is_whole else BlockProblem("groups", "one output channel each", self.outputs // self.groups)
        if self.inputs % tile or self.outputs // self.groups % tile:
            return BlockProblem("groups", f"whole blocks of {tile} channels in each", self.groups)
        return None

    def _padding_problem(self) -> BlockProblem | None:
        is_padded = OUTPUTS in self.kernel.padded_axes
        if (CHANNELS in self.result.padded_axes) != is_padded:
            return BlockProblem("result", "padding of channels like O of kernel", self.result)
        summed = self.kernel.padded_axes.keys() & {OUTPUTS if self.is_depthwise else CHANNELS}
        if (CHANNELS in self.data.padded_axes) != bool(summed):
            return BlockProblem(
                "data", f"padding of channels like {'O' if self.is_depthwise else 'I'} of kernel", self.data
            )
        if CHANNELS in self.data.padded_axes and not self.is_depthwise:
            for name, layout in (("data", self.data), ("kernel", self.kernel)):
                if not layout.has_zeros:
                    return BlockProblem(name, "zeros as padding of the channels that are summed", layout)
        if self.result.padded_axes and self.result.has_zeros:
            operands = [self.kernel, *([] if self.bias is None else [self.bias])]
            operands += [self.data] if self.is_depthwise else []
            if not all(layout.has_zeros for layout in operands):
                return BlockProblem("result", "padding that may be anything", self.result)
        return None

    def _bias_problem(self) -> BlockProblem | None:
        if self.bias is None:
            return None
        is_alike = (CHANNELS in self.result.padded_axes) == bool(self.bias.padded_axes)
        if is_alike and _tiles_of(self.bias) == _blocks(self._tile, 0):
            return None
        return BlockProblem("bias", "blocks and padding like the channels of the result", self.bias)


def _blocks(tile: int | None, *axes: int) -> tuple[Tile, ...]:
    return () if tile is None else tuple(Tile(axis, tile) for axis in axes)


def _tiles_of(layout: Layout) -> tuple[Tile, ...]:
    return () if layout.cut is None else layout.cut.tiles
