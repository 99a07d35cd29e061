"""Nodes of which the importer finds out on the way that npu cannot express them."""

from pathlib import Path

import numpy as np
import pytest
from npu_opt.bridges.onnx.errors import OnnxError
from npu_opt.bridges.onnx.importing.importer import Options, import_model
from npu_opt.dialects.npu.dynamic import DynamicPadOp, DynamicResizeOp
from npu_opt.dialects.npu.source import OpaqueOp
from npu_opt.interpreter import run as interpreted
from npu_opt.tools.opt import run
from onnx import ModelProto, numpy_helper
from support.generators.made_models import model, random_tensor, save

PARTIAL = [
    pytest.param(
        "y = LpPool <kernel_shape = [3, 1], pads = [1, 0, 0, 0], strides = [2, 1]> (x)",
        "float[1,4,1,3] x",
        "float[1,4,1,3]",
        id="the third op does not verify",
    ),
    pytest.param(
        "y = AveragePool <kernel_shape = [3, 1], pads = [1, 0, 0, 0], strides = [2, 1]> (x)",
        "float[1,4,1,3] x",
        "float[1,4,1,3]",
        id="an op that does not verify",
    ),
    pytest.param(
        "a, y = MaxPool <kernel_shape = [2, 2]> (x)",
        "float[1,4,4,4] x",
        "int64[1,4,3,3]",
        id="a result that is missing",
    ),
]


@pytest.mark.parametrize(("body", "inputs", "output"), PARTIAL)
def test_nothing_is_left_of_what_was_tried(body: str, inputs: str, output: str, tmp_path: Path):
    """Ops that read the operands from outside of the program would keep them from being erased."""
    text = f"net ({inputs}) => ({output} y, float[?,?,?,?] z) {{ z = Neg (x) {body} }}"
    module = import_model(save(text, tmp_path)).module
    module.verify()
    assert any(isinstance(op, OpaqueOp) for op in module.walk())
    values = [
        value for op in module.walk() for value in (*op.results, *(arg for r in op.regions for arg in r.block.args))
    ]
    for value in values:
        for use in value.uses:
            top = use.operation
            while top.parent_op() is not None:
                top = top.parent_op() or top
            assert top is module


def test_constants_of_what_was_tried_are_not_written(tmp_path: Path):
    """The places of the first axis are listed before it turns out that those of the second are not known."""
    made = model('net (float[4,N] x) => (float[?,?] y) { y = Resize <mode = "nearest"> (x, , scales) }')
    made.graph.initializer.append(numpy_helper.from_array(np.array([1.5, 1.5], np.float32), "scales"))
    path = tmp_path / "model.onnx"
    path.write_bytes(made.SerializeToString())
    imported = import_model(path, Options(inline_limit=0))
    assert any(isinstance(op, DynamicResizeOp) for op in imported.module.walk())
    assert set(imported.weights) == {"scales"}


def same_names() -> ModelProto:
    """A constant that is called as one that the importer makes up would be."""
    text = 'net (float[2,40] x) => (float[2,40] y, float[2,60] z) { ["t"] r = Neg (x) y = Mul (r, mask)'
    made = model(text + ' s = Neg (r) ["t"] z = Resize <mode = "nearest"> (s, , scales) }')
    made.graph.initializer.append(random_tensor("t.1", 1, 40))
    made.graph.initializer.append(numpy_helper.from_array(np.array([1, 1.5], np.float32), "scales"))
    for node in made.graph.node:
        for index, name in enumerate(node.input):
            node.input[index] = "t.1" if name == "mask" else name
    return made


def test_made_up_constants_have_names_of_their_own(tmp_path: Path):
    path = tmp_path / "model.onnx"
    path.write_bytes(same_names().SerializeToString())
    imported = import_model(path, Options(inline_limit=0))
    assert {tensor.shape for tensor in imported.weights.values()} >= {(1, 40), (60,)}
    assert len(imported.weights) == 2


def test_import_inline_and_in_files_is_the_same_program(tmp_path: Path):
    path = tmp_path / "model.onnx"
    path.write_bytes(same_names().SerializeToString())
    modules = [import_model(path, Options(inline_limit=limit)).module for limit in (None, 0)]
    first, second = ([(op.name, op.location, op.result_types) for op in module.walk()] for module in modules)
    assert first == second


def test_long_attribute_of_an_opaque_op(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Its numbers lie in the file of the model while that is read, and come with the op."""
    values = np.arange(20_000, dtype=np.float32)
    made = model(
        '<ir_version: 8, opset_import: ["": 17, "acme": 1]> net (float[2] x) => (float[2] y) { y = acme.Look (x) }'
    )
    attribute = made.graph.node[0].attribute.add(name="table", type=4)
    attribute.t.CopyFrom(numpy_helper.from_array(values, "table"))
    path, found = tmp_path / "model.onnx", tmp_path / "out.onnx"
    path.write_bytes(made.SerializeToString())
    assert run([str(path), "-o", str(found)]) == 0
    assert capsys.readouterr().err == f"{found}: note: 0 Transposes in the file; 0 of 1 node changed\n"
    (node,) = ModelProto.FromString(found.read_bytes()).graph.node
    np.testing.assert_array_equal(numpy_helper.to_array(node.attribute[0].t), values)


BACK = [(-4, -(1 << 40), -2), (-9, -10, -1), (5, -9, -3), (0, -9, -1), (2, 9, -1), (-1, 1, -1)]


@pytest.mark.parametrize(("start", "end", "step"), BACK)
def test_slices_that_go_back(start: int, end: int, step: int, tmp_path: Path):
    """A start before the front means the first element, which Python leaves out."""
    size = 3
    first = start + size if start < 0 else start
    last = end + size if end < 0 else end
    taken = list(range(min(max(first, 0), size - 1), min(max(last, -1), size - 1), step))
    values = f"s = Constant <value = int64[1] {{{start}}}> () e = Constant <value = int64[1] {{{end}}}> ()"
    more = f"a = Constant <value = int64[1] {{0}}> () t = Constant <value = int64[1] {{{step}}}> ()"
    known = "c = Constant <value = int64[3] {10, 11, 12}> () z = Slice (c, s, e, a, t)"
    text = f"net (float[3] x) => (float[?] y, int64[?] z) {{ {values} {more} y = Slice (x, s, e, a, t) {known} }}"
    module = import_model(save(text, tmp_path)).module
    module.verify()
    found = interpreted(module, "main", [np.arange(3, dtype=np.float32)])
    assert found[0].tolist() == taken
    assert found[1].tolist() == [10 + place for place in taken]


def test_a_range_between_no_numbers(tmp_path: Path):
    body = "s = Constant <value = int64[0] none {}> () o = Constant <value_int = 1> () r = Range (s, o, o)"
    text = f"net (float[2] x) => (float[n] y) {{ {body} y = Cast <to = 1> (r) }}"
    with pytest.raises(OnnxError, match="Range 'r': Input to 'Range' op should be scalars"):
        import_model(save(text, tmp_path))


@pytest.mark.parametrize(
    ("size", "pads", "is_one"),
    [
        pytest.param("n", "-1, 2", True, id="unknown"),
        pytest.param("2", "-3, 2", True, id="more than the axis has"),
        pytest.param("2", "-3, 0", True, id="less than nothing"),
        pytest.param("n", "-1, -1", False, id="nothing is added"),
        pytest.param("3", "-3, 2", False, id="all elements"),
    ],
)
def test_pads_that_remove_more_than_there_is(size: str, pads: str, is_one: bool, tmp_path: Path):
    """ONNX Runtime gives one element for two pads of -1 and 2 around an axis of size 0; a slice and a pad give two."""
    text = f"net (float[{size}] x) => (float[m] y) {{ p = Constant <value = int64[2] {{{pads}}}> () y = Pad (x, p) }}"
    imported = import_model(save(text, tmp_path))
    assert imported.opaque == {}
    assert any(isinstance(op, DynamicPadOp) for op in imported.module.walk()) == is_one


def test_two_pads_around_nothing_are_one_element(tmp_path: Path):
    text = "net (float[n] x) => (float[m] y) { p = Constant <value = int64[2] {-1, 2}> () y = Pad (x, p) }"
    module = import_model(save(text, tmp_path)).module
    for count, expected in ((0, [0.0]), (1, [0.0, 0.0]), (2, [1.0, 0.0, 0.0])):
        (found,) = interpreted(module, "main", [np.arange(count, dtype=np.float32)])
        assert found.tolist() == expected


@pytest.mark.parametrize("kind", ["AveragePool", "MaxPool"])
def test_automatic_pads_round_up_once(kind: str, tmp_path: Path):
    """ONNX's shape inference gives two columns, ONNX Runtime one, which is two divided by the stride."""
    attributes = 'auto_pad = "SAME_UPPER", ceil_mode = 1, kernel_shape = [2, 1], strides = [2, 2]'
    text = f"net (float[1,1,4,2] x) => (float[1,1,2,1] y) {{ y = {kind} <{attributes}> (x) }}"
    imported = import_model(save(text, tmp_path))
    assert imported.opaque == {}
    (found,) = interpreted(imported.module, "main", [np.arange(8, dtype=np.float32).reshape(1, 1, 4, 2)])
    assert found.shape == (1, 1, 2, 1)


def test_automatic_pads_round_up_once_in_functions(tmp_path: Path):
    """A function of the model is inlined before shapes are inferred."""
    attributes = 'auto_pad = "SAME_UPPER", ceil_mode = 1, kernel_shape = [2, 1], strides = [2, 2]'
    header = '<ir_version: 8, opset_import: ["": 17, "local": 1]>'
    graph = "net (float[1,1,4,2] x) => (float[1,1,2,1] y) { y = local.pool (x) }"
    function = f'<domain: "local", opset_import: ["": 17]> pool (a) => (b) {{ b = MaxPool <{attributes}> (a) }}'
    imported = import_model(save(f"{header} {graph} {function}", tmp_path))
    assert imported.opaque == {}
    (found,) = interpreted(imported.module, "main", [np.arange(8, dtype=np.float32).reshape(1, 1, 4, 2)])
    assert found.shape == (1, 1, 2, 1)


FLAGS = [
    pytest.param("float[4] x", "y = Cast <to = 6, saturate = 2> (x)", "int32", id="zeros in ONNX Runtime"),
    pytest.param("float[4] x", "y = ArgMax <keepdims = 1, select_last_index = 2> (x)", "int64", id="arg max"),
    pytest.param("float[4,4] x", "y = Trilu <upper = 2> (x)", "float", id="triangle"),
    pytest.param("float[1,1,4,4] x", "y = MaxPool <kernel_shape = [2, 2], storage_order = 1> (x)", "float", id="pool"),
]


@pytest.mark.parametrize(("inputs", "body", "element"), FLAGS)
def test_flags_that_runtimes_read_in_their_own_ways(inputs: str, body: str, element: str, tmp_path: Path):
    """Neither 0 nor 1, or one with which ONNX Runtime has another kernel."""
    for stays in (True, False):
        plain = body.replace("= 2>", "= 1>").replace("storage_order = 1", "storage_order = 0")
        head = '<ir_version: 10, opset_import: ["": 19]>'
        made = save(f"{head} net ({inputs}) => ({element}[] y) {{ {body if stays else plain} }}", tmp_path)
        assert any(isinstance(op, OpaqueOp) for op in import_model(made).module.walk()) == stays
