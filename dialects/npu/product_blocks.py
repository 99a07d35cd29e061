"""Blocks of rows and columns in the operands, the bias and the result of a product of matrices."""

from collections.abc import Mapping
from typing import NamedTuple

from ...layout import Layout
from .channel_blocks import BlockProblem


class MatrixAxis(NamedTuple):
    """An axis of a matrix: the operand, result or bias, and the number of the axis."""

    name: str
    axis: int


class ProductBlocks(NamedTuple):
    """The layouts of a product, by the names of the values; values without a layout are missing."""

    layouts: Mapping[str, Layout]
    rows: tuple[MatrixAxis, ...]
    """The axis of the rows, in lhs and in the result."""
    columns: tuple[MatrixAxis, ...]
    """The axis of the columns, in rhs, in the result, and in the bias if that is a vector."""
    summed: tuple[MatrixAxis, ...]
    """The axis that is summed, in lhs and in rhs."""
    adds: bool
    """True if a bias is added."""
    absorbs: bool
    """True if zero times any number is zero, which holds for integers."""

    def problem(self) -> BlockProblem | None:
        """The first value whose blocks or padding do not fit, or None."""
        return self._order_problem() or self._axis_problem() or self._sum_problem() or self._zeros_problem()

    def _order_problem(self) -> BlockProblem | None:
        axes = {*self.rows, *self.columns, *self.summed}
        for name, layout in self.layouts.items():
            if not layout.tiles and layout.order is not None:
                return BlockProblem(name, "axes in logical order beside values with blocks", layout)
            if any(MatrixAxis(name, axis) not in axes for axis, _ in layout.tiles):
                return BlockProblem(name, "blocks of rows and columns only", layout)
        return None

    def _axis_problem(self) -> BlockProblem | None:
        """Axes with the same positions have the same blocks, and padding."""
        for first, *others in (self.summed, self.rows, self.columns):
            for other in others:
                if self._ending(other) != self._ending(first):
                    expected = f"blocks and padding along axis {other.axis} like axis {first.axis} of {first.name}"
                    return BlockProblem(other.name, expected, self.layouts.get(other.name, "none"))
        return None

    def _ending(self, place: MatrixAxis) -> tuple[int | None, int | None]:
        """The size of the blocks along an axis, and that of the axis if it ends in padding."""
        layout = self.layouts.get(place.name)
        return (None, None) if layout is None else (layout.tile_of(place.axis), layout.padded_axes.get(place.axis))

    def _is_padded(self, place: MatrixAxis) -> bool:
        return self._ending(place)[1] is not None

    def _sum_problem(self) -> BlockProblem | None:
        """Products of padding are zeros: either factor is for integers, both are for floats."""
        if not self._is_padded(self.summed[0]):
            return None
        others = [layout for name, _ in self.summed if not (layout := self.layouts[name]).has_zeros]
        if len(others) <= (1 if self.absorbs else 0):
            return None
        name = next(name for name, _ in self.summed if not self.layouts[name].has_zeros)
        return BlockProblem(name, "zeros as padding of the numbers that are summed", self.layouts[name])

    def _zeros_problem(self) -> BlockProblem | None:
        result = self.layouts.get("result")
        if result is None or not result.padded_axes or not result.has_zeros or self._gives_zeros():
            return None
        return BlockProblem("result", "padding that may be anything", result)

    def _gives_zeros(self) -> bool:
        """True if the padding of the result is computed from zeros."""
        by_rows, by_columns = self._is_padded(self.rows[0]), self._is_padded(self.columns[0])
        if self.adds and (by_rows or "bias" not in (name for name, _ in self.columns)):
            return False
        sources = [self.rows[0]] * by_rows + [each for each in self.columns if each.name != "result"] * by_columns
        return all(self.layouts[name].has_zeros for name, _ in sources)
