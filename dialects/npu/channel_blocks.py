"""Blocks of channels in the data, the kernel, the bias and the result of a convolution."""

from typing import NamedTuple

from ...layout import Layout, Tile

CHANNELS = 1
"""The logical axis of the channels of a feature map, and of the input channels of a kernel."""
OUTPUTS = 0
"""The logical axis of the output channels of a kernel."""


class Problem(NamedTuple):
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

    def problem(self) -> Problem | None:
        """The first value whose blocks or padding do not fit, or None."""
        for name, layout in (("data", self.data), ("result", self.result)):
            if layout.cut is not None and layout.cut.tiles != self._tiles(CHANNELS):
                return Problem(name, "blocks of channels only", layout)
        return self._kernel_problem() or self._padding_problem() or self._bias_problem()

    def _tiles(self, *axes: int) -> tuple[Tile, ...]:
        tile = self.data.tile_of(CHANNELS)
        return () if tile is None else tuple(Tile(axis, tile) for axis in axes)

    def _kernel_problem(self) -> Problem | None:
        tile = self.data.tile_of(CHANNELS)
        wanted = self._tiles(OUTPUTS) if self.is_depthwise else self._tiles(OUTPUTS, CHANNELS)
        found = () if self.kernel.cut is None else self.kernel.cut.tiles
        if found != wanted:
            axes = "O" if self.is_depthwise else "O and I"
            return Problem("kernel", f"blocks of {tile} along {axes} like data" if tile else "no blocks", self.kernel)
        if tile is None or self.groups == 1:
            return None
        if self.is_depthwise:
            is_whole = self.outputs == self.groups
            return None if is_whole else Problem("groups", "one output channel each", self.outputs // self.groups)
        if self.inputs % tile or self.outputs // self.groups % tile:
            return Problem("groups", f"whole blocks of {tile} channels in each", self.groups)
        return None

    def _padding_problem(self) -> Problem | None:
        if CHANNELS in self.data.padded_axes and not self.is_depthwise:
            for name, layout in (("data", self.data), ("kernel", self.kernel)):
                if not layout.has_zeros:
                    return Problem(name, "zeros as padding of the channels that are summed", layout)
        if self.result.padded_axes and self.result.has_zeros:
            operands = [self.kernel, *([] if self.bias is None else [self.bias])]
            operands += [self.data] if self.is_depthwise else []
            if not all(layout.has_zeros for layout in operands):
                return Problem("result", "padding that may be anything", self.result)
        return None

    def _bias_problem(self) -> Problem | None:
        if self.bias is None:
            return None
        found = () if self.bias.cut is None else self.bias.cut.tiles
        wanted = tuple(tile._replace(axis=0) for tile in self._tiles(CHANNELS))
        return None if found == wanted else Problem("bias", "blocks like the channels of the result", self.bias)
