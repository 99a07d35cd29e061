"""Resizing of images in NHWC."""

from collections.abc import Iterator
from fractions import Fraction

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import SSAValue

from .....dialects.npu.attrs import i64_array
from .....dialects.npu.resampling import BilinearOp, UpsampleOp
from .....dialects.npu.values import is_float
from ..node import ImportedOp, Operand
from ..registry import reads
from .convolution import layout


@reads("tosa.resize")
def resize(node: ImportedOp, x: Operand, scale: Operand, offset: Operand, border: Operand) -> SSAValue:
    axes = [
        _ResizedAxis(*sizes, *steps)
        for sizes, steps in zip(
            zip(x.shape[1:3], node.shape[1:3], strict=True),
            zip(scale.ints[::2], scale.ints[1::2], offset.ints, strict=True),
            strict=True,
        )
    ]
    if "BILINEAR" in node.text("mode"):
        return _bilinear(node, x, axes)
    factors = [axis.length // axis.size for axis in axes]
    node.require(
        all(axis.repeats(factor) for axis, factor in zip(axes, factors, strict=True)), "not a repetition of elements"
    )
    properties = {"factors": i64_array(*factors), "data_layout": layout("NHWC")}
    return node.add(UpsampleOp, [x.value], properties)


class _ResizedAxis:
    """An axis that is resized: position r of the result lies at (r * step + offset) / scale in the input."""

    def __init__(self, size: int, length: int, scale: int, step: int, offset: int):
        self.size, self.length = size, length
        self._scale, self._step, self._offset = scale, step, offset

    def positions(self) -> Iterator[Fraction]:
        return (Fraction(place * self._step + self._offset, self._scale) for place in range(self.length))

    def repeats(self, factor: int) -> bool:
        """True if nearest-neighbour resizing (ties to the later element) repeats each element `factor` times."""
        nearest = (min(max((position + Fraction(1, 2)).__floor__(), 0), self.size - 1) for position in self.positions())
        return factor >= 1 and all(found == place // factor for place, found in enumerate(nearest))

    def lies(self, coordinates: str) -> bool:
        """True if the positions are those of `npu.bilinear` with these coordinates."""
        return all(
            min(max(found, Fraction(0)), Fraction(self.size - 1)) == min(max(place, Fraction(0)), self.size - 1)
            for found, place in zip(self.positions(), self._places(coordinates), strict=True)
        )

    def _places(self, coordinates: str) -> Iterator[Fraction]:
        ratio = Fraction(self.size, self.length)
        half = Fraction(1, 2)
        for place in range(self.length):
            match coordinates:
                case "half_pixel":
                    yield (place + half) * ratio - half
                case "asymmetric":
                    yield place * ratio
                case _:
                    yield Fraction(place * (self.size - 1), max(self.length - 1, 1))


def _bilinear(node: ImportedOp, x: Operand, axes: list[_ResizedAxis]) -> SSAValue:
    node.require(is_float(x.type) and node.element == x.type, "integers")
    ways = [way for way in BilinearOp.COORDINATES if all(axis.lies(way) for axis in axes)]
    node.require(len(ways) > 0, "unsupported coordinates")
    properties = {
        "sizes": i64_array(*(axis.length for axis in axes)),
        "coordinates": StringAttr(ways[0]),
        "data_layout": layout("NHWC"),
    }
    return node.add(BilinearOp, [x.value], properties)
