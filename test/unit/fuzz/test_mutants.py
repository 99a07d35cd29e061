"""Planted miscompiles on random programs: the checker proves none that computes something else."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from random import Random
from typing import TypeAlias

import pytest
from npu_opt.dialects.npu.shape import RelabelOp, ReshapeOp, TransposeOp
from npu_opt.dialects.npu.source import ConstantOp
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.interpreter import InterpreterError
from npu_opt.passes.common.graph.dead_ops import live_ops
from support.campaign import amount
from support.generators.mutants import KINDS, Mutate
from support.generators.programs import FunctionBuilder, RunTimeBuilder, random_program
from support.generators.sample_source import F64
from support.generators.shuffle import shuffled
from support.oracles.running import Array, Effect, Recorder, results, same, same_effects
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

Run: TypeAlias = tuple[list[Array], Sequence[Effect]]
"""The results and the side effects of a program."""

pytestmark = pytest.mark.xdist_group("mutants")  # One process makes the programs, once.
COUNTED = amount(5, 50)
"""The number of mutants of each kind that have to count."""
MOST_PROGRAMS = amount(2000, 12_000)
ADDED = (ConstantOp, RelabelOp, ReshapeOp, TransposeOp)
"""The ops that a shuffled variant has beside those of its program."""
UNCOLOURED = 5
"""Every program of so many has no layouts."""
SHOWN_BY_LAYOUTS = {"transpose dropped"}
"""Miscompiles that are invalid where types have layouts."""
PLACES = 12
"""The number of ops of a program at which a miscompile is tried."""
MUTANTS = 3
"""The largest number of mutants of one kind from a program."""
SEEDS = 3
"""The number of inputs on which numbers are compared."""


def program(seed: int, effects: bool) -> ModuleOp:
    foreign, builder = "any" if effects else "none", RunTimeBuilder if seed % 2 else FunctionBuilder
    return random_program(seed, 40, seed % UNCOLOURED != 0, foreign, F64, seed % 3, builder)


def mutated(module: ModuleOp, classes: tuple[type[Operation], ...], mutate: Mutate, rng: Random) -> Iterator[ModuleOp]:
    """Valid programs with the miscompile at some op that counts."""
    live = live_ops(module)
    places = [index for index, op in enumerate(module.walk()) if isinstance(op, classes) and op in live]
    left = MUTANTS
    mutant = module.clone()
    for place in rng.sample(places, min(len(places), PLACES)):
        if not left:
            return
        op = next(op for index, op in enumerate(mutant.walk()) if index == place)
        try:
            if not mutate(op, rng):
                continue
            for each in (op, *(use.operation for result in op.results for use in result.uses)):
                # Most invalid mutants are found here. An error of the whole program prints it, which takes long.
                each.verify_()
            mutant.verify()
            left -= 1
            yield mutant
        except VerifyException:
            pass
        mutant = module.clone()


@dataclass
class Pair:
    """A program and its shuffled variant, and the runs of the program, which are the same for all mutants."""

    seed: int
    module: ModuleOp
    runs: dict[int, Run] = field(default_factory=dict[int, Run])

    def may_have(self, classes: tuple[type[Operation], ...]) -> bool:
        """False if the variant has no op of these classes either."""
        return any(issubclass(each, classes) for each in ADDED) or any(
            isinstance(op, classes) for op in self.module.walk()
        )

    @cached_property
    def shuffled(self) -> ModuleOp:
        return shuffled(self.module, self.seed)

    def computes_the_same(self, mutant: ModuleOp) -> bool:
        """True if results and side effects are equal on all inputs tried. A program that cannot be run is different."""
        for seed in range(SEEDS):
            if seed not in self.runs:
                self.runs[seed] = run(self.module, seed)
            found, effects = self.runs[seed]
            try:
                others, other_effects = run(mutant, seed)
            except InterpreterError:
                return False
            if not same(found, others) or not same_effects(effects, other_effects):
                return False
        return True


def run(module: ModuleOp, seed: int) -> Run:
    recorder = Recorder()
    return results(module, seed, recorder.environment()), recorder.effects


@pytest.fixture(scope="module")
def pairs() -> Callable[[int, bool], Pair]:
    """The pair of a seed, with side effects or without, made on demand."""

    @cache
    def pair(seed: int, effects: bool) -> Pair:
        return Pair(seed, program(seed, effects))

    return pair


@pytest.mark.parametrize("kind", KINDS)
def test_no_miscompile_is_proved(kind: str, pairs: Callable[[int, bool], Pair], capsys: pytest.CaptureFixture[str]):
    classes, mutate = KINDS[kind]
    effects = "effect" in kind or "impure" in kind
    count: Counter[str] = Counter()
    wrong: list[str] = []
    for seed in range(0, MOST_PROGRAMS, UNCOLOURED if kind in SHOWN_BY_LAYOUTS else 1):
        if count["counted"] >= COUNTED:
            break
        pair = pairs(seed, effects)
        if not pair.may_have(classes):
            continue
        for mutant in mutated(pair.shuffled, classes, mutate, Random(seed)):
            count["tried"] += 1
            if pair.computes_the_same(mutant):
                continue
            count["counted"] += 1
            verdict = compare(pair.module, mutant).verdict
            count[verdict.name] += 1
            if verdict is Verdict.PROVED:
                wrong.append(f"{kind}, seed {seed}:\n{pair.module}\n{mutant}")
    with capsys.disabled():
        figures = ", ".join(f"{count[name]:3} {name.lower()}" for name in ("tried", "counted", *Verdict.__members__))
        print(f"\n{kind:38} {figures}", end="")
    assert wrong == []
    assert count["counted"] >= COUNTED
