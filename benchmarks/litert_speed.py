"""Outputs and processor time of LiteRT files, in the interpreter with XNNPACK.

    python benchmarks/litert_speed.py [--rounds 3] [--unlike FILE.tflite]... MODEL.onnx FILE.tflite...

Each file gets the same inputs, transposed where it stores channels last, and its outputs are compared with those of
ONNX Runtime, but not those of a file with weights of its own, which `--unlike` names. All run in turns, in one thread
of one core; a round has new interpreters, whose speed depends on the memory that they happen to get.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import nan
from pathlib import Path
from statistics import median
from typing import Any, cast

import numpy as np
from models.onnx_runs import Array, random_inputs, read_graph, run
from onnx_speed import hold_one_core

SHORTEST = 0.02
"""The seconds of a measurement; shorter runs are repeated."""
TURNS = 5
"""The turns of a round."""


@dataclass(frozen=True)
class Ran:
    """A file, run."""

    error: float
    """The largest difference from ONNX Runtime, relative to the largest number of an output; NaN if not compared."""
    median: float
    """The median over the turns of the time relative to that of the first file."""
    least: float
    """The least time relative to the least one of the first file."""
    failed: str = ""
    """The reason why the interpreter does not run the file."""


def ran_alone(model: Path, files: Sequence[Path], rounds: int, unlike: Collection[Path]) -> list[Ran]:
    """The files, run in a process of their own."""
    options = ["--rounds", str(rounds), *(f"--unlike={file}" for file in unlike)]
    command = [sys.executable, __file__, *options, str(model), *map(str, files)]
    found = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
    return [Ran(**entry) for entry in json.loads(found.splitlines()[-1])]


def ran(model: Path, files: Sequence[Path], rounds: int, unlike: Collection[Path]) -> list[Ran]:
    proto = read_graph(model)
    inputs = random_inputs(proto)
    names = [output.name for output in proto.graph.output]
    expected = dict(zip(names, run(proto, inputs), strict=True))
    del proto
    found = [error_of(file, inputs, None if file in unlike else expected) for file in files]
    works = [file for file, each in zip(files, found, strict=True) if isinstance(each, float)]
    hold_one_core()
    times = [turn for number in range(rounds) for turn in round_of(works, inputs, number)]
    return [
        Ran(0, 0, 0, each) if isinstance(each, str) else Ran(each, *ratio_of(works.index(file), times))
        for file, each in zip(files, found, strict=True)
    ]


def ratio_of(index: int, times: Sequence[Sequence[float]]) -> tuple[float, float]:
    """The median and the least time of a file, relative to the first one."""
    if not times:
        return 0, 0
    least = min(turn[index] for turn in times) / min(turn[0] for turn in times)
    return median(turn[index] / turn[0] for turn in times), least


class LoadedFile:
    """An interpreter, with its inputs and outputs by their names in the model."""

    def __init__(self, file: Path) -> None:
        from ai_edge_litert import interpreter  # pyright: ignore[reportMissingTypeStubs]  # It has none.

        self._interpreter = cast("Any", interpreter).Interpreter(str(file), num_threads=1)
        self._interpreter.allocate_tensors()
        # A runner that is kept counts as a reference to internal data.
        runner = self._interpreter.get_signature_runner()
        self._inputs, self._outputs = runner.get_input_details(), runner.get_output_details()

    def set(self, inputs: dict[str, Array]) -> None:
        for given, details in zip(in_order(inputs, self._inputs), self._inputs.values(), strict=True):
            array = given.astype(details["dtype"])
            self._interpreter.set_tensor(details["index"], stored_as(array, details["shape"]))

    def run(self) -> None:
        self._interpreter.invoke()

    def outputs(self) -> dict[str, Array]:
        return {name: self._interpreter.get_tensor(each["index"]) for name, each in self._outputs.items()}


def error_of(file: Path, inputs: dict[str, Array], expected: dict[str, Array] | None) -> float | str:
    """The largest difference of an output, NaN if none is expected, or the reason why the file does not run."""
    try:
        loaded = LoadedFile(file)
        loaded.set(inputs)
        loaded.run()
    except (RuntimeError, ValueError) as error:
        return str(error).partition("\n")[0]
    if expected is None:
        return nan
    found = loaded.outputs()
    wanted = in_order(expected, found)
    return max(difference(each, array) for each, array in zip(found.values(), wanted, strict=True))


def in_order(arrays: Mapping[str, Array], names: Collection[str]) -> list[Array]:
    """Arrays of the model in the order of a file, which has either their names or their order."""
    return [arrays[name] for name in names] if set(names) == set(arrays) else list(arrays.values())


def difference(found: Array, expected: Array) -> float:
    """The largest difference, relative to the largest number."""
    wanted = stored_as(expected, found.shape)
    if not wanted.size:
        return 0.0
    largest = np.abs(wanted).max().astype(float)
    return float(np.abs(found.astype(float) - wanted.astype(float)).max() / max(largest, np.finfo(np.float32).tiny))


def stored_as(array: Array, shape: Sequence[int]) -> Array:
    """An array of the model as a file stores it: as it is, or with channels last."""
    if tuple(shape) == array.shape:
        return np.ascontiguousarray(array)
    last = np.moveaxis(array, 1, -1) if array.ndim > 1 else array
    # Some files have other unit axes.
    return np.ascontiguousarray(last).reshape(shape)


def round_of(files: Sequence[Path], inputs: dict[str, Array], number: int) -> list[list[float]]:
    """The seconds of each file in each turn. Another file begins in each turn."""
    runs: list[Callable[[], None]] = []
    for file in files:
        loaded = LoadedFile(file)
        loaded.set(inputs)
        loaded.run()
        runs.append(loaded.run)
    repeats = max(1, round(SHORTEST / max(seconds(runs[0], 1), 1e-4)))
    turns: list[list[float]] = []
    for turn in range(TURNS):
        found = [0.0] * len(files)
        for place in range(len(files)):
            index = (place + turn + number) % len(files)
            found[index] = seconds(runs[index], repeats)
        turns.append(found)
    return turns


def seconds(work: Callable[[], None], repeats: int) -> float:
    start = time.process_time()
    for _ in range(repeats):
        work()
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--unlike", type=Path, action="append", default=[], metavar="FILE")
    arguments = parser.parse_args()
    found = ran(arguments.model, arguments.files, arguments.rounds, arguments.unlike)
    print(json.dumps([asdict(each) for each in found]))


if __name__ == "__main__":
    main()
