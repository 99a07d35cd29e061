"""Ops with one number per position along an axis."""

from abc import ABC

from xdsl.ir import SSAValue

from .axes import numbers_of
from .base import is_cut
from .same_layout import SameLayoutOp
from .values import (
    has_one_element,
    layout_of,
    logical_shape,
)


class VectorsAlongAxis(SameLayoutOp, ABC):
    """An op with operands that hold one number per position along `axis`, such as a scale per channel."""

    def check_vector(self, name: str, value: SSAValue, size: int) -> None:
        layout, whole = layout_of(value), layout_of(self.operands[0])
        if layout is None or not layout.tiles:
            self.check_shape(name, value, (size,))
        elif whole is None or not whole.tiles:
            raise self.wrong(name, "a layout without blocks, like the data", layout)
        else:
            axis = whole.axis_at(self.vector_axis)
            found = [layout.tile_of(0), *logical_shape(value)]
            if found != [whole.tile_of(axis), logical_shape(self.operands[0])[axis]]:
                raise self.wrong(name, f"blocks like those of dimension {self.vector_axis} of {whole}", layout)

    @property
    def vector_axis(self) -> int:
        """The stored axis along which the vectors are."""
        return numbers_of(self.properties["axis"])[0]

    def vector_places(self) -> list[int]:
        """The stored axes along which the vectors are: the outer and the inner piece if they are in blocks."""
        layout = layout_of(self.operands[0])
        if layout is None or not layout.tiles or not self.has_vectors_in_blocks():
            return [self.vector_axis]
        return layout.pieces_by_axis()[layout.axis_at(self.vector_axis)]

    def has_vectors_in_blocks(self) -> bool:
        """True if all vectors are in blocks, so that their axis and the data's are cut alike."""
        vectors = [
            value
            for name, value in zip(self.operand_names(), self.operands, strict=True)
            if name in self.AXES.vectors and not has_one_element(value)
        ]
        return all(map(is_cut, vectors))
