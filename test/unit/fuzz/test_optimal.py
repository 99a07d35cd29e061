"""Random programs through `layout-optimal`: correct, stable, and never more transposes than another strategy."""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Literal

import pytest
from npu_opt.dialects.settings.assumed_sizes import ASSUMED_SIZE
from npu_opt.passes.common.demands.target_layouts import TargetLayouts
from npu_opt.passes.common.graph.dead_ops import live_ops
from npu_opt.passes.common.moves.transpose_cost import cost_of_program
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.passes.optimal.choice.mode_choice import ModeChoice, choose_modes
from npu_opt.targets import load
from support.campaign import amount, in_chunks, one_by_one
from support.generators.frustrated import frustrated_program
from support.generators.placed_programs import TARGETS, Program, program, settings
from support.generators.random_targets import random_target
from support.oracles.placement import CHECKS, Setting, Trial, canonical, named, problems, text
from support.oracles.shrinking import shrunk
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

PROGRAMS = amount(8, 2000)
PARTS = amount(4, 1)
ON_EACH_TARGET = amount(1, 10)
CHUNK = 10
COSTS: tuple[Literal["bytes", "count"], ...] = ("bytes", "count")
KEPT = {name: check for name, check in CHECKS.items() if name not in ("lost_names", "unmet_demands")}
"""The checks of every pass; but `layout-optimal` erases dead ops, and the views that it replaces."""


def subject(seed: int) -> Program:
    if seed % 4 == 0:
        return Program("frustrated", named(frustrated_program(seed, 4 + seed // 4 % 20)))
    return program(seed)


def optimal(target: str, cost: Literal["bytes", "count", "target", "traffic"]) -> Setting:
    made = LayoutOptimal(target=target, cost=cost)
    command = f'--layout-optimal="target={target} cost={cost}"'
    return Setting(command, partial(_run, made), load(target))


def _run(made: LayoutOptimal, module: ModuleOp) -> None:
    made.apply(Context(), module)


def live(module: ModuleOp) -> ModuleOp:
    """The program without its dead ops."""
    result = module.clone()
    alive = live_ops(result)
    for op in reversed([op for op in result.walk() if op not in alive]):
        op.detach()
        op.erase(safe_erase=False)
    return result


def counted(module: ModuleOp, cost: str) -> int:
    found = cost_of_program(live(module))
    return found.bytes if cost == "bytes" else found.transposes


class Comparison:
    """The results of `layout-optimal` and of the other strategies on one program."""

    def __init__(self, trial: Trial, cost: Literal["bytes", "count"]) -> None:
        self.trial = trial
        self.cost: Literal["bytes", "count"] = cost
        self.target = trial.setting.target
        self.least = counted(trial.placed, cost)

    def problems(self, tally: Counter[str]) -> Iterator[tuple[str, str]]:
        plan = self._plan(self.trial.coloured)
        tally["compared"] += 1
        tally["minima proved"] += plan.is_proved
        if plan.is_proved and plan.solution.cost != self.least:
            yield "not as said", f"{plan.solution} was said, {self.least} it is"
        if plan.solution.bound > plan.solution.cost:
            yield "bound above", f"{plan.solution}"
        if (cleaned := counted(self.trial.canonical, self.cost)) > self.least:
            yield "more in canonical form", f"{self.least} became {cleaned}"
        if not plan.is_proved:
            return
        for other in settings():
            if other.target.name == self.target.name:
                yield from self._beside(other, tally)

    def _beside(self, other: Setting, tally: Counter[str]) -> Iterator[tuple[str, str]]:
        placed = self.trial.given.clone()
        other.run(placed)
        found = counted(canonical(placed), self.cost)
        tally["worse, " + other.command.partition(" target")[0]] += found > self.least
        if found < self.least:
            yield "beaten", f"{other.command} ends with {found}, {self.trial.setting.command} with {self.least}"
        behind = self.trial.after(placed)
        if (again := counted(behind, self.cost)) != self.least:
            yield "other minimum", f"behind {other.command}: {again}, without: {self.least}"

    def _plan(self, module: ModuleOp) -> ModeChoice:
        return choose_modes(module.clone(), TargetLayouts(self.target), self.cost, ASSUMED_SIZE, 60)


def found_in(seed: int, each: Program, tally: Counter[str]) -> Iterator[tuple[str, str]]:
    for target in TARGETS:
        for cost in COSTS:
            trial = Trial(each.module, optimal(target, cost), seed, each.sizes, verdicts=tally)
            found = [*problems(trial, KEPT).items()]
            # Dead ops are kept if nothing else has to change.
            without_dead = Trial(live(each.module), trial.setting, seed, each.sizes)
            found += problems(without_dead, {"unmet_demands": CHECKS["unmet_demands"]}).items()
            if not found:
                found = [*Comparison(trial, cost).problems(tally)]
            for check, problem in found:
                yield f"{check}, {trial.setting.command}", problem


def tried(seeds: Iterable[int]) -> tuple[Counter[str], list[tuple[int, str, str]]]:
    tally, failures = Counter[str](), list[tuple[int, str, str]]()
    for seed in seeds:
        tally["programs"] += 1
        failures += [(seed, *found) for found in found_in(seed, subject(seed), tally)]
    return tally, failures


def as_text(seed: int, check: str, problem: str) -> str:
    """A problem, with a small program that has it."""
    each = subject(seed)

    def fails(module: ModuleOp) -> bool:
        return any(check == other for other, _ in found_in(seed, Program("", module, each.sizes), Counter()))

    return f"seed {seed}: {check}: {problem}\n{text(shrunk(each.module, fails))}"


@pytest.mark.parametrize("part", range(PARTS))
def test_random_programs(part: int, capsys: pytest.CaptureFixture[str]):
    length = PROGRAMS // PARTS
    seeds = range(part * length, (part + 1) * length)
    tally, failures = Counter[str](), list[tuple[int, str, str]]()
    for counts, found in in_chunks(tried, seeds, CHUNK, capsys):
        tally, failures = tally + counts, failures + found
    with capsys.disabled():
        print(f"\n{dict(tally)}")
    kinds = {check.partition(",")[0]: (seed, check, problem) for seed, check, problem in reversed(failures)}
    assert not failures, f"{len(failures)} problems\n\n" + "\n\n".join(as_text(*each) for each in kinds.values())
    assert tally["minima proved"] == tally["compared"] > 0


@pytest.mark.parametrize("part", range(2))
def test_random_targets(part: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """On random targets the result is correct and stable as well, whatever is minimised."""
    tally = Counter[str]()
    for number in one_by_one(range(part, amount(4, 400), 2), capsys):
        (folder := tmp_path / str(number)).mkdir()
        file = folder / "random.toml"
        file.write_text(random_target(number))
        for seed in range(number * ON_EACH_TARGET, (number + 1) * ON_EACH_TARGET):
            each = subject(seed)
            for cost in ("bytes", "count", "target", "traffic"):
                found = problems(Trial(each.module, optimal(str(file), cost), seed, each.sizes, verdicts=tally), KEPT)
                assert not found, f"seed {seed}, cost={cost}\n{file.read_text()}\n{text(each.module)}\n{found}"
    with capsys.disabled():
        print(f"\n{dict(tally)}")


def test_the_others_leave_something():
    """The other strategies are often worse."""
    tally, _ = tried(range(12))
    assert sum(count for name, count in tally.items() if name.startswith("worse")) >= 10, tally
