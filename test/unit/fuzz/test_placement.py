"""Random programs through every strategy that places transposes, on both targets: all checks hold.

Where one does not, the message has a small program that shows it, and the command.
"""

import os
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from support.campaign import LONG, amount
from support.generators.placed_programs import KINDS, Tally, program, settings, settings_on, smallest, told, tried
from support.generators.random_targets import random_target
from support.oracles.placement import Trial, moves_data

PROGRAMS = amount(100, 5000)
PARTS = amount(4, 1)
"""The sample in pieces, so that processes can share it; the long campaign has its own."""
CHUNK = 25


@pytest.mark.parametrize("part", range(PARTS))
def test_random_programs(part: int, capsys: pytest.CaptureFixture[str]):
    length = PROGRAMS // PARTS
    seeds = range(part * length, (part + 1) * length)
    tally = Tally()
    if LONG:
        chunks = [seeds[start : start + CHUNK] for start in range(0, length, CHUNK)]
        with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
            for found in pool.map(tried, chunks):
                tally.add(found)
    else:
        tally.add(tried(seeds))
    with capsys.disabled():
        print(f"\n{tally.programs} programs, {len(settings())} settings, each as it is and canonical: {tally.verdicts}")
        print(Counter((each.check, each.setting.command) for each in tally.failures))
    assert not tally.failures, "\n\n".join(map(told, smallest(tally.failures)))
    # Without views that look alike, nearly everything can be proved.
    assert tally.verdicts["proved"] >= 0.97 * 2 * len(settings()) * tally.programs


@pytest.mark.parametrize("part", range(4))
def test_random_targets(part: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """No pass knows a target: on targets that nobody has, all checks hold as well."""
    tally = Tally()
    for seed in range(part, amount(8, 400), 4):
        folder = tmp_path / str(seed)
        folder.mkdir()
        file = folder / "random.toml"
        file.write_text(random_target(seed))
        tally.add(tried(range(seed * 5, seed * 5 + amount(2, 10)), settings_on(str(file))))
        assert not tally.failures, "\n\n".join([file.read_text(), *map(told, smallest(tally.failures))])
    with capsys.disabled():
        print(f"\n{tally.programs} programs on random targets: {tally.verdicts}")


def test_the_passes_have_something_to_do():
    moved: Counter[str] = Counter()
    for seed in range(0, 30):
        module = program(seed).module
        for setting in settings():
            placed = Trial(module, setting, seed).placed
            moved[setting.command] += sum(map(moves_data, placed.walk())) > sum(map(moves_data, module.walk()))
    assert min(moved.values()) >= 5, moved


def test_programs_are_of_all_kinds():
    assert {program(seed).kind for seed in range(20)} == set(KINDS)
