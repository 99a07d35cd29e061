"""Base classes of ops on quantised numbers: an integer q represents the real number (q - zero point) * scale."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from xdsl.ir import Block, SSAValue

from .base import NpuOp
from .values import dims_agree, element_type_of, has_one_element, is_integer, logical_shape, shape_text


class QuantizedOp(NpuOp, ABC):
    """An op on integers with scales and zero points."""

    def check_quantized(self, name: str, value: SSAValue) -> None:
        if not is_integer(element_type_of(value)):
            raise self.wrong(name, "an integer element type", element_type_of(value))

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

    def check_same_scale(self, name: str, value: SSAValue, first: SSAValue) -> None:
        """Check the one scale of a value, which has the element type of the first one."""
        self.check_scale(name, value)
        self.check_element_type(name, value, element_type_of(first))


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
