"""LiteRT models as programs: what the exporter writes is read back as the same computation."""

from collections import Counter
from pathlib import Path
from random import Random

import numpy as np
import pytest

pytest.importorskip("ai_edge_litert", reason="ai-edge-litert is not installed: pip install -e '.[dev]'")

from npu_opt.bridges.litert.data import from_array
from npu_opt.bridges.litert.exporting import NotExportable, to_litert
from npu_opt.bridges.litert.exporting.elements import LiteElement
from npu_opt.bridges.litert.exporting.files import packed, with_weights_behind
from npu_opt.bridges.litert.importing.errors import LiteRtError
from npu_opt.bridges.litert.importing.importer import import_model
from npu_opt.dialects.npu import NPU
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.quantized import QuantizedOp
from npu_opt.dialects.npu.recurrent import RecurrentOp
from npu_opt.dialects.npu.source import OpaqueOp
from npu_opt.dialects.program.symbols import verify
from npu_opt.equivalence.compare import Verdict, compare
from support.campaign import amount
from support.closeness import FEW_STEPS_NEAR_ZERO, assert_close
from support.generators.samples import sample
from support.ir_text import parse
from support.oracles.litert_running import executed, exported, make_parameters_constant, may_divide_by_zero
from support.oracles.running import main_of
from xdsl.dialects.builtin import ModuleOp, TensorType, f32

OPS: list[type[NpuOp]] = [op for op in NPU.operations if issubclass(op, NpuOp) and op is not OpaqueOp]
FEWEST_PROVED = 0.8
"""The part of the random ops whose file is proved equal; the rest is undecided."""


def read_back(model: bytes, folder: Path) -> ModuleOp:
    file = folder / "model.tflite"
    file.write_bytes(model)
    module = import_model(file, inline_limit=None).module
    verify(module)
    return module


def test_files_of_random_ops_are_read_back(tmp_path: Path):
    """The file of the program that is read back computes the same, and no proof says that they differ."""
    verdicts: Counter[Verdict] = Counter()
    for op in OPS:
        for seed in range(amount(2, 100)):
            made = sample(op, Random(seed), coloured=seed % 2 == 1)
            inputs = made.inputs(seed)
            of_operand = dict(zip(made.op.operands, inputs, strict=True))
            if isinstance(made.op, QuantizedOp | RecurrentOp):
                make_parameters_constant(made.op, of_operand)
            try:
                model = exported(made.module)
            except NotExportable:
                continue
            module = read_back(model, tmp_path)
            verdict = compare(made.module, module, by_formulas=True).verdict
            assert verdict is not Verdict.DIFFERENT, f"seed {seed}: {made.op}"
            verdicts[verdict] += not isinstance(made.op, QuantizedOp)
            if may_divide_by_zero(made.op) and not inputs[1].all():
                continue
            arguments = [of_operand[argument] for argument in main_of(made.module).body.block.args]
            pairs = zip(executed(model, arguments), executed(exported(module), arguments), strict=True)
            for before, after in pairs:
                assert_close(after, before, FEW_STEPS_NEAR_ZERO, f"seed {seed}: {made.op}")
    assert verdicts[Verdict.PROVED] >= FEWEST_PROVED * verdicts.total(), verdicts


def kinds_of(module: ModuleOp) -> list[str]:
    return [op.name.removeprefix("npu.") for op in main_of(module).body.block.ops if op.name != "npu.constant"]


def test_pads_of_an_op_before_a_convolution_are_its_own(tmp_path: Path):
    text = """func.func @main(%x: tensor<1x9x9x4xf32>) -> tensor<1x5x4x4xf32> {
      %k = npu.constant dense<0.5> : tensor<4x3x3x4xf32>
      %y = npu.conv2d %x, %k strides = [2, 2] pads = [2, 0, 0, 0] data_layout = <NHWC> kernel_layout = <OHWI>
        : (tensor<1x9x9x4xf32>, tensor<4x3x3x4xf32>) -> tensor<1x5x4x4xf32>
      func.return %y : tensor<1x5x4x4xf32>
    }"""
    assert kinds_of(read_back(exported(parse(text)), tmp_path)) == ["conv2d", "func.return"]


def test_names_stay(tmp_path: Path):
    text = """func.func @main(%x: tensor<2xf32> {onnx.name = "image", litert.tensor = "serving_default_image:0"})
        -> (tensor<2xf32> {onnx.name = "scores"}) {
      %y = npu.exp %x : tensor<2xf32>
      func.return %y : tensor<2xf32>
    }"""
    function = main_of(read_back(exported(parse(text)), tmp_path))
    assert str(function.arg_attrs) == '[{onnx.name = "image", litert.tensor = "serving_default_image:0"}]'
    assert str(function.res_attrs) == '[{onnx.name = "scores"}]'


def test_metadata_says_what_the_file_is_for(tmp_path: Path):
    text = """builtin.module attributes {litert.metadata = {notes = dense<[1, 2]> : tensor<2xui8>}} {
      func.func @main(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
        %y = npu.transpose %x permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
        func.return %y : tensor<3x2xf32>
      }
    }"""
    model = exported(parse(text))
    assert b'"target": "litert", "transposes": 1, "bytes": 24}' in model
    assert "notes = dense<[1, 2]>" in str(read_back(model, tmp_path).attributes["litert.metadata"])


def test_weights_behind_the_tables(tmp_path: Path):
    text = """func.func @main(%x: tensor<2x32xf32>) -> tensor<2x32xf32> {
      %v = npu.constant dense<0.5> : tensor<32x32xf32>
      %w = npu.constant dense<0.25> : tensor<32x32xf32>
      %y = npu.matmul %x, %v : (tensor<2x32xf32>, tensor<32x32xf32>) -> tensor<2x32xf32>
      %z = npu.matmul %y, %w : (tensor<2x32xf32>, tensor<32x32xf32>) -> tensor<2x32xf32>
      func.return %z : tensor<2x32xf32>
    }"""
    model = b"".join(with_weights_behind(to_litert(parse(text))))
    inputs = [np.random.default_rng(0).standard_normal((2, 32)).astype(np.float32)]
    (found,) = executed(model, inputs)
    np.testing.assert_array_equal(found, executed(exported(parse(text)), inputs)[0])
    assert compare(parse(text), read_back(model, tmp_path)).verdict is Verdict.PROVED


def reshaped_file(stated: list[int], sizes: list[int]) -> bytes:
    """The file of a reshape to 24 elements, which states another shape and reshapes to other sizes."""
    text = """func.func @main(%x: tensor<4x6xf32>) -> tensor<24xf32> {
      %y = npu.reshape %x : (tensor<4x6xf32>) -> tensor<24xf32>
      func.return %y : tensor<24xf32>
    }"""
    model = to_litert(parse(text))
    (graph,) = model.proto.subgraphs
    graph.tensors[graph.outputs[0]].shape = stated
    graph.tensors[graph.operators[0].inputs[1]].shape = [len(sizes)]
    (buffer,) = (place for place, data in model.weights.items() if data.element == LiteElement.I32)
    model.weights[buffer] = from_array(np.array(sizes), LiteElement.I32)
    return packed(model)


def test_a_file_with_other_shapes_than_it_says(tmp_path: Path):
    """The shapes are those that its ops compute."""
    file = tmp_path / "model.tflite"
    file.write_bytes(reshaped_file([1], [2, -1]))
    imported = import_model(file)
    assert main_of(imported.module).function_type.outputs.data[0] == TensorType(f32, [2, 12])
    (note,) = imported.notes
    assert note == "the file states another shape for 'output0' than it has at run time, which is used"


def test_a_file_with_an_op_that_fails(tmp_path: Path):
    with pytest.raises(LiteRtError, match="'output0' cannot be computed: RESHAPE of 4x6 and 2 to 5x5"):
        read_back(reshaped_file([24], [5, 5]), tmp_path)


def test_sizes_that_a_reshape_takes_over_at_run_time(tmp_path: Path):
    text = """func.func @main(%x: tensor<?x?x12xf32>)
        -> (tensor<?x?x12xf32>, tensor<?x?x3x4xf32>, tensor<2x?x?x6xf32>) {
      %a = npu.reshape %x dims = [@in1, @in0, 12] : (tensor<?x?x12xf32>) -> tensor<?x?x12xf32>
      %b = npu.reshape %x dims = [@in0, @in1, 3, 4] : (tensor<?x?x12xf32>) -> tensor<?x?x3x4xf32>
      %c = npu.reshape %x dims = [2, @in0, @in1, 6] : (tensor<?x?x12xf32>) -> tensor<2x?x?x6xf32>
      func.return %a, %b, %c : tensor<?x?x12xf32>, tensor<?x?x3x4xf32>, tensor<2x?x?x6xf32>
    }"""
    model = exported(parse(text))
    found = executed(model, [np.zeros((2, 5, 12), np.float32)])
    assert [array.shape for array in found] == [(5, 2, 12), (2, 5, 3, 4), (2, 2, 5, 6)]
    module = read_back(model, tmp_path)
    assert kinds_of(module) == ["reshape", "reshape", "reshape", "func.return"]
    assert compare(parse(text), module).verdict is Verdict.PROVED


def test_sizes_that_ops_compute_of_known_ones(tmp_path: Path):
    """Some converters leave the sizes of all results open, and write ones."""
    text = """func.func @main(%x: tensor<?x?x12xf32>) -> tensor<?x?x3x4xf32> {
      %y = npu.reshape %x dims = [@in1, @in0, 3, 4] : (tensor<?x?x12xf32>) -> tensor<?x?x3x4xf32>
      func.return %y : tensor<?x?x3x4xf32>
    }"""
    model = to_litert(parse(text))
    (graph,) = model.proto.subgraphs
    for tensor in graph.tensors:
        tensor.shape, tensor.shapeSignature = [1] * len(tensor.shape), None
    graph.tensors[graph.inputs[0]].shape = [2, 5, 12]
    for operand in (each for operator in graph.operators for each in operator.inputs):
        if (data := model.weights.get(graph.tensors[operand].buffer)) is not None:
            graph.tensors[operand].shape = list(data.shape)
    module = read_back(packed(model), tmp_path)
    assert main_of(module).function_type.outputs.data[0] == TensorType(f32, [5, 2, 3, 4])


def test_places_along_an_axis_of_unknown_size(tmp_path: Path):
    text = """func.func @main(%x: tensor<?x3xf32>, %i: tensor<4xi64>) -> tensor<4x3xf32> {
      %y = npu.gather %x, %i axis = 0 : (tensor<?x3xf32>, tensor<4xi64>) -> tensor<4x3xf32>
      func.return %y : tensor<4x3xf32>
    }"""
    module = read_back(exported(parse(text)), tmp_path)
    assert kinds_of(module) == ["gather", "func.return"]
    assert compare(parse(text), module).verdict is Verdict.PROVED


UNITS = [
    pytest.param("?x?x8", "?x1x?x8", "[@in0, 1, @in1, 8]", "EXPAND_DIMS", id="one more"),
    pytest.param("?x?", "?x?x1", "[@in0, @in1, 1]", "EXPAND_DIMS", id="one more at the end"),
    pytest.param("1x?x?x1", "?x?", "[@in1, @in2]", "SQUEEZE", id="two fewer"),
    pytest.param("?x1x?x1x8", "?x?x1x8", "[@in0, @in2, 1, 8]", "SQUEEZE", id="one of two fewer"),
    pytest.param("?x?x8", "?x?x2x4", "[@in0, @in1, 2, 4]", "RESHAPE", id="parts"),
    pytest.param("?x?", "1x?x?x1", "[1, @in0, @in1, 1]", "RESHAPE", id="two more"),
]


@pytest.mark.parametrize(("given", "wanted", "dims", "kind"), UNITS)
def test_unit_axes_of_unknown_sizes(given: str, wanted: str, dims: str, kind: str, tmp_path: Path):
    """They are one op in the file, which is read back as the same reshape."""
    text = f"""func.func @main(%x: tensor<{given}xf32>) -> tensor<{wanted}xf32> {{
      %y = npu.reshape %x dims = {dims} : (tensor<{given}xf32>) -> tensor<{wanted}xf32>
      func.return %y : tensor<{wanted}xf32>
    }}"""
    file = exported(parse(text))
    assert [node.kind for node in to_litert(parse(text)).nodes][-1:] == [kind]
    module = read_back(file, tmp_path)
    assert kinds_of(module) == ["reshape", "func.return"]
    assert f"dims = {dims}" in str(module)
    sizes = [2 if size == "?" else int(size) for size in given.split("x")]
    array = np.random.default_rng(0).standard_normal(sizes).astype(np.float32)
    ends = [2 if size == "?" else int(size) for size in wanted.split("x")]
    np.testing.assert_array_equal(executed(file, [array])[0], array.reshape(ends))
