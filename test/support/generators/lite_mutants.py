"""Damaged LiteRT models: cut off, or with other bytes and numbers where the file has offsets, sizes and codes."""

from collections.abc import Iterator
from random import Random

NUMBERS = (0, 1, 2, 0x7F, 0xFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)
"""The numbers of four bytes that mutants write."""


def mutant(model: bytes, seed: int) -> bytes:
    """A model with one to four changes, the same for the same seed."""
    rng = Random(seed)
    if seed % 8 == 0:
        return model[: rng.randrange(len(model))]
    changed = bytearray(model)
    for _ in range(rng.randint(1, 4)):
        place = rng.randrange(0, len(model) - 4)
        if rng.random() < 0.4:
            changed[place] = rng.randrange(256)
            continue
        # Most numbers of the format begin at multiples of four.
        place -= place % 4
        number = rng.choice((*NUMBERS, rng.randrange(len(model)), _near(model, place, rng)))
        changed[place : place + 4] = number.to_bytes(4, "little")
    return bytes(changed)


def _near(model: bytes, place: int, rng: Random) -> int:
    """A number a little beside the one that is there."""
    return (int.from_bytes(model[place : place + 4], "little") + rng.choice((-8, -4, -1, 1, 4, 8))) % (1 << 32)


def mutants(model: bytes, count: int) -> Iterator[bytes]:
    return (mutant(model, seed) for seed in range(count))
