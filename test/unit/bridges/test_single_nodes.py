"""Models of one node: they compute and have the shapes of ONNX Runtime, and leave as one node."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install -e '.[dev]'")

from npu_opt.bridges.onnx.errors import NotExportable, OnnxError
from npu_opt.bridges.onnx.importing.importer import Options, import_model
from npu_opt.dialects.npu.source import OpaqueOp
from npu_opt.interpreter import run
from onnx import ModelProto
from support.campaign import LONG, amount
from support.closeness import SUMS, are_close
from support.generators.backend_nodes import all_cases, bound_model, short_inputs
from support.generators.made_models import model
from support.generators.onnx_nodes import Array, random_node, with_outputs
from support.oracles.onnx_running import exported, unoptimised
from xdsl.dialects.builtin import ModuleOp


def imported(proto: ModelProto) -> ModuleOp:
    return import_model(Path("model.onnx"), Options(inline_limit=None), model=proto).module


def executed(proto: ModelProto, inputs: Mapping[str, Array]) -> list[Array]:
    return unoptimised(proto).run(None, dict(inputs))


def difference(proto: ModelProto, inputs: Mapping[str, Array], expected: list[Array]) -> str:
    """The results that are not those of ONNX Runtime: of the written file, or of the program."""
    module = imported(proto)
    found = {"file": executed(exported(module), inputs)}
    if not any(isinstance(op, OpaqueOp) for op in module.walk()):
        found["program"] = run(module, "main", list(inputs.values()))
    wrong = [
        f"{name}: {left.shape} instead of {right.shape}"
        for name, results in found.items()
        for left, right in zip(results, expected, strict=True)
        if left.shape != right.shape or not are_close(left, right, SUMS)
    ]
    return ", ".join(wrong)


def test_random_nodes_compute_what_onnx_runtime_computes():
    """Shapes are folded: a shape that ONNX infers otherwise than ONNX Runtime has it would be written down."""
    counts, problems = Counter[str](), list[str]()
    for seed in range(amount(600, 20_000)):
        proto, inputs = random_node(seed)
        try:
            expected = executed(proto, inputs)
        except Exception:  # The exceptions of ONNX Runtime have no class in common.
            counts["not run"] += 1
            continue
        try:
            problem = difference(proto, inputs, expected)
        except (NotExportable, OnnxError):
            counts["refused"] += 1
            continue
        counts["wrong" if problem else "same"] += 1
        if problem:
            problems.append(f"seed {seed}: {problem}\n{proto.graph.node[0]}")
    assert not problems, f"{len(problems)} problems\n" + "\n".join(problems[:5])
    assert counts["same"] > counts.total() / 2
    assert counts["refused"] < counts.total() / 20, counts


TRANSPOSED = {
    "SAME asks for more than the windows reach": '"SAME_UPPER", strides = [3]',
    "SAME with an output padding": '"SAME_LOWER", strides = [3], output_padding = [1]',
    "a result smaller than the data": '"NOTSET", output_shape = [3]',
    "a result larger than the windows reach": '"SAME_UPPER", strides = [2], output_shape = [11]',
    "VALID with the shape of the result": '"VALID", strides = [2], output_shape = [6]',
}


@pytest.mark.parametrize("sizes", ["2,1,5", "N,1,L", "N,1,5"])
@pytest.mark.parametrize("how", TRANSPOSED.values(), ids=TRANSPOSED)
def test_transposed_convolutions(how: str, sizes: str):
    text = f"net (float[{sizes}] x) => () {{ w = Constant <value = float[1,2,2] {{1, 2, 3, 4}}> ()"
    text += f" y = ConvTranspose <auto_pad = {how}> (x, w) shape = Shape (y) flat = Flatten (y) }}"
    proto = with_outputs(model(text))
    inputs = {"x": np.random.default_rng(0).standard_normal((2, 1, 5)).astype(np.float32)}
    assert not difference(proto, inputs, executed(proto, inputs))


def test_windows_in_subgraphs():
    """Their nodes see values from around them, whose sizes count as well."""
    text = """net (bool c, float[1,1,5] x) => () { w = Constant <value = float[1,1,2] {1, 2}> ()
      y = If (c) <then_branch = t () => (float[A,B,C] u)
        { u = ConvTranspose <auto_pad = "SAME_LOWER", strides = [3], output_padding = [1]> (x, w) },
      else_branch = e () => (float[D,E,F] v) { v = ConvTranspose <output_shape = [3]> (x, w) }>
      shape = Shape (y) flat = Flatten (y) }"""
    proto = with_outputs(model(text))
    for branch in (True, False):
        inputs = {"c": np.array(branch), "x": np.arange(5, dtype=np.float32).reshape(1, 1, 5)}
        assert not difference(proto, inputs, executed(proto, inputs))


REFUSED = {
    "x [3], slope [1,3]": ("float[3] x, float[1,3] s", "y = PRelu (x, s)", "does not repeat to the shape of the data"),
    "x [3,1], slope [3]": ("float[3,1] x, float[3] s", "y = PRelu (x, s)", "does not repeat to the shape of the data"),
    "axes from the end": (
        "float[2,3] x",
        'z = Constant <value = int64[1] {6}> () y = Resize <axes = [-1], keep_aspect_ratio_policy = "not_larger",'
        ' mode = "linear", antialias = 1> (x, , , z)',
        "count them from the front",
    ),
    "a smaller result of an unknown size": (
        "float[1,1,5,N] x, float[1,1,2,2] w",
        "y = ConvTranspose <output_shape = [3, 4]> (x, w)",
        "give all sizes of its input",
    ),
    "no axis to slide along": (
        "float[2,1] x, float[1,1] w",
        "y = ConvTranspose <output_shape = [1]> (x, w)",
        "must have at least 3 dimensions",
    ),
}


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED)
def test_shapes_of_which_onnx_and_onnx_runtime_think_differently(case: tuple[str, str, str]):
    inputs, body, message = case
    opening = f'<ir_version: 8, opset_import: ["": 18]> net ({inputs}) => ()'
    with pytest.raises(OnnxError, match=message):
        imported(with_outputs(model(f"{opening} {{ {body} shape = Shape (y) flat = Flatten (y) }}")))


def test_a_parameter_of_one_element_is_not_expanded_to_one():
    proto = model("net (float[1] x, float[1] s) => (float[1] y) { y = LayerNormalization (x, s) }")
    assert [node.op_type for node in exported(imported(proto)).graph.node] == ["LayerNormalization"]


def test_a_scale_knows_the_sizes_that_the_data_does_not():
    text = "net (float[2,A,B] x) => (float[2,A,B] y) { s = Constant <value = float[2,2] {1, 2, 3, 4}> ()"
    proto = model(f"{text} y = LayerNormalization <axis = 1> (x, s) }}")
    assert [node.op_type for node in exported(imported(proto)).graph.node] == ["LayerNormalization"]


SPLITS = [
    (13, 13, 6, "Split <axis = 1> (x)", "x axis"),
    (13, 18, 6, "Split <axis = 1> (x)", "x axis num_outputs=3"),
    (18, 18, 6, "Split <axis = 1, num_outputs = 3> (x)", "x axis num_outputs=3"),
    (18, 18, 7, "Split <axis = 1, num_outputs = 3> (x)", "x axis num_outputs=3"),
    (18, 18, 6, "Split <axis = 1> (x, sizes)", "x sizes axis"),
]


@pytest.mark.parametrize(("opset", "written", "size", "body", "expected"), SPLITS)
def test_a_split_counts_its_parts_as_it_came(opset: int, written: int, size: int, body: str, expected: str):
    text = f"""<ir_version: 8, opset_import: ["": {opset}]>
    net (float[2,{size}] x) => (float[2,?] a, float[2,?] b, float[2,?] c)
    <int64[3] sizes = {{2, 2, 2}}> {{ a, b, c = {body} }}"""
    found = exported(imported(model(text)), written)
    (node,) = found.graph.node
    inputs = ["x", "sizes"][: len(node.input)]
    names = [f"{each.name}={each.i}" if each.name == "num_outputs" else each.name for each in node.attribute]
    assert " ".join((*inputs, *names)) == expected
    x = np.arange(2 * size, dtype=np.float32).reshape(2, size)
    for left, right in zip(executed(found, {"x": x}), executed(model(text), {"x": x}), strict=True):
        assert np.array_equal(left, right)


SEVERAL_BY_REASON = {
    "replaced by its definition": "Attention CausalConvWithState CenterCropPad LinearAttention RotaryEmbedding SwiGLU",
    "no kernel for the type": "Add Cast CumSum Div Equal Greater GreaterOrEqual Less LessOrEqual Max Min Mod Mul Pow"
    " Range ReduceMax ReduceMin ReverseSequence Sub Unique",
    "arithmetic of npu ops": "AffineGrid BatchNormalization BitShift Celu Clip Col2Im Det Einsum GatherND IsInf LpPool"
    " NegativeLogLikelihoodLoss OneHot Pad ReduceLogSum Resize STFT ScatterND Selu SoftmaxCrossEntropyLoss"
    " TensorScatter ThresholdedRelu Trilu",
    "a batch in front of the steps": "GRU LSTM RNN",
    "another op says it": "CastLike Compress ConstantOfShape Dropout Flatten Scatter Squeeze Unsqueeze Upsample",
    "a flag or factors apart": "ArgMax ArgMin Gemm",
    "a quotient or a product, and a cast to or from a float of few bits": "DequantizeLinear QuantizeLinear",
    "additions of two": "Mean Sum",
    "results that ONNX Runtime lacks, or parameters of other ranks": "LayerNormalization MatMul RMSNormalization",
    "zero points that are not 0": "ConvInteger",
    "negative steps": "Slice",
    "a mode of an opset that ONNX Runtime lacks": "SpaceToDepth",
}
"""Ops that leave as several nodes or as another one in a node test (docs/onnx.md)."""
SEVERAL = {kind for kinds in SEVERAL_BY_REASON.values() for kind in kinds.split()}
MOVING = {"AffineGrid", "Attention", "CausalConvWithState", "Einsum", "LinearAttention", "RotaryEmbedding"} | {
    "SpaceToDepth",
    "Transpose",
}
"""Ops that move data, or whose definitions do."""


@pytest.mark.xdist_group("backend nodes")
def test_node_tests_leave_as_one_node():
    """Other ops leave as one node, or as an Identity if they do nothing; none brings Transposes."""
    kinds, single = set[str](), 0
    for case in all_cases()[:: 1 if LONG else 3]:
        if case.model is None or len(case.model.graph.node) != 1 or case.model.graph.node[0].domain:
            continue
        proto = bound_model(case, short_inputs(case, 1))
        kind = proto.graph.node[0].op_type
        try:
            written = exported(imported(proto), None, check=False)
        except (NotExportable, OnnxError):
            continue
        found = Counter(node.op_type for node in written.graph.node)
        assert not found["Transpose"] or kind in MOVING, case.name
        if found == {kind: 1} or set(found) == {"Identity"}:
            single += 1
        else:
            kinds.add(kind)
            assert kind in SEVERAL, f"{case.name}: {dict(found)}"
    assert single > 150
    assert not LONG or kinds == SEVERAL, "an entry that is no more needed"
