"""Ops that ONNX defines as functions leave as the one node that they were."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import npu_opt
import pytest
from npu_opt.bridges.onnx.exporting import to_onnx
from npu_opt.bridges.onnx.exporting.originals import weights_of
from npu_opt.bridges.onnx.importing.importer import import_model
from npu_opt.dialects.npu.attrs import ReferenceAttr
from npu_opt.dialects.npu.normalization import SoftmaxOp
from npu_opt.dialects.npu.source import ConstantOp
from npu_opt.dialects.npu.values import shape_of
from npu_opt.tools.check import run as check
from npu_opt.tools.opt import run
from npu_opt.tools.report.main import run as report
from onnx import ModelProto
from support.generators.made_models import save
from support.oracles.same_nodes import differences

NEW = '<ir_version: 10, opset_import: ["": 23]> '
HEADS = "float[2,3,4,8] q, float[2,3,6,8] k, float[2,3,6,8] v"
SQUARE = HEADS.replace("3,6,8", "3,4,8")
ROWS = "float[B,4,24] q, float[B,6,24] k, float[B,6,24] v"
PAST = "float[2,3,5,8] pk, float[2,3,5,8] pv"
CACHE = "float[50,4] c, float[50,4] s"
LONG = "(float[1,2,64,8] q) => (float[1,2,64,8] y) { y = Attention <is_causal = 1> (q, q, q) }"
"""A causal mask of more numbers than a short constant has."""
MODELS = (
    f"({HEADS}) => (float[2,3,4,8] y) {{ y = Attention (q, k, v) }}",
    f"({HEADS}) => (float[2,3,4,8] y) {{ y = Attention <is_causal = 1, scale = 0.25, softcap = 2.0> (q, k, v) }}",
    f"({HEADS}, bool[4,6] m) => (float[2,3,4,8] y) {{ y = Attention (q, k, v, m) }}",
    "(float[2,9,4,8] q, float[2,3,6,8] k, float[2,3,6,8] v) => (float[2,9,4,8] y) { y = Attention (q, k, v) }",
    f"({SQUARE}, bool[4,9] m, {PAST}) => (float[2,3,4,8] y, float[2,3,9,8] nk, float[2,3,9,8] nv)"
    " { y, nk, nv = Attention <is_causal = 1> (q, k, v, m, pk, pv) }",
    f"({HEADS}, {PAST}) => (float[2,3,4,8] y, float[2,3,11,8] nv) {{ y, , nv = Attention (q, k, v, , pk, pv) }}",
    f"({HEADS}) => (float[2,3,4,8] y, float[2,3,4,6] z)"
    " { y, , , z = Attention <qk_matmul_output_mode = 1> (q, k, v) }",
    f"({HEADS}, bool[4,11] m, {PAST}) => (float[2,3,4,8] y, float[2,3,11,8] nv)"
    " { y, , nv = Attention (q, k, v, m, pk, pv) }",
    f"({ROWS}) => (float[B,4,24] y) {{ y = Attention <q_num_heads = 3, kv_num_heads = 3> (q, k, v) }}",
    LONG,
    f"(float[2,4,3,8] x, {CACHE}, int64[2,3] p) => (float[2,4,3,8] y) {{ y = RotaryEmbedding (x, c, s, p) }}",
    f"(float[B,3,32] x, {CACHE}, int64[B,3] p) => (float[B,3,32] y)"
    " { y = RotaryEmbedding <interleaved = 1, num_heads = 4> (x, c, s, p) }",
    "(float[2,5] x) => (float[2,5] y) { y = Shrink <lambd = 1.5> (x) }",
)


OPAQUE = (
    # ONNX Runtime lets the last query see the last key, and ONNX the first one the first new key.
    f"({HEADS}, {PAST}) => (float[2,3,4,8] y, float[2,3,11,8] nk, float[2,3,11,8] nv)"
    " { y, nk, nv = Attention <is_causal = 1> (q, k, v, , pk, pv) }",
    # In the last result of ONNX Runtime hidden keys have large numbers.
    f"({HEADS}) => (float[2,3,4,8] y, float[2,3,4,6] z)"
    " { y, , , z = Attention <is_causal = 1, qk_matmul_output_mode = 2> (q, k, v) }",
)


def kinds(model: ModelProto) -> Sequence[str]:
    return [node.op_type for node in model.graph.node]


@pytest.mark.parametrize("text", [*MODELS, *OPAQUE])
def test_definitions_that_no_pass_changed_leave_as_the_node(tmp_path: Path, text: str):
    """The program has their ops, as without a target that runs them whole, if there is a definition."""
    file = save(f"{NEW}net {text}", tmp_path)
    given, imported = ModelProto.FromString(file.read_bytes()), import_model(file)
    assert bool(imported.opaque) == (text in OPAQUE)
    found = to_onnx(imported.module, source=weights_of(imported), came=imported.came)
    assert [*differences(given, found.proto)] == []
    assert kinds(found.proto) == kinds(given)
    assert (found.changed, found.came) == (0, 1)
    assert npu_opt.check(given, found.proto).word == "proved"


def test_a_definition_that_a_pass_changed_leaves_as_its_nodes(tmp_path: Path):
    imported = import_model(save(f"{NEW}net {MODELS[0]}", tmp_path))
    (op,) = (each for each in imported.module.walk() if isinstance(each, SoftmaxOp))
    op.result.replace_all_uses_with(op.input)
    op.detach()
    found = to_onnx(imported.module, source=weights_of(imported), came=imported.came)
    assert "Attention" not in kinds(found.proto)
    assert (found.changed, found.came) == (1, 1)


def test_a_constant_of_a_definition_that_a_pass_transposed_is_another(tmp_path: Path):
    """The mask of a causal attention is in the file of weights, and a reference to it may transpose it."""
    imported = import_model(save(f"{NEW}net {LONG}", tmp_path))
    references = [op for op in imported.module.walk() if isinstance(op, ConstantOp) and shape_of(op.result) == (64, 64)]
    for op in references:
        assert isinstance(op.value, ReferenceAttr)
        op.properties["value"] = ReferenceAttr(replace(op.value.data, permutation=(1, 0)))
    assert references
    found = to_onnx(imported.module, source=weights_of(imported), came=imported.came)
    assert "Attention" not in kinds(found.proto)


def test_attention_twice_in_a_branch(tmp_path: Path):
    """Subgraphs have values of one name, and nodes around them have results of the definitions in them."""
    branch = "(float[2,3,4,8] %) { a = Attention (q, k, v) % = Relu (a) }"
    text = f"({HEADS}, bool b) => (float[2,3,4,8] y) {{ y = If (b) <then_branch = t () => {branch.replace('%', 't')},"
    text += f" else_branch = e () => {branch.replace('%', 'e')}> }}"
    file, found = save(f"{NEW}net {text}", tmp_path), tmp_path / "found.onnx"
    assert run([str(file), "--verify-layouts", "-o", str(found)]) == 0
    assert check([str(file), str(found)]) == 0


BLOCK = f"""{NEW}
net (float[B,16,32] x, float[32,32] w, float[32] g, float[32] h, {CACHE}, int64[B,16] p) => (float[B,16,32] y)
  <int64[4] heads = {{0, 0, 4, 8}}, int64[3] rows = {{0, 0, 32}}> {{
  q0 = MatMul (x, w)
  q1 = Reshape (q0, heads)
  q2 = Transpose <perm = [0, 2, 1, 3]> (q1)
  q = RotaryEmbedding (q2, c, s, p)
  k1 = Reshape (x, heads)
  k2 = Transpose <perm = [0, 2, 1, 3]> (k1)
  k = RotaryEmbedding (k2, c, s, p)
  a = Attention <is_causal = 1> (q, k, k2)
  t = Transpose <perm = [0, 2, 1, 3]> (a)
  r = Reshape (t, rows)
  n = RMSNormalization (r, g)
  l = LayerNormalization (n, h)
  f = Transpose <perm = [0, 2, 1]> (l)
  z = Relu (f)
  y = Transpose <perm = [0, 2, 1]> (z)
}}
"""
LEFT = "MatMul RotaryEmbedding RotaryEmbedding Attention Reshape Reshape RMSNormalization LayerNormalization Relu"
"""Attention takes rows with all heads in them."""
WITH_HEADS_IN_FRONT = (
    "MatMul Reshape Transpose RotaryEmbedding Reshape Transpose RotaryEmbedding Attention Transpose Reshape"
    " RMSNormalization LayerNormalization Relu"
)


@pytest.mark.parametrize("flags", [["-O"], ["--layout-optimal", "--canonicalize", "--verify-layouts"]])
def test_attention_beside_a_pair_of_transposes(
    tmp_path: Path, flags: Sequence[str], capsys: pytest.CaptureFixture[str]
):
    """Rows stay in front of the heads, which no node of ONNX needs as an axis."""
    file, found = save(BLOCK, tmp_path), tmp_path / "found.onnx"
    assert run([str(file), *flags, "-o", str(found)]) == 0
    assert "13 of 15 nodes changed" in capsys.readouterr().err
    given, model = (ModelProto.FromString(each.read_bytes()) for each in (file, found))
    assert [*differences(given, model)] == []
    assert kinds(model) == LEFT.split()
    assert check([str(file), str(found)]) == 0


VENDOR = '<ir_version: 10, opset_import: ["": 21, "com.microsoft": 1]> '


def test_ops_of_onnx_runtime_beside_a_pair_of_transposes(tmp_path: Path):
    text = f"""{VENDOR}
    net (float[2,6,32] x, float[2,6,32] u, float[32] g) => (float[2,6,32] y) {{
      m = com.microsoft.MultiHeadAttention <num_heads = 4> (x, x, x)
      n, , , h = com.microsoft.SkipLayerNormalization (m, u, g)
      f = Transpose <perm = [0, 2, 1]> (n)
      z = Relu (f)
      e = Transpose <perm = [0, 2, 1]> (z)
      y = Add (e, h)
    }}"""
    file, found = save(text, tmp_path), tmp_path / "found.onnx"
    assert run([str(file), "-O", "-o", str(found)]) == 0
    given, model = (ModelProto.FromString(each.read_bytes()) for each in (file, found))
    assert [*differences(given, model)] == []
    assert kinds(model) == ["MultiHeadAttention", "SkipLayerNormalization", "Relu", "Add"]


def test_a_target_without_whole_ops_plans_the_definition(tmp_path: Path):
    """Its products of matrices need heads in front of rows."""
    file, found = save(BLOCK, tmp_path), tmp_path / "found.onnx"
    assert run([str(file), "--target=opu", "-O", "-o", str(found)]) == 0
    assert kinds(ModelProto.FromString(found.read_bytes())) == WITH_HEADS_IN_FRONT.split()


def test_python_leaves_what_the_command_leaves(tmp_path: Path):
    """Neither counts transposes inside of a definition. A proof reads the model with the ops of the other program."""
    file, found, program = save(BLOCK, tmp_path), tmp_path / "found.onnx", tmp_path / "found.mlir"
    assert run([str(file), "--target=onnx", "--layout-optimal", "-o", str(found)]) == 0
    result = npu_opt.optimize(file, target="onnx", passes="")
    assert kinds(result.to_onnx()) == kinds(ModelProto.FromString(found.read_bytes())) == LEFT.split()
    loaded = npu_opt.load(file, target="onnx")
    assert npu_opt.optimize(loaded, target="onnx").transposes == result.transposes == 0
    result.save(program)
    for second in (result, program, found, ModelProto.FromString(found.read_bytes())):
        assert npu_opt.check(file, second)
        assert npu_opt.check(second, file)
    assert check([str(file), str(program)]) == check([str(program), str(file)]) == 0


def test_an_op_that_one_program_alone_defines_is_compared_as_its_definition(tmp_path: Path):
    """The model with the op whole does not have the definition of the other one."""
    file, found = save(f"{NEW}net {MODELS[0]}", tmp_path), tmp_path / "found.mlir"
    assert run([str(file), "--target=onnx", "--layout-optimal", "-o", str(found)]) == 0
    assert "opaque" not in found.read_text()
    assert check([str(file), str(found)]) == check([str(found), str(file)]) == 0
    assert npu_opt.check(file, found)


def test_other_commands_read_models_for_a_target_as_the_command_that_writes_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    file, found = save(BLOCK, tmp_path), tmp_path / "found.onnx"
    assert run([str(file), "--target=onnx", "--layout-optimal", "--stats", "-o", str(found)]) == 0
    assert "layout-optimal: 0 transposes" in capsys.readouterr().err
    page = ["-o", str(tmp_path / "page.html"), "--json"]
    assert report([str(file), str(found), "--target=onnx", *page]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["verdict"], [each["transposes"] for each in answer["figures"]]) == ("proved", [5, 0])
    assert run(["--check-target", "onnx", str(file)]) == 0
    assert "opaque" not in capsys.readouterr().out


def test_an_unknown_whole_op_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    target = tmp_path / "mine.toml"
    target.write_text('name = "mine"\ndescription = "mine"\nextends = "onnx"\nwhole = ["Atention"]\n')
    file = save(f"{NEW}net {MODELS[0]}", tmp_path)
    assert run([str(file), f"--target={target}", "-O", "-o", str(tmp_path / "found.onnx")]) == 1
    assert "'whole' names 'Atention': expected Attention, " in capsys.readouterr().err
