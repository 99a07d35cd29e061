"""Random inputs for a function."""

from collections.abc import Iterator, Mapping

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import IntegerType, TensorType
from xdsl.ir import BlockArgument, SSAValue

from ..dialects.notes.node_kinds import was
from ..dialects.npu.attrs import OpaqueType, StringType
from ..dialects.npu.elementwise import CastOp
from ..dialects.npu.movement import GatherOp, SliceOp
from ..dialects.npu.padding import is_padding
from ..dialects.npu.shape import ShapeOp
from ..dialects.npu.source import OpaqueOp
from ..dialects.npu.values import element_type_of, integer_range, is_whole, layout_of, shape_of
from ..layout import DYNAMIC
from .elements import Array, is_integer_type, store
from .errors import InterpreterError

UNKNOWN_SIZE = 4
"""The size of all dynamic dimensions: equalities between them are not recorded, so all are equal."""

_FEW = 100
WORDS = ("a", "B", "word", "Another word", "1", "-2.5", "")
"""The texts of random inputs."""


def random_inputs(function: func.FuncOp, seed: int, dims: Mapping[tuple[int, int], int] | None = None) -> list[Array]:
    """Inputs for a function, reproducible by seed.

    A dynamic dimension has the size that `dims` has for (argument, physical axis), else `UNKNOWN_SIZE`. Floats are
    normally distributed, integers of up to 8 bits are uniform, larger ones are between -100 and 100. Indices of
    `npu.gather` are within its axis; those that `npu.opaque` may take are within all axes of its other operands.
    """
    if not function.body.blocks:
        raise InterpreterError(f"@{function.sym_name.data} is declared only")
    try:
        return [_random_input(argument, seed, dims or {}) for argument in function.body.blocks[0].args]
    except (MemoryError, ValueError) as error:
        # numpy's message about sizes that exceed the memory or its limits.
        raise InterpreterError(f"@{function.sym_name.data}: no inputs can be made up: {error}") from error


def _random_input(argument: BlockArgument, seed: int, dims: Mapping[tuple[int, int], int]) -> Array:
    index, type_ = argument.index, argument.type
    if not isinstance(type_, TensorType):
        raise InterpreterError(f"input {index}: expected a tensor in the signature, found {type_}")
    shape = tuple(
        dims.get((index, axis), UNKNOWN_SIZE) if size == DYNAMIC else size
        for axis, size in enumerate(type_.get_shape())
    )
    generator = np.random.default_rng((seed, index))
    element_type = element_type_of(argument)
    if isinstance(element_type, StringType):
        return generator.choice(WORDS, shape).astype(np.object_)
    if isinstance(element_type, OpaqueType):
        raise InterpreterError(f"input {index}: no inputs of type {element_type.written.data} can be made up")
    if is_integer_type(element_type):
        numbers = np.asarray(generator.integers(*_bounds(argument, element_type), shape, endpoint=True))
    else:
        numbers = generator.standard_normal(shape)
    layout = layout_of(argument)
    if layout is not None and layout.padded_axes and layout.has_zeros:
        numbers = np.where(is_padding(layout, shape), 0, numbers)
    return store(numbers, element_type)


def _bounds(argument: BlockArgument, element_type: IntegerType) -> tuple[int, int]:
    low, high = integer_range(element_type)
    if element_type.bitwidth > 8:
        low, high = max(low, -_FEW), min(high, _FEW)
        for least, most in _places(argument):
            low, high = max(low, least), min(high, most)
    return low, high


def _places(value: SSAValue) -> Iterator[tuple[int, int]]:
    """The bounds of these numbers where they are indices, directly or through ops that keep numbers."""
    reached = [value]
    while reached:
        for use in reached.pop().uses:
            op = use.operation
            if isinstance(op, GatherOp) and op.operands[use.index] is op.indices:
                size = _size(shape_of(op.input)[op.axis.value.data])
                # LiteRT counts none from the end.
                yield 0 if was(op, "GATHER") else -size, size - 1
            elif isinstance(op, OpaqueOp):
                others = [each for index, each in enumerate(op.operands) if index != use.index]
                yield from ((0, min(map(_size, shape_of(each))) - 1) for each in others if shape_of(each))
                # A list may be of one element.
                yield from ((0, 0) for each in others if is_whole(each))
            elif isinstance(op, ShapeOp | SliceOp | CastOp):
                reached.append(op.result)


def _size(size: int) -> int:
    return UNKNOWN_SIZE if size == DYNAMIC else max(size, 1)
