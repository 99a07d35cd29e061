"""Random programs through every strategy that places transposes, on both targets: all checks hold.

Where one does not, the message has a small program that shows it, and the command.
"""

import os
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest
from campaign import LONG, amount
from placed_programs import KINDS, Tally, program, settings, smallest, told, tried
from placement import Trial, moves_data

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
