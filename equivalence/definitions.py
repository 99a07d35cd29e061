"""Ops that are defined by others, which compute the same bits up to the order in which floats are added."""

from math import prod

import numpy as np
from xdsl.dialects.builtin import AnyFloat, DenseArrayBase, IntegerType, Signedness, f32, f64, i1, i32, i64
from xdsl.ir import Attribute, Block

from ..dialects.npu.attention import HeadsOp
from ..dialects.npu.attrs import LayoutAttr, i64_array
from ..dialects.npu.base import NpuOp
from ..dialects.npu.binary import AddOp, EqualOp, NotEqualOp, SubOp
from ..dialects.npu.elementwise import CastOp, SelectOp
from ..dialects.npu.linear import GemmOp, MatmulOp
from ..dialects.npu.pooling import GlobalAvgPoolOp, GlobalMaxPoolOp
from ..dialects.npu.quantized import SteppedOp
from ..dialects.npu.reduction import ReduceMaxOp, ReduceMeanOp, ReduceSumOp
from ..dialects.npu.resampling import MaskUnpoolOp, UpsampleOp
from ..dialects.npu.shape import ViewOp
from ..dialects.npu.source import OpaqueOp
from ..dialects.npu.unary import NotOp, ReciprocalOp, RsqrtOp
from ..dialects.npu.values import element_type_of, shape_of
from ..layout import DYNAMIC, Layout
from .constants import dtype_of
from .formulas.steps import Steps
from .notes import meaningful

MAX_UNPOOL = "onnx.MaxUnpool"


def in_steps(op: NpuOp) -> Block | None:
    """A block whose arguments are the operands of an op, and whose last op has its result; None if it has no steps."""
    match op:
        case SteppedOp():
            return op.in_steps()
        case HeadsOp() if element_type_of(op.result) in (f32, f64):
            return op.in_steps()
        case NotEqualOp():
            steps = Steps(op, lambda _: None)
            equal = steps.add(EqualOp, [steps.operand(each) for each in op.operands], element=i1)
            steps.unary(NotOp, equal)
        case RsqrtOp():
            steps = Steps(op, lambda _: None)
            steps.unary(ReciprocalOp, steps.root(steps.operand(op.input)))
        case CastOp() if (wide := _cut_to(op)) is not None:
            steps = Steps(op, lambda _: None)
            whole = steps.add(CastOp, [steps.operand(op.input)], element=wide)
            steps.add(CastOp, [whole])
        case GlobalAvgPoolOp() | GlobalMaxPoolOp() if isinstance(element_type_of(op.input), AnyFloat):
            layout = op.feature_layout("input", op.input)
            if layout.tiles:
                return None
            steps = Steps(op, lambda _: None)
            axes = [place for place, axis in enumerate(layout.order_for(len(steps.result))) if axis >= 2]
            reduced = ReduceMeanOp if isinstance(op, GlobalAvgPoolOp) else ReduceMaxOp
            steps.reduce(reduced, steps.operand(op.input), axes)
        case MatmulOp() | ReduceSumOp() if _is_of_nothing(op):
            steps = Steps(op, lambda _: None)
            steps.zeros()
        case GemmOp():
            steps = Steps(op, lambda _: None)
            # Floats of 16 bits would be rounded once more.
            if op.bias is not None and not isinstance(steps.element, IntegerType) and steps.element not in (f32, f64):
                return None
            total = steps.add(MatmulOp, [steps.operand(op.lhs), steps.operand(op.rhs)], None, _flags(op))
            if op.bias is not None:
                sizes, rank = shape_of(op.bias), len(steps.result)
                aligned = sizes if prod(sizes) == 1 else (*[1] * (rank - len(sizes)), *sizes)
                steps.add(AddOp, [total, steps.reshape(steps.operand(op.bias), aligned)])
        case MaskUnpoolOp():
            return _chosen(op)
        case _:
            return None
    return steps.block


def noted_steps(op: SteppedOp) -> Block | None:
    """The steps of an op, the last of which has its attributes; None if it is a view, of which none counts."""
    block = op.in_steps()
    if block.last_op is None or isinstance(block.last_op, ViewOp):
        return None
    block.last_op.attributes.update(meaningful(op.attributes))
    return block


def _is_of_nothing(op: MatmulOp | ReduceSumOp) -> bool:
    """True if each element of the result is the sum of no numbers."""
    return 0 in shape_of(op.operands[0]) and not {0, DYNAMIC} & {*shape_of(op.result)}


def _cut_to(op: CastOp) -> IntegerType | None:
    """The integers to which a cast truncates floats before they wrap to the type of its result; None if none do."""
    element, wanted = element_type_of(op.input), element_type_of(op.result)
    if not isinstance(element, AnyFloat) or not isinstance(wanted, IntegerType) or wanted.bitwidth == 1:
        return None
    if wanted.bitwidth < 32:
        return i32
    return i64 if wanted == IntegerType(32, Signedness.UNSIGNED) else None


def _chosen(op: MaskUnpoolOp) -> Block | None:
    """The repeated elements where the mask is true, else 0."""
    steps = Steps(op, lambda _: None)
    dtype = dtype_of(steps.element)
    if dtype is None:
        return None
    layout = LayoutAttr(op.feature_layout("input", op.input))
    properties = {"factors": op.window, "data_layout": layout}
    repeated = steps.add(UpsampleOp, [steps.operand(op.input)], None, properties)
    zero = steps.constant(np.zeros((), dtype), steps.element)
    steps.add(SelectOp, [steps.operand(op.mask), repeated, zero])
    return steps.block


def _flags(op: GemmOp) -> dict[str, Attribute]:
    return {name: value for name, value in op.properties.items() if name in ("trans_a", "trans_b")}


def unpooled_in_steps(op: OpaqueOp) -> Block | None:
    """The steps of an `onnx.MaxUnpool` to the places of a MaxPool whose windows are side by side; None for another op.

    The place of a maximum is in its own window, so each window has its element there and zeros elsewhere.
    """
    places = op.operands[1] if op.op_name.data == MAX_UNPOOL and len(op.operands) == 2 else None
    pool = None if places is None else places.owner
    if places is None or not isinstance(pool, OpaqueOp) or pool.op_name.data != "onnx.MaxPool" or op.pure is None:
        return None
    numbers = [each.attributes.get(name) for each in (op, pool) for name in ("kernel_shape", "strides")]
    given, sizes = shape_of(op.operands[0]), shape_of(op.results[0])
    if len({str(each) for each in numbers}) > 1 or not isinstance(window := numbers[0], DenseArrayBase):
        return None
    if len(op.attributes) != 2 or len(pool.attributes) != 2 or len(pool.results) != 2 or places is not pool.results[1]:
        return None
    extents = tuple(int(each) for each in window.get_values())
    is_static = len(given) == len(sizes) == 4 and DYNAMIC not in (*given, *sizes) and 0 not in sizes
    if not is_static or sizes != (*given[:2], *(a * b for a, b in zip(given[2:], extents, strict=True))):
        return None
    if shape_of(pool.operands[0]) != sizes or shape_of(places) != given:
        return None
    steps, layout = Steps(op, lambda _: None), LayoutAttr(Layout.parse("NCHW"))
    dtype, window_list = dtype_of(steps.element), i64_array(*extents)
    if dtype is None:
        return None
    pixels = sizes[2] * sizes[3]
    images = steps.constant(pixels * np.arange(prod(sizes[:2])).reshape(*sizes[:2], 1, 1), i64)
    within = steps.add(SubOp, [steps.block.args[1], images], given, element=i64)
    properties = {"factors": window_list, "data_layout": layout}
    repeated = steps.add(UpsampleOp, [within], sizes, properties, i64)
    inside = steps.constant(np.arange(pixels).reshape(1, 1, *sizes[2:]), i64)
    hit = steps.add(EqualOp, [repeated, inside], sizes, element=i1)
    values = steps.add(UpsampleOp, [steps.block.args[0]], sizes, properties)
    steps.add(SelectOp, [hit, values, steps.constant(np.zeros((), dtype), steps.element)])
    return steps.block
