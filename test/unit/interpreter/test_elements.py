"""Representation of element types in numpy arrays."""

import math
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from npu_opt.interpreter import InterpreterError, numpy_dtype
from npu_opt.interpreter.elements import holds, saturate, store
from xdsl.dialects.builtin import BFloat16Type, IndexType, IntegerType, Signedness, bf16, f16, f32, f64, i1, i8, i64

WIDTHS = st.integers(4, 64)
WHOLE = st.integers(-(2**63), 2**63 - 1)


@pytest.mark.parametrize(
    ("element_type", "expected"),
    [
        (i1, np.bool_),
        (IntegerType(4), np.int8),
        (i8, np.int8),
        (IntegerType(8, Signedness.SIGNED), np.int8),
        (IntegerType(8, Signedness.UNSIGNED), np.uint8),
        (IntegerType(9, Signedness.UNSIGNED), np.uint16),
        (IntegerType(24), np.int32),
        (IntegerType(33), np.int64),
        (f16, np.float16),
        (bf16, np.float32),
        (f32, np.float32),
        (f64, np.float64),
    ],
)
def test_dtypes(element_type: IntegerType, expected: type[np.generic]):
    assert numpy_dtype(element_type) == np.dtype(expected)


def test_other_types_are_errors():
    with pytest.raises(InterpreterError, match="unsupported element type index"):
        numpy_dtype(IndexType())


@given(WIDTHS, WHOLE)
def test_signed_integers_wrap(width: int, number: int):
    expected = (number + 2 ** (width - 1)) % 2**width - 2 ** (width - 1)
    assert store(np.array(number), IntegerType(width)) == expected


@given(WIDTHS, WHOLE)
def test_unsigned_integers_wrap(width: int, number: int):
    assert store(np.array(number), IntegerType(width, Signedness.UNSIGNED)) == number % 2**width


@given(st.floats(width=32))
def test_bf16_is_rounded_as_xdsl_rounds_it(number: float):
    # The upper half of an f32 are the bits of a bf16.
    (bits,) = struct.unpack("<H", BFloat16Type().pack([number]))
    (expected,) = struct.unpack("<f", struct.pack("<I", bits << 16))
    found = float(store(np.array(number, np.float32), bf16))
    assert found == expected or (math.isnan(found) and math.isnan(expected))


def test_bf16_keeps_nan():
    """Rounding up would make a zero of these."""
    numbers = np.array([0x7FFFFFFF, 0xFFFFFFFF], np.uint32).view(np.float32)
    assert np.isnan(store(numbers, bf16)).all()


@given(WIDTHS, st.booleans(), WHOLE)
def test_integers_saturate(width: int, unsigned: bool, number: int):
    signedness = Signedness.UNSIGNED if unsigned else Signedness.SIGNLESS
    low, high = (0, 2**width - 1) if unsigned else (-(2 ** (width - 1)), 2 ** (width - 1) - 1)
    assert saturate(np.array(number), IntegerType(width, signedness)) == min(max(number, low), high)


@pytest.mark.parametrize("number", [1e30, -1e30, np.inf, -np.inf])
def test_floats_saturate_to_64_bits(number: float):
    assert saturate(np.array(number), i64) == (2**63 - 1 if number > 0 else -(2**63))


def test_holds():
    assert holds(np.array([1.5, np.nan], np.float32), f32)
    assert holds(np.array([-8, 7], np.int8), IntegerType(4))
    assert not holds(np.array([8], np.int8), IntegerType(4))
    assert not holds(np.array([1.0 + 2**-12], np.float32), bf16)
    assert not holds(np.array([1.0]), f32)
