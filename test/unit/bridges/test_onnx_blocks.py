"""Blocks of channels as ops of com.microsoft.nchwc: ONNX Runtime and the importer compute what the program means."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from npu_opt.interpreter import random_inputs, run
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.tools.driver.execution.file_constants import runner_of
from npu_opt.tools.driver.formats.program import read_program
from support.closeness import SUMS, assert_close
from support.ir_text import context, parse
from support.oracles.running import main_of
from support.source_tree import ROOT
from xdsl.dialects.builtin import ModuleOp

onnx = pytest.importorskip("onnx")
ort: Any = pytest.importorskip("onnxruntime")

from npu_opt.bridges.onnx import nchwc  # noqa: E402  # Likewise.
from npu_opt.bridges.onnx.exporting import to_onnx, whole  # noqa: E402  # It needs the package onnx.
from npu_opt.bridges.onnx.importing.importer import Options, import_model  # noqa: E402  # Likewise.
from npu_opt.bridges.onnx.nchwc import DOMAIN, SIZES, size_of_runtime  # noqa: E402  # Likewise.

TARGETS = {8: "ort-nchwc8", 16: "ort-nchwc"}
X = "tensor<2x6x9x9xf32, #npu.layout<NCHW>>"
A = "tensor<2x20x9x9xf32, #npu.layout<NCHW>>"
B = "tensor<2x32x5x5xf32, #npu.layout<NCHW>>"
C = "tensor<2x64x5x5xf32, #npu.layout<NCHW>>"
V = "tensor<64xf32, #npu.layout<Tensor>>"
Y = "tensor<2x5x5x6xf32, #npu.layout<NHWC>>"


def _weights(name: str, *shape: int) -> str:
    numbers = np.round(np.random.default_rng(len(name) + sum(shape)).standard_normal(shape), 2).tolist()
    layout = "OIHW" if len(shape) == 4 else "Tensor"
    return f"%{name} = npu.constant dense<{numbers}> : tensor<{'x'.join(map(str, shape))}xf32, #npu.layout<{layout}>>"


def _conv(result: str, kind: str, data: str, given: str, weights: str, how: str = "", bias: str = "") -> str:
    sizes = weights.partition(" : ")[2]
    name = weights.split(" ", 1)[0]
    more, types = (f", {bias.split(' ', 1)[0]}", f", {bias.partition(' : ')[2]}") if bias else ("", "")
    return f"%{result} = npu.conv2d %{data}, {name}{more}{how} : ({given}, {sizes}{types}) -> {kind}"


W, D, K, L = (
    _weights("w", 20, 6, 3, 3),
    _weights("d", 20, 1, 3, 3),
    _weights("k", 32, 20, 1, 1),
    _weights("l", 6, 64, 1, 1),
)
BIAS, S, M = _weights("b", 20), _weights("s", 64), _weights("m", 64)
PROGRAM = f"""
func.func @main(%x: {X}) -> ({Y}, tensor<2x64x1x1xf32, #npu.layout<NCHW>>) {{
  {W}
  {D}
  {K}
  {L}
  {BIAS}
  {S}
  {M}
  %q = npu.mul %s, %s : {V}
  {_conv("first", A, "x", X, W, " pads = [1, 1, 1, 1]", BIAS)}
  %r = npu.leaky_relu %first alpha = 0.25 : {A}
  {_conv("deep", A, "r", A, D, " pads = [1, 1, 1, 1] groups = 20")}
  %sum = npu.add %deep, %r : {A}
  %avg = npu.avg_pool %sum window = [3, 3] strides = [2, 2] pads = [1, 1, 1, 1]
    : ({A}) -> tensor<2x20x5x5xf32, #npu.layout<NCHW>>
  {_conv("wide", B, "avg", "tensor<2x20x5x5xf32, #npu.layout<NCHW>>", K)}
  %bent = npu.sigmoid %wide : {B}
  %both = npu.concat %bent, %wide axis = 1 : ({B}, {B}) -> {C}
  %norm = npu.batch_norm %both, %s, %m, %m, %q axis = 1 : ({C}, {V}, {V}, {V}, {V}) -> {C}
  %up = npu.upsample %norm factors = [2, 2] : ({C}) -> tensor<2x64x10x10xf32, #npu.layout<NCHW>>
  {_conv("last", "tensor<2x6x5x5xf32, #npu.layout<NCHW>>", "norm", C, L)}
  %y = npu.transpose %last permutation = [0, 2, 3, 1] : (tensor<2x6x5x5xf32, #npu.layout<NCHW>>) -> {Y}
  %top = npu.global_max_pool %up : (tensor<2x64x10x10xf32, #npu.layout<NCHW>>)
    -> tensor<2x64x1x1xf32, #npu.layout<NCHW>>
  func.return %y, %top : {Y}, tensor<2x64x1x1xf32, #npu.layout<NCHW>>
}}
"""


def _placed(size: int) -> ModuleOp:
    module = parse(PROGRAM)
    LayoutOptimal(target=TARGETS[size]).apply(context(), module)
    return module


@pytest.mark.parametrize("size", SIZES)
def test_the_model_computes_the_same(size: int, tmp_path: Path) -> None:
    module, plain = _placed(size), parse(PROGRAM)
    model = whole(to_onnx(module, has_nchwc=True))
    kinds = {node.op_type for node in model.graph.node if node.domain == DOMAIN}
    assert kinds == {"Conv", "AveragePool", "Upsample", "GlobalMaxPool", "ReorderOutput"}
    inputs = random_inputs(main_of(plain), 0)
    expected = run(plain, inputs=inputs)
    found = run(import_model(tmp_path / "model.onnx", Options(inline_limit=None), model=model).module, inputs=inputs)
    for one, other in zip(found, expected, strict=True):
        assert_close(one, other, SUMS)
    if size_of_runtime() == size:
        options = ort.SessionOptions()
        options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
        session = ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        for one, other in zip(session.run(None, {"x": inputs[0]}), expected, strict=True):
            assert_close(one, other, SUMS)


def test_both_targets_demand_the_same() -> None:
    texts = [re.sub(r'"[\d.]+ x', '"x', (ROOT / f"targets/{name}.toml").read_text()) for name in TARGETS.values()]
    eight, sixteen = (text.partition("[demands]")[2].partition("# Measured")[0] for text in texts)
    assert eight == sixteen.replace("16", "8")


def test_onnx_runtime_does_not_run_blocks_of_another_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The interpreter does."""
    plain, file = parse(PROGRAM), tmp_path / "model.onnx"
    onnx.save(whole(to_onnx(_placed(8), has_nchwc=True)), file)
    monkeypatch.setattr(nchwc, "size_of_runtime", lambda: 16)
    notes: list[str] = []

    def note(text: object) -> None:
        notes.append(str(text))

    inputs = random_inputs(main_of(plain), 0)
    with runner_of(read_program(str(file), context()), note) as runner:
        found = runner("main", inputs)
    for one, other in zip(found, run(plain, inputs=inputs), strict=True):
        assert_close(one, other, SUMS)
    problem = "its blocks have 16 channels on this machine, and 8 in the model"
    assert notes == [f"note: ONNX Runtime does not run {file}: {problem}"]
