"""Single ops written as text, computed by the interpreter."""

from typing import Any

import numpy as np
import numpy.typing as npt
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.values import element_type_of, shape_of
from npu_opt.interpreter import Environment, evaluate, numpy_dtype
from xdsl.parser import Parser

from support.closeness import Room, assert_close
from support.ir_text import context

Array = npt.NDArray[Any]


def parse_op(text: str) -> NpuOp:
    """The op of a text; its operands need no definition."""
    op = Parser(context(), text).parse_optional_operation()
    assert isinstance(op, NpuOp), text
    op.verify()
    return op


def compute_all(text: str, *operands: Any, environment: Environment | None = None) -> tuple[Array, ...]:
    """The results of an op, for operands that become arrays of their element types."""
    op = parse_op(text)
    arrays = [
        np.asarray(operand, numpy_dtype(element_type_of(value)))
        for operand, value in zip(operands, op.operands, strict=True)
    ]
    results = evaluate(op, arrays, environment)
    for result, value in zip(results, op.results, strict=True):
        assert result.dtype == numpy_dtype(element_type_of(value))
        assert len(result.shape) == len(shape_of(value))
    return results


def compute(text: str, *operands: Any) -> Array:
    """The result of an op that has one."""
    (result,) = compute_all(text, *operands)
    return result


def numbers(*shape: int, seed: int = 0) -> Array:
    """Normally distributed numbers, the same for the same shape and seed."""
    return np.random.default_rng((seed, *shape)).standard_normal(shape).astype(np.float32)


def integers(low: int, high: int, *shape: int, seed: int = 0) -> Array:
    """Evenly distributed whole numbers from low to high, both included."""
    return np.random.default_rng((seed, *shape)).integers(low, high, shape, endpoint=True)


def close(found: Array, expected: Any, tolerance: float = 1e-5) -> None:
    assert_close(found, expected, Room("one op, in which f32 are added in another order", tolerance, tolerance))


def equal(found: Array, expected: Any) -> None:
    np.testing.assert_array_equal(found, expected)
