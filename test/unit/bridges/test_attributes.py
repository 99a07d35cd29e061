"""Every attribute of every op that is converted: another value is another program, an error, or a node that stays."""

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from npu_opt.bridges.onnx.errors import OnnxError
from npu_opt.bridges.onnx.importing.importer import Options, import_model
from npu_opt.dialects.npu.source import OpaqueOp
from npu_opt.interpreter import InterpreterError, run
from numpy.typing import NDArray
from onnx import ModelProto, helper
from support.campaign import LONG
from support.closeness import LAYERS, Room
from support.closeness import are_close as are_within
from support.generators.attribute_values import (
    OF_MICROSOFT,
    Mutant,
    kinds_of_microsoft,
    model_of_microsoft,
    mutants_of,
    mutants_of_node_tests,
)
from support.generators.backend_nodes import all_cases, stored
from support.generators.made_models import model, save
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

SIXTEEN_BITS = Room("steps of 16 bits, which round by up to 4e-3 each", 2e-2, 1e-2)

ort: Any = pytest.importorskip("onnxruntime")

SAMPLE = 600
"""The mutants of the node tests that a usual run tries."""
LEFT_OUT = frozenset({"Resize", "Upsample"})
"""Ops with tests of their own against ONNX Runtime."""
UNLIKE = frozenset({"AveragePool", "LpPool", "MaxPool"})


def imported(proto: ModelProto) -> ModuleOp:
    return import_model(Path("model.onnx"), Options(inline_limit=None), model=proto).module


def executed(proto: ModelProto, inputs: Sequence[NDArray[Any]]) -> list[Any]:
    """The results of ONNX Runtime, as its kernels compute each op."""
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads, options.log_severity_level = 1, 4
    session = ort.InferenceSession(proto.SerializeToString(), options, ["CPUExecutionProvider"])
    return session.run(None, dict(zip([each.name for each in session.get_inputs()], inputs, strict=True)))


def outcome(mutant: Mutant) -> str:
    """The treatment of a mutant: refused, kept, the same as in ONNX Runtime, not run, or what is wrong."""
    try:
        module = imported(mutant.model)
    except OnnxError:
        return "refused"
    if any(isinstance(op, OpaqueOp) for op in module.walk()):
        return "kept"
    try:
        expected = executed(mutant.model, mutant.inputs)
    except Exception:  # The exceptions of ONNX Runtime have no class in common.
        return "not run"
    (function,) = (op for op in module.ops if isinstance(op, FuncOp))
    types = function.function_type.inputs
    try:
        found = run(module, "main", [stored(each, type_) for each, type_ in zip(mutant.inputs, types, strict=True)])
    except InterpreterError:
        return "not run"
    pairs = zip(found, expected, strict=True)
    return "same" if all(are_close(one, other) for one, other in pairs) else "wrong"


def are_close(found: NDArray[Any], expected: NDArray[Any] | None) -> bool:
    """Sums of f32 in another order, rounded to the last digits of 16 bits, or to the next quantised number."""
    if expected is None:
        # ONNX Runtime has no kernel for this optional result.
        return True
    if found.shape != expected.shape:
        return False
    wide = found.astype(np.float64), expected.astype(np.float64)
    loose = expected.dtype == np.float16 or expected.dtype.name == "bfloat16"
    if expected.dtype.name in ("uint8", "int8"):
        return bool((np.abs(wide[0] - wide[1]) <= 1).all())
    return are_within(*wide, SIXTEEN_BITS if loose else LAYERS)


def follows_onnx(mutant: Mutant) -> bool:
    """True for automatic pads of dilated windows, where ONNX and ONNX Runtime differ, and for means of one number."""
    (node,) = mutant.model.graph.node
    given = {each.name: helper.get_attribute_value(each) for each in node.attribute}
    if node.op_type in UNLIKE:
        is_dilated = any(each != 1 for each in given.get("dilations", ()))
        return is_dilated and given.get("auto_pad", b"NOTSET").startswith(b"SAME")
    return node.op_type == "MeanVarianceNormalization" and given.get("axes") == [-1]


@pytest.mark.xdist_group("backend nodes")
def test_attributes_of_onnx():
    mutants = [each for each in mutants_of_node_tests(LEFT_OUT) if not follows_onnx(each)]
    chosen = mutants if LONG else Random(0).sample(mutants, SAMPLE)
    found = {each.name: outcome(each) for each in chosen}
    assert [name for name, word in found.items() if word == "wrong"] == []
    assert Counter(found.values())["same"] > len(chosen) / 5


@pytest.mark.parametrize("kind", OF_MICROSOFT)
def test_attributes_of_onnx_runtime(kind: str):
    """The definition of ONNX Runtime says which attributes there are."""
    proto, inputs = model_of_microsoft(kind)
    assert outcome(Mutant(kind, proto, inputs)) == "same"
    found = {each.name: outcome(each) for each in mutants_of(kind, proto, kinds_of_microsoft(kind), inputs)}
    assert [name for name, word in found.items() if word == "wrong"] == []


@pytest.mark.parametrize("kind", OF_MICROSOFT)
def test_attributes_and_inputs_that_nobody_knows(kind: str):
    """A node with more than its converter reads stays unchanged, or its type is not known."""
    for change in ("attribute", "input"):
        proto, inputs = model_of_microsoft(kind)
        (node,) = proto.graph.node
        if change == "attribute":
            node.attribute.append(helper.make_attribute("other", 1))
        else:
            node.input.extend([""] * (12 - len(node.input)) + ["x0"])
        assert outcome(Mutant(change, proto, inputs)) in ("kept", "refused")


@pytest.mark.xdist_group("backend nodes")
def test_inputs_that_are_left_out():
    """Whatever is missing, the model is read or refused in words of ONNX."""
    chosen, cases = Random(0), [case.model for case in all_cases() if case.model is not None]
    sample = [each for each in cases if len(each.graph.node) <= 3 and (LONG or chosen.random() < 0.2)]
    for each in (*sample, *(model_of_microsoft(kind)[0] for kind in OF_MICROSOFT)):
        for place, node in enumerate(each.graph.node):
            for index in range(len(node.input)):
                copy = ModelProto()
                copy.CopyFrom(each)
                copy.graph.node[place].input[index] = ""
                with suppress(OnnxError):
                    imported(copy)


def test_a_loop_without_a_value_that_it_carries():
    """It stays: ONNX's shape inference, which would refuse it, crashes on EyeLike and is not called."""
    text = """net (int64 n, float[2] x, float[2,2] g) => (float[2] y) { y, z = Loop (n, , x, x)
      <body = b (int64 i, bool c, float[2] s, float[2] t) => (bool d, float[2] u, float[2] v)
      { d = Identity (c) e = EyeLike (g) u = Neg (s) v = Neg (t) }> }"""
    proto = model(text)
    proto.graph.node[0].input[3] = ""
    assert '"onnx.Loop"' in str(imported(proto))


def test_channels_last_of_a_mean(tmp_path: Path):
    """Its result has the shape that ONNX Runtime gives, whatever the model says about it."""
    proto, inputs = model_of_microsoft("QLinearGlobalAveragePool", {"channels_last": 1})
    module = imported(proto)
    (op,) = (op for op in module.walk() if isinstance(op, OpaqueOp))
    assert str(op.results[0].type) == "tensor<1x1x1x6xui8>"
    assert executed(proto, inputs)[0].shape == (1, 1, 1, 6)


@pytest.mark.parametrize("kind", ["Max", "Min"])
def test_the_largest_of_three_sizes(kind: str, tmp_path: Path):
    """Arithmetic on constants takes all of them into account."""
    numbers = {"Max": "{1, 2, 9}", "Min": "{9, 8, 1}"}[kind].strip("{}").split(", ")
    text = " ".join(f"c{place} = Constant <value = int64[1] {{{each}}}> ()" for place, each in enumerate(numbers))
    body = f"{text} s = {kind} (c0, c1, c2) y = Expand (x, s)"
    proto = model(f"net (float[1] x) => (float[n] y) {{ {body} }}")
    (expected,) = executed(proto, [np.ones(1, np.float32)])
    found = import_model(save(f"net (float[1] x) => (float[n] y) {{ {body} }}", tmp_path)).module
    assert "opaque" in str(found) or f"tensor<{len(expected)}xf32>" in str(found)


@pytest.mark.parametrize(("mode", "causal"), [*product(range(4), range(2))])
def test_products_that_an_attention_returns(mode: int, causal: int):
    """In those of mode 2 ONNX Runtime has large numbers for hidden keys, and ONNX infinite ones."""
    proto = model(
        '<ir_version: 10, opset_import: ["": 23]> net (float[1,2,3,4] q, float[1,2,3,4] k, float[1,2,3,4] v)'
        " => (float[1,2,3,4] y, float[1,2,3,3] p)"
        f" {{ y, , , p = Attention <is_causal = {causal}, qk_matmul_output_mode = {mode}> (q, k, v) }}"
    )
    assert ("onnx.Attention" in str(imported(proto))) == (mode == 2 and causal == 1)


def test_axes_in_front_of_a_shape(tmp_path: Path):
    """ONNX's shape inference would read memory that is not its own."""
    text = "net (float[2,2,2] x, int64[2,1] i) => (float[n,m] y) { y = GatherND <batch_dims = -2> (x, i) }"
    with pytest.raises(OnnxError, match="GatherND 'y': attribute 'batch_dims' is -2, which is no number of axes"):
        import_model(save(text, tmp_path))
