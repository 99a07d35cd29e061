"""Random programs through every strategy that places transposes, on both targets: all checks hold.

A failure has a small program that shows it, and the command.
"""

from collections import Counter
from pathlib import Path
from typing import Literal

import pytest
from npu_opt.passes.common.moves.transpose_cost import cost_of_program
from npu_opt.passes.layout_preset import LayoutPreset
from support.campaign import LONG, amount, in_chunks, one_by_one, seeds
from support.generators.mixed_classes import mixed_program
from support.generators.networks import random_network
from support.generators.placed_programs import (
    KINDS,
    TARGETS,
    Tally,
    as_text,
    program,
    settings,
    settings_on,
    smallest,
    tried,
)
from support.generators.programs import random_program
from support.generators.random_targets import random_target
from support.generators.sample_source import F64
from support.oracles.placement import Trial, canonical, named, problems, text, transposes
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

PROGRAMS = seeds(100, 250)
PARTS = amount(4, 1)
"""The sample in pieces, so that processes can share it; the long campaign has its own."""
CHUNK = 10


@pytest.mark.parametrize("part", range(4))
def test_random_targets(part: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Passes do not depend on known targets: on random targets all checks hold as well."""
    tally = Tally()
    for seed in one_by_one(seeds(16, 120)[part::4], capsys):
        folder = tmp_path / str(seed)
        folder.mkdir()
        file = folder / "random.toml"
        file.write_text(random_target(seed))
        # Programs of all kinds and sizes.
        tally.add(tried([7 * seed], settings_on(str(file))))
        assert not tally.failures, "\n\n".join([file.read_text(), *map(as_text, smallest(tally.failures))])
    with capsys.disabled():
        print(f"\n{tally.programs} programs on random targets: {tally.verdicts}")


@pytest.mark.parametrize("part", range(PARTS))
def test_random_programs(part: int, capsys: pytest.CaptureFixture[str]):
    tally = Tally()
    for found in in_chunks(tried, PROGRAMS[part::PARTS], CHUNK, capsys):
        tally.add(found)
    with capsys.disabled():
        print(f"\n{tally.programs} programs, {len(settings())} settings, each as it is and canonical: {tally.verdicts}")
        print(Counter((each.check, each.setting.command) for each in tally.failures))
    assert not tally.failures, "\n\n".join(map(as_text, smallest(tally.failures)))
    # Without views that look alike, nearly everything can be proved.
    assert tally.verdicts["proved"] >= 0.97 * 2 * len(settings()) * tally.programs


def test_programs_with_described_ops(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Ops of other systems are placed as their statements allow, with and without effects, and with demands on them."""
    verdicts = Counter[str]()
    for seed in one_by_one(seeds(4, 60), capsys):
        make = random_network if seed % 2 else random_program
        module = named(make(seed, 15, seed % 3 == 0, "described", F64, 0))
        file = tmp_path / str(seed) / "random.toml"
        file.parent.mkdir()
        file.write_text(random_target(seed, describes=True))
        for setting in (*settings(), *settings_on(str(file))):
            trial = Trial(module, setting, seed, verdicts=verdicts)
            found = problems(trial)
            assert not found, f"seed {seed}, npu-opt {setting.command}\n{text(module)}\n{found}"
    assert verdicts["proved"] >= 0.97 * sum(verdicts.values())


def left(module: ModuleOp, strategy: Literal["naive", "regions", "regions-plus"], target: str) -> tuple[int, ...]:
    placed = module.clone()
    LayoutPreset(strategy=strategy, target=target).apply(Context(), placed)
    costs = (cost_of_program(module) for module in (canonical(placed), placed))
    return tuple(number for cost in costs for number in (cost.bytes, cost.transposes))


def test_regions_plus_never_moves_more_bytes_than_simpler_rules(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    less, file = Counter[str](), tmp_path / "random.toml"
    for seed in one_by_one(seeds(30, 200), capsys):
        file.write_text(random_target(seed))
        targets = (*TARGETS, str(file)) if LONG or seed % 4 == 0 else TARGETS
        for module in (program(seed).module, mixed_program(seed)):
            for target in targets:
                plus = left(module, "regions-plus", target)
                for simpler in ("naive", "regions"):
                    plain = left(module, simpler, target)
                    # Only bytes count beside `naive`, which does not aim at few transposes.
                    compared = 1 if simpler == "naive" else len(plain)
                    assert plus[:compared] <= plain[:compared], f"seed {seed}, {simpler}, {target}\n{text(module)}"
                    less[simpler] += plus < plain
    assert min(less["naive"], less["regions"]) > 0


def test_the_passes_change_something():
    moved: Counter[str] = Counter()
    for seed in range(0, 30):
        module = program(seed).module
        for setting in settings():
            placed = Trial(module, setting, seed).placed
            moved[setting.command] += transposes(placed) > transposes(module)
    assert min(moved.values()) >= 5, moved


def test_programs_are_of_all_kinds():
    assert {program(seed).kind for seed in range(20)} == set(KINDS)
