"""What one op computes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np
from xdsl.ir import Operation, SSAValue

from ..dialects.names import by_definition
from ..dialects.npu.base import NpuOp
from ..dialects.npu.source import ConstantOp, OpaqueOp
from ..dialects.npu.values import element_type_of, shape_of, shape_text, shapes_agree
from .elements import Array, store
from .errors import InterpreterError
from .ops.source import constant
from .registry import MEANINGS, Meaning


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a program takes from outside itself."""

    directory: Path = Path()
    """Where the files of constants are looked for."""
    foreign: Mapping[str, Meaning] = field(default_factory=dict[str, Meaning])
    """What `npu.opaque` computes, by the name of the foreign op: a function of the op and an array per operand."""


def evaluate(op: Operation, operands: Sequence[Array], surroundings: Surroundings | None = None) -> tuple[Array, ...]:
    """The results of an op for these operands, both as they are stored."""
    if not isinstance(op, NpuOp):
        raise InterpreterError(f"'{op.name}' has no meaning in numbers")
    compute = _meaning_of(op, surroundings or Surroundings())
    _check_shapes(op, op.operand_names, op.operands, operands)
    # Infinities, NaN and integers that wrap are results like others.
    with np.errstate(all="ignore"):
        try:
            found = compute(op, *by_definition(op, operands))
        except (ValueError, IndexError, MemoryError) as error:
            # numpy's word on sizes that do not fit, which are known at run time only, on indices outside, and on room.
            raise InterpreterError(f"'{op.name}': {error}") from error
        arrays = found if isinstance(found, tuple) else (found,)
        results = tuple(store(array, element_type_of(value)) for array, value in zip(arrays, op.results, strict=True))
    _check_shapes(op, op.result_names, op.results, results)
    return results


def _meaning_of(op: NpuOp, surroundings: Surroundings) -> Meaning:
    match op:
        case ConstantOp():
            return partial(constant, directory=surroundings.directory)
        case OpaqueOp():
            name = op.op_name.data
            if name not in surroundings.foreign:
                raise InterpreterError(f"'{op.name}' \"{name}\" has no meaning in numbers")
            return partial(_foreign, surroundings.foreign[name])
        case _:
            return MEANINGS[type(op)]


def _foreign(compute: Meaning, op: OpaqueOp, inputs: tuple[Array, ...]) -> Array | tuple[Array, ...]:
    return compute(op, *inputs)


def _check_shapes(
    op: NpuOp, names: Callable[[], Sequence[str]], values: Sequence[SSAValue], arrays: Sequence[Array]
) -> None:
    for index, (value, array) in enumerate(zip(values, arrays, strict=True)):
        if not shapes_agree(array.shape, shape_of(value)):
            expected, found = shape_text(shape_of(value)), shape_text(array.shape)
            raise InterpreterError(f"'{op.name}' {names()[index]}: expected shape {expected}, found {found}")
