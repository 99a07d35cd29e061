"""Tensors of texts: what reads and computes them stays unchanged, and all else around them is placed."""

from pathlib import Path

import npu_opt
import numpy as np
import pytest
from npu_opt.tools.opt import run
from onnx import ModelProto
from onnx.parser import parse_model
from support.ir_text import parse
from support.oracles.onnx_running import executed
from xdsl.utils.exceptions import VerifyException

ENCODER = """<ir_version: 8, opset_import: ["": 17, "ai.onnx.ml": 2]>
net (string[2,3] names, float[2,3] x) => (string[2,3] copies, float[2,3] y)
{
    copies = Identity (names)
    turned = Transpose <perm = [1, 0]> (copies)
    numbers = ai.onnx.ml.LabelEncoder <keys_strings = ["a", "b", "c"], values_floats = [1.0, 2.0, 3.0]> (turned)
    sums = Relu (numbers)
    back = Transpose <perm = [1, 0]> (sums)
    y = Add (back, x)
}"""


def encoder() -> ModelProto:
    return parse_model(ENCODER)


def test_ops_on_texts_stay_as_they_are(tmp_path: Path):
    result = npu_opt.optimize(encoder(), target="onnx")
    written = result.to_onnx()
    kinds = ["Identity", "Transpose", "LabelEncoder", "Transpose", "Relu", "Add"]
    assert sorted(node.op_type for node in written.graph.node) == sorted(kinds)
    assert npu_opt.check(encoder(), result).word == "proved"
    inputs = [np.array([["a", "b", "c"], ["c", "x", "a"]], object), np.ones((2, 3), np.float32)]
    for found, expected in zip(executed(written, inputs), executed(encoder(), inputs), strict=True):
        np.testing.assert_array_equal(found, expected)
    result.save(tmp_path / "out.mlir")
    assert npu_opt.check(encoder(), tmp_path / "out.mlir").word == "proved"


@pytest.mark.parametrize("before", ['keys_strings = ["a"', "perm = [1, 0]> (copies)"])
def test_other_texts_are_not_proved(before: str):
    other = ENCODER.replace(before, before.replace('"a"', '"d"').replace("[1, 0]", "[0, 1]"))
    sizes = other.replace("string[2,3]", "string[2,2]").replace("float[2,3]", "float[2,2]")
    model = ENCODER.replace("string[2,3]", "string[2,2]").replace("float[2,3]", "float[2,2]")
    assert npu_opt.check(parse_model(model), parse_model(sizes)).word != "proved"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["-t", "tosa"], "MLIR's ops have no element type !npu.string"),
        (["-o", "out.tflite"], "'onnx.Identity' has no counterpart in LiteRT"),
    ],
)
def test_other_formats_have_no_texts(
    arguments: list[str], expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    file = tmp_path / "texts.onnx"
    file.write_bytes(encoder().SerializeToString())
    named = [str(tmp_path / each) if each.startswith("out") else each for each in arguments]
    if "-t" in arguments:
        pytest.importorskip("torch_mlir")
    else:
        pytest.importorskip("ai_edge_litert")
    assert run([str(file), *named]) == 1
    assert f": error: {expected}" in capsys.readouterr().err


def test_ops_of_npu_have_no_texts():
    with pytest.raises(VerifyException, match=r"expected element type i1 to i64, .*, found !npu\.string"):
        parse(
            """func.func @main(%x: tensor<2x3x!npu.string>) -> tensor<3x2x!npu.string> {
              %y = npu.transpose %x permutation = [1, 0] : (tensor<2x3x!npu.string>) -> tensor<3x2x!npu.string>
              func.return %y : tensor<3x2x!npu.string>
            }"""
        ).verify()
