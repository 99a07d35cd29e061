"""Types of ops of ONNX Runtime that stay: those that it computes, for models that do not state them."""

import npu_opt
import pytest
from npu_opt.dialects.npu.source import OpaqueOp
from npu_opt.dialects.npu.values import element_type_of, shape_of
from onnx import ModelProto, TensorProto, ValueInfoProto, helper
from onnx.parser import parse_model
from support.generators.made_models import inputs_of
from support.oracles.onnx_running import executed
from xdsl.dialects.builtin import Float32Type, IntegerType

HEAD = '<ir_version: 8, opset_import: ["" : 17, "com.microsoft" : 1, "com.microsoft.nchwc" : 1]>'
SCALES = "float xs, uint8 xz"
CASES = {
    "product": ("float[5,3] x, float[4,3] w", 'y = com.microsoft.FusedGemm <transB = 1, activation = "Relu"> (x, w)'),
    "product of a vector": ("float[3] x, float[2,3,4] w", "y = com.microsoft.FusedMatMul (x, w)"),
    "inverse": ("float[2,3,3] x", "y = com.microsoft.Inverse (x)"),
    "triangle": ("float[2,3,3] x", "y = com.microsoft.Trilu (x)"),
    "embedding": (
        "int32[2,5] i, int32[2,5] s, float[9,4] w, float[9,4] p, float[9,4] t, float[4] g, float[4] b",
        "y, m = com.microsoft.EmbedLayerNormalization (i, s, w, p, t, g, b)",
    ),
    "quantised attention": (
        "uint8[2,5,8] x, uint8[8,24] w, float[24] b, float s, float t",
        "y = com.microsoft.QAttention <num_heads = 2> (x, w, b, s, t)",
    ),
    "quantised convolution": (
        f"uint8[2,7,8,3] x, {SCALES}, uint8[4,3,3,3] w, float ws, uint8 wz, float ys, uint8 yz",
        "y = com.microsoft.QLinearConv <channels_last = 1, strides = [2, 2]> (x, xs, xz, w, ws, wz, ys, yz)",
    ),
    "pool": (
        "uint8[2,7,8,3] x",
        "y = com.microsoft.NhwcMaxPool <kernel_shape = [3, 3], strides = [2, 2], ceil_mode = 1> (x)",
    ),
    "packed words": (
        "uint8[9,16] x, int64[2,3] i, float[9,2] s",
        "y = com.microsoft.GatherBlockQuantized <gather_axis = 0, quantize_axis = 1, block_size = 16> (x, i, s)",
    ),
}


def model(inputs: str, nodes: str) -> ModelProto:
    """The model, which says nothing of its outputs but their names."""
    proto = parse_model(f"{HEAD} g ({inputs}) => (float y) {{ {nodes} }}")
    del proto.graph.output[:]
    proto.graph.output.extend(ValueInfoProto(name=name) for name in proto.graph.node[0].output)
    return proto


@pytest.mark.parametrize(("inputs", "nodes"), CASES.values(), ids=CASES)
def test_the_type_of_a_result_is_that_which_it_has(inputs: str, nodes: str):
    proto = model(inputs, nodes)
    (op,) = (op for op in npu_opt.load(proto).module.walk() if isinstance(op, OpaqueOp))
    for value, array in zip(op.results, executed(proto, inputs_of(proto)), strict=True):
        assert shape_of(value) == array.shape
        element = element_type_of(value)
        kind = "f" if isinstance(element, Float32Type) else "i" if element == IntegerType(32) else "u"
        assert kind == array.dtype.kind


@pytest.mark.parametrize(
    ("inputs", "nodes"),
    [
        ("float[2] x, uint8[4] w", "y = com.microsoft.DynamicQuantizeLSTM <hidden_size = 4> (x, w)"),
        ("float[2] x", "y = com.microsoft.nchwc.ReorderInput (x)"),
        ("float[2,2] x, int64 i, float[2] u", "y = ScatterND (x, i, u)"),
        ("float[2,2,2] x, float[2] w, float[2] r", "y = LSTM (x, w, r)"),
    ],
)
@pytest.mark.parametrize("is_stated", [False, True])
def test_operands_of_other_ranks_than_an_op_takes(inputs: str, nodes: str, is_stated: bool):
    """Nothing has checked them: the node stays."""
    proto = model(inputs, nodes)
    if is_stated:
        proto.graph.output[0].CopyFrom(helper.make_tensor_value_info("y", TensorProto.FLOAT, [2]))
    assert "npu.opaque" in str(npu_opt.load(proto).module)
