"""Programs that carry tensors with one line changed: an order, an operand, a number of steps or what is returned."""

import re
from collections.abc import Iterator
from itertools import permutations
from random import Random

VALUE = re.compile(r"%(?:v\d+|x|y)\b")
TRIES = 8


def mutants(text: str, seed: int) -> Iterator[str]:
    """Programs with one line changed; some compute the same."""
    rng, lines = Random(seed), text.split("\n")
    for _ in range(TRIES):
        place = rng.randrange(len(lines))
        line = _changed(lines, place, rng)
        if line != lines[place]:
            yield "\n".join([*lines[:place], line, *lines[place + 1 :]])


def _changed(lines: list[str], place: int, rng: Random) -> str:
    line = lines[place]
    if (found := re.search(r"permutation = \[([\d, ]+)\]", line)) is not None:
        order = rng.choice([*permutations(range(found[1].count(",") + 1))])
        return line.replace(found[0], f"permutation = {[*order]}")
    if "dense<" in line and "i64" in line:
        return re.sub(r"dense<\d+>", f"dense<{rng.randrange(1, 5)}>", line)
    if line.startswith("func.func") or "npu.constant" in line:
        return line
    made, equals, rest = line.partition(" = ") if line.startswith("%") else ("", "", line)
    begin = max(each for each in range(place + 1) if lines[each].startswith("func.func"))
    known = {value for each in lines[begin:place] for value in VALUE.findall(each) if "scf." not in each}
    read = [*VALUE.finditer(rest)]
    if not read or not known:
        return line
    old = rng.choice(read)
    return f"{made}{equals}{rest[: old.start()]}{rng.choice(sorted(known))}{rest[old.end() :]}"
