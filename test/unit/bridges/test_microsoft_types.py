"""Types of ops of ONNX Runtime's own domain, which models leave out and ONNX does not know."""

import npu_opt
import pytest
from models.onnx_runs import random_inputs, run
from onnx.parser import parse_model

HEAD = '<ir_version: 8, opset_import: ["" : 17, "com.microsoft" : 1]>'

OPS = [
    pytest.param(
        "float[2,3,8] x, float[8,24] w, float[24] b",
        "Attention <num_heads = 2> (x, w, b)",
        "2x3x8xf32",
        id="attention",
    ),
    pytest.param(
        "float[2,3,8] x, float[8,20] w, float[20] b",
        "Attention <num_heads = 2, qkv_hidden_sizes = [8, 8, 4]> (x, w, b)",
        "2x3x4xf32",
        id="attention with other values",
    ),
    pytest.param("float[2,3,8] x", "MultiHeadAttention <num_heads = 2> (x, x, x)", "2x3x8xf32", id="heads"),
    pytest.param(
        "float[n,3,64] x, uint8[5,2,16] w, float[10] s",
        "MatMulNBits <K = 64, N = 5, bits = 4, block_size = 32> (x, w, s)",
        "?x3x5xf32",
        id="weights of 4 bits",
    ),
    pytest.param(
        "float[2,3,8] x, float[8] g, float[8] b",
        "SkipLayerNormalization (x, x, g, b)",
        "2x3x8xf32",
        id="a sum that is normalised",
    ),
    pytest.param(
        "float[2,3,8] x, float[8] g",
        "SkipSimplifiedLayerNormalization (x, x, g)",
        "2x3x8xf32",
        id="a sum that is normalised by its mean square",
    ),
    pytest.param(
        "float[2,3,8] x, int64[1] p, float[200,2] c",
        "RotaryEmbedding <num_heads = 2> (x, p, c, c)",
        "2x3x8xf32",
        id="rotated positions",
    ),
]


@pytest.mark.parametrize(("inputs", "call", "expected"), OPS)
def test_the_type_of_an_op_that_the_model_does_not_state(inputs: str, call: str, expected: str):
    model = parse_model(f"{HEAD} g ({inputs}) => (float[a,b,c] y) {{ t = com.microsoft.{call} y = Neg (t) }}")
    program = npu_opt.load(model).module
    (found,) = (op for op in program.walk() if op.name == "npu.neg")
    assert str(found.operands[0].type) == f"tensor<{expected}>"
    (array,) = run(model, random_inputs(model, n=2))
    text = "x".join(str(size) for size in array.shape)
    assert text == expected.removesuffix("xf32").replace("?", "2")


CACHES = "float[2,2,5,4] pk, float[2,2,5,4] pv, int32[2] n, int32 t"


@pytest.mark.parametrize(
    ("inputs", "call", "expected"),
    [
        (f"float[2,1,16] q, float[2,1,8] k, {CACHES}", "(q, k, k, pk, pv, n, t)", ["2x1x16xf32", "2x2x?x4xf32"]),
        (f"float[2,1,32] q, {CACHES}", "(q, , , pk, pv, n, t)", ["2x1x16xf32", "2x2x?x4xf32"]),
    ],
)
def test_the_types_of_an_attention_with_a_cache(inputs: str, call: str, expected: list[str]):
    """The length of the cache is a number of the run."""
    node = f"a, c, d = com.microsoft.GroupQueryAttention <num_heads = 4, kv_num_heads = 2> {call}"
    results = "float[a,b,c] y, float[a,b,c,d] nk"
    program = npu_opt.load(parse_model(f"{HEAD} g ({inputs}) => ({results}) {{ {node} y = Neg (a) nk = Neg (c) }}"))
    found = [str(op.operands[0].type) for op in program.module.walk() if op.name == "npu.neg"]
    assert found == [f"tensor<{each}>" for each in expected]
