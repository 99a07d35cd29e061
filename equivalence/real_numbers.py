"""Quantised numbers as real numbers, where quantisation is the only rounding.

A dequantised value is a *quantity*: integers, and the scales and the zero point that make real numbers of them. A
product of quantities is a quantity whose integers are sums of i32. `npu.quantize` of a quantity is identified by the
integers and by the scales and zero points before and after, as `npu.requantize` is.
"""

from collections.abc import Callable, Container, Hashable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import IntegerType, Signedness, TensorType, f32, i8, i32
from xdsl.ir import Attribute, Block, SSAValue

from ..dialects.npu.activations import ClipOp, ReluOp
from ..dialects.npu.base import NpuOp
from ..dialects.npu.convolution import Conv1dOp, Conv2dOp
from ..dialects.npu.elementwise import BinaryOp
from ..dialects.npu.linear import GemmOp, MatmulIntegerOp, MatmulOp
from ..dialects.npu.movement import ConcatOp, SliceOp
from ..dialects.npu.pooling import GlobalMaxPoolOp, MaxPoolOp
from ..dialects.npu.quantities import clip, clipped_to, fits_sum, is_usual_scale, sees_data, signed_number
from ..dialects.npu.quantization import DequantizeOp, QuantizeOp, RequantizeOp, added, sums_like
from ..dialects.npu.quantized_convolution import Conv2dIntegerOp
from ..dialects.npu.resampling import UpsampleOp
from ..dialects.npu.shape import ViewOp
from ..dialects.npu.signals import in_two_dimensions
from ..dialects.npu.source import ConstantOp
from ..dialects.npu.values import element_type_of, shape_of, tensor_type
from ..dialects.program.written import splat
from ..layout import DYNAMIC, REPEATED, Arrangement, Piece
from .constants import Constants
from .notes import meaningful
from .values import NumberedValue, tensor

Pieces = tuple[Piece, ...]
BYTE = IntegerType(8, Signedness.UNSIGNED)
SHIFTS: Mapping[tuple[Attribute, Attribute], int] = {(BYTE, i8): -128, (i8, BYTE): 128}
"""The difference of the integers of 8 bits that keep their numbers, from one type to the other."""


class Numbered(NamedTuple):
    """A node, and the arrangement of its axes."""

    node: int
    stored: Arrangement


class Factor(NamedTuple):
    """A scale or zero point: one for all integers, or one per position along some pieces of them."""

    node: int
    own: Pieces = ()
    along: Pieces = ()


class Parameter(NamedTuple):
    """The operand that is the scale or the zero point of a dequantised value."""

    value: Numbered
    type: Attribute


@dataclass(frozen=True, slots=True)
class Quantity:
    """The real numbers (integer - zero point) times the scales."""

    integers: int
    element: Attribute
    scales: tuple[Factor, ...]
    zero: Factor | None
    """None: the zero point is 0."""
    parameters: tuple[Parameter, Parameter] | None = None
    """The scale and the zero point of dequantised integers; None for sums of products."""


class Concatenation(NamedTuple):
    """A concatenation of quantities."""

    op: ConcatOp
    operands: Sequence[Numbered]
    stored: Arrangement


class RealNumbers:
    """The quantities of two programs."""

    def __init__(
        self,
        number: Callable[[Hashable], int],
        constants: Constants,
        of_block: Callable[[Block, Sequence[NumberedValue]], NumberedValue],
        of_op: Callable[[NpuOp, Sequence[NumberedValue]], NumberedValue],
        *,
        in_signed_bytes: bool = False,
        has_float_weights: bool = False,
    ) -> None:
        """With `in_signed_bytes`, what is quantised to ui8 is the same in i8, moved by 128, as LiteRT computes it.

        Dequantised constants that only sums and products of elements read are constants of floats. With
        `has_float_weights` all are, and what they make is no quantity.
        """
        self._number = number
        self._constants = constants
        self._of_block = of_block
        """Numbers the ops of a block for these arguments."""
        self._of_op = of_op
        """Numbers an op as one on floats."""
        self._in_signed_bytes = in_signed_bytes
        self._has_float_weights = has_float_weights
        self._quantities: dict[int, Quantity] = {}
        self._clamped: dict[int, tuple[int, float, float]] = {}
        """The node that a clamped one is made of, with the bounds."""
        self._bounded: dict[int, tuple[float | None, float | None]] = {}
        """The bounds that integers were clipped to."""
        self._joined: dict[int, Concatenation] = {}
        """Concatenations of quantities with different scales."""
        self._resigned: dict[int, Quantity] = {}
        """The quantities of which integers are those in the other type of 8 bits, half of its range apart."""

        self._real_ones: Sequence[Container[int]] = (self._quantities, self._clamped, self._joined)
        """The nodes of which it is known that they are quantities, or made of some."""

    def value(self, op: NpuOp, operands: Sequence[NumberedValue]) -> NumberedValue | None:
        """The value of an op, if it is known what it does to real numbers."""
        if meaningful(op.attributes):
            return None
        found = self._value(op, list(map(_numbered, operands)))
        return None if found is None else NumberedValue(*found)

    def _value(self, op: NpuOp, operands: Sequence[Numbered]) -> Numbered | None:
        if self._in_signed_bytes and isinstance(op, QuantizeOp | RequantizeOp) and element_type_of(op.result) == BYTE:
            if (moved := self._by_signed_bytes(op, operands)) is not None:
                return moved
        match op:
            case DequantizeOp():
                return self._dequantized(op, *operands)
            case QuantizeOp() if any(operands[0].node in known for known in self._real_ones):
                return self._quantized(op, *operands)
            case RequantizeOp():
                return self._requantized(op, *operands)
            case Conv1dOp():
                return self._signal(op, operands)
            case Conv2dOp():
                return self._convolution(op, operands)
            case MatmulOp() | GemmOp():
                return self._product(op, operands)
            case MaxPoolOp() | GlobalMaxPoolOp() | UpsampleOp() | ConcatOp() | SliceOp():
                return self._selected(op, operands)
            case ReluOp():
                return self._clamp(op, operands[0], 0, inf)
            case ClipOp() if isinstance(element_type_of(op.result), IntegerType):
                return self._clipped_integers(op, operands[0])
            case ClipOp():
                low = -inf if op.min is None else op.min.value.data
                return self._clamp(op, operands[0], low, inf if op.max is None else op.max.value.data)
            case _:
                return None

    # Quantities.

    def _real(self, integers: Numbered, quantity: Quantity) -> Numbered:
        """The real numbers of a quantity, in the arrangement of its integers."""
        node = self._number(("real", quantity.integers, quantity.scales, quantity.zero))
        self._quantities[node] = quantity
        return Numbered(node, integers.stored)

    def _factor(self, value: Numbered, along: Pieces) -> Factor:
        if value.stored.is_repeated:
            return Factor(value.node)
        return Factor(value.node, value.stored.axes[0], along)

    def _zero(self, value: Numbered, along: Pieces) -> Factor | None:
        numbers = self._constants.numbers(value.node, value.stored)
        return None if numbers is not None and not numbers.any() else self._factor(value, along)

    def _scale(self, value: Numbered) -> NDArray[np.float32] | None:
        """The numbers of a scale: one if all are equal."""
        found = self._constants.numbers(value.node, value.stored)
        return None if found is None or found.shape[-1] != f32.size else found.view(np.float32)

    def _dequantized(self, op: DequantizeOp, integers: Numbered, scale: Numbered, zero: Numbered) -> Numbered | None:
        is_float = self._has_float_weights or _is_of_elements(op.result)
        if element_type_of(op.result) != f32 or (is_float and self._constants.is_written(integers.node)):
            return None
        along = () if op.axis is None else integers.stored.axes[op.axis.value.data]
        parameters = Parameter(scale, op.scale.type), Parameter(zero, op.zero_point.type)
        factors = (self._factor(scale, along),), self._zero(zero, along)
        quantity = Quantity(integers.node, element_type_of(op.input), *factors, parameters)
        base = self._resigned.get(integers.node)
        if base is not None and self._is_resigned(base, quantity.element, scale, zero):
            return self._real(integers, base)
        if _is_repeated(along) and not _is_along(quantity, None):
            return None
        return self._real(integers, quantity)

    def _quantized(self, op: QuantizeOp, numbers: Numbered, scale: Numbered, zero: Numbered) -> Numbered | None:
        if element_type_of(op.input) != f32:
            return None
        if (clipped := self._clipped(op, numbers, scale, zero)) is not None:
            return clipped
        if (joined := self._joined.get(numbers.node)) is not None and op.axis is None:
            if joined.stored == numbers.stored:
                return self._joined_integers(op, joined, scale, zero)
        quantity = self._quantities.get(numbers.node)
        if quantity is None:
            return _numbered(self._of_op(op, _plain([numbers, scale, zero])))
        along = () if op.axis is None else numbers.stored.axes[op.axis.value.data]
        if _is_repeated(along):
            return None
        element = element_type_of(op.result)
        after = self._factor(scale, along), self._zero(zero, along), element
        if after == (*quantity.scales, quantity.zero, quantity.element) and self._is_usual(scale):
            return Numbered(quantity.integers, numbers.stored)
        if self._is_resigned(quantity, element, scale, zero):
            node = self._number(("resigned", quantity.integers, element))
            self._resigned[node] = quantity
            return Numbered(node, numbers.stored)
        before = quantity.integers, quantity.scales, quantity.zero
        return Numbered(self._number(("requantised", before, after)), numbers.stored)

    def _is_resigned(self, base: Quantity, element: Attribute, scale: Numbered, zero: Numbered) -> bool:
        """True if a quantity has the same scale as another one, and its integers are 128 less or more."""
        shift = SHIFTS.get((base.element, element))
        if shift is None or base.parameters is None or base.scales != (Factor(scale.node),):
            return False
        new = self._zero_point(zero, element)
        old = self._zero_point(base.parameters[1].value, base.element)
        return new is not None and old is not None and new - old == shift and self._is_usual(scale)

    def _by_signed_bytes(self, op: QuantizeOp | RequantizeOp, operands: Sequence[Numbered]) -> Numbered | None:
        """Integers of ui8 as those of i8 that the same numbers are quantised to, by a zero point that is 128 less.

        The least and largest integers are 128 apart as well, so that both saturate alike.
        """
        *read, scale, zero = operands
        point = self._zero_point(zero, BYTE)
        if point is None or shape_of(op.operands[-1]) != () or not self._is_usual(scale):
            return None
        block = Block(arg_types=[operand.type for operand in op.operands[:-1]])
        moved = ConstantOp(splat(TensorType(i8, []), (point + SHIFTS[BYTE, i8]).to_bytes(1, "little", signed=True)))
        signed = type(op).create(
            operands=[*block.args, moved.result], result_types=[_of(op.result, i8)], properties=dict(op.properties)
        )
        block.add_ops([moved, signed])
        integers = _numbered(self._of_block(block, _plain([*read, scale])))
        if (base := self._resigned.get(integers.node)) is not None and base.element == BYTE:
            return Numbered(base.integers, integers.stored)
        node = self._number(("resigned", integers.node, BYTE))
        if op.axis is None or isinstance(op, RequantizeOp):
            zero = self._of_constant(moved)
            factors = (self._factor(scale, ()),), self._zero(zero, ())
            parameters = Parameter(scale, op.operands[-2].type), Parameter(zero, moved.result.type)
            self._resigned[node] = Quantity(integers.node, i8, *factors, parameters)
        return Numbered(node, integers.stored)

    def _of_constant(self, op: ConstantOp) -> Numbered:
        node, stored = self._constants.value(op)
        assert stored is not None, "a constant is a tensor"
        return Numbered(node, stored)

    def _zero_point(self, zero: Numbered, element: Attribute) -> int | None:
        """A zero point that is one known integer."""
        found = self._constants.numbers(zero.node, zero.stored)
        return None if found is None or len(found) != 1 else signed_number(found[0].tobytes(), element)

    def _requantized(
        self, op: RequantizeOp, sums: Numbered, lhs: Numbered, rhs: Numbered, scale: Numbered, zero: Numbered
    ) -> Numbered | None:
        along = () if op.axis is None else sums.stored.axes[op.axis.value.data]
        if _is_repeated(along):
            return None
        before = sums.node, _sorted(self._factor(lhs, ()), self._factor(rhs, along)), None
        after = self._factor(scale, ()), self._zero(zero, ()), element_type_of(op.result)
        return Numbered(self._number(("requantised", before, after)), sums.stored)

    def _is_usual(self, scale: Numbered) -> bool:
        numbers = self._scale(scale)
        return numbers is not None and is_usual_scale(numbers)

    # Products.

    def _convolution(self, op: Conv2dOp, operands: Sequence[Numbered]) -> Numbered | None:
        kernel = op.known_layout("kernel", op.kernel, "kernel_layout", op.kernel_layout)
        outputs = kernel.position_of("O")
        count = [size for axis, size in enumerate(shape_of(op.kernel)) if axis != outputs]
        channels = op.feature_layout("data", op.data).position_of("C")
        return self._sums(op, Conv2dIntegerOp, operands, count, outputs, channels)

    def _signal(self, op: Conv1dOp, operands: Sequence[Numbered]) -> Numbered | None:
        """The convolution of an image with one row."""
        shapes = [shape_of(value) for value in (*op.operands, op.result)]
        if any(each.node not in self._quantities for each in operands[:2]) or any(DYNAMIC in each for each in shapes):
            return None
        block = Block(arg_types=[operand.type for operand in op.operands])
        block.add_ops(in_two_dimensions(op, Conv2dOp, block.args, op.result))
        return _numbered(self._of_block(block, _plain(operands)))

    def _product(self, op: MatmulOp | GemmOp, operands: Sequence[Numbered]) -> Numbered | None:
        columns = len(shape_of(op.result)) - 1
        of_rhs = columns if op.trans_b is None else columns - 1
        inner = shape_of(op.rhs)[2 * columns - 1 - of_rhs]
        return self._sums(op, MatmulIntegerOp, operands, [inner], of_rhs, columns)

    def _sums(
        self,
        op: Conv2dOp | MatmulOp | GemmOp,
        on_integers: type[NpuOp],
        operands: Sequence[Numbered],
        count: Sequence[int],
        of_rhs: int,
        of_result: int,
    ) -> Numbered | None:
        """A product of quantities of which each element sums up so many products.

        The scale of the right factor may be one per position of an axis of it, which is an axis of the result.
        """
        lhs, rhs, *biases = operands
        left, right = (self._quantities.get(each.node) for each in (lhs, rhs))
        if left is None or right is None or left.parameters is None or right.parameters is None:
            return None
        along = rhs.stored.axes[of_rhs]
        if not (_is_along(left, None) and _is_along(right, along) and fits_sum(left.element, right.element, count)):
            return None
        types: list[Attribute] = [_of(op.operands[0], left.element), _of(op.operands[1], right.element)]
        read = [Numbered(left.integers, lhs.stored), Numbered(right.integers, rhs.stored)]
        for quantity in (left, right):
            assert quantity.parameters is not None, "asked above"
            read.append(quantity.parameters[1].value)
            types.append(quantity.parameters[1].type)
        for bias in biases:
            if not self._is_bias(bias, left, right, along, op.operands[2]):
                return None
            read.append(Numbered(self._quantities[bias.node].integers, bias.stored))
            types.append(_of(op.operands[2], i32))
        block = Block(arg_types=types)
        integers = on_integers.create(
            operands=block.args[:4], result_types=[sums_like(op.result)], properties=dict(op.properties)
        )
        block.add_op(integers)
        if biases:
            block.add_ops(added(integers.results[0], block.args[4], of_result))
        sums = _numbered(self._of_block(block, _plain(read)))
        (scale,) = right.scales
        scale = scale._replace(along=sums.stored.axes[of_result]) if scale.own else scale
        return self._real(sums, Quantity(sums.node, i32, _sorted(*left.scales, scale), None))

    def _is_bias(self, bias: Numbered, left: Quantity, right: Quantity, along: Pieces, value: SSAValue) -> bool:
        """True if a bias is of i32, with the product of the scales as its scale, and 0 as its zero point."""
        quantity = self._quantities.get(bias.node)
        if quantity is None or quantity.parameters is None or quantity.zero is not None or quantity.element != i32:
            return False
        if quantity.scales[0].own and (len(shape_of(value)) != 1 or quantity.scales[0].along != bias.stored.axes[0]):
            return False
        assert left.parameters is not None, "a factor has parameters"
        assert right.parameters is not None, "a factor has parameters"
        scales = [self._scale(each.parameters[0].value) for each in (left, right, quantity) if each.parameters]
        if any(scale is None for scale in scales):
            return False
        first, second, both = (scale for scale in scales if scale is not None)
        return bool(np.all(first * second == both))

    # Choices among numbers.

    def _selected(
        self, op: MaxPoolOp | GlobalMaxPoolOp | UpsampleOp | ConcatOp | SliceOp, operands: Sequence[Numbered]
    ) -> Numbered | None:
        """An op whose elements are elements of its operands: it selects the same ones of the integers."""
        quantities = [self._quantities.get(each.node) for each in operands]
        first = quantities[0]
        if first is None or first.parameters is None or not _is_along(first, None):
            return None
        alike = [(each.element, each.scales, each.zero) for each in quantities if each is not None]
        if len(alike) != len(operands):
            return None
        if isinstance(op, ConcatOp) and len(set(alike)) > 1:
            return self._concatenated(op, operands)
        if len(set(alike)) > 1 or not self._is_usual(first.parameters[0].value):
            return None
        if isinstance(op, MaxPoolOp | GlobalMaxPoolOp) and not sees_data(op):
            return None
        read = [Numbered(each.integers, x.stored) for each, x in zip(quantities, operands, strict=True) if each]
        integers = self._on_integers(op, first.element, read)
        quantity = Quantity(integers.node, first.element, first.scales, first.zero, first.parameters)
        return self._real(integers, quantity)

    def _on_integers(self, op: NpuOp, element: Attribute, read: Sequence[Numbered]) -> Numbered:
        """The op on integers of this type."""
        block = Block(arg_types=[_of(value, element) for value in op.operands])
        result = _of(op.results[0], element)
        block.add_op(type(op).create(operands=block.args, result_types=[result], properties=dict(op.properties)))
        return _numbered(self._of_block(block, _plain(read)))

    def _concatenated(self, op: ConcatOp, operands: Sequence[Numbered]) -> Numbered:
        """A concatenation of quantities with different scales, which may be quantised before it."""
        found = _numbered(self._of_op(op, _plain(operands)))
        self._joined[found.node] = Concatenation(op, operands, found.stored)
        return found

    def _joined_integers(
        self, op: QuantizeOp, joined: Concatenation, scale: Numbered, zero: Numbered
    ) -> Numbered | None:
        """The concatenation of the operands that are each quantised."""
        each = [self._quantized(op, operand, scale, zero) for operand in joined.operands]
        read = [operand for operand in each if operand is not None]
        return self._on_integers(joined.op, element_type_of(op.result), read) if len(read) == len(each) else None

    def _clamp(self, op: ReluOp | ClipOp, numbers: Numbered, low: float, high: float) -> Numbered | None:
        if element_type_of(op.result) != f32 or numbers.stored.is_repeated:
            return None
        node = self._number(("clamped", numbers.node, low, high))
        self._clamped[node] = numbers.node, low, high
        return Numbered(node, numbers.stored)

    def _clipped_integers(self, op: ClipOp, integers: Numbered) -> Numbered | None:
        """Integers that are clipped twice alike are those that are clipped once."""
        if self._bounded.get(integers.node) == op.bounds:
            return integers
        found = _numbered(self._of_op(op, _plain([integers])))
        self._bounded[found.node] = op.bounds
        return found

    def _clipped(self, op: QuantizeOp, numbers: Numbered, scale: Numbered, zero: Numbered) -> Numbered | None:
        """Clamped numbers that are quantised: they are quantised first, and clipped as integers if need be."""
        clamped, element = self._clamped.get(numbers.node), element_type_of(op.result)
        scales, zeros = self._scale(scale), self._constants.numbers(zero.node, zero.stored)
        if clamped is None or scales is None or zeros is None or scales.size != 1 or len(zeros) != 1:
            return None
        if not is_usual_scale(scales):
            return None
        node, low, high = clamped
        all_numbers = Numbered(node, numbers.stored)
        whole = self._quantized(op, all_numbers, scale, zero)
        bounds = clipped_to(low, high, scales.item(), signed_number(zeros[0].tobytes(), element), element)
        if whole is None or bounds.are_none:
            return whole
        block = Block(arg_types=[op.result.type])
        block.add_op(clip(block.args[0], bounds))
        return _numbered(self._of_block(block, _plain([whole])))


def _plain(values: Sequence[Numbered]) -> list[NumberedValue]:
    return [NumberedValue(*each) for each in values]


def _is_of_elements(value: SSAValue) -> bool:
    """True if only elementwise ops read a value or its views: floats are the same for them."""
    readers = [use.operation for use in value.uses]
    while readers:
        reader = readers.pop()
        if isinstance(reader, ViewOp):
            readers += [use.operation for use in reader.result.uses]
        elif not isinstance(reader, BinaryOp):
            return False
    return True


def _numbered(value: NumberedValue) -> Numbered:
    return Numbered(value.node, tensor(value))


def _sorted(*factors: Factor) -> tuple[Factor, ...]:
    return tuple(sorted(factors, key=lambda factor: factor.node))


def _is_along(quantity: Quantity, along: Pieces | None) -> bool:
    """True if there is one scale and one zero point, or one per position along these pieces."""
    factors = [*quantity.scales, *([] if quantity.zero is None else [quantity.zero])]
    return all(not factor.own or (along is not None and factor.along == along) for factor in factors)


def _is_repeated(along: Pieces) -> bool:
    """True if elements along an axis are equal, so that its pieces do not say where a factor belongs."""
    return any(piece.axis == REPEATED for piece in along)


def _of(value: SSAValue, element: Attribute) -> TensorType:
    """The type of a value, with another element type."""
    type_ = tensor_type(value)
    return TensorType(element, type_.get_shape(), type_.encoding)
