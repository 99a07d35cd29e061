"""check_equal accepts what npu-opt writes and nothing else, and its laws are those of the dialect."""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
import gzip
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
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
from npu_opt.dialects.npu.values import shape_of
from npu_opt.tools.check import run as npu_check
from npu_opt.tools.opt import run as npu_opt
from numpy.typing import NDArray
from onnx import ModelProto, TensorProto, helper, numpy_helper, parser
from onnx.reference import ReferenceEvaluator
from support.campaign import amount, one_by_one
from support.closeness import LAYERS, are_close
from support.generators.claimed_mutants import Trace, claims_by_name, mutants
from support.generators.onnx_graphs import random_graph
from support.generators.unequal_pairs import pairs_of_nodes
from xdsl.dialects.builtin import ModuleOp

Array = NDArray[Any]
Placed = tuple[ModelProto, ModelProto, Trace]
"""A model, the model that npu-opt writes of it, and the trace of npu-check."""
FILES = (
    "channels.py",
    "check_equal.py",
    "onnx_bodies.py",
    "onnx_constants.py",
    "onnx_interfaces.py",
    "onnx_ops.py",
    "onnx_sizes.py",
    "onnx_steps.py",
    "positions.py",
    "renumbering.py",
)
MODELS, MUTANTS = amount(30, 150), amount(8, 20)
"""The random models, and the mutants of each."""
NO_CLAIMS: Trace = {"first": {}, "second": {}}


def verdict(first: ModelProto | bytes, second: ModelProto | bytes, trace: Trace, folder: Path) -> str:
    """The last line of the checker about two models, without numbers."""
    files = [folder / "first.onnx", folder / "second.onnx"]
    for file, model in zip(files, (first, second), strict=True):
        file.write_bytes(model if isinstance(model, bytes) else model.SerializeToString())
    try:
        _, believed = check_equal.check(
            str(files[0]), str(files[1]), {name: {**each} for name, each in trace.items()}, {}
        )
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
    "elementwise": (
        "a = Relu (x) y = Exp (a)",
        MOVED + "a = Relu (t) b = Exp (a) y = Transpose <perm = [1, 2, 0]> (b)",
    ),
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
    "random numbers": (
        "r = RandomNormalLike (x) s = RandomNormalLike (x) y = Add (r, s)",
        "r = RandomNormalLike (x) y = Add (r, r)",
        "not shown",
    ),
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
    assert found.startswith("rejected: ")
    assert reason in found


def test_positions_that_are_not_read_are_no_free_ones(tmp_path: Path) -> None:
    """GatherElements reads the first position of an axis if the indices have one."""
    body = "i = Constant <value = int64[1,1,1] {{0}}> () y = GatherElements <axis = 2> ({0}, i)"
    first = body.format("x")
    second = "j = Constant <value = int64[2] {1, 0}> () t = Gather <axis = 0> (x, j) " + body.format("t")
    assert by_name(first, second, tmp_path).startswith("rejected: 'y' is not shown to be 'y'")


def test_versions_change_what_an_op_means(tmp_path: Path) -> None:
    first, second = parsed("y = Softmax <axis = 1> (x)", opset=12), parsed("y = Softmax <axis = 1> (x)", opset=13)
    assert "Softmax is not Softmax" in verdict(first, second, claims_by_name(first, second), tmp_path)
    # Before 13, an axis stands for all axes behind it: its law would be another one.
    first = parsed("y = Softmax <axis = 1> (x)", opset=12)
    second = parsed(MOVED + "a = Softmax <axis = 0> (t) y = Transpose <perm = [1, 2, 0]> (a)", opset=12)
    found = verdict(first, second, {"first": {}, "second": {"a": "y"}}, tmp_path)
    assert found.startswith("rejected: 'a' is not shown to be 'y': the axes of Softmax are not known")


def test_interfaces_must_be_the_same(tmp_path: Path) -> None:
    base = parsed("y = Relu (x)")
    claims = claims_by_name(base, base)
    assert verdict(base, parsed("y = Relu (x)", "float[2,4,3] x"), claims, tmp_path).endswith("defaults of inputs")
    assert verdict(base, parsed("y = Relu (x)", "double[2,3,4] x"), claims, tmp_path).endswith("defaults of inputs")
    dynamic = parsed("y = Relu (x)", "float[N,3,4] x")
    assert verdict(base, dynamic, claims, tmp_path).startswith("rejected")
    # The size that N is taken to be.
    files = [str(tmp_path / "first.onnx"), str(tmp_path / "second.onnx")]
    with pytest.raises(ValueError, match="other inputs, outputs, or defaults of inputs"):
        check_equal.check(files[0], files[1], {name: {**each} for name, each in claims.items()}, {"N": 2})


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
    second = parsed(
        f"e = Constant <value = float {{{float(np.exp(np.float32(2))):.9g}}}> () y = Mul (x, e)", "float[N,3] x"
    )
    assert verdict(first, second, claims_by_name(first, second), tmp_path) == (
        "accepted; believed: engines compute floats of constants as onnx does,"
        " other sizes than {'N': 23} have the same proof"
    )


def test_integers_that_floats_made_are_believed(tmp_path: Path) -> None:
    first = parsed(
        "c = Constant <value = float {2.5}> () f = Mul (c, c) i = Cast <to = 7> (f) y = Add (x, i)", "int64[3] x"
    )
    second = parsed("i = Constant <value = int64 {6}> () y = Add (x, i)", "int64[3] x")
    found = verdict(first, second, claims_by_name(first, second), tmp_path)
    assert found == "accepted; believed: engines compute floats of constants as onnx does"


@pytest.mark.parametrize("claim", [{"y": "z"}, {"y": "x"}, {"y": "y", "a": "y"}])
def test_claims_that_cannot_hold(claim: dict[str, str], tmp_path: Path) -> None:
    model = parsed("a = Relu (x) y = Neg (a)")
    assert verdict(model, model, {"first": {}, "second": claim}, tmp_path).startswith("rejected: '")


def test_a_value_that_picks_from_itself_is_not_moved(tmp_path: Path) -> None:
    """The positions of a value are no constant indices."""
    first = "y = Gather <axis = 0> (x, x)", "int64[4] x"
    second = "j = Constant <value = int64[4] {0, 1, 2, 3}> () y = Gather <axis = 0> (x, j)", "int64[4] x"
    assert by_name(first[0], second[0], tmp_path, first[1]).startswith("rejected: ")


def test_results_of_one_node_are_not_each_other(tmp_path: Path) -> None:
    """The mean, and one over the deviation."""
    first, second = (
        parsed(f"s = Constant <value = float[4] {{1.0, 1.0, 1.0, 1.0}}> () {names} = LayerNormalization (x, s)")
        for names in ("n, y, i", "n, i, y")
    )
    assert verdict(first, second, {"first": {}, "second": {"y": "y"}}, tmp_path).endswith("it is another value")


def test_two_values_of_one_name(tmp_path: Path) -> None:
    model = parsed("a = Relu (x) y = Neg (a)")
    model.graph.node[0].output[0] = "y"
    assert verdict(model, model, NO_CLAIMS, tmp_path).startswith("rejected: ")


@pytest.fixture(scope="module")
def placed(tmp_path_factory: pytest.TempPathFactory) -> list[Placed]:
    """Random models, what npu-opt writes of them, and the traces of npu-check."""
    folder, found = tmp_path_factory.mktemp("placed"), list[Placed]()
    first, second, trace = (folder / name for name in ("a.onnx", "b.onnx", "trace.json.gz"))
    for seed in range(MODELS):
        model, _ = random_graph(seed)
        onnx.save(model, first)
        trace.unlink(missing_ok=True)
        if npu_opt([str(first), "-O", "-o", str(second)]) == 0:
            npu_check([str(first), str(second), "--trace", str(trace)])
        if trace.exists():
            found.append((model, onnx.load(second), json.loads(gzip.decompress(trace.read_bytes()))))
    return found


def results(model: ModelProto) -> list[Array] | None:
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


def same(one: Array, other: Array) -> bool:
    if one.dtype.kind != "f" or one.dtype != other.dtype or one.shape != other.shape:
        return one.dtype == other.dtype and np.array_equal(one, other)
    return are_close(one, other, LAYERS)


def test_what_npu_opt_writes_is_accepted(placed: Sequence[Placed], tmp_path: Path) -> None:
    """All but one of 30, whose window rounds up where this has no effect, and leaves without the attribute."""
    found = Counter(verdict(*each, tmp_path).partition(":")[0] for each in placed)
    assert len(placed) > MODELS * 2 / 3
    assert found["accepted; believed"] >= len(placed) - MODELS / 30


def test_no_mutant_is_accepted(placed: Sequence[Placed], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A mutant may only be accepted if it computes what the model does."""
    found = Counter[str]()
    for seed, (first, second, trace) in enumerate(one_by_one(placed, capsys)):
        wanted = results(first)
        for name, mutant, claims in mutants(second, trace, seed, MUTANTS):
            if not verdict(first, mutant, claims, tmp_path).startswith("accepted"):
                found["rejected"] += 1
                continue
            found["accepted"] += 1
            if wanted is not None and (given := results(mutant)) is not None:
                found["run"] += 1
                assert all(map(same, wanted, given)), f"{name} of {seed}"
    with capsys.disabled():
        print(f"\n{dict(found)}")
    assert found["rejected"] > found["accepted"] > 0


def test_pairs_that_differ_are_rejected(tmp_path: Path) -> None:
    """The words of some versions of ONNX mean the same, which engines know as well."""
    for pair in islice(pairs_of_nodes(), 400):
        first, second = ModelProto.FromString(pair.first), ModelProto.FromString(pair.second)
        if verdict(first, second, claims_by_name(first, second), tmp_path).startswith("accepted"):
            assert pair.family == "versions", pair.name
            for given in pair.inputs:
                named = dict(zip([each.name for each in first.graph.input], given, strict=True))
                with np.errstate(all="ignore"):
                    one, other = (ReferenceEvaluator(each).run(None, named) for each in (first, second))
                assert all(map(same, map(np.asarray, one), map(np.asarray, other))), pair.name


NODES = {
    "Add": ("y = Add (x, w)", "float[2,3,4] x, float[3,1] w"),
    "Where": ("c = IsNaN (x) y = Where (c, x, w)", "float[2,3,4] x, float[4] w"),
    "Relu": ("y = Relu (x)", "float[2,3,4] x"),
    "Softmax": ("y = Softmax <axis = 1> (x)", "float[2,3,4] x"),
    "ReduceSum": ("i = Constant <value = int64[2] {0, 2}> () y = ReduceSum <keepdims = 0> (x, i)", "float[2,3,4] x"),
    "ReduceMax": ("i = Constant <value = int64[1] {1}> () y = ReduceMax (x, i)", "float[2,3,4] x"),
    "MatMul": ("y = MatMul (x, w)", "float[2,3,4,5] x, float[3,5,6] w"),
    "Concat": ("y = Concat <axis = 1> (x, w)", "float[2,3,4] x, float[2,5,4] w"),
    "Gather": ("y = Gather <axis = 1> (x, i)", "float[2,3,4] x, int64[5,6] i"),
    "GatherElements": ("y = GatherElements <axis = 1> (x, i)", "float[2,3,4] x, int64[2,5,4] i"),
    "LayerNormalization": (
        "y = LayerNormalization <axis = 2> (x, s, b)",
        "float[2,3,4,5] x, float[4,5] s, float[4,5] b",
    ),
    "ArgMax": ("y = ArgMax <axis = 1, keepdims = 0> (x)", "float[2,3,4] x"),
    "ArgMin": ("y = ArgMin <axis = 1> (x)", "float[2,3,4] x"),
    "LogSoftmax": ("y = LogSoftmax <axis = 1> (x)", "float[2,3,4] x"),
    "Hardmax": ("y = Hardmax <axis = 1> (x)", "float[2,3,4] x"),
    "Gemm": ("y = Gemm <transA = 1> (x, w, b)", "float[2,3] x, float[2,5] w, float[5] b"),
    "QuantizeLinear": ("y = QuantizeLinear <axis = 1> (x, s, z)", "float[2,3,4] x, float[3] s, uint8[3] z"),
    "DequantizeLinear": ("y = DequantizeLinear <axis = 1> (x, s, z)", "int8[2,3,4] x, float[3] s, int8[3] z"),
    "Pad": ("p = Constant <value = int64[6] {0, 1, 0, 0, 2, 0}> () y = Pad (x, p)", "float[2,3,4] x"),
    "Resize": (
        'r = Constant <value = float[4] {1.0, 1.0, 2.0, 3.0}> () y = Resize <mode = "linear"> (x, , r)',
        "float[2,3,4,5] x",
    ),
    "RMSNormalization": ("y = RMSNormalization <axis = -1> (x, s)", "float[2,3,4] x, float[4] s"),
}
"""A node of each law."""
ONLY_NAMED = ("DequantizeLinear", "QuantizeLinear")
"""Ops with an attribute that names an axis, along which they do not sum."""
ELEMENT_TYPES = {"ArgMax": TensorProto.INT64, "ArgMin": TensorProto.INT64, "QuantizeLinear": TensorProto.UINT8}
Place = tuple[int, int]
"""A value by its number, and an axis by its number among those of more than one element."""
FREER_THAN_THE_DIALECT: dict[str, set[Place]] = {"GatherElements": {(1, 1), (2, 1)}}
"""The axes that the dialect keeps whole, because an attribute names them: the results are those of their indices."""


@pytest.mark.parametrize("op", NODES)
def test_laws_are_those_of_the_dialect(op: str, tmp_path: Path) -> None:
    """Two sources: the names of the axes here, and the roles that the ops of the dialect declare."""
    file = tmp_path / "model.onnx"
    model = parsed(*NODES[op], 24)
    model.graph.output[0].type.tensor_type.elem_type = ELEMENT_TYPES.get(op, TensorProto.FLOAT)
    onnx.save(model, file)
    ours, theirs = _laws(str(file)), _roles(import_model(file).module, op in ONLY_NAMED)
    freer = FREER_THAN_THE_DIALECT.get(op, set[Place]())
    movable = [{name: places for name, places in each.items() if name[0] != "."} for each in (ours, theirs)]
    assert sorted(sorted(each) for each in movable[0].values() if each != freer) == sorted(
        map(sorted, movable[1].values())
    )
    assert {place: name[0] for name, places in ours.items() for place in places - freer} == {
        place: name[0] for name, places in theirs.items() for place in places - freer
    }


def _laws(file: str) -> dict[str, set[Place]]:
    """The places of each axis that the law of the node of y names; names begin with N, + or a point."""
    node = check_equal.Model(file, {}, {}).values["y"].node
    assert node is not None
    operands, results_of = node.law()
    read = [(value, names) for value, names in zip(node.inputs, operands, strict=True) if value and names is not None]
    found: dict[str, set[Place]] = {}
    for index, (value, names) in enumerate([*read, (node.outputs[0], results_of[0])]):
        for number, name in enumerate(name for name, size in zip(names, value.shape, strict=True) if size > 1):
            found.setdefault(name if name[0] in "+." else f"N{name}", set()).add((index, number))
    return found


def _roles(module: ModuleOp, only_named: bool) -> dict[str, set[Place]]:
    """The places of each role of the last op that has roles."""
    ops = [op for op in module.walk() if isinstance(op, NpuOp) and not isinstance(op, ConstantOp | ShapeOp)]
    roles, values = ops[-1].roles(), [*ops[-1].operands, *ops[-1].results]
    assert roles is not None
    numbers = [_numbers_of_axes(shape_of(value)) for value in values]
    found: dict[str, set[Place]] = {}
    for count, role in enumerate(roles.roles):
        places = [*role.operands, *((index + len(ops[-1].operands), axis) for index, axis in role.results)]
        kind = "." if not role.splits else "+" if (role.marks and not only_named) or not role.results else "N"
        known = {(index, numbers[index][axis]) for index, axis in places if axis in numbers[index]}
        if known:
            found[f"{kind}{count}"] = known
    return found


def _numbers_of_axes(shape: Sequence[int]) -> dict[int, int]:
    return {axis: number for number, axis in enumerate(axis for axis, size in enumerate(shape) if size > 1)}


def test_a_trace_is_about_two_models(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "program.mlir"
    program.write_text("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n  func.return %x : tensor<2xf32>\n}\n")
    trace = tmp_path / "trace.json"
    model = tmp_path / "model.onnx"
    onnx.save(parsed("y = Relu (x)"), model)
    note = "note: the proof without --trace is about any two programs\n"
    for files in ([str(program), str(model)], [str(model), str(program)]):
        assert npu_check([*files, "--trace", str(trace)]) == 1
        error = f"{trace}: error: a trace is about two ONNX models, and {program} is a program\n"
        assert capsys.readouterr().err == error + note
    assert not trace.exists()


def test_a_trace_is_about_no_litert_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("ai_edge_litert")
    model, lite, trace = (tmp_path / name for name in ("model.onnx", "model.tflite", "trace.json"))
    onnx.save(parsed("y = Relu (x)"), model)
    assert npu_opt([str(model), "-O", "-o", str(lite)]) == 0
    capsys.readouterr()
    assert npu_check([str(model), str(lite), "--trace", str(trace)]) == 1
    assert f"a trace is about two ONNX models, and {lite} is a LiteRT model\n" in capsys.readouterr().err


def test_what_differs_has_no_trace(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("first.onnx", "second.onnx")]
    for file, body in zip(files, ("y = Relu (x)", "y = Neg (x)"), strict=True):
        file.write_bytes(parsed(body).SerializeToString())
    trace = tmp_path / "trace.json"
    assert npu_check([*map(str, files), "--trace", str(trace)]) == 3
    assert not trace.exists()


def test_the_program_runs_alone(tmp_path: Path) -> None:
    """Eight files, which import nothing of npu-opt, and each of which is short enough to read."""
    for name in FILES:
        program = (Path(check_equal.__file__).parent / name).read_text()
        assert len(program.splitlines()) <= 300
        known = {*sys.stdlib_module_names, "numpy", "onnx", *(each.removesuffix(".py") for each in FILES)}
        assert {*re.findall(r"^ *(?:from|import) (\w+)", program, re.MULTILINE)} <= known
        (tmp_path / name).write_text(program)
    model, trace = tmp_path / "model.onnx", tmp_path / "trace.json"
    model.write_bytes(parsed("y = Relu (x)").SerializeToString())
    for output, code, text in (("y", 0, "accepted; believed: nothing\n"), ("x", 1, "")):
        trace.write_text(json.dumps({"first": {}, "second": {"y": output}}))
        command = [sys.executable, "check_equal.py", model.name, model.name, trace.name]
        ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert (ended.returncode, ended.stdout) == (code, text)
    assert ended.stderr == "rejected: 'y' is not shown to be 'x': it is another value\n"
