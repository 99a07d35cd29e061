"""Sets of random programs with calls, branches and loops, whose arguments and results are tied between programs."""

import re
from collections.abc import Iterator
from random import Random

from .carried import CarriedProgram, Piece, carried_program

MOST_PROGRAMS = 4
MOST_CALLS = 9
MOST_TIES = 6
MOST_IN_ONE = 3
"""The ties of one program with those between programs: the oracle tries all orders of all ties of each function."""


def carried_set(seed: int) -> CarriedProgram:
    """Two to four programs in one module, with one tie or two between them, and calls of each."""
    random = Random(seed)
    texts, pieces, count = list[str](), list[Piece](), random.randint(1, 2)
    programs = [*_programs(random, count)]
    ends = [(place, end) for place in range(len(programs)) for end in ("%x", "%y", 0, 1)]
    chosen: dict[tuple[int, str | int], int] = {}
    for tie in range(count):
        left = [each for each in ends if each not in chosen]
        chosen |= dict.fromkeys(random.sample(left, random.randint(2, 3)), tie)
    ties = count
    for place, program in enumerate(programs):
        calls = random.randint(1, MOST_CALLS)
        own = {end: tie for (of, end), tie in chosen.items() if of == place}
        texts.append(_text(program, place, calls, own))
        for piece in program.pieces:
            piece.calls *= calls
            for named in (piece.arguments, piece.results):
                named[:] = [(name, None if tie is None else tie + ties) for name, tie in named]
        main = program.pieces[0]
        main.arguments[:2] = [(name, own.get(name)) for name, _ in main.arguments[:2]]
        main.results[:2] = [(name, own.get(number)) for number, (name, _) in enumerate(main.results[:2])]
        pieces += program.pieces
        ties += program.ties
    return CarriedProgram("\n".join(texts), programs[0].type, programs[0].rank, ties, pieces)


def _programs(random: Random, between: int) -> Iterator[CarriedProgram]:
    """Programs of one type with few ties, beside those between them."""
    count, ties, type_ = random.randint(2, MOST_PROGRAMS), between, None
    while count:
        program = carried_program(random.randrange(1 << 30))
        is_small = between + program.ties <= MOST_IN_ONE and ties + program.ties <= MOST_TIES - (count - 1)
        if type_ in (None, program.type) and is_small:
            ties += program.ties
            count -= 1
            type_ = program.type
            yield program


def _text(program: CarriedProgram, place: int, calls: int, ties: dict[str | int, int]) -> str:
    """The text of a program with its own names of functions, its ties and its calls."""
    text = re.sub(r"@(main|f\d+)", rf"@p{place}_\1", program.text)
    head, rest = text.split("\n", 1)
    for end in (each for each in ties if isinstance(each, str)):
        head = head.replace(f"{end}: {program.type}", f'{end}: {program.type} {{npu.tie = "t{ties[end]}"}}', 1)
    noted = [f'{program.type} {{npu.tie = "t{ties[each]}"}}' if each in ties else program.type for each in (0, 1)]
    head = head[: head.index("-> (")] + f"-> ({', '.join(noted)}) attributes {{npu.calls = {calls} : i64}} {{"
    return f"{head}\n{rest}"
