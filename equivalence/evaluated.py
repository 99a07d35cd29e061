"""The numbers that ops compute from constants, if they are the same bits on every engine.

One program may have them written out that the other one computes, as a reader of models does with small numbers.
"""

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import IntegerType, f32
from xdsl.ir import Attribute, Block
from xdsl.utils.hints import isa

from ..dialects.npu import binary as ops
from ..dialects.npu.activations import ReluOp
from ..dialects.npu.base import NpuOp
from ..dialects.npu.elementwise import CastOp, CompareOp, SelectOp
from ..dialects.npu.quantization import DequantizeOp
from ..dialects.npu.unary import AbsOp, CeilOp, FloorOp, NegOp, NotOp, RoundOp, SqrtOp
from ..dialects.npu.values import element_type_of, integer_range, shape_of
from ..layout import DYNAMIC
from .constants import Constants, dtype_of
from .formulas.steps import Steps
from .narrowed import SUMS
from .values import NumberedValue

MOST_OF_F32 = 2**24
"""The whole number up to which f32 has all others."""
MOST_ELEMENTS = 1 << 18
"""Of a constant that is computed."""
EXACT = ops.AddOp | ops.SubOp | ops.MulOp | NegOp | AbsOp | CompareOp | SelectOp | CastOp
"""Ops that compute the same bits everywhere: in whole numbers modulo a power of two, in floats rounded once."""
CHOOSING = ops.MaxOp | ops.MinOp | ReluOp
"""Ops whose results are operands: which zero they choose of two depends on the engine, and whether they choose NaN."""
OF_FLOATS = ops.DivOp | SqrtOp | FloorOp | CeilOp | RoundOp | CHOOSING
OF_INTEGERS = ops.LogicalOp | NotOp | CHOOSING | SUMS


def exactly(op: NpuOp, operands: Sequence[NumberedValue], constants: Constants) -> Block | None:
    """A block with the numbers of an exact op on small constants; None if it is none."""
    if not isinstance(op, EXACT | OF_FLOATS | OF_INTEGERS):
        return None
    is_whole = isinstance(element_type_of(op.operands[-1]), IntegerType)
    if not isinstance(op, EXACT) and not (isinstance(op, OF_INTEGERS) if is_whole else isinstance(op, OF_FLOATS)):
        return None
    shapes = [shape_of(value) for value in (*op.operands, op.result)]
    if any(DYNAMIC in sizes or prod(sizes) > MOST_ELEMENTS for sizes in shapes) or op.has_blocks():
        return None
    if dtype_of(element_type_of(op.result)) is None:
        return None
    known = known_operands(op, operands, constants)
    if not known or (isinstance(op, CHOOSING) and any(_has_negative_zero(each) for each in known)):
        return None
    if isinstance(op, CastOp) and _is_cut(known[0], element_type_of(op.result)):
        return None
    found = computed(op, known)
    # The bits of NaN depend on the engine.
    return None if np.isnan(found).any() else written(op, found)


def dequantised(op: DequantizeOp, operands: Sequence[NumberedValue], constants: Constants) -> Block | None:
    """A block with the numbers that constant integers stand for; None if they are not known to be rounded once."""
    known = known_operands(op, operands, constants)
    if known is None or element_type_of(op.result) != f32 or op.has_blocks():
        return None
    integers, _, zeros = known
    largest = sum(int(np.abs(each.astype(np.int64)).max(initial=0)) for each in (integers, zeros))
    found = computed(op, known)
    return None if largest > MOST_OF_F32 or np.isnan(found).any() else written(op, found)


def known_operands(op: NpuOp, operands: Sequence[NumberedValue], constants: Constants) -> Sequence[NDArray[Any]] | None:
    """The numbers of the operands; None if one is not a constant."""
    if not all(constants.is_written(each.node) for each in operands):
        return None
    known = [constants.elements(*each) for each in zip(op.operands, operands, strict=True)]
    found = [numbers for numbers in known if numbers is not None]
    return found if len(found) == len(known) else None


def computed(op: NpuOp, known: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """The numbers that an op computes."""
    # Imported late: most programs have their constants written out.
    from ..interpreter import evaluate

    return evaluate(op, known)[0]


def _has_negative_zero(numbers: NDArray[Any]) -> bool:
    return numbers.dtype.kind == "f" and bool((np.signbit(numbers) & (numbers == 0)).any())


def _is_cut(numbers: NDArray[Any], wanted: Attribute) -> bool:
    """True if floats do not fit in an integer type: what they become depends on the engine."""
    if numbers.dtype.kind != "f" or not isa(wanted, IntegerType) or wanted.bitwidth == 1:
        return False
    (least, most), whole = integer_range(wanted), np.trunc(numbers.astype(np.float64))
    return not bool(((whole >= least) & (whole < float(most + 1))).all())


def written(op: NpuOp, numbers: NDArray[Any]) -> Block:
    """A block with these numbers as the result of an op."""
    steps = Steps(op, lambda _: None)
    steps.constant(-numbers.astype(np.int8) if numbers.dtype == np.bool_ else numbers, steps.element)
    return steps.block
