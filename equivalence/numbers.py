"""Search for a witness: an input on which two programs differ."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ..dialects.npu.values import shape_text
from ..interpreter import InterpreterError, random_inputs, run

TOLERANCE = 1e-3
"""Maximum difference of floats, relative to the largest one. A relayout only changes the order of additions."""


@dataclass(frozen=True)
class Difference:
    """An element of a result that two programs compute differently, or the shape of the result."""

    seed: int
    result: int
    what: str
    first: object
    second: object

    def __str__(self) -> str:
        return (
            f"on the random input of seed {self.seed}, {self.what} of result {self.result}"
            f" is {self.first} in the first program and {self.second} in the second"
        )


class CannotRun(Exception):
    """The programs could not be run."""


Runner: TypeAlias = Callable[[str, Sequence[NDArray[Any]]], Sequence[NDArray[Any]]]
"""Computes the results of a function of a program, given its name and inputs."""


def difference(
    first: ModuleOp | Runner, second: ModuleOp | Runner, function: FuncOp, seeds: Sequence[int]
) -> Difference | None:
    """The first difference on the random inputs of these seeds, or None if there is none."""
    name = function.sym_name.data
    module = function.parent_op()
    if module is None or module.parent_op() is not None:
        raise CannotRun(f"@{name} is in a nested module")
    runners = [partial(run, each) if isinstance(each, ModuleOp) else each for each in (first, second)]
    for seed in seeds:
        try:
            inputs = random_inputs(function, seed)
            results = [runner(name, inputs) for runner in runners]
        except InterpreterError as error:
            raise CannotRun(str(error)) from error
        for index, (left, right) in enumerate(zip(*results, strict=True)):
            if left.shape != right.shape:
                return Difference(seed, index, "the shape", shape_text(left.shape), shape_text(right.shape))
            if (where := _different_at(left, right)) is not None:
                return Difference(seed, index, f"element {list(where)}", left[where], right[where])
    return None


def _different_at(left: NDArray[Any], right: NDArray[Any]) -> tuple[int, ...] | None:
    """The index of the first element that differs; for floats, by more than the tolerance."""
    if np.issubdtype(left.dtype, np.floating):
        with np.errstate(all="ignore"):
            finite = np.abs(left[np.isfinite(left)])
            allowed = TOLERANCE * max(1.0, float(finite.max(initial=0.0)))
            same = np.isclose(left, right, rtol=0.0, atol=allowed, equal_nan=True)
    else:
        same = left == right
    places = np.argwhere(np.logical_not(same))
    return tuple(map(int, places[0])) if len(places) else None
