"""Tokens per second of a decode step whose cache is stored in each order, beside what the targets predict.

    python benchmarks/decode.py [--engine litert|onnxruntime] [--turns 30] [--quick] [--page docs/results/decode.md]

A decode step of two layers, as those of Llama: 32 heads over 8 heads of keys and values of 64 channels each, rotary
positions, and caches of 1,024 tokens that grow by one row. The keys, and then the values, of both layers are pinned in
each order (`--interface`); all else is as cheap as npu-opt can make it. All files of an engine run in turns on one
thread in one process, each loaded ten times, and ratios are medians of those of one turn. What a target predicts is
the cost of `--what-if`: that of `litert`, and of `onnxruntime` where the prices of `onnx` are minimised. An append is
timed alone as well.
"""

import argparse
import json
import re
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stderr
from dataclasses import dataclass
from importlib import import_module
from io import StringIO
from itertools import permutations
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import numpy as np
from calibrate import MORE
from calibrate_engines import LiteRtEngine, data, session_of, tensor
from marked_page import add_page, write_between_markers
from npu_opt.tools import opt
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper
from ort_kernels import FilesEngine

LAYERS, HEADS, CACHED_HEADS, CHANNELS, WIDTH, INNER, TOKENS = 2, 32, 8, 64, 512, 1408, 1024
QUICK_TOKENS = 32
LOADS = 10
"""The number of times that each file is loaded."""
CACHES = {"keys": "K", "values": "V"}
LETTERS = "BHNC"
ORDERS = [(0, *order) for order in permutations((1, 2, 3))]
"""The orders of a cache of one text."""
TARGETS = Path(__file__).parents[1] / "targets"
MATMUL = re.compile(r"^matmul = \[.*?^\]", re.DOTALL | re.MULTILINE)
APPENDED = {
    "outermost": ((TOKENS, CACHED_HEADS, CHANNELS), 0),
    "next to last": ((CACHED_HEADS, TOKENS, CHANNELS), 1),
    "last": ((CACHED_HEADS, CHANNELS, TOKENS), 2),
}
"""A cache of a layer with the tokens at each place."""
ENGINES = ("litert", "onnxruntime")
Run = Callable[[], object]


@dataclass(frozen=True)
class Row:
    """A cache in an order."""

    order: str
    predicted: float
    """The nanoseconds that conversions and forms cost in a step, by the target."""
    seconds: float
    """The time of a step."""
    ratio: float
    """The time beside that of the best order, in one turn."""


def decode_step(tokens: int) -> ModelProto:
    """One token through all layers, with the keys and values of those before."""
    random = np.random.default_rng(0)
    nodes: list[NodeProto] = []
    weights: list[TensorProto] = []
    given = [_value("x", 1, 1, WIDTH), _value("cos", 1, 1, 1, CHANNELS), _value("sin", 1, 1, 1, CHANNELS)]
    made = [_value("y", 1, 1, WIDTH)]

    def node(kind: str, operands: Sequence[str], result: str, **attributes: Any) -> str:
        nodes.append(helper.make_node(kind, [*operands], [result], **attributes))
        return result

    def constant(name: str, numbers: NDArray[Any]) -> str:
        weights.append(numpy_helper.from_array(numbers, name))
        return name

    def product(value: str, name: str, rows: int, columns: int) -> str:
        matrix = random.standard_normal((rows, columns), np.float32) / np.float32(rows**0.5)
        return node("MatMul", [value, constant(f"{name}.weight", matrix)], name)

    def rotated(value: str) -> str:
        halves = [f"{value}.low", f"{value}.high"]
        nodes.append(helper.make_node("Split", [value, "halves"], halves, axis=3))
        turned = node("Concat", [node("Neg", [halves[1]], f"{value}.negative"), halves[0]], f"{value}.turned", axis=3)
        plain = node("Mul", [value, "cos"], f"{value}.cos")
        return node("Add", [plain, node("Mul", [turned, "sin"], f"{value}.sin")], f"{value}.rotated")

    constant("halves", np.array([CHANNELS // 2] * 2))
    constant("scale", np.array(CHANNELS**-0.5, np.float32))
    for name, sizes in {
        "split": (1, 1, HEADS, CHANNELS),
        "split_cached": (1, 1, CACHED_HEADS, CHANNELS),
        "grouped": (1, CACHED_HEADS, HEADS // CACHED_HEADS, CHANNELS),
        "joined": (1, 1, HEADS * CHANNELS),
    }.items():
        constant(name, np.array(sizes))
    x = "x"
    for layer in range(LAYERS):
        new: dict[str, str] = {}
        for name, heads, split in (
            ("query", HEADS, "split"),
            *((each, CACHED_HEADS, "split_cached") for each in CACHES),
        ):
            row = product(x, f"{name}_{layer}_new", WIDTH, heads * CHANNELS)
            parts = node("Reshape", [row, split], f"{row}.parts")
            new[name] = node("Transpose", [parts], f"{row}.heads", perm=[0, 2, 1, 3])
            new[name] = new[name] if name == "values" else rotated(new[name])
        caches: dict[str, str] = {}
        for name in CACHES:
            given.append(_value(f"{name}_{layer}", 1, CACHED_HEADS, tokens, CHANNELS))
            made.append(_value(f"{name}_{layer}_after", 1, CACHED_HEADS, tokens + 1, CHANNELS))
            caches[name] = node("Concat", [f"{name}_{layer}", new[name]], f"{name}_{layer}_after", axis=2)
        query = node("Reshape", [new["query"], "grouped"], f"query_{layer}.grouped")
        turned = node("Transpose", [caches["keys"]], f"keys_{layer}.turned", perm=[0, 1, 3, 2])
        scores = node("Mul", [node("MatMul", [query, turned], f"scores_{layer}.raw"), "scale"], f"scores_{layer}")
        mixed = node("MatMul", [node("Softmax", [scores], f"soft_{layer}", axis=3), caches["values"]], f"mixed_{layer}")
        joined = node("Reshape", [mixed, "joined"], f"joined_{layer}")
        x = node("Add", [x, product(joined, f"out_{layer}", HEADS * CHANNELS, WIDTH)], f"x_{layer}.mid")
        inner = node("Relu", [product(x, f"up_{layer}", WIDTH, INNER)], f"inner_{layer}")
        x = node(
            "Add", [x, product(inner, f"down_{layer}", INNER, WIDTH)], "y" if layer + 1 == LAYERS else f"x_{layer}"
        )
    return helper.make_model(
        helper.make_graph(nodes, "decode", given, made, weights),
        opset_imports=[helper.make_opsetid("", 17)],
        ir_version=8,
    )


def _value(name: str, *shape: int) -> Any:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)


def opt_run(*words: str) -> str:
    """The messages of npu-opt."""
    said = StringIO()
    with redirect_stderr(said):
        code = opt.run([*words])
    if code:
        raise RuntimeError(said.getvalue())
    return said.getvalue()


def ties() -> Sequence[str]:
    return [word for name in CACHES for word in ("--tie", f"{name}_*_after={name}_*")]


def pinned(cache: str, order: Sequence[int]) -> Sequence[str]:
    stored = "keep" if [*order] == sorted(order) else f"Tensor, {[*order]}"
    return [f"--interface={cache}_{layer}:{stored}" for layer in range(LAYERS)]


def predictions(model: Path, target: str, folder: Path) -> Mapping[tuple[str, tuple[int, ...]], float]:
    """The cost of a step for each cache in each order, in nanoseconds."""
    output = str(folder / "predicted.mlir")
    said = opt_run(str(model), *ties(), "--target", target, "--layout-optimal", "--what-if=json", "-o", output)
    (answer,) = (json.loads(line) for line in said.splitlines() if line.startswith("{"))
    return {
        (cache, tuple(row["order"])): row["cost"]
        for found in answer["ties"]
        for cache in CACHES
        if found["ties"].count(f":{cache}_") == 2 and " and " not in found["ties"]
        for row in found["orders"]
    }


def loaded(engine: str, path: Path) -> Run:
    """A step of a file."""
    random = np.random.default_rng(1)
    if engine == "onnxruntime":
        session = session_of(path.read_bytes(), "ORT_ENABLE_ALL")
        feeds: dict[str, Any] = {each.name: random.random(each.shape, np.float32) for each in session.get_inputs()}
        return lambda: session.run(None, feeds)
    interpreter: Any = import_module("ai_edge_litert.interpreter").Interpreter(model_path=str(path), num_threads=1)
    interpreter.allocate_tensors()
    for each in interpreter.get_input_details():
        interpreter.set_tensor(each["index"], random.random(tuple(each["shape"]), np.float32))
    return interpreter.invoke


def rows(engine: str, turns: int, tokens: int) -> Iterator[tuple[str, list[Row]]]:
    """The orders of each cache, as measured."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        model = folder / "decode.onnx"
        model.write_bytes(decode_step(tokens).SerializeToString())
        target = "litert" if engine == "litert" else str(_priced(folder))
        predicted = predictions(model, target, folder)
        files: dict[tuple[str, tuple[int, ...]], Path] = {}
        for cache in CACHES:
            for order in ORDERS:
                path = folder / f"{cache}{order}.{'tflite' if engine == 'litert' else 'onnx'}"
                opt_run(str(model), *ties(), *pinned(cache, order), "--target", target, "-O", "-o", str(path))
                files[cache, order] = path
        times: dict[tuple[str, tuple[int, ...]], list[float]] = {key: [] for key in files}
        # Where a file's data lies in memory changes its time more than some orders do.
        for load in range(LOADS):
            keys = Random(load).sample([*files], len(files))
            found = measured({key: loaded(engine, files[key]) for key in keys}, -(-turns // LOADS))
            for key, of_key in found.items():
                times[key] += of_key
    for cache in CACHES:
        best = min(((cache, order) for order in ORDERS), key=lambda each: median(times[each]))
        yield (
            cache,
            [
                Row(
                    "".join(LETTERS[axis] for axis in order),
                    predicted[cache, order],
                    median(times[cache, order]),
                    median(one / other for one, other in zip(times[cache, order], times[best], strict=True)),
                )
                for order in sorted(ORDERS, key=lambda order: median(times[cache, order]))
            ],
        )


def _priced(folder: Path) -> Path:
    """The target `onnxruntime` with the prices of `onnx` as what is minimised."""
    own, base = ((TARGETS / f"{name}.toml").read_text() for name in ("onnxruntime", "onnx"))
    products = MATMUL.search(own)
    assert products is not None
    text = MATMUL.sub(products[0], base).replace('name = "onnx"', 'name = "onnxruntime"')
    path = folder / "onnxruntime.toml"
    path.write_text(text.replace('cost = "count"', 'cost = "target"') + '\n[file]\ndomains = ["com.microsoft"]\n')
    return path


def appends(engine: str, turns: int) -> Iterator[str]:
    """The time to append a row to a cache of a layer, per byte of the cache."""
    programs = LiteRtEngine() if engine == "litert" else FilesEngine()
    runs: dict[tuple[str, int], Run] = {}
    for place, (shape, axis) in APPENDED.items():
        row, made = ((*shape[:axis], size, *shape[axis + 1 :]) for size in (1, TOKENS + 1))
        types = [tensor(shape), tensor(row)]
        text = f"npu.concat %x{{0}}, %x{{1}} axis = {axis} : ({', '.join(types)}) -> {tensor(made)}"
        for count in (1, 1 + MORE):
            lines = [f"%y{each} = {text.format(2 * each, 2 * each + 1)}" for each in range(count)]
            inputs = [data(size, 1)[0] for size in (shape, row) * count]
            runs[place, count] = programs.loaded(lines, types * count, [tensor(made)] * count, inputs)
    times = measured(runs, turns)
    size = 4 * TOKENS * CACHED_HEADS * CHANNELS
    found = {
        place: median(
            (several - one) / MORE for one, several in zip(times[place, 1], times[place, 1 + MORE], strict=True)
        )
        for place in APPENDED
    }
    each = ", ".join(f"{place} {seconds * 1e9 / size:.2f}" for place, seconds in found.items())
    yield f"A row appended along the axis of tokens in {engine}, in ns per byte of the cache, by its place: {each}."


def measured(runs: Mapping[Any, Run], turns: int) -> Mapping[Any, list[float]]:
    """The seconds of each run in each turn."""
    times: dict[Any, list[float]] = {key: [] for key in runs}
    for turn in range(turns + 1):
        for key, run in runs.items():
            run()
            start = time.process_time()
            run()
            if turn:
                times[key].append(time.process_time() - start)
    return times


def rank_correlation(one: Sequence[float], other: Sequence[float]) -> float:
    """Spearman's coefficient; equal numbers share their mean rank."""
    ranks = [[sum(each < a for each in of) + sum(each == a for each in of) / 2 for a in of] for of in (one, other)]
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


def lines(engine: str, found: Mapping[str, Sequence[Row]], turns: int) -> Iterator[str]:
    yield f"| {engine} | predicted | measured | tokens per second | beside the best |"
    yield "| --- | --: | --: | --: | --: |"
    for cache, of_cache in found.items():
        least, fastest = min(row.predicted for row in of_cache), min(row.seconds for row in of_cache)
        for row in of_cache:
            more = f"{(row.predicted - least) / 1e6:.2f} ms", f"{(row.seconds - fastest) * 1e3:.2f} ms"
            rate = f"{1 / row.seconds:.0f} | {row.ratio:.2f}"
            yield f"| {CACHES[cache]} as {row.order} | {more[0]} | {more[1]} | {rate} |"
    yield ""
    for cache, of_cache in found.items():
        rank = rank_correlation([row.predicted for row in of_cache], [row.seconds for row in of_cache])
        yield f"Rank correlation of {CACHES[cache]} in {engine}: {rank:.2f}."
    yield from appends(engine, turns)
    yield ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", action="append", choices=ENGINES)
    parser.add_argument("--turns", type=int, default=30)
    parser.add_argument("--quick", action="store_true", help="a short cache, for a test")
    add_page(parser)
    arguments = parser.parse_args()
    tokens = QUICK_TOKENS if arguments.quick else TOKENS
    turns = 2 if arguments.quick else arguments.turns
    text = "\n".join(
        line
        for engine in arguments.engine or ENGINES
        for line in lines(engine, dict(rows(engine, turns, tokens)), turns)
    )
    print(text)
    if arguments.page is not None:
        write_between_markers(arguments.page, "decode", text)


if __name__ == "__main__":
    main()
