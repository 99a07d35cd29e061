"""The node tests of the package onnx: each has a model, inputs and expected outputs.

As a script it prints a line for each test that does not pass, and the counts.
"""

import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any, cast

import numpy as np
from npu_opt.bridges.imported import Imported
from npu_opt.bridges.onnx.errors import OnnxError
from npu_opt.bridges.onnx.importing.importer import Options, import_model
from npu_opt.bridges.onnx.importing.types import ELEMENT_TYPES
from npu_opt.dialects.npu.source import OpaqueOp
from npu_opt.interpreter import InterpreterError, objects, run
from npu_opt.interpreter.subgraphs import has_subgraphs
from npu_opt.tools.driver.execution.foreign_ops import environment_in
from numpy.typing import NDArray
from onnx import ModelProto, TensorProto, numpy_helper
from xdsl.dialects.builtin import BFloat16Type, TensorType, bf16, f16
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

Array = NDArray[Any]

DIGITS: dict[Attribute, float] = {f16: 2.0**-10, bf16: 2.0**-7}
"""The last digit of 16-bit numbers."""


class Outcome(Enum):
    """The outcome of a test."""

    PASSED = "passed"
    WRONG = "wrong"
    """Mapped, but with wrong results."""
    KEPT = "kept"
    """Some op has no equivalent, or a value has a type that only npu.opaque takes: run with such nodes as they stay."""
    FOREIGN = "foreign"
    """Not run, since some op has no equivalent, and the package onnx does not run it on these inputs."""
    REFUSED = "refused"
    """The model cannot be imported."""


@dataclass(frozen=True)
class Result:
    """The outcome of a test, with the reason."""

    outcome: Outcome
    reason: str = ""
    bound: tuple[int, ...] = ()
    """The inputs that were made constants for it."""


def all_cases() -> list[Any]:
    """The node tests of onnx."""
    with warnings.catch_warnings():
        # The tests of casts warn when they compute their numbers.
        warnings.simplefilter("ignore", RuntimeWarning)
        from onnx.backend.test.loader import load_model_tests

        return load_model_tests(kind="node")


def check(case: Any) -> Result:
    """Import the model of a test, and run it on the test's inputs.

    The tests pass everything at run time, also the axes and shapes that models have as constants. If a model cannot be
    mapped like that, its short inputs are made constants.
    """
    result = _check(case, frozenset())
    if result.outcome in (Outcome.PASSED, Outcome.WRONG) or len(case.data_sets) > 1:
        return result
    for first in (1, 0):
        bound = short_inputs(case, first)
        if bound:
            again = _check(case, bound)
            if again.outcome in (Outcome.PASSED, Outcome.WRONG):
                return replace(again, bound=tuple(sorted(bound)))
    return result


def short_inputs(case: Any, first: int) -> frozenset[int]:
    """The inputs from this one on that could be a list of axes, a shape or a number."""
    arrays = [as_array(each) for each in case.data_sets[0][0]]
    short = [index for index, array in enumerate(arrays) if array is not None and array.ndim <= 1]
    return frozenset(
        index
        for index in short
        if index >= first and case.model.graph.input[index].type.tensor_type.elem_type in ELEMENT_TYPES
    )


def as_array(given: Any) -> Array | None:
    if isinstance(given, TensorProto):
        return numpy_helper.to_array(given)
    return None if given is None or isinstance(given, list | tuple) else np.asarray(given)


def bound_model(case: Any, bound: AbstractSet[int]) -> ModelProto:
    """The model of a test with these inputs as constants."""
    model = ModelProto()
    model.CopyFrom(case.model)
    inputs = list(model.graph.input)
    for index in bound:
        given = case.data_sets[0][0][index]
        tensor = model.graph.initializer.add()
        tensor.CopyFrom(given if isinstance(given, TensorProto) else numpy_helper.from_array(np.asarray(given)))
        tensor.name = inputs[index].name
    del model.graph.input[:]
    model.graph.input.extend(value for index, value in enumerate(inputs) if index not in bound)
    return model


def _check(case: Any, bound: AbstractSet[int]) -> Result:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.onnx")
        path.write_bytes(bound_model(case, bound).SerializeToString())
        try:
            imported = import_model(path, Options(inline_limit=None))
        except OnnxError as error:
            return Result(Outcome.REFUSED, str(error))
    imported.module.verify()
    opaque = [op for op in imported.module.walk() if isinstance(op, OpaqueOp) and not has_subgraphs(op)]
    foreign = sorted({op.op_name.data for op in opaque})
    if foreign:
        left = [([each for index, each in enumerate(inputs) if index not in bound], x) for inputs, x in case.data_sets]
        failed = any(_problem_of_kept(imported, *each, case.rtol, case.atol) for each in left)
        return Result(Outcome.FOREIGN if failed else Outcome.KEPT, ", ".join(foreign))
    for inputs, expected in case.data_sets:
        left = [each for index, each in enumerate(inputs) if index not in bound]
        if problem := _problem(imported, left, expected, case.rtol, case.atol):
            return Result(Outcome.WRONG, problem)
    return Result(Outcome.PASSED)


def _problem(imported: Imported, inputs: Sequence[Any], expected: Sequence[Any], rtol: float, atol: float) -> str:
    (function,) = (op for op in imported.module.ops if isinstance(op, FuncOp) and op.sym_name.data == "main")
    try:
        arrays = [stored(each, type_) for each, type_ in zip(inputs, function.function_type.inputs, strict=True)]
        found = run(imported.module, "main", arrays)
    except InterpreterError as error:
        return str(error)
    for index, (left, right, type_) in enumerate(zip(found, expected, function.function_type.outputs, strict=True)):
        assert isinstance(type_, TensorType)
        digits = DIGITS.get(cast("TensorType[Attribute]", type_).element_type, 0.0)
        if problem := _difference(left, stored(right, type_), rtol, atol, digits):
            return f"result {index}: {problem}"
    return ""


def _problem_of_kept(
    imported: Imported, inputs: Sequence[Any], expected: Sequence[Any], rtol: float, atol: float
) -> str:
    """The fault of the results of a model with nodes that stay, which the package onnx runs; empty if none."""
    function = next(op for op in imported.module.ops if isinstance(op, FuncOp))
    try:
        arrays = [stored(each, type_) for each, type_ in zip(inputs, function.function_type.inputs, strict=True)]
        found = run(imported.module, "main", arrays, environment_in(Path()))
    except InterpreterError as error:
        return str(error)
    for left, right in zip(found, expected, strict=True):
        wanted: Any = numpy_helper.to_array(right) if isinstance(right, TensorProto) else right
        if left.dtype.kind in "fiub":
            if _difference(left, np.asarray(wanted).astype(left.dtype), rtol, atol, 0.0):
                return "other numbers"
        elif not objects.are_same(objects.from_array(left), wanted, rtol):
            return "other values"
    return ""


def stored(given: Any, type_: Any) -> Array:
    """An array in the interpreter's representation."""
    array = numpy_helper.to_array(given) if isinstance(given, TensorProto) else objects.as_array(given)
    assert isinstance(type_, TensorType)
    if isinstance(type_.get_element_type(), BFloat16Type):
        return array.astype(np.float32)
    if array.dtype.name in ("int2", "uint2", "int4", "uint4"):
        return array.astype(array.dtype.name[:-1] + "8")
    return array.astype(np.float32) if array.dtype.name.startswith(("float8_", "float6_", "float4_")) else array


def _difference(found: Array, expected: Array, rtol: float, atol: float, digits: float) -> str:
    if found.shape != expected.shape:
        return f"shape {found.shape} and not {expected.shape}"
    if found.dtype != expected.dtype:
        return f"dtype {found.dtype} and not {expected.dtype}"
    if found.dtype.kind == "f":
        wide = found.astype(np.float64), expected.astype(np.float64)
        # The last digit of 16-bit numbers depends on the rounding of intermediate results.
        atol += digits * float(np.abs(wide[1][np.isfinite(wide[1])]).max(initial=0.0))
        if np.allclose(*wide, rtol=rtol, atol=atol, equal_nan=True):
            return ""
        with np.errstate(all="ignore"):
            return f"largest difference {np.nanmax(np.abs(wide[0] - wide[1]))}"
    return "" if (found == expected).all() else f"{int((found != expected).sum())} numbers of {found.size} differ"


def main() -> None:
    counts: Counter[Outcome] = Counter()
    for name, result in results(sys.argv[1:]):
        counts[result.outcome] += 1
        if result.outcome is not Outcome.PASSED:
            print(f"{result.outcome.value}: {name}: {result.reason}")
    print(summary(counts))


def results(names: Sequence[str]) -> Iterator[tuple[str, Result]]:
    """The results of the tests whose names contain one of these, or of all."""
    for case in all_cases():
        if not names or any(name in case.name for name in names):
            yield case.name, check(case)


def summary(counts: Counter[Outcome]) -> str:
    """The counts in one line."""
    mapped = counts[Outcome.PASSED] + counts[Outcome.WRONG]
    kept, rest = counts[Outcome.KEPT], counts[Outcome.FOREIGN] + counts[Outcome.REFUSED]
    return (
        f"{counts[Outcome.PASSED]} passed, {mapped} mapped, {kept} run as they stay, {rest} not run,"
        f" {counts.total()} in total"
    )


if __name__ == "__main__":
    main()
