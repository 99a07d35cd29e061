"""Conditions on transposes, worked out from the places of elements without the code of `targets`."""

import re
from collections.abc import Sequence
from math import prod

import numpy as np
from npu_opt.dialects.npu.shape import AnyTransposeOp
from npu_opt.dialects.npu.values import shape_of
from npu_opt.layout import DYNAMIC

from support.oracles.condition_values import Ask, Value, fact_of_value, holds
from support.oracles.prices import Moved, moved

WORDS = {"the last axis": "", "swaps blocks": "swaps"}
"""The rest of facts of several words, behind the first one."""
_PERMUTATION = re.compile(r"(?<=permutation ..) \[([\d, ]+)\]")


def transpose_holds(text: str, op: AnyTransposeOp) -> bool:
    """True if a condition holds for a transpose; what is unknown does not."""
    for words, short in WORDS.items():
        text = text.replace(words, short)
    text = _PERMUTATION.sub(lambda match: f" {_joined([int(axis) for axis in match[1].split(',')])}", text)
    return holds(text, _facts_of(op)) is True


def _facts_of(op: AnyTransposeOp) -> Ask:
    # An unknown size is the same as any other, but for what is asked about sizes.
    one, other = _moved(op, 2), _moved(op, 3)

    def ask(fact: str, of: str | None) -> Value:
        if fact.startswith("dim "):
            place = int(fact.removeprefix("dim "))
            sizes = [found.sizes[found.permutation.index(place)] for found in (one, other) if place < len(found.sizes)]
            return sizes[0] if sizes and sizes[0] == sizes[1] else None
        if fact in ("type", "bytes"):
            return fact_of_value(op.input, fact)
        known: dict[str, Value] = {
            "keeps": one.keeps_last,
            "moves": not one.keeps_last,
            "swaps": one.swaps,
            "permutation": one.permutation,
            "rank": len(one.sizes),
        }
        return known[fact]

    return ask


def _moved(op: AnyTransposeOp, unknown: int) -> Moved:
    return _movement([unknown if size == DYNAMIC else size for size in shape_of(op.input)], op.moved())


def _joined(permutation: Sequence[int]) -> list[int]:
    """A permutation of which neighbours that stay neighbours are one."""
    return [*_movement([2] * len(permutation), permutation).permutation]


def _movement(shape: Sequence[int], permutation: Sequence[int]) -> Moved:
    given = np.arange(prod(shape), dtype=np.int64)
    found = moved(given.tobytes(), given.reshape(shape).transpose(permutation).tobytes())
    assert found is not None
    return found
