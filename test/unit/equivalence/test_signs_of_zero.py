"""Zeros with another sign are other numbers, and constants that a caller may replace are named."""

import json
from pathlib import Path

import npu_opt
import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install -e '.[dev]'")

from npu_opt.tools.check import run
from onnx import ModelProto, parser
from support.oracles.onnx_running import executed

PADDED = """<ir_version: 8, opset_import: ["": 13]>
net (float[3] x) => (float[5] y) <int64[2] p = {{1, 1}}, float v = {{{}}}> {{ y = Pad (x, p, v) }}"""
DEFAULT = """<ir_version: {}, opset_import: ["": 13]>
net (float[4] x, float[4] w) => (float[4] y) <float[4] w = {{1, 2, 3, 4}}> {{ y = Mul (x, w) }}"""
CONSTANT = """<ir_version: 8, opset_import: ["": 13]>
net (float[4] x) => (float[4] y) <float[4] w = {1, 2, 3, 4}> { y = Mul (x, w) }"""


def padded(value: str) -> ModelProto:
    return parser.parse_model(PADDED.format(value))


def test_pads_keep_the_sign_of_zero(tmp_path: Path):
    x = np.ones(3, np.float32)
    for value, sign in (("0.0", False), ("-0.0", True)):
        npu_opt.optimize(padded(value), target="onnx").save(tmp_path / "out.onnx")
        written = ModelProto.FromString((tmp_path / "out.onnx").read_bytes())
        for model in (padded(value), written):
            assert np.signbit(executed(model, [x])[0]).tolist() == [sign, False, False, False, sign]
        assert npu_opt.check(padded(value), tmp_path / "out.onnx").word == "proved"
    assert npu_opt.check(padded("0.0"), padded("-0.0")).word != "proved"


def test_a_note_names_inputs_with_a_default(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Before IR version 4 each constant was among the inputs, and no caller could replace it."""
    constant = parser.parse_model(CONSTANT)
    files = [str(tmp_path / name) for name in ("first.onnx", "second.onnx")]
    Path(files[1]).write_bytes(constant.SerializeToString())
    for version, is_noted in ((3, False), (8, True)):
        Path(files[0]).write_bytes(parser.parse_model(DEFAULT.format(version)).SerializeToString())
        assert run(["--json", *files]) == 0
        text = f"{files[0]}: inputs with a default count as constants, and are no inputs of the program: w"
        assert json.loads(capsys.readouterr().out)["read_as"] == [text] * is_noted
        found = npu_opt.check(parser.parse_model(DEFAULT.format(version)), constant)
        assert found.word == "proved"
        assert any("inputs with a default count as constants" in note for note in found.notes) == is_noted
