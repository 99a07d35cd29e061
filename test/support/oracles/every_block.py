"""The fewest bytes that conversions of a program move, tried over all ways to store its values.

Nothing here knows layouts: a way to store a value is the sequence of its numbers in memory.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from math import inf
from typing import NamedTuple

import numpy as np

from support.generators.block_programs import BlockProgram, Step

ROWS, BRICKS, ROWS_OF_16 = "Chwc", "hCwc", "Dhwd"
DEMANDED = {
    "daven": {"conv": [ROWS], "depthwise": [ROWS], "avg_pool": [ROWS], "max_pool": [ROWS], "upsample": [ROWS, "chw"]},
    "brick": {
        "conv": [BRICKS],
        "depthwise": [BRICKS],
        "avg_pool": [BRICKS],
        "max_pool": [BRICKS],
        "upsample": ["hwc"],
        "concat": ["hwc"],
    },
    "first": {"conv": [ROWS], "depthwise": [ROWS]},
    "bytes": {"conv": [ROWS], "depthwise": [ROWS]},
    "mixed": {"conv": [ROWS], "depthwise": [ROWS], "avg_pool": [ROWS_OF_16]},
}
"""The ways that a target demands of an op; C counts the blocks, and D those of 16 whatever the others are."""
KEEP_ZEROS = ("conv", "depthwise", "relu", "add", "avg_pool", "max_pool", "upsample")
TILE = 16


class Way(NamedTuple):
    """The way in which a step stores what it reads and computes."""

    order: str
    dirty: tuple[int, ...] = ()
    """The values that it reads in blocks with whatever the padding is; in the other ones padding is zeros."""


def fewest_bytes(program: BlockProgram, target: str) -> float:
    """The minimum over all ways of all ops."""
    return min(_bytes(program, target, ways) for ways in product(*ways_of(program, target)))


def ways_of(program: BlockProgram, target: str) -> Iterator[list[Way]]:
    """The ways in which each step can store what it reads and computes."""
    for place, step in enumerate(program.steps):
        if step.op == "argument":
            orders = ["chw"]
        elif demanded := DEMANDED[target].get(step.op):
            orders = demanded
        else:
            blocks = dict.fromkeys(order for each in ("conv", "avg_pool") for order in DEMANDED[target].get(each, []))
            orders = ["chw", "hwc", *(order for order in blocks if takes_blocks(program, step, order))]
        yield [Way(order, dirty) for order in orders for dirty in dirty_reads(program, target, place, order)]


def dirty_reads(program: BlockProgram, target: str, place: int, order: str) -> list[tuple[int, ...]]:
    """The sets of values of which a step in an order may read padding that is anything."""
    step = program.steps[place]
    needs_zeros = step.op == "conv" and not program.has_bytes
    tile = tile_of(program, order)
    if tile is None or needs_zeros or reads_whole(program, target, place):
        return [()]
    padded = [each for each in dict.fromkeys(step.reads) if program.channels(each) % tile]
    return [each for count in range(len(padded) + 1) for each in combinations(padded, count)]


def tile_of(program: BlockProgram, order: str) -> int | None:
    """The size of the blocks in an order; None without blocks."""
    return program.tile if "C" in order else TILE if "D" in order else None


def computes_zeros(program: BlockProgram, place: int, dirty: Sequence[int]) -> bool:
    """True if a step computes zeros in the padding of blocks. Those of a kernel of integers suffice."""
    step = program.steps[place]
    is_absorbing = program.has_bytes and step.op in ("conv", "depthwise")
    return step.op in KEEP_ZEROS and not step.zero_point and (is_absorbing or not dirty)


def _bytes(program: BlockProgram, target: str, ways: tuple[Way, ...]) -> float:
    total = 0
    for value, (order, dirty) in enumerate(ways):
        stored = _stored(program, value, order, computes_zeros(program, value, dirty))
        readers = set[tuple[int, ...]]()
        for place, step in enumerate(program.steps):
            if value not in step.reads:
                continue
            if value in ways[place].dirty:
                # Elsewhere a pack makes these blocks, which can as well write zeros.
                if _stored(program, value, ways[place].order, has_zeros=False) != stored:
                    return inf
                continue
            wanted = "chw" if reads_whole(program, target, place) else ways[place].order
            readers.add(_stored(program, value, wanted, has_zeros=True))
        if value in program.returned:
            readers.add(_stored(program, value, "chw", has_zeros=True))
        total += sum(
            (1 if program.has_bytes else 4) * max(len(stored), len(each)) for each in readers if each != stored
        )
    return total


def reads_whole(program: BlockProgram, target: str, place: int) -> bool:
    """True if a step computes blocks from data without blocks."""
    step = program.steps[place]
    return target == "first" and step.op == "conv" and program.channels(step.reads[0]) < TILE


def takes_blocks(program: BlockProgram, step: Step, order: str = ROWS) -> bool:
    """True if a step can compute blocks of blocks."""
    tile = tile_of(program, order)
    assert tile is not None
    are_whole = all(size % tile == 0 for size in (*map(program.channels, step.reads), step.channels))
    return are_whole or step.op != "concat"


def _stored(program: BlockProgram, value: int, order: str, has_zeros: bool) -> tuple[int, ...]:
    """The numbers of a value in memory; padding is -1, or -2 where it may be anything."""
    channels, size = program.channels(value), program.size
    numbers = np.arange(channels * size * size).reshape(channels, size, size)
    tile = tile_of(program, order)
    if tile is None:
        return tuple(numbers.transpose([*map("chw".index, order)]).ravel().tolist())
    filling = -1 if has_zeros else -2
    padded = np.pad(numbers, [(0, -channels % tile), (0, 0), (0, 0)], constant_values=filling)
    pieces = padded.reshape(-1, tile, size, size)
    return tuple(pieces.transpose([*map("Cchw".index, order.replace("D", "C").replace("d", "c"))]).ravel().tolist())
