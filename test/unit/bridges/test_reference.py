"""Nodes that stay are run by the reference implementation of the package onnx: their numbers are ONNX Runtime's."""

from pathlib import Path

import npu_opt
import numpy as np
import pytest
from npu_opt.interpreter import InterpreterError
from npu_opt.interpreter import run as interpret
from npu_opt.interpreter.objects import are_same, as_array, from_array
from npu_opt.tools.run import run
from onnx.parser import parse_model
from support.ir_text import parse

HEAD = '<ir_version: 8, opset_import: ["" : 17, "ai.onnx.ml" : 3, "com.microsoft" : 1]>'
MODELS = {
    "two results": "(float[1,1,4,4] x) => (float[1,1,2,2] v, int64[1,1,2,2] i) "
    "{ a = Relu (x) v, i = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (a) }",
    "the second of two results": "(float[1,1,4,4] x) => (int64[1,1,2,2] i) "
    "{ v, i = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (x) }",
    "a list": "(float[2,3] x, int64 i) => (float[2,3] y, seq(float[2,3]) s) "
    "{ a = Neg (x) s = SequenceConstruct (a, x) y = SequenceAt (s, i) }",
    "something that may be missing": "(float[2,3] x) => (float[2,3] y) { a = Optional (x) y = OptionalGetElement (a) }",
    "texts": '(string[5] x) => (int64[5] y) { y = ai.onnx.ml.LabelEncoder <keys_strings = ["a", "B"], '
    "values_int64s = [7, 8], default_int64 = 9> (x) }",
    "an input that is left out": "(float[4,1,3] x, float[1,8,3] w, float[1,8,2] r, float[1,1,2] h) "
    "=> (float[4,1,1,2] y) { y = LSTM <hidden_size = 2, clip = 100.0> (x, w, r, , , h) }",
    "a subgraph": "(float[2] x, bool c) => (float[2] y) { y = If (c) <then_branch = t () => (float[2] a) "
    "{ s = SequenceConstruct (x) i = Constant <value_int = 0> () a = SequenceAt (s, i) }, "
    "else_branch = e () => (float[2] b) { b = Neg (x) }> }",
}


def saved(text: str, tmp_path: Path, name: str = "model") -> str:
    file = tmp_path / f"{name}.onnx"
    file.write_bytes(parse_model(f"{HEAD} g {text}").SerializeToString())
    return str(file)


@pytest.mark.parametrize("text", MODELS.values(), ids=MODELS)
def test_the_results_are_those_of_onnx_runtime(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    pytest.importorskip("onnxruntime")
    file = saved(text, tmp_path)
    assert "npu.opaque" in str(npu_opt.load(file).module)
    assert run([file, "--compare", file]) == 0
    out, err = capsys.readouterr()
    assert "@main, by numpy" in out
    assert err == ""


def test_other_results_differ(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    text = MODELS["two results"]
    other = saved(text.replace("Relu", "Neg"), tmp_path, "other")
    assert run([saved(text, tmp_path), "--compare", other]) == 3
    assert "differ" in capsys.readouterr().out


def test_ops_that_onnx_does_not_have(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = saved("(float[2,3] x) => (float[2,3] y) { y = com.microsoft.BiasSoftmax (x, x) }", tmp_path)
    assert run([file, "--engine=numpy"]) == 1
    assert "'npu.opaque' \"com.microsoft.BiasSoftmax\" cannot be evaluated\n" in capsys.readouterr().err


def test_the_interpreter_alone_runs_no_node_of_onnx():
    """The proof evaluates with it, and must not know what a node of ONNX computes."""
    module = parse(
        """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
          %y = npu.opaque "onnx.Erfinv"(%x) pure : (tensor<2xf32>) -> tensor<2xf32>
          func.return %y : tensor<2xf32>
        }"""
    )
    with pytest.raises(InterpreterError, match=r"cannot be evaluated\n"):
        interpret(module, "main", [np.ones(2, np.float32)])


def test_what_is_no_tensor_is_an_array_of_objects():
    pair = [np.ones(2), np.ones(2)]
    assert as_array(pair).shape == (2,)
    assert are_same(from_array(as_array(pair)), pair, 0)
    assert as_array(None).shape == ()
    assert from_array(as_array({"a": 1.0})) == {"a": 1.0}
    texts = np.array(["a", ""], np.object_)
    assert from_array(texts) is texts
    same = [({1: 1.0}, {1: 1.0 + 1e-9}), ("a", "a"), (None, None), (pair, list(pair)), (np.ones(2), np.ones(2) + 1e-9)]
    other = [({1: 1.0}, {2: 1.0}), ("a", "b"), (None, pair), (pair, pair[:1]), (np.ones(2), np.zeros(2)), (1, 1.0)]
    assert all(are_same(one, two, 1e-6) for one, two in same)
    assert not any(are_same(one, two, 1e-6) for one, two in other)
