"""check_equal accepts what npu-opt writes and nothing else, and its laws are those of the dialect."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from npu_opt.bridges.onnx.importing.importer import import_model
from npu_opt.checkers import check_equal
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.shape import ShapeOp
from npu_opt.dialects.npu.source import ConstantOp
from npu_opt.tools.check import run as npu_check
from npu_opt.tools.opt import run as npu_opt
from numpy.typing import NDArray
from onnx import ModelProto, TensorProto, helper, numpy_helper, parser
from onnx.reference import ReferenceEvaluator
from support.generators.claimed_mutants import Trace, claims_by_name, mutants
from support.generators.onnx_graphs import random_graph
from support.generators.unequal_pairs import pairs_of_nodes

Array = NDArray[Any]
CHECKER = Path(check_equal.__file__)
NO_CLAIMS: Trace = {"first": {}, "second": {}}


def verdict(first: ModelProto | bytes, second: ModelProto | bytes, trace: Trace, folder: Path) -> str:
    """What the checker says of two models; the kinds of what it believes if it accepts them."""
    files = [folder / "first.onnx", folder / "second.onnx"]
    for file, model in zip(files, (first, second), strict=True):
        file.write_bytes(model if isinstance(model, bytes) else model.SerializeToString())
    try:
        believed = check_equal.check(str(files[0]), str(files[1]), {name: {**each} for name, each in trace.items()}, {})
    except (LookupError, ValueError) as error:
        return f"rejected: {error}"
    return f"accepted; believed: {', '.join(believed) or 'nothing'}"


def parsed(body: str, inputs: str = "float[2,3,4] x", opset: int = 21) -> ModelProto:
    text = f'<ir_version: 8, opset_import: ["": {opset}]> net ({inputs}) => (float[] y) {{ {body} }}'
    model = parser.parse_model(text)
    model.graph.output[0].type.tensor_type.ClearField("shape")
    return model


def by_name(first: str, second: str, folder: Path, inputs: str = "float[2,3,4] x", opset: int = 21) -> str:
    one, other = parsed(first, inputs, opset), parsed(second, inputs, opset)
    return verdict(one, other, claims_by_name(one, other), folder)


MOVED = "t = Transpose <perm = [2, 0, 1]> (x) "
EQUAL = {
    "elementwise": ("a = Relu (x) y = Exp (a)", MOVED + "a = Relu (t) b = Exp (a) y = Transpose <perm = [1, 2, 0]> (b)"),
    "softmax": (
        "a = Softmax <axis = 1> (x) y = Neg (a)",
        MOVED + "a = Softmax <axis = 2> (t) b = Transpose <perm = [1, 2, 0]> (a) y = Neg (b)",
    ),
    "reduction": (
        "i = Constant <value = int64[1] {1}> () y = ReduceSum <keepdims = 0> (x, i)",
        MOVED + "i = Constant <value = int64[1] {2}> () a = ReduceSum <keepdims = 0> (t, i)"
        " y = Transpose <perm = [1, 0]> (a)",
    ),
    "concatenation": (
        "a = Relu (x) y = Concat <axis = 1> (x, a)",
        MOVED + "a = Relu (t) b = Concat <axis = 2> (t, a) y = Transpose <perm = [1, 2, 0]> (b)",
    ),
    "merged axes": (
        "s = Constant <value = int64[2] {6, 4}> () a = Relu (x) y = Reshape (a, s)",
        "s = Constant <value = int64[2] {6, 4}> () r = Reshape (x, s) y = Relu (r)",
    ),
    "sizes": (
        "h = Shape <start = 1, end = 2> (x) i = Constant <value = int64[1] {-1}> () s = Concat <axis = 0> (h, i)"
        " y = Reshape (x, s)",
        "s = Constant <value = int64[2] {3, 8}> () y = Reshape (x, s)",
    ),
}


@pytest.mark.parametrize("name", EQUAL)
def test_equal_models_are_accepted(name: str, tmp_path: Path) -> None:
    first, second = EQUAL[name]
    names = {"a": "a", "b": "y"} if "b = " in second else {}
    one, other = parsed(first), parsed(second)
    claims = {**claims_by_name(one, other)["second"], **names}
    if name in ("softmax", "reduction"):
        claims = {"a": "a" if name == "softmax" else "y", **({"y": "y"} if name == "softmax" else {})}
    if name == "merged axes":
        claims = {"y": "a"}
    found = verdict(one, other, {"first": {}, "second": claims}, tmp_path)
    assert found == "accepted; believed: nothing"


DIFFERENT = {
    "another axis": ("y = Softmax <axis = 1> (x)", "y = Softmax <axis = 2> (x)", "other axes"),
    "another order": ("y = Relu (x)", MOVED + "a = Relu (t) y = Transpose <perm = [0, 1, 2]> (a)", "not shown"),
    "other operands": ("a = Neg (x) y = Sub (x, a)", "a = Neg (x) y = Sub (a, x)", "not shown to be"),
    "another attribute": ("y = Elu <alpha = 0.5> (x)", "y = Elu (x)", "the attributes of Elu differ"),
    "an operand in another place": (
        "m = Constant <value = float {0.5}> () y = Clip (x, m)",
        'm = Constant <value = float {0.5}> () y = Clip (x, "", m)',
        "Clip is not Clip",
    ),
    "zeros of another sign": (
        "c = Constant <value = float[4] {0.0, -0.0, 0.0, -0.0}> () y = Mul (x, c)",
        "c = Constant <value = float[4] {0.0, 0.0, 0.0, 0.0}> () y = Mul (x, c)",
        "the operands",
    ),
    "random numbers": ("y = RandomNormalLike (x)", "y = RandomNormalLike (x)", "is random"),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_different_models_are_rejected(name: str, tmp_path: Path) -> None:
    first, second, reason = DIFFERENT[name]
    if '""' in second:
        other = parsed(second.replace('"", ', "m, "))
        other.graph.node[-1].input[1] = ""
    else:
        other = parsed(second)
    one = parsed(first)
    found = verdict(one, other, claims_by_name(one, other), tmp_path)
    assert found.startswith("rejected: ") and reason in found


def test_positions_that_are_not_read_are_no_free_ones(tmp_path: Path) -> None:
    """GatherElements reads the first position of an axis if the indices have one."""
    body = "i = Constant <value = int64[1,1,1] {{0}}> () y = GatherElements <axis = 2> ({0}, i)"
    first = body.format("x")
    second = "j = Constant <value = int64[2] {1, 0}> () t = Gather <axis = 0> (x, j) " + body.format("t")
    assert by_name(first, second, tmp_path).startswith("rejected: 'y' is not shown to be 'y'")


def test_versions_change_what_an_op_means(tmp_path: Path) -> None:
    first, second = parsed("y = Softmax <axis = 1> (x)", opset=12), parsed("y = Softmax <axis = 1> (x)", opset=13)
    assert "Softmax is not Softmax" in verdict(first, second, claims_by_name(first, second), tmp_path)
    # Before 13, an axis stands for all axes behind it: moving one of them is another function.
    second = parsed("t = Transpose <perm = [0, 2, 1]> (x) a = Softmax <axis = 1> (t) y = Neg (a)", opset=12)
    assert verdict(parsed("a = Softmax <axis = 1> (x) y = Neg (a)", opset=12), second, NO_CLAIMS, tmp_path) != "accepted"


def test_interfaces_must_be_the_same(tmp_path: Path) -> None:
    base = parsed("y = Relu (x)")
    claims = claims_by_name(base, base)
    assert verdict(base, parsed("y = Relu (x)", "float[2,4,3] x"), claims, tmp_path).endswith("defaults of inputs")
    assert verdict(base, parsed("y = Relu (x)", "double[2,3,4] x"), claims, tmp_path).endswith("defaults of inputs")
    assert verdict(base, parsed("y = Relu (x)", "float[N,3,4] x"), claims, tmp_path).endswith("defaults of inputs")
    noted = parsed("y = Relu (x)")
    noted.metadata_props.add(key="npu_opt.interface.x", value="CHW (was HWC)")
    assert verdict(base, noted, claims, tmp_path).endswith("an interface that is stored otherwise")


def test_an_input_with_a_default_is_no_constant(tmp_path: Path) -> None:
    first = parsed("y = Add (x, w)", "float[2,3,4] x, float[4] w")
    first.graph.initializer.append(numpy_helper.from_array(np.ones(4, np.float32), "w"))
    second = ModelProto.FromString(first.SerializeToString())
    claims = claims_by_name(first, second)
    assert verdict(first, second, claims, tmp_path).startswith("accepted")
    second.graph.initializer[0].CopyFrom(numpy_helper.from_array(np.zeros(4, np.float32), "w"))
    assert verdict(first, second, claims, tmp_path).endswith("defaults of inputs")
    del second.graph.input[1]
    assert verdict(first, second, claims, tmp_path).startswith("rejected")


def test_what_is_believed_is_said(tmp_path: Path) -> None:
    first = parsed("c = Constant <value = float {2.0}> () e = Exp (c) y = Mul (x, e)", "float[N,3] x")
    second = parsed(f"e = Constant <value = float {{{float(np.exp(np.float32(2))):.9g}}}> () y = Mul (x, e)", "float[N,3] x")
    assert verdict(first, second, claims_by_name(first, second), tmp_path) == (
        "accepted; believed: engines compute floats of constants as onnx does,"
        " other sizes than {'N': 23} have the same proof"
    )


@pytest.mark.parametrize("claim", [{"y": "z"}, {"y": "x"}, {"y": "y", "a": "y"}])
def test_claims_that_cannot_hold(claim: dict[str, str], tmp_path: Path) -> None:
    model = parsed("a = Relu (x) y = Neg (a)")
    assert verdict(model, model, {"first": {}, "second": claim}, tmp_path).startswith("rejected: '")


def test_two_values_of_one_name(tmp_path: Path) -> None:
    model = parsed("a = Relu (x) y = Neg (a)")
    model.graph.node[0].output[0] = "y"
    assert verdict(model, model, NO_CLAIMS, tmp_path).startswith("rejected: ")


def placed_pairs(count: int, folder: Path) -> Iterator[tuple[ModelProto, ModelProto, Trace]]:
    """Random models, what npu-opt writes of them, and the traces of npu-check."""
    first, second, trace = (folder / name for name in ("a.onnx", "b.onnx", "trace.json.gz"))
    for seed in range(count):
        model, _ = random_graph(seed)
        onnx.save(model, first)
        trace.unlink(missing_ok=True)
        if npu_opt([str(first), "-O", "-o", str(second)]) == 0:
            npu_check([str(first), str(second), "--trace", str(trace)])
        if trace.exists():
            import gzip

            yield model, onnx.load(second), json.loads(gzip.decompress(trace.read_bytes()))


def outputs(model: ModelProto) -> list[Array] | None:
    """The results for one random input; None if a model does not run."""
    rng = np.random.default_rng(7)
    given = {
        each.name: rng.standard_normal(
            [dim.dim_value if dim.HasField("dim_value") else 2 for dim in each.type.tensor_type.shape.dim]
        ).astype(helper.tensor_dtype_to_np_dtype(each.type.tensor_type.elem_type))
        for each in model.graph.input
    }
    with suppress(Exception), np.errstate(all="ignore"):
        return [np.asarray(each) for each in ReferenceEvaluator(model).run(None, given)]
    return None
