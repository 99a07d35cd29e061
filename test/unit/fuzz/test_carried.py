"""Random programs that carry tensors: the minimum is that of all orders, tried one by one, and mutants are no proof."""

from collections import Counter
from collections.abc import Iterator
from math import factorial

import pytest
from npu_opt.dialects.program.symbols import verify
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.equivalence.numbers import difference
from npu_opt.passes.common.moves.transpose_cost import cost_of_program
from npu_opt.passes.layout_optimal import LayoutOptimal
from support.campaign import amount, counted
from support.generators.carried import carried_program
from support.generators.carried_mutants import mutants
from support.ir_text import parse
from support.oracles.carried import least_of_all_orders
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.utils.exceptions import ParseError, VerifyException

PROGRAMS = amount(24, 2000)
MUTATED = amount(24, 2000)
CHUNK = 20
MOST_ORDERS = 40
"""The maximum number of choices that the oracle tries."""


def placed(module: ModuleOp) -> ModuleOp:
    found = module.clone()
    LayoutOptimal(cost="bytes").apply(Context(), found)
    verify(found)
    return found


def problems(seed: int, tally: Counter[str]) -> Iterator[str]:
    program = carried_program(seed)
    if factorial(program.rank) ** program.ties > MOST_ORDERS:
        return
    tally["tried"] += 1
    module = program.module
    found = placed(module)
    if (answer := compare(module, found)).verdict is not Verdict.PROVED:
        yield f"seed {seed}: {answer.text}"
    moved, least = cost_of_program(found).bytes, least_of_all_orders(program)
    tally["less"] += moved < cost_of_program(module).bytes
    if moved != least:
        yield f"seed {seed}: {moved} bytes move, and {least} are enough"


def test_random_programs(capsys: pytest.CaptureFixture[str]):
    tally = counted(problems, range(PROGRAMS), CHUNK, capsys)
    assert tally["tried"] > PROGRAMS / 4
    assert tally["less"] > PROGRAMS / 8


def false_proofs(seed: int, tally: Counter[str]) -> Iterator[str]:
    program = carried_program(seed, is_square=True)
    module = program.module
    (function, *_) = (op for op in module.walk() if isinstance(op, FuncOp))
    for text in mutants(program.text, seed):
        try:
            mutant = parse(text)
            verify(mutant)
        except (ParseError, VerifyException):
            continue
        verdict = compare(module, placed(mutant)).verdict
        tally[verdict.name.lower()] += 1
        # Numbers of bits that are no tensors are not run.
        if verdict is Verdict.PROVED and "%bit" not in text:
            if (found := difference(module, mutant, function, range(3))) is not None:
                yield f"seed {seed}: proved, but {found}: {text}"


def test_mutants(capsys: pytest.CaptureFixture[str]):
    tally = counted(false_proofs, range(MUTATED), CHUNK, capsys)
    assert tally["undecided"] + tally["different"] > MUTATED
