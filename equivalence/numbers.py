"""Search for a witness: an input on which two programs differ."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import IntegerType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.utils.hints import isa

from ..dialects.notes.interfaces import InterfaceValue, arguments_of, results_of
from ..dialects.npu.padding import is_padding
from ..dialects.npu.values import encoding, shape_text
from ..interpreter import InterpreterError, random_inputs, run
from ..interpreter.elements import numpy_dtype
from ..interpreter.objects import as_array, same_elements
from ..layout import Layout, identity, permutation_between
from .symbols import public_functions
from .values import element_type

TOLERANCE = 1e-3
"""Maximum difference of floats, relative to the largest one. A relayout only changes the order of additions."""

SHAPE = "the shape"


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


@dataclass(frozen=True)
class Comparison:
    """The results of two programs on some random inputs."""

    seeds: Sequence[int]
    """The seeds of the inputs that were tried, up to the first one with a difference."""
    difference: Difference | None
    largest: float
    """The largest difference of two numbers that were compared, in whatever way they differ."""
    tolerance: float

    def __str__(self) -> str:
        """The comparison in words."""
        count, last = len(self.seeds), self.seeds[-1]
        seeds = f"seeds {self.seeds[0]} to {last}" if count > 1 else f"seed {last}"
        inputs = f"{count} random input{'s' * (count > 1)} ({seeds})"
        if self.difference is None:
            return f"{inputs}: the results agree, up to {self.largest:.3g} (tolerance {self.tolerance:g})"
        if self.difference.what == SHAPE:
            return f"{inputs}: the results differ in their shapes"
        return f"{inputs}: the results differ, by up to {self.largest:.3g}"


class CannotRun(Exception):
    """The programs could not be run."""


Runner: TypeAlias = Callable[[str, Sequence[NDArray[Any]]], Sequence[NDArray[Any]]]
"""Computes the results of a function of a program, given its name and inputs."""


def with_interface_of(first: ModuleOp, second: ModuleOp, runner: Runner) -> Runner:
    """A runner of the second program that takes and returns data as the first one stores it."""

    def run_second(name: str, inputs: Sequence[NDArray[Any]]) -> Sequence[NDArray[Any]]:
        one, other = public_functions(first)[name], public_functions(second)[name]
        given = _moved(inputs, arguments_of(one), arguments_of(other))
        return _moved(runner(name, given), results_of(other), results_of(one))

    return run_second


def _moved(
    arrays: Sequence[NDArray[Any]], given: Sequence[InterfaceValue], wanted: Sequence[InterfaceValue]
) -> list[NDArray[Any]]:
    """Arrays that are stored as an interface says, stored as another says."""
    return [
        _with_sign(array, one, other).transpose(
            permutation_between(one.permutation or identity(array.ndim), other.permutation or identity(array.ndim))
        )
        for array, one, other in zip(arrays, given, wanted, strict=True)
    ]


def _with_sign(array: NDArray[Any], given: InterfaceValue, wanted: InterfaceValue) -> NDArray[Any]:
    """Integers of another sign with these bits, if the types of the interface differ in that."""
    one, other = element_type(given.type), element_type(wanted.type)
    if one == other or not isa(one, IntegerType) or not isa(other, IntegerType):
        return array
    return array.view(numpy_dtype(other))


def difference(
    first: ModuleOp | Runner, second: ModuleOp | Runner, function: FuncOp, seeds: Sequence[int]
) -> Difference | None:
    """The first difference on the random inputs of these seeds, or None if there is none."""
    return compare_numbers(first, second, function, seeds).difference


def compare_numbers(
    first: ModuleOp | Runner,
    second: ModuleOp | Runner,
    function: FuncOp,
    seeds: Sequence[int],
    tolerance: float = TOLERANCE,
    sizes: Mapping[tuple[int, int], int] | None = None,
) -> Comparison:
    """The comparison of a function of two programs on the random inputs of these seeds, up to the first difference.

    Unknown sizes of the first program may be given by argument and axis, where the second program says them.
    """
    name = function.sym_name.data
    module = function.parent_op()
    if module is None or module.parent_op() is not None:
        raise CannotRun(f"@{name} is in a nested module")
    runners = [partial(run, each) if isinstance(each, ModuleOp) else each for each in (first, second)]
    largest = 0.0
    for place, seed in enumerate(seeds, 1):
        try:
            inputs = random_inputs(function, seed, sizes)
            results = [[*map(as_array, runner(name, inputs))] for runner in runners]
        except InterpreterError as error:
            raise CannotRun(str(error)) from error
        types = function.function_type.outputs
        for index, (type_, left, right) in enumerate(zip(types, *results, strict=True)):
            left, right = (_without_padding(each, encoding(type_)) for each in (left, right))
            if left.shape != right.shape:
                found = Difference(seed, index, SHAPE, shape_text(left.shape), shape_text(right.shape))
                return Comparison(seeds[:place], found, largest, tolerance)
            largest = max(largest, largest_difference(left, right))
            if (where := _different_at(left, right, tolerance)) is not None:
                found = Difference(seed, index, element_text(where), left[where], right[where])
                return Comparison(seeds[:place], found, largest, tolerance)
    return Comparison(seeds, None, largest, tolerance)


def _without_padding(array: NDArray[Any], layout: Layout | None) -> NDArray[Any]:
    """An array whose padding, if that may be anything, is zeros."""
    if layout is None or layout.has_zeros or array.ndim != len(layout.order or ()):
        return array
    return np.where(is_padding(layout, array.shape), np.zeros((), array.dtype), array)


def largest_difference(left: NDArray[Any], right: NDArray[Any]) -> float:
    """The largest difference of two numbers at the same position."""
    return float(differences(left, right).max(initial=0.0))


def differences(left: NDArray[Any], right: NDArray[Any]) -> NDArray[np.float64]:
    """The difference of the numbers at each position; infinite for other texts, or if only one is finite."""
    if np.issubdtype(left.dtype, np.integer) and left.dtype == right.dtype:
        # Exact, modulo 2**64, where floats would round the numbers first.
        apart = np.maximum(left, right).astype(np.uint64) - np.minimum(left, right).astype(np.uint64)
        return apart.astype(np.float64)
    if np.object_ in (left.dtype, right.dtype):
        return np.where(same_elements(left, right, TOLERANCE), 0.0, np.inf)
    if left.dtype.kind in "SU":
        return np.where(left == right, 0.0, np.inf)
    wide = np.complex128 if left.dtype.kind == "c" else np.float64
    one, other = left.astype(wide), right.astype(wide)
    with np.errstate(all="ignore"):
        apart = np.abs(one - other)
    same = (one == other) | (np.isnan(one) & np.isnan(other))
    return np.where(same, 0.0, np.where(np.isnan(apart), np.inf, apart))


def element_text(place: Sequence[int]) -> str:
    """The position of an element; a scalar has one only."""
    return f"element {list(place)}" if place else "the element"


def _different_at(left: NDArray[Any], right: NDArray[Any], tolerance: float) -> tuple[int, ...] | None:
    """The index of the first element that differs; for floats, by more than the tolerance."""
    if np.issubdtype(left.dtype, np.floating):
        with np.errstate(all="ignore"):
            finite = np.abs(left[np.isfinite(left)])
            allowed = tolerance * max(1.0, float(finite.max(initial=0.0)))
            same = np.isclose(left, right, rtol=0.0, atol=allowed, equal_nan=True)
    elif left.dtype == np.object_:
        same = same_elements(left, right, tolerance)
    else:
        same = left == right
    places = np.argwhere(np.logical_not(same))
    return tuple(map(int, places[0])) if len(places) else None
