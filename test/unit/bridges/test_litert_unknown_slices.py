"""Slices of axes of unknown size, counted from either end, as LiteRT computes them."""

from itertools import product
from pathlib import Path

import npu_opt
import numpy as np
import pytest

pytest.importorskip("ai_edge_litert", reason="ai-edge-litert is not installed: pip install -e '.[dev]'")

from npu_opt.bridges.litert.engine import LiteEngine
from npu_opt.tools.opt import run

END = 9223372036854775807
PLACES = (0, 1, 3, -1, -2, 1000000000)
LIMITS = (1, 2, 4, -1, -3, 1000000000, 2147483647, END)


def program(start: int, limit: int, step: int) -> str:
    bounds = f"starts = [{start}, 1] limits = [{limit}, 3] steps = [{step}, 1]"
    return (
        "func.func @main(%x: tensor<?x4xf32>) -> tensor<?x2xf32> {\n"
        f"  %y = npu.slice %x {bounds} : (tensor<?x4xf32>) -> tensor<?x2xf32>\n"
        "  return %y : tensor<?x2xf32>\n}\n"
    )


@pytest.mark.parametrize("step", [1, 2])
def test_they_take_what_there_is(tmp_path: Path, capsys: pytest.CaptureFixture[str], step: int):
    source, file = tmp_path / "in.mlir", tmp_path / "out.tflite"
    count = 0
    for start, limit in product(PLACES, LIMITS):
        source.write_text(program(start, limit, step))
        assert run([str(source), "-o", str(file)]) == 0
        assert npu_opt.check(source, file), (start, limit)
        engine = LiteEngine(file)
        for size in (1, 2, 5):
            data = np.arange(size * 4, dtype=np.float32).reshape(size, 4)
            expected = data[start:limit:step, 1:3]
            if expected.size:
                (found,) = engine.run([data])
                assert np.array_equal(found, expected), (start, limit, size)
                count += 1
    assert count > 40


def test_places_that_no_integer_of_litert_holds_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source = tmp_path / "in.mlir"
    source.write_text(program(-5000000000, -1, 2))
    assert run([str(source), "-o", str(tmp_path / "out.tflite")]) == 1
    assert "'npu.slice' of an axis of unknown size, at places of more than 32 bits" in capsys.readouterr().err
