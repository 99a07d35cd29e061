"""Random sets of programs whose arguments and results are tied: the functions of one module, with calls of each."""

from collections.abc import Iterator
from math import factorial
from random import Random

from npu_opt.dialects.notes.calls import note_calls
from npu_opt.dialects.notes.interfaces import InterfaceValue, interface_of
from npu_opt.dialects.notes.ties import tie
from npu_opt.layout import MAX_RANK
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp

from .flattened import flattened_program
from .networks import random_network
from .programs import random_program
from .reshaped import reshaped_program

MOST_FUNCTIONS = 4
MOST_TIED = 4
MOST_CALLS = 9
MOST_ORDERS = 150
"""The orders of all ties together, each of which the oracle tries."""


def tied_programs(seed: int) -> ModuleOp:
    """Two to four functions, with one tie or two."""
    random = Random(seed)
    functions = [
        function for number in range(random.randint(2, MOST_FUNCTIONS)) for function in _functions(random, f"f{number}")
    ]
    for function in functions:
        function.detach()
        note_calls(function, random.randint(1, MOST_CALLS))
    module = ModuleOp([*functions])
    ends = [end for function in functions for end in interface_of(function) if 1 < end.rank <= MAX_RANK]
    orders = 1
    for name in ("first", "second")[: random.randint(1, 2)]:
        ends = [end for end in ends if orders * factorial(end.rank) <= MOST_ORDERS]
        ends, tried = _tie_some(random, name, ends)
        orders *= tried
    return module


def _functions(random: Random, name: str) -> Iterator[FuncOp]:
    """One function; programs of several are left out."""
    while True:
        seed, size = random.randrange(1 << 30), random.randint(2, 7)
        module = random.choice(
            (
                lambda: random_program(seed, size, False, "none"),
                lambda: random_network(seed, size, False, "none"),
                lambda: flattened_program(seed),
                lambda: reshaped_program(seed),
            )
        )()
        functions = [op for op in module.walk() if isinstance(op, FuncOp)]
        if len(functions) == 1:
            functions[0].sym_name = StringAttr(name)
            yield functions[0]
            return


def _tie_some(random: Random, name: str, ends: list[InterfaceValue]) -> tuple[list[InterfaceValue], int]:
    """Tie some ends of one rank, and return the others, with the number of orders that those could have."""
    ranks = {end.rank for end in ends}
    alike = [rank for rank in sorted(ranks) if sum(end.rank == rank for end in ends) > 1]
    if not alike:
        return ends, 1
    rank = random.choice(alike)
    known = [end for end in ends if end.rank == rank]
    chosen = random.sample(known, random.randint(2, min(MOST_TIED, len(known))))
    tie(name, chosen)
    return [end for end in ends if end not in chosen], factorial(rank)
