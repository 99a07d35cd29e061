"""Evaluation of a single op."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path

import numpy as np
from xdsl.ir import Operation, SSAValue

from ..dialects.npu.base import NpuOp
from ..dialects.npu.padding import is_padding
from ..dialects.npu.source import ConstantOp, ForeignOp
from ..dialects.npu.values import element_type_of, is_whole, layout_of, shape_of, shape_text, shapes_agree
from ..dialects.program.names import by_definition
from .elements import Array, garbage, store
from .errors import InterpreterError
from .ops.source import constant
from .registry import MEANINGS, Meaning


@dataclass(frozen=True, slots=True)
class Environment:
    """The inputs of a program from outside: files and foreign ops."""

    directory: Path = Path()
    """The folder against which file names of constants are resolved."""
    foreign: Mapping[str, Meaning] = field(default_factory=dict[str, Meaning])
    """The meanings of ops of other systems by name: functions of the op and an array per operand."""
    run_others: Callable[[ForeignOp, Sequence[Array]], tuple[Array, ...]] | None = None
    """Runs all other ops of other systems, or raises `InterpreterError`."""


def evaluate(op: Operation, operands: Sequence[Array], environment: Environment | None = None) -> tuple[Array, ...]:
    """The results of an op for these operands, all with stored axes."""
    if not isinstance(op, NpuOp):
        raise InterpreterError(f"'{op.name}' cannot be evaluated")
    compute = _meaning_of(op, environment or Environment())
    _check_shapes(op, op.operand_names, op.operands, operands)
    # Infinities, NaN and wrapped integers are valid results.
    with np.errstate(all="ignore"):
        try:
            found = compute(op, *by_definition(op, operands))
        except (ValueError, IndexError, MemoryError, OverflowError) as error:
            # numpy's message about incompatible sizes known at run time only, indices out of range, lack of memory, or
            # infinities where integers are needed.
            raise InterpreterError(f"'{op.name}': {error}") from error
        arrays = found if isinstance(found, tuple) else (found,)
        results = tuple(store(array, element_type_of(value)) for array, value in zip(arrays, op.results, strict=True))
    _check_shapes(op, op.result_names, op.results, results)
    return tuple(map(with_padding, op.results, results))


def with_padding(value: SSAValue, array: Array) -> Array:
    """The array of a value, where padding that may be anything is as far from the numbers as possible: NaN."""
    layout = layout_of(value)
    if layout is None or layout.has_zeros:
        return array
    return np.where(is_padding(layout, array.shape), garbage(array.dtype), array)


def _meaning_of(op: NpuOp, environment: Environment) -> Meaning:
    match op:
        case ConstantOp():
            return partial(constant, directory=environment.directory)
        case ForeignOp():
            name = op.op_name.data
            if name in environment.foreign:
                return partial(_foreign, environment.foreign[name])
            if environment.run_others is not None:
                return partial(_other, environment.run_others)
            raise InterpreterError(f"'{op.name}' \"{name}\" cannot be evaluated")
        case _:
            return MEANINGS[type(op)]


def _foreign(compute: Meaning, op: ForeignOp, *operands: Array | tuple[Array, ...]) -> Array | tuple[Array, ...]:
    return compute(op, *_listed(operands))


def _other(
    run: Callable[[ForeignOp, Sequence[Array]], tuple[Array, ...]], op: ForeignOp, *operands: Array | tuple[Array, ...]
) -> tuple[Array, ...]:
    return run(op, [*_listed(operands)])


def _listed(operands: Sequence[Array | tuple[Array, ...]]) -> Iterator[Array]:
    # An entry is an array, or a tuple of those of a variadic group.
    return chain.from_iterable(each if isinstance(each, tuple) else (each,) for each in operands)


def _check_shapes(
    op: NpuOp, names: Callable[[], Sequence[str]], values: Sequence[SSAValue], arrays: Sequence[Array]
) -> None:
    for index, (value, array) in enumerate(zip(values, arrays, strict=True)):
        if not is_whole(value) and not shapes_agree(array.shape, shape_of(value)):
            expected, found = shape_text(shape_of(value)), shape_text(array.shape)
            raise InterpreterError(f"'{op.name}' {names()[index]}: expected shape {expected}, found {found}")
