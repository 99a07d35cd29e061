"""Programs on values in blocks, compiled by MLIR, and as models of ONNX and LiteRT."""

from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest
from npu_opt.bridges.litert.errors import NotExportable
from npu_opt.interpreter import random_inputs, run
from npu_opt.interpreter.evaluate import with_padding
from support import optional_tools
from support.closeness import FEW_STEPS, assert_close
from support.garbage import make_padding_dirty
from support.ir_text import parse
from support.oracles.running import main_of
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException

LAYOUT = "#npu.layout<NCHW4c, C = 6>"
KERNEL = "#npu.layout<OIHW4o, O = 6>"
PROGRAM = f"""
func.func @main(%x: tensor<1x2x5x5x4xf32, {LAYOUT}>, %w: tensor<2x1x3x3x4xf32, {KERNEL}>)
    -> tensor<1x3x3x6xf32, #npu.layout<NHWC>> {{
  %p = npu.max_pool %x window = [2, 2] pads = [1, 1, 0, 0]
    : (tensor<1x2x5x5x4xf32, {LAYOUT}>) -> tensor<1x2x5x5x4xf32, {LAYOUT}>
  %c = npu.conv2d %p, %w groups = 6
    : (tensor<1x2x5x5x4xf32, {LAYOUT}>, tensor<2x1x3x3x4xf32, {KERNEL}>) -> tensor<1x2x3x3x4xf32, {LAYOUT}>
  %e = npu.exp %c : tensor<1x2x3x3x4xf32, {LAYOUT}>
  %y = npu.unpack %e : (tensor<1x2x3x3x4xf32, {LAYOUT}>) -> tensor<1x3x3x6xf32, #npu.layout<NHWC>>
  func.return %y : tensor<1x3x3x6xf32, #npu.layout<NHWC>>
}}
"""
MODULE = parse(PROGRAM)
INPUTS = [
    with_padding(value, array)
    for value, array in zip(main_of(MODULE).body.block.args, random_inputs(main_of(MODULE), 0), strict=True)
]
"""Padding that may be anything is NaN."""
RESULT = run(MODULE, inputs=INPUTS)[0]
DIRTY = MODULE.clone()
DIRTY_VALUES = make_padding_dirty(DIRTY)
"""The values that are NaN in padding that may be anything, whatever is compiled."""
READS_PADDING = PROGRAM.replace("%e = npu.exp %c", "%e = npu.softmax %c axis = 4")
"""A program that no verifier accepts: its result depends on padding."""


def test_padding_is_nan_and_not_read() -> None:
    assert all(np.isnan(array).any() for array in INPUTS)
    assert not np.isnan(RESULT).any()
    assert DIRTY_VALUES == 3


def dirty(text: str) -> ModuleOp:
    module = parse(text)
    make_padding_dirty(module)
    return module


@pytest.mark.skipif(optional_tools.mlir_bindings().location is None, reason=optional_tools.mlir_bindings().note)
def test_mlir_computes_the_same() -> None:
    from npu_opt.bridges.mlir.engine import Compiled
    from npu_opt.bridges.mlir.exporting.program import lowered, mlir_context, signature

    for module, is_right in ((MODULE, True), (DIRTY, True), (dirty(READS_PADDING), False)):
        with mlir_context():
            found = Compiled(lowered(module), "main", signature(main_of(module))).run(INPUTS)
        check(found[0], is_right)


def test_onnx_computes_the_same() -> None:
    pytest.importorskip("onnxruntime")
    from support.oracles.onnx_running import executed, exported

    for module, is_right in ((MODULE, True), (DIRTY, True), (dirty(READS_PADDING), False)):
        check(executed(exported(module), INPUTS)[0], is_right)


@pytest.mark.skipif(find_spec("ai_edge_litert") is None, reason="the extra litert is not installed")
def test_litert_computes_the_same() -> None:
    from support.oracles.litert_running import executed, exported

    for module, is_right in ((MODULE, True), (DIRTY, True), (dirty(READS_PADDING), False)):
        check(executed(exported(module), INPUTS)[0], is_right)


def check(found: np.ndarray[Any, Any], is_right: bool) -> None:
    """Of a program that reads padding the result has NaN."""
    if is_right:
        assert_close(found, RESULT, FEW_STEPS)
    else:
        assert np.isnan(found).any()


def test_what_was_packed_is_read_as_it_was() -> None:
    """The kernel is not padded, and the result of the pool is neither padded nor cut for the convolution behind it."""
    pytest.importorskip("onnx")
    from support.oracles.onnx_running import exported

    stored, whole = f"tensor<2x1x3x3x4xf32, {KERNEL}>", "tensor<6x1x3x3xf32, #npu.layout<OIHW>>"
    text = PROGRAM.replace(f"%w: {stored}", f"%v: {whole}")
    text = text.replace("%c =", f"%w = npu.pack %v : ({whole}) -> {stored}\n  %c =")
    kinds = [node.op_type for node in exported(parse(text)).graph.node]
    unpack, pack = ["Transpose", "Reshape", "Slice"], ["Pad", "Reshape", "Transpose"]
    assert kinds == [*unpack, "MaxPool", "Conv", *pack, "Exp", *unpack, "Transpose"]


QUANTISED = """
func.func @main(%x: tensor<1x1x4x4x16xi8, #npu.layout<NCHW16c>>, %s: tensor<f32, #npu.layout<Tensor>>,
    %z: tensor<i8, #npu.layout<Tensor>>) -> tensor<1x1x2x2x16xi8, #npu.layout<NCHW16c>> {
  %y = npu.quant_avg_pool %x, %s, %z, %s, %z window = [2, 2] strides = [2, 2]
    : (tensor<1x1x4x4x16xi8, #npu.layout<NCHW16c>>, tensor<f32, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>,
       tensor<f32, #npu.layout<Tensor>>, tensor<i8, #npu.layout<Tensor>>) -> tensor<1x1x2x2x16xi8, #npu.layout<NCHW16c>>
  func.return %y : tensor<1x1x2x2x16xi8, #npu.layout<NCHW16c>>
}
"""


def test_litert_has_no_quantised_ops_on_blocks() -> None:
    pytest.importorskip("flatbuffers")
    from npu_opt.bridges.litert.exporting import to_litert

    with pytest.raises((DiagnosticException, NotExportable), match=r"'npu\.quant_avg_pool' on blocks has no"):
        to_litert(parse(QUANTISED))
