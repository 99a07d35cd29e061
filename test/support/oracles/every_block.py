"""The fewest bytes that conversions of a program move, tried over all ways to store its values.

Nothing here knows layouts: a way to store a value is the sequence of its numbers in memory.
"""

from collections.abc import Iterator
from itertools import product

import numpy as np

from support.generators.block_programs import BlockProgram, Step

ROWS, BRICKS = "Chwc", "hCwc"
DEMANDED = {
    "daven": {"conv": [ROWS], "depthwise": [ROWS], "avg_pool": [ROWS], "upsample": [ROWS, "chw"]},
    "brick": {"conv": [BRICKS], "depthwise": [BRICKS], "avg_pool": [BRICKS], "upsample": ["hwc"], "concat": ["hwc"]},
    "first": {"conv": [ROWS], "depthwise": [ROWS]},
    "bytes": {"conv": [ROWS], "depthwise": [ROWS]},
}
"""The ways that a target demands of an op; C counts the blocks."""
KEEP_ZEROS = ("conv", "depthwise", "relu", "add", "avg_pool", "upsample", "concat")
TILE = 16


def fewest_bytes(program: BlockProgram, target: str) -> int:
    """The minimum over all ways of all ops."""
    return min(_bytes(program, target, ways) for ways in product(*ways_of(program, target)))


def ways_of(program: BlockProgram, target: str) -> Iterator[list[str]]:
    """The ways in which each step can store what it reads and computes."""
    for step in program.steps:
        if step.op == "argument":
            yield ["chw"]
        elif demanded := DEMANDED[target].get(step.op):
            yield demanded
        else:
            yield ["chw", "hwc", *(DEMANDED[target]["conv"] if takes_blocks(program, step) else [])]


def _bytes(program: BlockProgram, target: str, ways: tuple[str, ...]) -> int:
    total = 0
    for value in range(len(program.steps)):
        stored = _stored(program, value, ways[value])
        readers = {
            _stored(program, value, "chw" if reads_whole(program, target, place) else ways[place])
            for place, step in enumerate(program.steps)
            if value in step.reads
        }
        if value in program.returned:
            readers.add(_stored(program, value, "chw"))
        total += sum(
            (1 if program.has_bytes else 4) * max(len(stored), len(each)) for each in readers if each != stored
        )
    return total


def reads_whole(program: BlockProgram, target: str, place: int) -> bool:
    """True if a step computes blocks from data without blocks."""
    step = program.steps[place]
    return target == "first" and step.op == "conv" and program.channels(step.reads[0]) < TILE


def takes_blocks(program: BlockProgram, step: Step) -> bool:
    """True if a step can compute blocks of blocks."""
    are_whole = all(size % program.tile == 0 for size in (*map(program.channels, step.reads), step.channels))
    return are_whole or (step.op in KEEP_ZEROS and step.op != "concat")


def _stored(program: BlockProgram, value: int, way: str) -> tuple[int, ...]:
    """The numbers of a value in memory; padding is -1."""
    channels, size = program.channels(value), program.size
    numbers = np.arange(channels * size * size).reshape(channels, size, size)
    if "C" not in way:
        return tuple(numbers.transpose([*map("chw".index, way)]).ravel().tolist())
    padded = np.pad(numbers, [(0, -channels % program.tile), (0, 0), (0, 0)], constant_values=-1)
    pieces = padded.reshape(-1, program.tile, size, size)
    return tuple(pieces.transpose([*map("Cchw".index, way)]).ravel().tolist())
