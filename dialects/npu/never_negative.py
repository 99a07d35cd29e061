"""Integers that are known to be sizes or computed of them, and those that are known not to be negative."""

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import i32, i64
from xdsl.ir import SSAValue

from .binary import AddOp, DivOp, MulOp, SubOp
from .dynamic import ShapeOfOp
from .elementwise import CastOp
from .movement import ConcatOp, GatherOp, SliceOp
from .selection import RangeOp
from .shape import BroadcastOp, ViewOp
from .source import ConstantOp, OpaqueOp, written_integers
from .values import element_type_of

KEEP = (AddOp, BroadcastOp, CastOp, ConcatOp, ViewOp)
"""Ops whose results are not negative if their operands are not."""
COMPUTE = (*KEEP, DivOp, MulOp, SubOp)
"""Ops that compute numbers of sizes."""
INTEGERS = (i32, i64)
MOST_VALUES = 64
"""The number of values that are asked at most."""


def is_never_negative(value: SSAValue) -> bool:
    """True if the ops before show that no number of a value can be negative."""
    return _is_proved(value, _with_its_numbers)


def is_of_sizes(value: SSAValue) -> bool:
    """True if all numbers of a value are sizes at run time, or computed of sizes and constants."""
    return _is_proved(value, _sizes_before)


def _is_proved(value: SSAValue, before: Callable[[SSAValue], Sequence[SSAValue] | None]) -> bool:
    """True if all of a value's numbers are known; `before` has the values on which they depend, or None."""
    waiting, seen = [value], set[SSAValue]()
    while waiting:
        each = waiting.pop()
        if each in seen:
            continue
        seen.add(each)
        if element_type_of(each) not in INTEGERS or (found := before(each)) is None or len(seen) > MOST_VALUES:
            return False
        waiting += found
    return True


def _sizes_before(value: SSAValue) -> Sequence[SSAValue] | None:
    """Values that are of sizes only if this one is; None if that is not known."""
    match op := value.owner:
        case ConstantOp():
            return () if written_integers(value) is not None else None
        case ShapeOfOp():
            return ()
        case OpaqueOp():
            return () if op.op_name.data == "litert.SHAPE" else None
        case GatherOp() | SliceOp():
            return op.operands[:1]
        case _:
            return op.operands if isinstance(op, COMPUTE) else None


def _with_its_numbers(value: SSAValue) -> Sequence[SSAValue] | None:
    """Values whose numbers are not negative only if those of this one are not; None if that is not known."""
    match op := value.owner:
        case ConstantOp():
            return () if _are_at_least(value, 0) else None
        case ShapeOfOp():
            return ()
        case OpaqueOp() if op.op_name.data == "onnx.Expand":
            return op.operands[:1]
        case GatherOp() | SliceOp():
            return op.operands[:1]
        case RangeOp():
            return op.operands[:1] if _are_at_least(op.operands[2], 1) else None
        case _:
            return op.operands if isinstance(op, KEEP) else None


def _are_at_least(value: SSAValue, least: int) -> bool:
    """True if integers are written out, and in this range of i32."""
    numbers = written_integers(value)
    return numbers is not None and all(least <= number < 1 << 31 for number in numbers)
