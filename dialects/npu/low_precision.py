"""Numbers of few bits with a scale for each block along an axis, and the product with a matrix of them."""

from abc import ABC
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IntegerType, Signedness, TensorType, i32
from xdsl.ir import SSAValue
from xdsl.irdl import AttrSizedOperandSegments, operand_def, opt_operand_def, opt_prop_def, prop_def

from ...compat.xdsl import op_definition
from ...layout import DYNAMIC
from .attrs import I64
from .axes import AxisTable, Orders, Relayout
from .base import InputOp
from .declared_axes import axes_of
from .fusion import FusionKind
from .quantized import QuantizedOp
from .same_layout import SameLayoutOp
from .values import element_type_of, is_float, is_integer, is_narrow_float, order_of_value, rank_of, shape_of

BYTE = IntegerType(8, Signedness.UNSIGNED)
"""The elements in which numbers of few bits lie side by side."""


class BlockScaledOp(QuantizedOp, SameLayoutOp, InputOp, ABC):
    """An op that converts floats to numbers with a scale for each block along an axis, or back.

    The scales and zero points have the axes of the data, in its order: along `axis` one for each `block_size`
    positions, of which the last block may have fewer.
    """

    FUSION_KIND: ClassVar[FusionKind] = FusionKind.BROADCAST
    AXES: ClassVar[AxisTable] = axes_of("input[*A], scale[*A], zero_point[*A] -> result[*A]; axis: one")
    TAKES_PADDING: ClassVar[bool] = False

    scale = operand_def(TensorType)
    zero_point = opt_operand_def(TensorType)
    axis = prop_def(I64)
    block_size = prop_def(I64)

    def check_both(self, numbers: str, quantized: str) -> None:
        """Check the op; `numbers` and `quantized` are the names `input` and `result`, or vice versa."""
        few: SSAValue = getattr(self, quantized)
        element = element_type_of(few)
        self.check_float(numbers, getattr(self, numbers))
        if not (is_integer(element) or is_narrow_float(element)):
            raise self.wrong(quantized, "integers or floats of 8 bits or fewer", element)
        scales = element_type_of(self.scale)
        if not (is_float(scales) or is_narrow_float(scales)):
            raise self.wrong("scale", "a float element type", scales)
        shape, axis, size = [*shape_of(self.input)], self.axis.value.data, self.block_size.value.data
        self.check_axis("axis", axis, len(shape))
        self.check_numbers("block_size", [size], 1, 1)
        self.check_shape("result", self.result, tuple(shape))
        shape[axis] = DYNAMIC if shape[axis] == DYNAMIC else -(-shape[axis] // size)
        self.check_shape("scale", self.scale, tuple(shape))
        if self.zero_point is not None:
            self.check_element_type("zero_point", self.zero_point, element)
            self.check_shape("zero_point", self.zero_point, tuple(shape))


@op_definition
class BlockQuantizeOp(BlockScaledOp):
    """x / scale plus the zero point, rounded to the nearest number of the element type, saturated.

    Each block of `block_size` positions along `axis` has its scale and maybe its zero point. The quotient of integers
    is rounded (halves to the even one) before the zero point is added.

    ```mlir
    %q = npu.block_quantize %x, %s axis = 1 block_size = 32
      : (tensor<64x128xf32>, tensor<64x4xf8E8M0FNU>) -> tensor<64x128xf4E2M1FN>
    ```
    """

    name = "npu.block_quantize"

    def verify_meaning(self) -> None:
        self.check_both(numbers="input", quantized="result")


@op_definition
class BlockDequantizeOp(BlockScaledOp):
    """(x - zero point) * scale.

    Each block of `block_size` positions along `axis` has its scale and maybe its zero point.

    ```mlir
    %y = npu.block_dequantize %q, %s, %z axis = 1 block_size = 32
      : (tensor<64x128xi4>, tensor<64x4xf32>, tensor<64x4xi4>) -> tensor<64x128xf32>
    ```
    """

    name = "npu.block_dequantize"

    def verify_meaning(self) -> None:
        self.check_both(numbers="result", quantized="input")


@op_definition
class MatmulNBitsOp(SameLayoutOp, InputOp):
    """The product of the input along `axis` and a matrix of numbers of few bits, maybe plus a bias.

    The weights are bytes of shape columns x blocks x bytes of a block: row n of the bytes has the numbers for column n
    of the result, `bits` each and without sign, the first one in the lowest bits. Each block of `block_size` numbers
    has a scale, and a zero point: half of the range if there is none, packed like the weights, or a float. With
    `groups`, a list with an entry for each row, number k has the scale and zero point of block `groups[k]`. The matrix
    is (number - zero point) * scale. ONNX Runtime calls the op MatMulNBits; `accuracy` is its `accuracy_level`.

    ```mlir
    %y = npu.matmul_nbits %x, %w, %s axis = 2 bits = 4 block_size = 32
      : (tensor<1x7x64xf32>, tensor<48x2x16xui8>, tensor<48x2xf32>) -> tensor<1x7x48xf32>
    ```
    """

    name = "npu.matmul_nbits"

    FUSION_KIND: ClassVar[FusionKind] = FusionKind.OUT_FUSABLE
    AXES: ClassVar[AxisTable] = axes_of(
        "input[*A], weights[O, B, P], scale[*S], zero_point[*Z], groups[K], bias[J] -> result[*A]; axis: one"
    )
    TAKES_PADDING: ClassVar[bool] = False

    weights = operand_def(TensorType)
    scale = operand_def(TensorType)
    zero_point = opt_operand_def(TensorType)
    groups = opt_operand_def(TensorType)
    bias = opt_operand_def(TensorType)
    axis = prop_def(I64)
    bits = prop_def(I64)
    block_size = prop_def(I64)
    accuracy = opt_prop_def(I64)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    assembly_format = (
        "$input `,` $weights `,` $scale (`zero_point` `(` $zero_point^ `:` type($zero_point) `)`)?"
        " (`groups` `(` $groups^ `:` type($groups) `)`)? (`bias` `(` $bias^ `:` type($bias) `)`)?"
        " `axis` `=` $axis `bits` `=` $bits `block_size` `=` $block_size (`accuracy` `=` $accuracy^)?"
        " attr-dict `:` `(` type($input) `,` type($weights) `,` type($scale) `)` `->` type($result)"
    )

    def verify_meaning(self) -> None:
        self.check_float("input", self.input)
        element, shape = element_type_of(self.input), [*shape_of(self.input)]
        axis, bits, size = (int(each.value.data) for each in (self.axis, self.bits, self.block_size))
        self.check_axis("axis", axis, len(shape))
        if bits not in (2, 4, 8):
            raise self.wrong("bits", "2, 4 or 8", bits)
        if size < 16 or size & (size - 1):
            raise self.wrong("block_size", "a power of two of at least 16", size)
        self.check_element_type("weights", self.weights, BYTE)
        self.check_rank("weights", self.weights, 3)
        columns = shape_of(self.weights)[0]
        blocks = DYNAMIC if shape[axis] == DYNAMIC else -(-shape[axis] // size)
        self.check_shape("weights", self.weights, (columns, blocks, size * bits // 8))
        self.check_element_type("scale", self.scale, element)
        self._check_matrix("scale", self.scale, columns, blocks)
        self._check_zero_points(columns, blocks)
        if self.groups is not None:
            self.check_element_type("groups", self.groups, i32)
            self.check_shape("groups", self.groups, (shape[axis],))
        if self.bias is not None:
            self.check_element_type("bias", self.bias, element)
            self.check_shape("bias", self.bias, (columns,))
        self.check_element_type("result", self.result, element)
        shape[axis] = columns
        self.check_shape("result", self.result, tuple(shape))

    def _check_zero_points(self, columns: int, blocks: int) -> None:
        if self.zero_point is None:
            return
        bits = self.bits.value.data
        if element_type_of(self.zero_point) == BYTE:
            packed = DYNAMIC if blocks == DYNAMIC else -(-blocks * bits // 8)
            self._check_matrix("zero_point", self.zero_point, columns, packed)
        else:
            self.check_element_type("zero_point", self.zero_point, element_type_of(self.input))
            self._check_matrix("zero_point", self.zero_point, columns, blocks)

    def _check_matrix(self, name: str, value: SSAValue, rows: int, columns: int) -> None:
        """Check a matrix, which may be flat."""
        is_known = DYNAMIC not in (rows, columns)
        flat = (rows * columns if is_known else DYNAMIC,)
        self.check_shape(name, value, flat if rank_of(value) == 1 else (rows, columns))

    def _stored_axes(
        self, names: Sequence[str], values: Iterable[SSAValue], sharing: Sequence[int]
    ) -> Iterator[Iterable[Hashable]]:
        """The axes of each value: those of the data, or all others of its own."""
        for index, (name, value) in enumerate(zip(names, values, strict=True)):
            places = range(rank_of(value))
            yield places if index in sharing else [(name, place) for place in places]

    def relayouts(self, operands: Orders, results: Orders) -> list[Relayout]:
        """The forms for data in any order; nothing else has another one."""
        own = [order_of_value(value) for value in self.operands[1:]]
        if any(order not in (None, known) for order, known in zip(operands[1:], own, strict=True)):
            return []
        return super().relayouts([operands[0], *own], results)
