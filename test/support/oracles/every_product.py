"""The fewest bytes that conversions of a program of matrices move, tried over all ways to store its values.

Nothing here knows layouts: a way to store a value is the sequence of its numbers in memory.
"""

from itertools import product

import numpy as np

from support.generators.product_programs import MatrixStep, ProductProgram

KEEP_ZEROS = ("relu", "add")
TILE = 16
BYTES = 4


def fewest_bytes_of_products(program: ProductProgram) -> int:
    """The minimum over all ways of all ops."""
    ways = [_ways(program, step) for step in program.steps]
    return min(_bytes(program, each) for each in product(*ways))


def _ways(program: ProductProgram, step: MatrixStep) -> list[str]:
    if step.op == "argument":
        return ["rows"]
    if step.op == "matmul":
        return ["blocks"]
    is_whole = program.rows % TILE == 0 == step.columns % TILE
    return ["rows", "columns", *(["blocks"] if is_whole or step.op in KEEP_ZEROS else [])]


def _bytes(program: ProductProgram, ways: tuple[str, ...]) -> int:
    total = 0
    for value in range(len(program.steps)):
        stored = _stored(program, value, ways[value])
        readers = {
            _stored(program, value, ways[place]) for place, step in enumerate(program.steps) if value in step.reads
        }
        if value in program.returned:
            readers.add(_stored(program, value, "rows"))
        total += sum(BYTES * max(len(stored), len(each)) for each in readers if each != stored)
    return total


def _stored(program: ProductProgram, value: int, way: str) -> tuple[int, ...]:
    """The numbers of a value in memory; padding is -1."""
    sizes = program.rows, program.steps[value].columns
    numbers = np.arange(sizes[0] * sizes[1]).reshape(sizes)
    if way != "blocks":
        return tuple((numbers if way == "rows" else numbers.T).ravel().tolist())
    padded = np.pad(numbers, [(0, -size % TILE) for size in sizes], constant_values=-1)
    pieces = padded.reshape(padded.shape[0] // TILE, TILE, padded.shape[1] // TILE, TILE)
    return tuple(pieces.transpose(2, 0, 1, 3).ravel().tolist())
