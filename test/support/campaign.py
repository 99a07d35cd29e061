"""Extent of the fuzz tests: a fixed sample in CI, and a long campaign if NPU_OPT_FUZZ=long.

A long campaign prints a line now and then, so that one that is stopped has said how far it came.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from typing import TypeVar

import pytest

LONG = os.environ.get("NPU_OPT_FUZZ") == "long"
LINES = 50
"""The number of lines that a long campaign prints."""

T = TypeVar("T")
R = TypeVar("R")


def amount(usual: int, long: int) -> int:
    return long if LONG else usual


def one_by_one(subjects: Sequence[T], capsys: pytest.CaptureFixture[str]) -> Iterator[T]:
    """The subjects of a campaign, which ends at the first problem."""
    every = max(1, len(subjects) // LINES)
    for number, subject in enumerate(subjects):
        if LONG and number % every == 0:
            _say(capsys, f"{number} of {len(subjects)}: no problem")
        yield subject


def in_chunks(
    tried: Callable[[Sequence[int]], R], seeds: range, chunk: int, capsys: pytest.CaptureFixture[str]
) -> Iterator[R]:
    """The findings for so many seeds each; processes share a long campaign."""
    if not LONG:
        yield tried(seeds)
        return
    chunks = [seeds[start : start + chunk] for start in range(0, len(seeds), chunk)]
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        for each, found in zip(chunks, pool.map(tried, chunks), strict=True):
            _say(capsys, f"seeds {each[0]} to {each[-1]}: {found}")
            yield found


def counted(
    problems: Callable[[int, Counter[str]], Iterable[str]], seeds: range, chunk: int, capsys: pytest.CaptureFixture[str]
) -> Counter[str]:
    """The counts of a campaign, to which `problems` adds for each seed. No seed may have a problem."""
    tally, found = Counter[str](), list[str]()
    for counts, each in in_chunks(partial(_tried, problems), seeds, chunk, capsys):
        tally, found = tally + counts, found + each
    with capsys.disabled():
        print(f"\n{dict(tally)}")
    assert not found, f"{len(found)} problems\n\n" + "\n\n".join(found[:5])
    return tally


def _tried(
    problems: Callable[[int, Counter[str]], Iterable[str]], seeds: Iterable[int]
) -> tuple[Counter[str], list[str]]:
    tally, found = Counter[str](), list[str]()
    for seed in seeds:
        tally["programs"] += 1
        found += problems(seed, tally)
    return tally, found


def _say(capsys: pytest.CaptureFixture[str], line: str) -> None:
    with capsys.disabled():
        print(f"\n{line}", end="", flush=True)
