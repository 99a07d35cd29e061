"""Runs of two programs on the same numbers."""

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from npu_opt.dialects.npu.source import OpaqueOp
from npu_opt.dialects.npu.values import shape_of
from npu_opt.dialects.npu.vendor import VendorOp
from npu_opt.interpreter import Environment, random_inputs, run
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.interpreter import Interpreter
from xdsl.ir import Operation, SSAValue

from support.generators.numbers import magnitude
from support.oracles.vendor_meanings import VENDOR

Array = npt.NDArray[Any]
Effect: TypeAlias = tuple[str, Sequence[Array]]
"""A run of a foreign op with side effects: its name and its operands."""
TOLERANCE = 1e-8
"""The programs compute in f64. Another order of additions differs by far less, a mistake by far more."""
LARGEST = 1e6
"""The last digits of numbers up to this one are far below the tolerance. Those of 1e60 decide what its sine is."""


def main_of(module: ModuleOp) -> FuncOp:
    return next(op for op in module.ops if isinstance(op, FuncOp) and op.sym_name.data == "main")


class LargestNumber(Interpreter.Listener):
    """The largest finite number that a program computes."""

    def __init__(self) -> None:
        self.value = 0.0

    def did_interpret_op(self, op: Operation, results: tuple[Any, ...]) -> None:
        self.value = max(self.value, magnitude(results))


def results(
    module: ModuleOp,
    seed: int,
    environment: Environment | None = None,
    listeners: Sequence[Interpreter.Listener] = (),
) -> list[Array]:
    return run(module, "main", random_inputs(main_of(module), seed), environment, listeners)


def same_numbers(module: ModuleOp, other: ModuleOp, seed: int) -> bool | None:
    """True if two programs return the same; None if the first computes numbers too large to compare."""
    largest = LargestNumber()
    before = results(module, seed, listeners=[largest])
    return None if largest.value > LARGEST else same(before, results(other, seed))


def same(left: list[Array], right: list[Array]) -> bool:
    return len(left) == len(right) and all(map(_same_array, left, right))


def same_effects(left: Sequence[Effect], right: Sequence[Effect]) -> bool:
    """True if the same ops with side effects were run in the same order, on the same numbers."""
    if [name for name, _ in left] != [name for name, _ in right]:
        return False
    return all(same(list(one), list(other)) for (_, one), (_, other) in zip(left, right, strict=True))


def _same_array(left: Array, right: Array) -> bool:
    if left.shape != right.shape or left.dtype != right.dtype:
        return False
    if left.dtype.kind != "f":
        return bool(np.array_equal(left, right))
    scale = TOLERANCE * magnitude([left])
    return bool(np.allclose(left, right, rtol=TOLERANCE, atol=scale, equal_nan=True))


class Recorder:
    """Meanings for foreign ops, and a record of the order in which those with side effects were run."""

    def __init__(self) -> None:
        self.effects: list[Effect] = []

    def environment(self) -> Environment:
        opaque = {f"fuzz.op{index}": self._compute for index in range(3)}
        return Environment(foreign={**opaque, **dict.fromkeys(VENDOR.foreign, self._described)})

    def _described(self, op: VendorOp, *inputs: Array) -> tuple[Array, ...]:
        if op.pure is None:
            # Sorted, because a pass may store an operand in another order.
            self.effects.append((op.op_name.data, [np.sort(each, axis=None) for each in inputs]))
        found = VENDOR.foreign[op.op_name.data](op, *inputs)
        return found if isinstance(found, tuple) else (found,)

    def _compute(self, op: OpaqueOp, *inputs: Array) -> tuple[Array, ...]:
        if op.pure is None:
            self.effects.append((str(op.op_name.data), inputs))
        total = sum(float(np.nan_to_num(each.astype(np.float64)).sum()) for each in inputs)
        return tuple(self._result(total, index, value) for index, value in enumerate(op.results))

    @staticmethod
    def _result(total: float, index: int, value: SSAValue) -> Array:
        shape = shape_of(value)
        count = int(np.prod(shape))
        return np.trunc(10 * np.sin(np.arange(count) + index + np.round(total, 3))).reshape(shape)
