"""The benchmark of decode steps runs, its model is that of its description, and its ranks are right."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.source_tree import ROOT

pytest.importorskip("ai_edge_litert", reason="ai-edge-litert is not installed: pip install -e '.[litert]'")
pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install -e '.[dev]'")

from decode import Row, rank_correlation, table
from models.llama_step import Sizes, inputs_of, llama_step
from models.onnx_runs import run

SMALL = Sizes(cache=6, layers=1, hidden=16, heads=4, groups=2, channels=8, feed=24)


def test_it_runs(tmp_path: Path):
    page = tmp_path / "page.md"
    page.write_text("<!-- decode -->\n<!-- end of decode -->\n")
    options = ["--quick", "--json", str(tmp_path / "rows.json"), "--page", str(page)]
    subprocess.run([sys.executable, ROOT / "benchmarks" / "decode.py", *options], stdout=subprocess.DEVNULL, check=True)
    text = page.read_text()
    assert text.count("| onnxruntime |") == text.count("| litert |") == 3


def test_a_row_is_appended_and_attended():
    """The order of rows in both caches does not matter; that of one of them does."""
    model, inputs = llama_step(SMALL), inputs_of(SMALL)
    scores, keys, values = run(model, inputs)
    assert keys.shape == values.shape == (1, SMALL.groups, SMALL.cache, SMALL.channels)
    np.testing.assert_array_equal(keys[:, :, :-1], inputs["keys_0"])
    np.testing.assert_array_equal(values[:, :, :-1], inputs["values_0"])
    order = np.random.default_rng(2).permutation(SMALL.cache - 1)
    shuffled = {name: inputs[name][:, :, order] for name in ("keys_0", "values_0")}
    np.testing.assert_allclose(run(model, inputs | shuffled)[0], scores, rtol=1e-4, atol=1e-5)
    other = run(model, inputs | {"keys_0": shuffled["keys_0"]})[0]
    assert np.abs(other - scores).max() > 1e-3


def test_ranks_of_equal_prices_are_shared():
    row = Row("onnxruntime", "HNC", "HNC", 0, 0.0, 1e-3, 1.0)
    rising = [replace(row, predicted=price, ratio=ratio) for price, ratio in ((0, 1), (1, 1.1), (1, 1.3), (2, 1.4))]
    assert rank_correlation(rising) == pytest.approx(0.9486832980505138)
    assert rank_correlation([replace(each, predicted=-each.predicted) for each in rising]) < -0.9
    assert rank_correlation([row, replace(row, ratio=2.0)]) == 0.0
    assert "| onnxruntime | BHNC | BHNC | 0 | +2000000 µs | +400 µs | 714 |" in table(rising)
