"""Extent of the fuzz tests: a fixed sample in CI, and a long campaign if NPU_OPT_FUZZ=long.

A long campaign prints a line now and then, so that one that is stopped has said how far it came. It has other programs
if NPU_OPT_FIRST_SEED is another number than 0.
"""

import os
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import TypeVar

import pytest

LONG = os.environ.get("NPU_OPT_FUZZ") == "long"
FIRST = int(os.environ.get("NPU_OPT_FIRST_SEED", "0"))
LINES = 50
"""The number of lines that a long campaign prints."""
PROCESSES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
SPAWN = get_context("spawn")

T = TypeVar("T")
R = TypeVar("R")
Problems = Callable[[int, Counter[str]], Iterable[str]]
"""The problems of a seed, which is counted."""
Findings = tuple[Counter[str], list[str]]


def amount(usual: int, long: int) -> int:
    return long if LONG else usual


def seeds(usual: int, long: int) -> range:
    return range(FIRST, FIRST + amount(usual, long))


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
    with ProcessPoolExecutor(PROCESSES, SPAWN) as pool:
        for each, found in zip(chunks, pool.map(tried, chunks), strict=True):
            _say(capsys, f"seeds {each[0]} to {each[-1]}: {found}")
            yield found


def _died(seed: int, tally: Counter[str]) -> Iterator[str]:
    tally["ended"] += 1
    yield f"seed {seed} ends the process"


def counted(
    problems: Problems, seeds: range, chunk: int, capsys: pytest.CaptureFixture[str], died: Problems = _died
) -> Counter[str]:
    """The counts of a campaign, to which `problems` adds for each seed. No seed may have a problem.

    Processes share a long campaign. Where a seed ends its process, `died` says whether that is a problem, and another
    process goes on behind it.
    """
    tally, found = Counter[str](), list[str]()
    for number, (counts, each) in enumerate(_of_each(problems, seeds, died), 1):
        tally, found = tally + counts, found + each
        if LONG and (each or number % chunk == 0):
            _say(capsys, "\n".join([f"{number} of {len(seeds)}: {len(found)} problems", *each]))
    with capsys.disabled():
        print(f"\n{dict(tally)}")
    assert not found, f"{len(found)} problems\n\n" + "\n\n".join(found[:5])
    return tally


def ends_a_process(tried: Callable[[int], object], seed: int) -> bool:
    """True if a signal ends the process that tries a seed."""
    process = SPAWN.Process(target=tried, args=(seed,))
    process.start()
    process.join()
    return (process.exitcode or 0) < 0


def unless_original(run_original: Callable[[int], object]) -> Problems:
    """A process that ends is a problem, unless what runs the original of a seed ends it: that is no oracle then."""

    def died(seed: int, tally: Counter[str]) -> Iterable[str]:
        if not ends_a_process(run_original, seed):
            return _died(seed, tally)
        tally["not run"] += 1
        return ()

    return died


def _of_each(problems: Problems, seeds: range, died: Problems) -> Iterator[Findings]:
    if not LONG:
        yield from (_tried(problems, seed) for seed in seeds)
        return
    found: SimpleQueue[Findings] = SimpleQueue()
    with ThreadPoolExecutor(PROCESSES) as pool:
        shares = [pool.submit(_share, problems, seeds[each::PROCESSES], died, found) for each in range(PROCESSES)]
        for _ in seeds:
            yield found.get()
        for share in shares:
            share.result()


def _share(problems: Problems, seeds: range, died: Problems, found: SimpleQueue[Findings]) -> None:
    """The findings for some seeds, in as many processes as it takes."""
    tried = 0
    while tried < len(seeds):
        receiver, sender = SPAWN.Pipe(duplex=False)
        process = SPAWN.Process(target=_send, args=(problems, seeds[tried:], sender))
        process.start()
        sender.close()
        for seed in seeds[tried:]:
            tried += 1
            try:
                found.put(receiver.recv())
            except EOFError:
                found.put(_tried(died, seed))
                break
        process.join()


def _send(problems: Problems, seeds: range, sender: Connection) -> None:
    for seed in seeds:
        sender.send(_tried(problems, seed))


def _tried(problems: Problems, seed: int) -> Findings:
    tally = Counter[str]({"programs": 1})
    try:
        return tally, list(problems(seed, tally))
    except Exception:
        # Any error is a problem of its seed; the others are tried.
        return tally, [f"seed {seed}: {traceback.format_exc()}"]


def _say(capsys: pytest.CaptureFixture[str], line: str) -> None:
    with capsys.disabled():
        print(f"\n{line}", end="", flush=True)
