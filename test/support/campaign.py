"""Extent of the fuzz tests: a fixed sample in CI, and a long campaign if NPU_OPT_FUZZ=long.

A long campaign prints a line now and then, so that one that is stopped has said how far it came.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
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


def _say(capsys: pytest.CaptureFixture[str], line: str) -> None:
    with capsys.disabled():
        print(f"\n{line}", end="", flush=True)
