"""Base classes of ops on quantised numbers: an integer q represents the real number (q - zero point) * scale."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from xdsl.ir import Block, SSAValue

from .base import NpuOp
from .values import dims_agree, element_type_of, has_one_element, logical_shape, shape_text


class QuantizedOp(NpuOp, ABC):
    """An op on integers with scales and zero points."""

    def check_parameter(self, name: str, value: SSAValue, channels: int | None = None) -> None:
        """Check a scale or zero point: one element or, with `channels`, a vector with one element per channel."""
        self.check_tensor_class(name, value)
        if has_one_element(value):
            return
        shape = logical_shape(value)
        if channels is None or len(shape) != 1 or not dims_agree(shape[0], channels):
            expected = "one element" if channels is None else f"one element, or shape {shape_text((channels,))}"
            raise self.wrong(name, expected, shape_text(shape))

    def check_zero_point(self, name: str, value: SSAValue, of: SSAValue, channels: int | None = None) -> None:
        """Check a zero point, which has the element type of the value `of`."""
        self.check_element_type(name, value, element_type_of(of))
        self.check_parameter(name, value, channels)

    def check_scale(self, name: str, value: SSAValue, channels: int | None = None) -> None:
        """Check a scale."""
        self.check_float(name, value)
        self.check_parameter(name, value, channels)

    def check_parameters(self, channels: int | None = None, scales_like: SSAValue | None = None) -> None:
        """Check the scales and zero points of values, and the values; those along an axis may be one per channel."""
        for name, value in zip(self.operand_names(), self.operands, strict=True):
            size = channels if self.AXES.values.get(name) else None
            if name.endswith("_zero_point"):
                of = name.removesuffix("_zero_point")
                self.check_integer(of, getattr(self, of))
                self.check_zero_point(name, value, getattr(self, of), size)
            elif name.endswith("_scale"):
                self.check_scale(name, value, size)
                self.check_element_type(name, value, element_type_of(value if scales_like is None else scales_like))


class SteppedOp(QuantizedOp, ABC):
    """An op that is defined by several steps, such as sums of products, a bias, and requantisation."""

    @abstractmethod
    def steps(self, operands: Sequence[SSAValue]) -> list[NpuOp]:
        """New ops on these operands, of the types of those of the op, that compute the same bits; the last one ends."""

    def in_steps(self) -> Block:
        """A new block whose arguments are the operands, and whose ops are the steps."""
        block = Block(arg_types=[operand.type for operand in self.operands])
        steps = self.steps(block.args)
        for step in steps:
            step.location = self.location
        block.add_ops(steps)
        return block
