"""The words for what the proof cannot decide at the first ops without an equal."""

from collections.abc import Iterator

from xdsl.dialects.builtin import BFloat16Type, Float16Type, IntegerType
from xdsl.ir import Operation

from ..dialects.npu.binary import ModOp, PowOp
from ..dialects.npu.elementwise import CastOp
from ..dialects.npu.linear import GemmOp
from ..dialects.npu.source import ForeignOp
from ..dialects.npu.values import element_type_of

SHORT_FLOATS = Float16Type | BFloat16Type


def limits_at(*ops: Operation | None) -> Iterator[str]:
    """The limits of the proof at ops of two programs, each once."""
    yield from dict.fromkeys(text for op in ops if (text := _limit_at(op)) is not None)


def _limit_at(op: Operation | None) -> str | None:
    match op:
        case ForeignOp():
            return f"the proof knows '{op.op_name.data}' by its text, not what it computes"
        case PowOp() if isinstance(element_type_of(op.result), IntegerType):
            return "the proof does not know which products powers of integers are"
        case ModOp() if not isinstance(element_type_of(op.result), IntegerType):
            return "the proof does not decide the sign of a remainder that is zero"
        case CastOp() | GemmOp() if isinstance(element_type_of(op.operands[0]), SHORT_FLOATS):
            return "floats of 16 bits that are computed in other steps are rounded elsewhere, and may be others"
        case _:
            return None
