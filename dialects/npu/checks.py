"""Checks that the verifiers of ops share.

A verifier message names the op, the operand, result or attribute, the expected property and the one found:
`'npu.conv2d' kernel: expected 64 input channels, found 32`.
"""

from abc import ABC
from collections.abc import Sequence

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import VerifyException

from ...compat.xdsl import FormedOp
from ...layout import Layout
from .attrs import LayoutAttr
from .expected_shapes import note_expected
from .values import (
    element_type_of,
    is_boolean,
    is_float,
    is_integer,
    is_narrow_float,
    layout_of,
    rank_of,
    shape_of,
    shape_text,
    shapes_agree,
)


class CheckedOp(FormedOp, ABC):
    """An op with checks, each of which raises the error or returns nothing."""

    def wrong(self, name: str, expected: str, found: object) -> VerifyException:
        """An error about the operand, result or attribute of this name."""
        return VerifyException(f"'{self.name}' {name}: expected {expected}, found {found}")

    def check_shape(self, name: str, value: SSAValue, expected: Sequence[int]) -> None:
        note_expected(value, expected)
        if not shapes_agree(shape_of(value), expected):
            raise self.wrong(name, f"shape {shape_text(expected)}", shape_text(shape_of(value)))

    def check_rank(self, name: str, value: SSAValue, low: int, high: int | None = None) -> None:
        """Check the number of logical axes."""
        rank, layout = rank_of(value), layout_of(value)
        if layout is not None:
            rank = layout.logical_rank(rank)
        if not low <= rank <= (low if high is None else high):
            expected = f"rank {low}" if high is None else f"rank {low} to {high}"
            raise self.wrong(name, expected, shape_text(shape_of(value)))

    def check_element_type(self, name: str, value: SSAValue, expected: Attribute) -> None:
        if element_type_of(value) != expected:
            raise self.wrong(name, f"element type {expected}", element_type_of(value))

    def check_float(self, name: str, value: SSAValue) -> None:
        if not is_float(element_type_of(value)):
            raise self.wrong(name, "a float element type", element_type_of(value))

    def check_integer(self, name: str, value: SSAValue) -> None:
        if not is_integer(element_type_of(value)):
            raise self.wrong(name, "an integer element type", element_type_of(value))

    def check_number(self, name: str, value: SSAValue) -> None:
        if is_boolean(element_type_of(value)):
            raise self.wrong(name, "a number as element type", element_type_of(value))
        if is_narrow_float(element_type_of(value)):
            raise self.wrong(name, "an element type with arithmetic", element_type_of(value))

    def check_axis(self, name: str, axis: int, rank: int) -> None:
        if not 0 <= axis < rank:
            raise self.wrong(name, f"an axis from 0 to {rank - 1}", axis)

    def check_axes(self, name: str, axes: Sequence[int], rank: int) -> None:
        if len(set(axes)) != len(axes) or not all(0 <= axis < rank for axis in axes):
            raise self.wrong(name, f"different axes from 0 to {rank - 1}", list(axes))

    def check_numbers(self, name: str, numbers: Sequence[int], count: int, low: int) -> None:
        if len(numbers) != count or any(number < low for number in numbers):
            raise self.wrong(name, f"{count} number{'s' * (count != 1)} of at least {low}", list(numbers))

    def check_word(self, name: str, word: StringAttr, words: Sequence[str]) -> None:
        if word.data not in words:
            quoted = [f'"{each}"' for each in words]
            raise self.wrong(name, f"{', '.join(quoted[:-1])} or {quoted[-1]}", f'"{word.data}"')

    def check_layout(self, name: str, value: SSAValue, expected: Layout, because: str) -> None:
        layout = layout_of(value)
        if layout is not None and layout.unsized != expected.unsized:
            raise self.wrong(name, f"layout {expected} {because}", layout)

    def known_layout(self, name: str, value: SSAValue, attribute: str, declared: LayoutAttr | None) -> Layout:
        """The layout of a value whose axes have letters: from its type, or else from the attribute."""
        layout = layout_of(value)
        if declared is not None and layout is not None and declared.data != layout:
            raise self.wrong(attribute, f"{layout} like the type of {name}", declared.data)
        if layout is not None:
            return layout
        if declared is None:
            raise self.wrong(name, f"a layout, in its type or as {attribute}", shape_text(shape_of(value)))
        if problem := declared.data.mismatch(shape_of(value)):
            raise self.wrong(attribute, f"a layout that fits {name}", problem)
        return declared.data

    def check_tensor_class(self, name: str, value: SSAValue) -> None:
        """Check that the class of a value has no letters."""
        layout = layout_of(value)
        if layout is not None and layout.cls.is_cnn:
            raise self.wrong(name, "a layout of class Tensor or NTensor", layout)
