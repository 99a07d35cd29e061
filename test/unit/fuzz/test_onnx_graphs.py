"""Random ONNX graphs compute the same in ONNX Runtime before and after npu-opt has read and written them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install -e '.[dev]'")

from npu_opt.tools.opt import run
from onnx import ModelProto
from support.campaign import counted, seeds, unless_original
from support.closeness import LAYERS, are_close
from support.generators.onnx_graphs import BATCH, random_graph
from support.generators.random_targets import random_target
from support.oracles.onnx_running import Array, unoptimised

WAYS: Sequence[Sequence[str]] = (
    (),
    ("--layout-preset",),
    ("--layout-optimal", "--canonicalize"),
    ("--target=random.toml", "--layout-optimal", "--canonicalize"),
    ("--target=random.toml", "--layout-preset=strategy=naive"),
)


def feeds(found: Any, seed: int, batch: int) -> dict[str, Array]:
    rng = np.random.default_rng(seed)
    shapes = {
        each.name: [size if isinstance(size, int) else batch for size in each.shape] for each in found.get_inputs()
    }
    return {name: rng.uniform(-2, 2, shape).astype(np.float32) for name, shape in shapes.items()}


def runs(model: ModelProto, seed: int, is_dynamic: bool) -> list[tuple[dict[str, Array], list[Array]]]:
    """Inputs and outputs of a model, for the sizes that ONNX Runtime accepts."""
    found: list[tuple[dict[str, Array], list[Array]]] = []
    try:
        original = unoptimised(model)
    except Exception:
        # ONNX Runtime raises errors of any type; a model that it does not load is not compared.
        return []
    for batch in (BATCH, 1, 3) if is_dynamic else (BATCH,):
        given = feeds(original, seed, batch)
        try:
            found.append((given, original.run(None, given)))
        except Exception:
            # The size is also written in the graph: only one batch fits.
            continue
    return found


def difference(found: Sequence[Array], expected: Sequence[Array]) -> str | None:
    """The differences, if there are any."""
    for index, (left, right) in enumerate(zip(found, expected, strict=True)):
        if (left.dtype, left.shape) != (right.dtype, right.shape):
            return f"output {index}: {left.dtype}{left.shape}, expected {right.dtype}{right.shape}"
        if not are_close(left.astype(np.float64), right.astype(np.float64), LAYERS):
            return f"output {index}: other numbers"
    return None


def problems(seed: int, tally: Counter[str]) -> Iterator[str]:
    model, is_dynamic = random_graph(seed)
    expected = runs(model, seed, is_dynamic)
    if not expected:
        tally["not run"] += 1
        return
    with TemporaryDirectory() as folder:
        given, written, target = (Path(folder, name) for name in ("in.onnx", "out.onnx", "random.toml"))
        given.write_bytes(model.SerializeToString())
        target.write_text(random_target(seed))
        for way in WAYS[:3] if seed % 3 else WAYS:
            options = [each.replace("random.toml", str(target)) for each in way]
            with redirect_stderr(StringIO()) as said:
                code = run([str(given), *options, "-o", str(written)])
            if code:
                yield f"seed {seed}, {' '.join(way)}: {said.getvalue()}"
                continue
            found = unoptimised(ModelProto.FromString(written.read_bytes()))
            for inputs, outputs in expected:
                if problem := difference(found.run(None, inputs), outputs):
                    yield f"seed {seed}, {' '.join(way)}: {problem}"
                tally["same"] += 1


def run_original(seed: int) -> None:
    model, is_dynamic = random_graph(seed)
    runs(model, seed, is_dynamic)


def test_random_graphs_compute_the_same(capsys: pytest.CaptureFixture[str]):
    tally = counted(problems, seeds(25, 3000), 60, capsys, unless_original(run_original))
    assert tally["same"] > 10 * tally["not run"]
