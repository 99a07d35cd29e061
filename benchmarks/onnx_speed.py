"""Processor time of two models in ONNX Runtime, relative to each other.

    python benchmarks/onnx_speed.py [--quick] FIRST.onnx SECOND.onnx

Both run in turns, in one thread of one core and with ONNX Runtime's default options otherwise. The speed of a session
depends on the memory that it happens to get, by some percent; so there are several rounds, each with new sessions,
until it is known to one percent how many times as long the first model takes.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple, cast

from models.catalogue import EXAMPLE_SIZES
from models.onnx_runs import Array, random_inputs, read_graph

SHORTEST = 0.02
"""The seconds of a measurement; shorter runs are repeated."""
TURNS = 5
"""The most turns of a round, of which the median counts."""
ROUND = 2.0
"""The seconds of the turns of a round, if one takes less."""
FEWEST, MOST = 9, 99
"""The number of rounds."""
PRECISE = 0.01
"""The width of the interval of the ratio at which measuring ends."""
LONGEST = 60.0
"""The seconds after which it ends in any case."""
QUICK = 1
"""The rounds of `--quick`."""

Run = Callable[[], object]


class Ratio(NamedTuple):
    """The time of the first model relative to that of the second one: the median of the rounds."""

    median: float
    low: float
    high: float
    """The ends of the interval in which the median of endless rounds is, with a probability of 95 %."""


def measured_alone(first: Path, second: Path, quick: bool) -> Ratio:
    """The ratio of two models, measured in a process of its own."""
    command = [sys.executable, __file__, str(first), str(second), *(["--quick"] if quick else [])]
    return Ratio(*json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout))


def ratio_of(first: Path, second: Path, most: int) -> Ratio:
    inputs = random_inputs(read_graph(first), **EXAMPLE_SIZES)
    rounds: list[float] = []
    started = time.monotonic()
    while not is_enough(rounds, time.monotonic() - started, most):
        rounds.append(ratio_of_round(first, second, inputs, is_reversed=len(rounds) % 2 == 1))
    return interval(rounds)


def ratio_of_round(first: Path, second: Path, inputs: Mapping[str, Array], is_reversed: bool) -> float:
    """The ratio of two new sessions, of which either may be made first."""
    if is_reversed:
        after, before = session(second, inputs), session(first, inputs)
    else:
        before, after = session(first, inputs), session(second, inputs)
    after()
    before()
    once = seconds(before, 1)
    repeats = max(1, round(SHORTEST / max(once, SHORTEST / MOST)))
    turns = max(1, min(TURNS, round(ROUND / (2 * once * repeats)))) if once else TURNS
    # Either of them begins in turn, also where a round is one turn.
    return median(turn((before, after), repeats, (number + is_reversed) % 2 == 1) for number in range(turns))


def session(file: Path, inputs: Mapping[str, Array]) -> Run:
    """A function that runs a model."""
    import onnxruntime  # pyright: ignore[reportMissingTypeStubs]  # It has none.

    runtime = cast("Any", onnxruntime)
    options = runtime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    ready = runtime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    given = dict(inputs)
    return lambda: ready.run(None, given)


def seconds(run: Run, repeats: int) -> float:
    start = time.process_time()
    for _ in range(repeats):
        run()
    return time.process_time() - start


def turn(runs: Sequence[Run], repeats: int, is_reversed: bool) -> float:
    """The ratio of one turn, which either of them begins."""
    if is_reversed:
        after, before = (seconds(run, repeats) for run in reversed(runs))
    else:
        before, after = (seconds(run, repeats) for run in runs)
    return before / after


def interval(ratios: Sequence[float]) -> Ratio:
    """The median of ratios, and the ranks between which it lies."""
    ranked, half = sorted(ratios), 0.98 * sqrt(len(ratios))
    low, high = int(len(ranked) / 2 - half), int(len(ranked) / 2 + half)
    return Ratio(median(ranked), ranked[max(low, 0)], ranked[min(high, len(ranked) - 1)])


def is_enough(rounds: Sequence[float], elapsed: float, most: int) -> bool:
    if len(rounds) >= most or (rounds and elapsed > LONGEST):
        return True
    found = interval(rounds) if len(rounds) >= FEWEST else None
    return found is not None and found.high - found.low < PRECISE


def hold_one_core() -> None:
    """Keep this process on one core, at the priority that it has: others may share the machine."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", type=Path)
    parser.add_argument("second", type=Path)
    parser.add_argument("--quick", action="store_true")
    arguments = parser.parse_args()
    hold_one_core()
    print(json.dumps(ratio_of(arguments.first, arguments.second, QUICK if arguments.quick else MOST)))


if __name__ == "__main__":
    main()
