"""A decode step with its caches in each order: tokens per second, and the time that the target predicts.

    python benchmarks/decode.py [--quick] [--engine onnxruntime] [--page docs/decode.md]

Two layers of the shape of Llama, with grouped heads, rotary embeddings and a cache of 1,024 rows, to which each step
appends one. For each order of heads, rows and channels the caches are pinned to it, the rest of the model is placed by
`layout-optimal`, and the file is run by its engine in turns with the others, in one thread of one core. The target
predicts what the transposes and forms of ops of a file cost beside the cheapest one.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import npu_opt
import numpy as np
from figures import parser_of, read_figures, write_figures
from litert_speed import LoadedFile, difference
from marked_page import write_between_markers
from models.llama_step import Sizes, inputs_of, llama_step, orders_of_caches
from models.onnx_runs import Array, run
from npu_opt.passes.common.demands.target_cost import cost_on_target
from npu_opt.targets import load
from onnx import ModelProto
from onnx_speed import hold_one_core, seconds, session

AXES = "HNC"
"""The axes of a cache behind the batch: heads, tokens and channels."""
ROUNDS, TURNS = 5, 3
SHORTEST = 0.02
"""The seconds of a measurement; shorter runs are repeated."""
MOST_DIFFERENT = 1e-4


class Engine(NamedTuple):
    """A program that runs files, and the target with its prices."""

    target: str
    ending: str
    passes: str


ENGINES = {
    "onnxruntime": Engine("onnx", ".onnx", "layout-optimal{cost=prices},canonicalize"),
    "litert": Engine("litert", ".tflite", "layout-optimal,canonicalize"),
}


@dataclass(frozen=True)
class Row:
    """A file whose caches have one order."""

    engine: str
    keys: str
    values: str
    transposes: int
    predicted: float
    """The price of transposes and forms, in seconds."""
    step: float
    """The median time of a step, in seconds."""
    ratio: float
    """The time relative to that of the file with the least price, in the same turns."""


def with_order(model: ModelProto, engine: Engine, keys: str, values: str, file: Path) -> tuple[int, float]:
    """Write a file whose caches have these orders; the transposes in it, and its price in seconds."""
    interface = ",".join(
        f"{name}:Tensor, [0, {', '.join(str(1 + AXES.index(axis)) for axis in order)}]"
        for name, order in orders_of_caches(model, keys, values)
        if order != AXES
    )
    result = npu_opt.optimize(
        model, target=engine.target, strategy=None, passes=engine.passes, interface=interface or "keep"
    )
    result.save(file)
    price = cost_on_target(result.module, load(engine.target).with_prices, result.assumed_size)
    assert price.unit == "ns"
    return result.transposes, price.units * 1e-9


def measured(name: str, sizes: Sizes, orders: Sequence[tuple[str, str]], rounds: int, folder: Path) -> list[Row]:
    """All orders in one engine."""
    engine, model = ENGINES[name], llama_step(sizes)
    inputs = inputs_of(sizes)
    expected = run(model, inputs)
    files: list[Path] = []
    placed: list[tuple[int, float]] = []
    for keys, values in orders:
        file = folder / f"{name}_{keys}_{values}{engine.ending}"
        placed.append(with_order(model, engine, keys, values, file))
        files.append(file)
    given = [_in_orders(model, inputs, *each) for each in orders]
    for file, feeds, (keys, values) in zip(files, given, orders, strict=True):
        _check(file, feeds, expected[0], f"{keys}, {values}")
    least = min(range(len(files)), key=lambda place: placed[place][1])
    times = [turn for number in range(rounds) for turn in _round(files, given, number)]
    return [
        Row(
            name,
            *order,
            *price,
            median(turn[place] for turn in times),
            median(turn[place] / turn[least] for turn in times),
        )
        for place, (order, price) in enumerate(zip(orders, placed, strict=True))
    ]


def _in_orders(model: ModelProto, inputs: dict[str, Array], keys: str, values: str) -> dict[str, Array]:
    """The inputs with caches in these orders."""
    orders = dict(orders_of_caches(model, keys, values))
    return {
        name: np.ascontiguousarray(array.transpose(0, *(1 + AXES.index(axis) for axis in orders[name])))
        if name in orders
        else array
        for name, array in inputs.items()
    }


def _loaded(file: Path, inputs: dict[str, Array]) -> Callable[[], object]:
    if file.suffix == ".onnx":
        return session(file, inputs)
    loaded = LoadedFile(file)
    loaded.set(inputs)
    return loaded.run


def _check(file: Path, inputs: dict[str, Array], expected: Array, case: str) -> None:
    """Check that a file computes the scores that the model does."""
    if file.suffix == ".onnx":
        found: Any = session(file, inputs)()
        scores = found[0]
    else:
        loaded = LoadedFile(file)
        loaded.set(inputs)
        loaded.run()
        scores = loaded.outputs()["scores"]
    if (other := difference(scores, expected)) > MOST_DIFFERENT:
        raise ValueError(f"{file.name}: with the caches as {case} the scores differ by {other:.1e}")


def _round(files: Sequence[Path], inputs: Sequence[dict[str, Array]], number: int) -> Iterator[list[float]]:
    """The seconds of a step of each file in each turn, of which another file begins each one."""
    runs = [_loaded(*each) for each in zip(files, inputs, strict=True)]
    for each in runs:
        each()
    repeats = max(1, round(SHORTEST / max(seconds(runs[0], 1), 1e-4)))
    for turn in range(TURNS):
        found = [0.0] * len(runs)
        for place in range(len(runs)):
            index = (place + turn + number) % len(runs)
            found[index] = seconds(runs[index], repeats) / repeats
        yield found


def rank_correlation(rows: Sequence[Row]) -> float:
    """Spearman's coefficient of predicted and measured times; orders with equal prices share a rank."""
    ranks = [_ranks([getattr(row, name) for row in rows]) for name in ("predicted", "ratio")]
    if any(len({*each}) < 2 for each in ranks):
        return 0.0
    first, second = (np.array(each) - np.mean(each) for each in ranks)
    return float(first @ second / np.sqrt((first @ first) * (second @ second)))


def _ranks(numbers: Sequence[float]) -> list[float]:
    ranked = sorted(numbers)
    return [ranked.index(each) + (ranked.count(each) - 1) / 2 for each in numbers]


def table(rows: Sequence[Row]) -> str:
    lines = ["| engine | K | V | Transposes | predicted | measured | tokens per second |", "| --- " * 7 + "|"]
    for name in dict.fromkeys(row.engine for row in rows):
        own = sorted((row for row in rows if row.engine == name), key=lambda row: row.predicted)
        least = own[0]
        lines += [
            f"| {name} | B{row.keys} | B{row.values} | {row.transposes} "
            f"| +{(row.predicted - least.predicted) * 1e6:.0f} µs | {(row.ratio - 1) * least.step * 1e6:+.0f} µs "
            f"| {1 / (least.step * row.ratio):.0f} |"
            for row in own
        ]
    found = ", ".join(
        f"{name} {rank_correlation([row for row in rows if row.engine == name]):.2f}"
        for name in dict.fromkeys(row.engine for row in rows)
    )
    return "\n".join([*lines, "", f"Rank correlation of predicted and measured times: {found}."])


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--engine", choices=ENGINES, action="append", help="measure these only")
    parser.add_argument("--quick", action="store_true", help="one round of a small cache, in three orders")
    arguments = parser.parse_args()
    sizes = Sizes(cache=32, hidden=32, heads=4, groups=2, channels=8, feed=48) if arguments.quick else Sizes()
    alike = ["".join(order) for order in permutations(AXES)]
    orders = [(order, order) for order in alike] + [("HCN", "HNC"), ("HNC", "HCN"), ("NHC", "HNC"), ("HCN", "NHC")]
    orders = orders[:3] if arguments.quick else orders
    engines = arguments.engine or [*ENGINES]
    rows = [row for row in read_figures(arguments.json, lambda entry: Row(**entry)) if row.engine not in engines]
    hold_one_core()
    with TemporaryDirectory() as folder:
        for name in engines:
            rows += measured(name, sizes, orders, 1 if arguments.quick else ROUNDS, Path(folder))
            print(f"{name}: {len(orders)} orders", file=sys.stderr)
    write_figures(arguments.json, rows)
    print(table(rows))
    if arguments.page is not None:
        write_between_markers(arguments.page, "decode", table(rows))


if __name__ == "__main__":
    main()
