"""Random conditions and prices of target files, and parts of these files as text."""

from collections.abc import Iterable
from random import Random

from npu_opt.targets.vocabulary import OpNames

FACTS = (
    *("groups > 1", "depthwise", "kernel == 1x1", "kernel.h <= 2", "kernel != 3x3", "stride > 1", "dilation == 1"),
    *("pads == 0", "type == f16", "type in [f32, f64]", "rank >= 4", "rank == 3", "C % 2 == 0", "N == 1", "H > 2"),
    *("bytes < 512", "elements >= 32", "dim 0 == 1", "O > 2"),
)
"""Conditions about the first operand, of which any op has some."""
MOVES = (
    *(
        "keeps the last axis",
        "moves the last axis",
        "swaps blocks",
        "rank <= 3",
        "bytes < 256",
        "permutation == [1, 0]",
    ),
    *("permutation == [0, 2, 3, 1]", "dim 0 > 2", "type != f32"),
)


def random_condition(rng: Random, names: OpNames | None) -> str:
    """A condition on an op with these operands and results, or on a transpose."""
    parts = [_fact(rng, names) for _ in range(rng.choice((1, 1, 2, 3)))]
    text = parts[0]
    for part in parts[1:]:
        text = f"{text} {rng.choice(('and', 'or'))} {part}"
    return f"not ({text})" if rng.random() < 0.1 else text


def _fact(rng: Random, names: OpNames | None) -> str:
    text = rng.choice(MOVES if names is None else FACTS)
    if names is not None and rng.random() < 0.2:
        text = f"{rng.choice(names.operands)} is constant"
    elif names is not None and text.split()[0] in ("type", "rank", "C", "N", "H", "bytes", "elements"):
        fact, rest = text.split(" ", 1)
        values = (*names.operands, *names.results)
        text = f"{fact} of {rng.choice(values)} {rest}" if rng.random() < 0.3 else text
    return f"not {text}" if rng.random() < 0.2 else text


def random_price(rng: Random, names: OpNames | None) -> str:
    """A price of an op with these operands and results, or of a transpose."""
    of = f" of {rng.choice((*names.operands, *names.results))}" if names is not None and rng.random() < 0.5 else ""
    share = f"{rng.choice(('0.25', '0.5', '1', '1.5', '0.001'))} x bytes{of}"
    return rng.choice((share, str(rng.choice((0, 1, 7, 200))), f"{share} + {rng.randint(1, 300)}"))


def pair(key: str, value: str) -> str:
    """A key with a text."""
    return f'{key} = "{value}"'


def table(parts: Iterable[str]) -> str:
    """A table on one line."""
    return f"{{ {', '.join(parts)} }}"


def texts(several: Iterable[str]) -> str:
    """A list of texts."""
    quoted = (f'"{text}"' for text in several)
    return f"[{', '.join(quoted)}]"
