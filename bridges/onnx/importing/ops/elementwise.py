"""Arithmetic, logic and comparison, element by element."""

from collections.abc import Sequence

import numpy as np
from onnx import helper
from xdsl.dialects.builtin import StringAttr, f32, f64, i1, i32, i64
from xdsl.ir import Attribute, Operation, SSAValue

from .....dialects.notes.node_kinds import ONNX_KIND
from .....dialects.npu import binary, unary
from .....dialects.npu.base import NpuOp
from .....dialects.npu.elementwise import BitcastOp, CastOp, CompareOp, SelectOp
from .....dialects.npu.values import element_type_of, has_zero, is_float, is_integer, is_narrow_float
from ... import counterparts
from ...errors import OnnxError, UnsupportedNode
from ..node import ImportedNode
from ..order import label
from ..registry import Converted, converts, converts_rest, types
from ..shaped import Shaped
from ..sizes import Size, broadcast
from ..types import ELEMENT_TYPES, ONNX_TYPES, type_name

UNARY = {row.kind: row.op for row in counterparts.UNARY}
BINARY = {row.kind: row.op for row in counterparts.BINARY}


def combine(
    node: ImportedNode,
    op: type[NpuOp],
    first: SSAValue,
    second: SSAValue,
    element: Attribute | None = None,
    **more: object,
) -> SSAValue:
    """A binary op on two values, broadcast as in numpy."""
    sizes = common_sizes(node, [first, second])
    operands = [node.aligned(value, len(sizes)) for value in (first, second)]
    return node.add(op, _of_full_rank(node, operands, sizes), sizes, element, **more)


def common_sizes(node: ImportedNode, values: Sequence[SSAValue]) -> tuple[Size, ...]:
    """The broadcast shape of values."""
    sizes = broadcast(map(node.sizes_of, values))
    if sizes is None:
        # For two unknown sizes only the model may state the result.
        sizes = node.output().sizes
    return sizes


def _of_full_rank(node: ImportedNode, values: Sequence[SSAValue], sizes: Sequence[Size]) -> list[SSAValue]:
    """Reshape the first value to the rank of the result if all values have one element."""
    if any(len(node.sizes_of(value)) == len(sizes) for value in values):
        return list(values)
    first, *others = values
    return [node.reshape(first, (1,) * len(sizes)), *others]


def as_it_came(value: SSAValue, kind: str) -> SSAValue:
    """Note that an op was this op of ONNX, which others write in another way."""
    assert isinstance(value.owner, Operation)
    value.owner.attributes[ONNX_KIND] = StringAttr(kind)
    return value


@converts("Div")
def division(node: ImportedNode) -> Converted:
    found = combine(node, binary.DivOp, node.operand(0), node.operand(1))
    return as_it_came(found, "Div") if is_integer(element_type_of(found)) else found


@converts("Pow")
def power(node: ImportedNode) -> Converted:
    base, exponent = node.operand(0), node.operand(1)
    element = element_type_of(base)
    if element_type_of(exponent) == element:
        return combine(node, binary.PowOp, base, exponent)
    if is_float(element):
        return combine(node, binary.PowOp, base, cast(node, exponent, element))
    if is_integer(element_type_of(exponent)):
        return combine(node, binary.PowOp, base, cast(node, exponent, element))
    # An integer to the power of a float is computed in the float type.
    wide = cast(node, base, element_type_of(exponent))
    return cast(node, combine(node, binary.PowOp, wide, exponent), element)


@converts("Mod")
def mod(node: ImportedNode) -> Converted:
    sign = "lhs" if node.flag("fmod") else "rhs"
    found = combine(node, binary.ModOp, node.operand(0), node.operand(1), sign=sign)
    return as_it_came(found, "Mod") if is_integer(element_type_of(found)) else found


@converts("PRelu")
def prelu(node: ImportedNode) -> Converted:
    data, slope = node.sizes(0), node.sizes(1)
    pairs = zip(reversed(data), reversed(slope), strict=False)
    if len(slope) > len(data) or any(isinstance(a, int) and isinstance(b, int) and b not in (1, a) for a, b in pairs):
        raise OnnxError(
            f"{label(node.proto)}: the slope does not repeat to the shape of the data, which ONNX demands and"
            " ONNX Runtime does not: expand the data before it"
        )
    return combine(node, binary.PreluOp, node.operand(0), node.operand(1))


@converts("Sum", "Max", "Min", "Mean")
def several(node: ImportedNode) -> Converted:
    """Variadic ops as a chain of binary ones. ONNX Runtime multiplies the sum of a mean of f32 by the reciprocal."""
    ops = {"Sum": binary.AddOp, "Mean": binary.AddOp, "Max": binary.MaxOp, "Min": binary.MinOp}
    first, *others = node.operands()
    for other in others:
        first = combine(node, ops[node.proto.op_type], first, other)
    if node.proto.op_type != "Mean" or not others:
        return first
    count = len(others) + 1
    if element_type_of(first) == f32:
        return combine(node, binary.MulOp, first, node.scalar(1 / count, first))
    return combine(node, binary.DivOp, first, node.scalar(count, first))


@converts("Where")
def where(node: ImportedNode) -> Converted:
    return choose(node, *node.operands())


def choose(node: ImportedNode, *operands: SSAValue) -> SSAValue:
    """The elements of the second value where the first one is true, of the third elsewhere, broadcast as in numpy."""
    sizes = common_sizes(node, operands)
    given = _of_full_rank(node, [node.aligned(value, len(sizes)) for value in operands], sizes)
    return node.add(SelectOp, given, sizes, element_type_of(given[1]))


def cast(node: ImportedNode, value: SSAValue, element: Attribute, **properties: object) -> SSAValue:
    """Cast a value, unless it has the element type already."""
    if element_type_of(value) == element:
        return value
    return node.add(CastOp, [value], node.sizes_of(value), element, **properties)


def _narrow(node: ImportedNode, element: Attribute) -> dict[str, object]:
    """The properties of a cast to a float of 8 bits or fewer, which other casts do not have."""
    overflows, rounding = not node.flag("saturate", 1), node.choice("round_mode", "up", "down", "nearest")
    if not is_narrow_float(element):
        return {}
    return {"overflows": overflows, "rounding": None if has_zero(element) else rounding}


@converts("Cast")
def cast_op(node: ImportedNode) -> Converted:
    value, element = node.operand(0), _target(node.integer("to"))
    result = cast(node, value, element, **_narrow(node, element))
    is_in_steps = is_float(element_type_of(value)) and is_integer(element) and element not in (i32, i64)
    return as_it_came(result, "Cast") if is_in_steps else result


def _target(number: int) -> Attribute:
    if number not in ELEMENT_TYPES:
        raise UnsupportedNode("npu does not support the element type")
    return ELEMENT_TYPES[number]


@converts("CastLike")
def cast_like(node: ImportedNode) -> Converted:
    element = node.shaped(1).element
    return cast(node, node.operand(0), element, **_narrow(node, element))


@converts("BitCast")
def bitcast(node: ImportedNode) -> Converted:
    return node.add(BitcastOp, [node.operand(0)], node.sizes(), _target(node.integer("to")))


@converts("Identity")
def identity(node: ImportedNode) -> Converted:
    return node.operand(0)


@types("Dropout")
def dropout_types(node: ImportedNode) -> Sequence[Shaped]:
    """The mask has the type of the data before opset 10, for which ONNX infers no shape."""
    data = node.shaped(0)
    return data, Shaped(i1 if node.opset >= 10 else data.element, data.sizes)


@converts("Dropout")
def dropout(node: ImportedNode) -> Converted:
    """The identity, unless training drops elements at random. The mask is true where they are kept, since opset 12."""
    if node.has_input(2) and node.constant(2).any() and not (node.has_input(1) and node.single(1) == 0):
        raise UnsupportedNode("training")
    node.mark_read("ratio", "seed", 1)
    value = node.operand(0)
    if not node.has_output(1):
        return value
    # The mask of older versions is undefined; ONNX Runtime returns this one.
    kept = np.array(node.opset >= 12)
    mask = node.scalar(0, value) if node.opset < 10 else node.constant_of(kept)
    return value, node.broadcast(mask, node.sizes_of(value))


@converts("IsNaN")
def is_nan(node: ImportedNode) -> Converted:
    """NaN is the only value that differs from itself."""
    value = node.operand(0)
    return node.add(binary.NotEqualOp, [value, value], node.sizes_of(value), i1)


@converts("IsInf")
def is_inf(node: ImportedNode) -> Converted:
    value = node.operand(0)
    sizes = node.sizes_of(value)
    positive, negative = node.flag("detect_positive", 1), node.flag("detect_negative", 1)
    if positive and negative:
        size = node.add(unary.AbsOp, [value], sizes)
        return combine(node, binary.EqualOp, size, node.scalar(float("inf"), value), i1)
    if not (positive or negative):
        return node.broadcast(node.constant_of(np.array(False)), sizes)
    return combine(node, binary.EqualOp, value, node.scalar(float("inf" if positive else "-inf"), value), i1)


@converts("BitShift")
def bit_shift(node: ImportedNode) -> Converted:
    """A product with or a quotient by a power of two. Shifts by the width or more are 0, like the wrapped power."""
    value, places = node.operand(0), node.operand(1)
    is_unsigned = type_name(ONNX_TYPES[element_type_of(value)]).startswith("U")
    is_left = node.choice("direction", "LEFT", "RIGHT") == "LEFT"
    amounts = node.known(1)
    if amounts is not None and (is_unsigned or is_left) and (amounts < 8 * amounts.itemsize).all():
        # A constant moves with the value, where a computed power would be a node.
        power = node.constant_of(np.left_shift(np.ones_like(amounts), amounts))
    elif not is_unsigned:
        return _signed_shift(node, is_left)
    else:
        power = as_it_came(combine(node, binary.PowOp, node.scalar(2, value), places), "BitShift")
    return as_it_came(combine(node, binary.MulOp if is_left else binary.DivOp, value, power), "BitShift")


def _signed_shift(node: ImportedNode, is_left: bool) -> SSAValue:
    """To the right a quotient that is rounded down; a shift by less than 0 or by the width leaves the sign only."""
    value, places = node.operand(0), node.operand(1)
    bits = 8 * helper.tensor_dtype_to_np_dtype(ONNX_TYPES[element_type_of(value)]).itemsize
    is_negative = combine(node, binary.LessOp, places, node.scalar(0, places), i1)
    is_wide = combine(node, binary.GreaterEqualOp, places, node.scalar(bits, places), i1)
    is_far = combine(node, binary.OrOp, is_negative, is_wide)
    zero = node.scalar(0, value)
    near = choose(node, is_far, zero, places)
    power = as_it_came(combine(node, binary.PowOp, node.scalar(2, value), near), "BitShift")
    if is_left:
        return choose(node, is_far, zero, combine(node, binary.MulOp, value, power))
    is_negative, ones = combine(node, binary.LessOp, value, zero, i1), node.scalar(-1, value)
    size = choose(node, is_negative, combine(node, binary.SubOp, ones, value), value)
    rest = choose(node, is_far, zero, combine(node, binary.DivOp, size, power))
    return choose(node, is_negative, combine(node, binary.SubOp, ones, rest), rest)


@converts(*UNARY)
def unary_op(node: ImportedNode) -> Converted:
    kind, value = node.proto.op_type, node.operand(0)
    found = node.add(UNARY[kind], [value], node.sizes_of(value))
    # ONNX Runtime has no kernels of f64 for some of them, so they are written by way of f32 unless they came like this.
    return as_it_came(found, kind) if element_type_of(value) == f64 else found


@converts_rest(BINARY)
def binary_op(node: ImportedNode) -> Converted:
    op = BINARY[node.proto.op_type]
    return combine(node, op, node.operand(0), node.operand(1), i1 if issubclass(op, CompareOp) else None)
