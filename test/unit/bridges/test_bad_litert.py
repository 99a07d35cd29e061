"""Damaged LiteRT models are one line about the file, or programs that verify; reading them needs little memory."""

import resource
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("ai_edge_litert", reason="ai-edge-litert is not installed: pip install -e '.[dev]'")

from npu_opt.text.diagnostics import ReportedError
from npu_opt.tools.driver.formats.program import read_model_program
from support.campaign import amount
from support.generators.lite_cases import LiteCase, LiteTensor
from support.generators.lite_mutants import mutants
from support.ir_text import parse
from support.oracles.litert_running import exported
from support.source_tree import ROOT

INPUTS = ROOT / "test" / "bridges" / "litert" / "Inputs"
PROGRAM = """func.func @main(%x: tensor<1x8x8x4xf32>, %i: tensor<3xi32>) -> (tensor<1x3x4x4xf32>, tensor<1x64xf32>) {
  %k = npu.constant dense<0.5> : tensor<4x3x3x4xf32>
  %w = npu.constant dense<0.25> : tensor<64x64xf32>
  %a = npu.conv2d %x, %k strides = [2, 2] pads = [1, 1, 1, 1] data_layout = <NHWC> kernel_layout = <OHWI>
    : (tensor<1x8x8x4xf32>, tensor<4x3x3x4xf32>) -> tensor<1x4x4x4xf32>
  %b = npu.clip %a min = 0.0 max = 6.0 : tensor<1x4x4x4xf32>
  %c = npu.max_pool %b window = [2, 2] pads = [1, 0, 0, 1] data_layout = <NHWC> : tensor<1x4x4x4xf32>
  %d = npu.transpose %c permutation = [0, 3, 1, 2] : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %e = npu.softmax %d axis = 3 : tensor<1x4x4x4xf32>
  %f = npu.gather %e, %i axis = 1 : (tensor<1x4x4x4xf32>, tensor<3xi32>) -> tensor<1x3x4x4xf32>
  %g = npu.reshape %e : (tensor<1x4x4x4xf32>) -> tensor<1x64xf32>
  %h = npu.matmul %g, %w : (tensor<1x64xf32>, tensor<64x64xf32>) -> tensor<1x64xf32>
  %j = npu.slice %h starts = [0, 8] limits = [1, 40] : (tensor<1x64xf32>) -> tensor<1x32xf32>
  %l = npu.concat %j, %j axis = 1 : (tensor<1x32xf32>, tensor<1x32xf32>) -> tensor<1x64xf32>
  func.return %f, %l : tensor<1x3x4x4xf32>, tensor<1x64xf32>
}"""
MOST_KIBIBYTES = 1 << 16
"""By which the memory of the process may grow, whatever a file says."""


def message_about(file: Path) -> str | None:
    """The message about a file, or None if it is read."""
    try:
        read_model_program(str(file), format="litert")
    except ReportedError as error:
        return str(error)
    return None


def test_damaged_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "model.tflite"
    models = [exported(parse(text)) for text in (PROGRAM, (INPUTS / "kept.mlir").read_text())]
    before, found = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, Counter[str]()
    for model in models:
        for damaged in mutants(model, amount(50, 1000)):
            file.write_bytes(damaged)
            text = message_about(file)
            assert text is None or text.startswith(f"{file}: error: "), text
            found["read" if text is None else "not read"] += 1
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < MOST_KIBIBYTES, grown
    assert min(found["read"], found["not read"]) > 0, found
    with capsys.disabled():
        print(f"\ndamaged LiteRT models: {dict(found)}")


def test_an_empty_file(tmp_path: Path):
    file = tmp_path / "model.tflite"
    file.write_bytes(b"")
    assert message_about(file) == f"{file}: error: the file is empty"


def test_an_operand_less_than_the_kind_has(tmp_path: Path):
    """LiteRT reads the memory of something else, and computes with it by chance."""
    file = tmp_path / "model.tflite"
    data = LiteTensor(np.zeros((1, 1, 1), np.float32), is_input=True)
    result = LiteTensor(np.zeros((1, 1, 1), np.float32))
    options = {"adjX": False, "adjY": False}
    file.write_bytes(LiteCase("BATCH_MATMUL", "BatchMatMulOptions", options, [data], [result]).model())
    wanted = f"{file}: error: 't1' cannot be computed: BATCH_MATMUL has 1 operand, expected at least 2"
    assert message_about(file) == wanted
