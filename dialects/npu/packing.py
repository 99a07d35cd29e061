"""Conversions between layouts whose axes are cut into blocks, and others: the ops `pack` and `unpack` of linalg.

A pack fills the last block of each axis up, an unpack drops what it was filled with. Both mean the same logical tensor
before and after, so they are free to change the order of axes on the way.
"""

from abc import ABC
from typing import ClassVar

from xdsl.dialects.builtin import TensorType
from xdsl.interfaces import HasCanonicalizationPatternsInterface
from xdsl.ir import SSAValue
from xdsl.irdl import operand_def, result_def, traits_def
from xdsl.pattern_rewriter import RewritePattern
from xdsl.traits import Pure

from ...compat.xdsl import op_definition
from ...layout import DYNAMIC, Layout, holds
from .axes import Orders, Relayout
from .base import NpuOp
from .fusion import FusionKind
from .type_format import SIGNATURE
from .values import (
    element_type_of,
    encoding,
    layout_of,
    logical_shape,
    order_of_value,
    shape_of,
    shape_text,
    shapes_agree,
)


class PackingOp(NpuOp, HasCanonicalizationPatternsInterface, ABC):
    """An op whose result is the operand in another layout; at least one of the two has blocks."""

    FUSION_KIND: ClassVar[FusionKind] = FusionKind.INJECTIVE
    TAKES_BLOCKS: ClassVar[bool] = True
    WITH_BLOCKS: ClassVar[str]
    """The name of the value that has blocks."""

    input = operand_def(TensorType)
    result = result_def(TensorType)

    assembly_format = "$input " + SIGNATURE
    traits = traits_def(Pure())

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        # Imported late: the patterns import the ops, and most programs have no blocks.
        from .packing_patterns import PATTERNS

        return PATTERNS

    def verify_meaning(self) -> None:
        self.check_element_type("result", self.result, element_type_of(self.input))
        for name, value in (("input", self.input), ("result", self.result)):
            self._check_blocks(name, value)
        expected, found = logical_shape(self.input), logical_shape(self.result)
        if not shapes_agree(found, expected):
            raise self.wrong("result", f"logical shape {shape_text(expected)} like input", shape_text(found))

    def _check_blocks(self, name: str, value: SSAValue) -> None:
        layout, has_blocks = layout_of(value), name == self.WITH_BLOCKS
        if layout is None:
            raise self.wrong(name, "a layout in its type", shape_text(shape_of(value)))
        if bool(layout.tiles) is not has_blocks:
            raise self.wrong(name, "a layout with blocks" if has_blocks else "a layout without blocks", layout)

    def verify_layouts(self) -> None:
        operand, result = self.layouts()
        if operand.cls is not result.cls:
            raise self.wrong("result", f"a layout of class {operand.cls.value} like input", result)

    def layouts(self, relayout: Relayout | None = None) -> tuple[Layout, Layout]:
        """The layouts of operand and result, as they are or in another form."""
        operand, result = layout_of(self.input), layout_of(self.result)
        assert operand is not None, "the op verifies"
        assert result is not None, "the op verifies"
        if relayout is None:
            return operand, result
        return operand.with_order(relayout.operands[0]), result.with_order(relayout.results[0])

    def moves(self, relayout: Relayout | None = None) -> bool:
        """True if the bytes of operand and result are not known to be the same, as they are or in another form."""
        shape = logical_shape(self.input)
        if 0 in shape:
            return False
        return DYNAMIC in shape or not holds(*(layout.byte_order(shape) for layout in self.layouts(relayout)))

    def relayouts(self, operands: Orders, results: Orders) -> list[Relayout]:
        """Operand and result may be in any orders of their axes and pieces."""
        old, old_result = order_of_value(self.input), order_of_value(self.result)
        new, new_result = operands[0] or old, results[0] or old_result
        if len(new) != len(old) or len(new_result) != len(old_result):
            return []
        return [Relayout((new,), (new_result,))]


def packing(value: SSAValue, type_: TensorType) -> PackingOp:
    """A new pack or unpack of a value to this type."""
    layout = encoding(type_)
    op = PackOp if layout is not None and layout.tiles else UnpackOp
    return op.create(operands=[value], result_types=[type_])


@op_definition
class PackOp(PackingOp):
    """The operand, stored in blocks; the last block of an axis is filled up, with zeros if the result's type says so.

    The operand may have blocks of other sizes, or those of the result with padding that may be anything: zeros replace
    that.

    ```mlir
    %y = npu.pack %x : (tensor<1x40x8x8xf32, #npu.layout<NCHW>>)
      -> tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40, zeros>>
    ```
    """

    name = "npu.pack"

    WITH_BLOCKS: ClassVar[str] = "result"

    @property
    def changes_blocks(self) -> bool:
        """True if the operand has other blocks than the result, or the same ones without the zeros behind them."""
        operand, result = layout_of(self.input), layout_of(self.result)
        return operand is not None and result is not None and result.is_packed_from(operand)

    def _check_blocks(self, name: str, value: SSAValue) -> None:
        layout = layout_of(value)
        if name == self.WITH_BLOCKS or layout is None or not layout.tiles:
            super()._check_blocks(name, value)
        elif not self.changes_blocks:
            expected = "a layout without blocks, or other blocks than those of the result"
            raise self.wrong(name, expected, layout)


@op_definition
class UnpackOp(PackingOp):
    """The operand, stored without blocks; padding behind the end of an axis is dropped.

    ```mlir
    %y = npu.unpack %x : (tensor<1x3x8x8x16xf32, #npu.layout<NCHW16c, C = 40>>)
      -> tensor<1x8x8x40xf32, #npu.layout<NHWC>>
    ```
    """

    name = "npu.unpack"

    WITH_BLOCKS: ClassVar[str] = "input"
