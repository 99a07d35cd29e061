"""Planted miscompiles on random programs: the checker proves none that computes something else."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import TypeAlias

import pytest
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.interpreter import InterpreterError
from support.campaign import amount
from support.generators.mutants import KINDS, Mutate
from support.generators.programs import random_program
from support.generators.sample_source import F64
from support.generators.shuffle import shuffled
from support.oracles.running import Recorder, results, same, same_effects
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

Known: TypeAlias = dict[tuple[int, bool], tuple[ModuleOp, ModuleOp]]
"""Programs and their shuffled variants, by seed and by whether they have side effects."""

pytestmark = pytest.mark.xdist_group("mutants")  # One process makes the programs, once.
COUNTED = amount(5, 50)
"""The number of mutants of each kind that have to count."""
MOST_PROGRAMS = amount(500, 5000)
PLACES = 12
"""The number of ops of a program at which a miscompile is tried."""
MUTANTS = 3
"""The largest number of mutants of one kind from a program."""
SEEDS = 3
"""The number of inputs on which numbers are compared."""


def program(seed: int, effects: bool) -> ModuleOp:
    foreign = "any" if effects else "none"
    return random_program(seed, 40, coloured=seed % 5 != 0, foreign=foreign, floats=F64, functions=seed % 3)


def mutated(module: ModuleOp, classes: tuple[type[Operation], ...], mutate: Mutate, rng: Random) -> Iterator[ModuleOp]:
    """Valid programs with the miscompile at some op."""
    places = [index for index, op in enumerate(module.walk()) if isinstance(op, classes)]
    left = MUTANTS
    for place in rng.sample(places, min(len(places), PLACES)):
        if not left:
            return
        mutant = module.clone()
        op = next(op for index, op in enumerate(mutant.walk()) if index == place)
        try:
            if mutate(op, rng):
                mutant.verify()
                left -= 1
                yield mutant
        except VerifyException:
            continue


def computes_the_same(left: ModuleOp, right: ModuleOp) -> bool:
    """True if results and side effects are equal on all inputs tried. A program that cannot be run is different."""
    for seed in range(SEEDS):
        recorders = Recorder(), Recorder()
        found = results(left, seed, recorders[0].environment())
        try:
            if not same(found, results(right, seed, recorders[1].environment())):
                return False
        except InterpreterError:
            return False
        if not same_effects(recorders[0].effects, recorders[1].effects):
            return False
    return True


@pytest.fixture(scope="module")
def programs() -> Known:
    """Programs and their shuffled variants, made on demand."""
    return {}


def pair(known: Known, seed: int, effects: bool) -> tuple[ModuleOp, ModuleOp]:
    if (seed, effects) not in known:
        module = program(seed, effects)
        known[seed, effects] = module, shuffled(module, seed)
    return known[seed, effects]


@pytest.mark.parametrize("kind", KINDS)
def test_no_miscompile_is_proved(kind: str, programs: Known, capsys: pytest.CaptureFixture[str]):
    classes, mutate = KINDS[kind]
    effects = "effect" in kind or "impure" in kind
    count: Counter[str] = Counter()
    wrong: list[str] = []
    for seed in range(MOST_PROGRAMS):
        if count["counted"] >= COUNTED:
            break
        module, other = pair(programs, seed, effects)
        for mutant in mutated(other, classes, mutate, Random(seed)):
            count["tried"] += 1
            if computes_the_same(module, mutant):
                continue
            count["counted"] += 1
            verdict = compare(module, mutant).verdict
            count[verdict.name] += 1
            if verdict is Verdict.PROVED:
                wrong.append(f"{kind}, seed {seed}:\n{module}\n{mutant}")
    with capsys.disabled():
        figures = ", ".join(f"{count[name]:3} {name.lower()}" for name in ("tried", "counted", *Verdict.__members__))
        print(f"\n{kind:38} {figures}", end="")
    assert wrong == []
    assert count["counted"] >= COUNTED
