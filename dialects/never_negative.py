"""Integers that are known not to be negative: sizes, and numbers that are counted upwards."""

from collections.abc import Sequence

from xdsl.dialects.builtin import i32, i64
from xdsl.ir import SSAValue

from .npu.binary import AddOp
from .npu.elementwise import CastOp
from .npu.movement import ConcatOp, GatherOp, SliceOp
from .npu.shape import BroadcastOp, ViewOp
from .npu.source import ConstantOp, OpaqueOp, written_integers
from .npu.values import element_type_of

KEEP = (AddOp, BroadcastOp, CastOp, ConcatOp, ViewOp)
"""Ops whose results are not negative if their operands are not."""
MOST_VALUES = 64
"""The number of values that are asked at most."""


def is_never_negative(value: SSAValue) -> bool:
    """True if the ops before show that no number of a value can be negative."""
    waiting, seen = [value], set[SSAValue]()
    while waiting:
        each = waiting.pop()
        if each in seen:
            continue
        seen.add(each)
        if (before := _with_its_numbers(each)) is None or len(seen) > MOST_VALUES:
            return False
        waiting += before
    return True


def _with_its_numbers(value: SSAValue) -> Sequence[SSAValue] | None:
    """Values whose numbers are not negative only if those of this one are not; None if that is not known."""
    op = value.owner
    if element_type_of(value) not in (i32, i64):
        return None
    match op:
        case ConstantOp():
            return () if _are_at_least(value, 0) else None
        case OpaqueOp() if op.op_name.data == "onnx.Shape":
            return ()
        case OpaqueOp() if op.op_name.data == "onnx.Expand":
            return op.operands[:1]
        case GatherOp() | SliceOp():
            return op.operands[:1]
        case OpaqueOp() if op.op_name.data == "onnx.Range":
            return op.operands[:1] if _are_at_least(op.operands[2], 1) else None
        case _:
            return op.operands if isinstance(op, KEEP) else None


def _are_at_least(value: SSAValue, least: int) -> bool:
    """True if integers are written out, and in this range of i32."""
    numbers = written_integers(value)
    return numbers is not None and all(least <= number < 1 << 31 for number in numbers)
