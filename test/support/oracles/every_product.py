"""The fewest bytes that conversions of a program of matrices move, tried over all ways to store its values.

Nothing here knows layouts: a way to store a value is the sequence of its numbers in memory.
"""

from itertools import product
from typing import NamedTuple

import numpy as np

from support.generators.product_programs import MatrixStep, ProductProgram

KEEP_ZEROS = ("relu", "add")
TILE = 16
BYTES = 4


class Way(NamedTuple):
    """A way to store the result of an op, and those in which it reads its operands."""

    result: str
    operands: tuple[str, ...] = ()


def fewest_bytes_of_products(program: ProductProgram) -> int:
    """The minimum over all ways of all ops."""
    ways = [_ways(program, step) for step in program.steps]
    return min(_bytes(program, each) for each in product(*ways))


def _ways(program: ProductProgram, step: MatrixStep) -> list[Way]:
    if step.op == "argument":
        return [Way("rows")]
    if step.op == "matmul":
        # Behind the columns that are summed there are zeros; padding of rows stays in rows of the result.
        is_whole = program.steps[step.reads[0]].columns % TILE == 0
        return [Way(each, (each,)) for each in ("blocks", *(["dirty"] if is_whole else []))]
    in_blocks = (
        Way("blocks" if step.op in KEEP_ZEROS and "dirty" not in read else "dirty", read)
        for read in product(("blocks", "dirty"), repeat=len(step.reads))
    )
    return [*(Way(each, (each,) * len(step.reads)) for each in ("rows", "columns")), *in_blocks]


def _bytes(program: ProductProgram, ways: tuple[Way, ...]) -> int:
    total = 0
    for value in range(len(program.steps)):
        stored = _stored(program, value, ways[value].result)
        readers = {
            _stored(program, value, way)
            for place, step in enumerate(program.steps)
            for read, way in zip(step.reads, ways[place].operands, strict=True)
            if read == value
        }
        if value in program.returned:
            readers.add(_stored(program, value, "rows"))
        total += sum(BYTES * max(len(stored), len(each)) for each in readers if each != stored)
    return total


def _stored(program: ProductProgram, value: int, way: str) -> tuple[int, ...]:
    """The numbers of a value in memory; padding is -1 for zeros, and -2 if it may be anything."""
    sizes = program.rows, program.steps[value].columns
    numbers = np.arange(sizes[0] * sizes[1]).reshape(sizes)
    if way in ("rows", "columns"):
        return tuple((numbers if way == "rows" else numbers.T).ravel().tolist())
    padded = np.pad(numbers, [(0, -size % TILE) for size in sizes], constant_values=-1 if way == "blocks" else -2)
    pieces = padded.reshape(padded.shape[0] // TILE, TILE, padded.shape[1] // TILE, TILE)
    return tuple(pieces.transpose(2, 0, 1, 3).ravel().tolist())
