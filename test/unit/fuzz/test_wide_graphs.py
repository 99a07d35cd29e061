"""Random ONNX graphs of 150 kinds of ops compute the same behind every strategy, on every target.

The oracle is ONNX Runtime without optimisations. Where its own outputs move if the inputs move by their last bits, so
may the file's.
"""

import contextlib
import io
import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install -e '.[dev]'")

from npu_opt.bridges.onnx.nchwc import size_of_runtime
from npu_opt.tools.opt import run
from onnx import ModelProto
from support.campaign import counted, seeds, unless_original
from support.generators.onnx_graphs import BATCH
from support.generators.wide_graphs import kinds_of, random_wide_graph
from support.oracles.onnx_running import Array, unoptimised
from support.source_tree import ROOT

STRATEGIES = (
    "--layout-preset=strategy=naive",
    "--layout-preset=strategy=regions",
    "--layout-preset=strategy=regions-plus",
    "--layout-preset=strategy=seed-plus",
    "--layout-preset-npu=strategy=greedy",
    "--layout-preset-npu=strategy=record",
    "--layout-optimal",
    "--layout-optimal=cost=count",
    "--layout-optimal=cost=target",
    "--layout-optimal=cost=traffic",
)
BLOCKS = {8: "ort-nchwc8", 16: "ort-nchwc"}
"""The targets with the blocks of ONNX Runtime: a machine runs those of one size."""
FOREIGN = {target for size, target in BLOCKS.items() if size != size_of_runtime()}
TARGETS = sorted({file.stem for file in (ROOT / "targets").glob("*.toml")} - FOREIGN)
PAIRS = [(strategy, target) for target in TARGETS for strategy in STRATEGIES]
PER_GRAPH = 3
ROOM, ROOM_OF_16_BITS = 1e-3, 2e-2
"""Of the largest number: a dozen ops of f32 that each add in another order, and some steps of 16 bits."""
PYTHON = re.compile(
    r"internal error|please report|invalid program|Traceback|Error\b: '|NoneType|index out of range|has no attribute"
)
"""Words of mistakes of npu-opt or of Python, which no user can act on."""
Runs = list[tuple[dict[str, Array], list[Array], list[Array]]]
"""Inputs, outputs, and the outputs where the inputs differ in their last bits."""


def runs(model: ModelProto, seed: int, is_dynamic: bool) -> Runs:
    """Runs of a model, for the sizes that ONNX Runtime accepts."""
    found: Runs = []
    with contextlib.suppress(Exception):  # ONNX Runtime raises errors of any type; what it does not run is no oracle.
        original = unoptimised(model)
        for batch in (BATCH, 3) if is_dynamic else (BATCH,):
            rng = np.random.default_rng(seed)
            shapes = {
                each.name: [size if isinstance(size, int) else batch for size in each.shape]
                for each in original.get_inputs()
            }
            given = {name: np.asarray(rng.uniform(-2, 2, shape), np.float32) for name, shape in shapes.items()}
            moved = {
                name: np.asarray(array * (1 + 2.0**-22 * rng.choice([-1, 1], array.shape)), np.float32)
                for name, array in given.items()
            }
            outputs, near = original.run(None, given), original.run(None, moved)
            if all(one.shape == other.shape for one, other in zip(outputs, near, strict=True)):
                found.append((given, outputs, near))
    return found


def difference(
    found: Sequence[Array], expected: Sequence[Array], near: Sequence[Array], *, spreads: bool
) -> str | None:
    for index, (left, right, moved) in enumerate(zip(found, expected, near, strict=True)):
        if (left.dtype, left.shape) != (right.dtype, right.shape):
            return f"output {index}: {left.dtype}{left.shape}, expected {right.dtype}{right.shape}"
        if left.dtype.kind in "fiub" and (count := others(left, right, moved, spreads)):
            return f"output {index}: {count} of {left.size} other numbers"
    return None


def others(found: Array, expected: Array, near: Array, spreads: bool) -> int:
    """The count of elements that are too far from the expected ones.

    An op may spread what is no number: ONNX Runtime's Resize multiplies neighbours by 0 along some axes.
    """
    room = (ROOM if found.itemsize > 2 else ROOM_OF_16_BITS) if found.dtype.kind == "f" else 0
    one, other, beside = (each.astype(np.float64) for each in (found, expected, near))
    if not np.array_equal(np.isfinite(other), np.isfinite(beside)):
        return 0
    with np.errstate(all="ignore"):
        # One number that moves may move all others: ops add along axes.
        moves = np.nan_to_num(np.abs(beside - other)).max(initial=0)
        is_near = np.abs(one - other) <= room * np.abs(other[np.isfinite(other)]).max(initial=0) + 100 * moves
        if spreads and not np.isfinite(other).all():
            is_near |= np.isfinite(one) != np.isfinite(other)
        return int((~(is_near | (one == other) | (np.isnan(one) & np.isnan(other)))).sum())


def problems(seed: int, tally: Counter[str]) -> Iterator[str]:
    model, is_dynamic = random_wide_graph(seed)
    expected = runs(model, seed, is_dynamic)
    if not expected:
        tally["not run"] += 1
        return
    tally.update(f"op {kind}" for kind in kinds_of(model))
    ways: list[list[str]] = [[]]
    for number in range(PER_GRAPH):
        strategy, target = PAIRS[(seed * PER_GRAPH + number) * 37 % len(PAIRS)]
        ways.append([strategy, f"--target={target}", "--canonicalize"])
    with tempfile.TemporaryDirectory() as folder:
        given, written = Path(folder, "in.onnx"), Path(folder, "out.onnx")
        given.write_bytes(model.SerializeToString())
        for way in ways:
            written.unlink(missing_ok=True)
            with contextlib.redirect_stderr(io.StringIO()) as said:
                code = run([str(given), *way, "-o", str(written)])
            words = f"seed {seed}, {' '.join(way)}: "
            if PYTHON.search(said.getvalue()):
                yield f"{words}{said.getvalue()}"
            elif code:
                tally["refused"] += 1
                reason = re.sub(r"'[^']*'|\d+|\S*/\S*", "_", said.getvalue().split("error:")[-1].splitlines()[0])
                tally[f"refused:{reason}"] += 1
            elif problem := compared(ModelProto.FromString(written.read_bytes()), expected):
                yield f"{words}{problem}"
            else:
                tally["same"] += 1


def run_original(seed: int) -> None:
    model, is_dynamic = random_wide_graph(seed)
    runs(model, seed, is_dynamic)


def compared(model: ModelProto, expected: Runs) -> str | None:
    try:
        found = unoptimised(model)
    except Exception as error:
        # ONNX Runtime raises errors of any type.
        return f"ONNX Runtime does not load the file: {error}"
    for inputs, outputs, near in expected:
        try:
            results = found.run(None, inputs)
        except Exception as error:
            return f"ONNX Runtime does not run the file: {error}"
        if problem := difference(results, outputs, near, spreads="Resize" in kinds_of(model)):
            return problem
    return None


def test_wide_graphs_compute_the_same(capsys: pytest.CaptureFixture[str]):
    tally = counted(problems, seeds(30, 10_000), 100, capsys, unless_original(run_original))
    assert tally["same"] > 10 * tally["not run"]
    assert tally["refused"] < tally["same"] / 20
