"""Every relayout of every op computes the same on permuted data; where there is none, there is a reason."""

from collections import Counter
from random import Random

import pytest
from npu_opt.dialects.npu import NPU
from npu_opt.dialects.npu.axes import MatmulFreedom
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.source import OpaqueOp
from npu_opt.layout import Order
from support.campaign import LONG, seeds
from support.generators.relayout_reasons import reason
from support.generators.relayouts import Relayouts
from support.generators.samples import sample
from support.oracles.one_op import parse_op

RIGID, FREE = MatmulFreedom.RIGID, MatmulFreedom.FREE

# A foreign op has no known meaning.
OPS: list[type[NpuOp]] = [op for op in NPU.operations if issubclass(op, NpuOp) and op is not OpaqueOp]


def try_relayouts(op: type[NpuOp], seed: int, most: int | None) -> Counter[str]:
    rng = Random(seed)
    return Relayouts(sample(op, rng), seed).try_all(rng, most)


@pytest.mark.parametrize("op", OPS, ids=[op.name for op in OPS])
def test_relayouts_compute_the_same(op: type[NpuOp]):
    total = Counter[str]()
    for seed in seeds(8, 100):
        total += try_relayouts(op, seed, None if LONG else 4)
    assert total["relayouts"] > 8


REASONS = {
    "a constant is written down in one order": "npu.constant",
    "a vector lies along the columns of the result": "npu.gemm",
    "heads and rows change places in all values or in none": "npu.attention",
    "what is beside the heads keeps its order": "npu.rotary",
    "only free hardware transposes matrices": "npu.matmul",
    "operands of different meaning cannot change places": "npu.quant_matmul",
    "rigid hardware moves no batch axes": "npu.matmul",
    "the matrices of a product are the last two axes": "npu.matmul",
    "the order tears the axes of the indices apart": "npu.gather",
    "the reshape tears axes apart that this order joins": "npu.reshape",
}


@pytest.mark.parametrize(("why", "name"), REASONS.items(), ids=list(REASONS))
def test_reason_occurs_in_samples(why: str, name: str):
    op = next(op for op in OPS if op.name == name)
    assert any(why in try_relayouts(op, seed, 6) for seed in range(400))


T, N = "#npu.layout<Tensor>", "#npu.layout<NTensor>"
REFUSED: dict[str, tuple[str, list[Order | None], list[Order | None], str]] = {
    "reshape that splits axes": (
        f"%y = npu.reshape %x : (tensor<4x6x5xf32, {T}>) -> tensor<24x5xf32, {T}>",
        [(0, 2, 1)],
        [None],
        "the reshape tears axes apart that this order joins",
    ),
    "rigid matmul": (
        f"%y = npu.matmul %a, %b : (tensor<2x3x4xf32, {N}>, tensor<2x4x5xf32, {N}>) -> tensor<2x3x5xf32, {N}>",
        [(0, 2, 1), None],
        [None],
        "only free hardware transposes matrices",
    ),
    "batch axes apart": (
        f"%y = npu.matmul %a, %b : (tensor<2x3x4x5xf32, {N}>, tensor<2x3x5x6xf32, {N}>) -> tensor<2x3x4x6xf32, {N}>",
        [(1, 0, 2, 3), (0, 1, 2, 3)],
        [None],
        "the batch axes of a product go together",
    ),
    "foreign op": (
        f'%y = npu.opaque "onnx.LSTM"(%x) pure : (tensor<2x3xf32, {T}>) -> tensor<2x3xf32, {T}>',
        [(1, 0)],
        [None],
        "nothing is known of the axes of a foreign op",
    ),
    "rank above 6": (
        f"%y = npu.relu %x : tensor<1x2x1x2x1x2x3xf32, {T}>",
        [(1, 0, 2, 3, 4, 5, 6)],
        [None],
        "tensors of more than 6 axes are never re-ordered",
    ),
}


@pytest.mark.parametrize(("text", "operands", "results", "why"), REFUSED.values(), ids=list(REFUSED))
def test_reason(text: str, operands: list[Order | None], results: list[Order | None], why: str):
    op = parse_op(text)
    freedom = RIGID if "rigid" in why or "only free" in why else FREE
    assert op.relayouts_within(operands, results, freedom) == []
    assert reason(op, operands, results, RIGID if "only free" in why else FREE) == why


def test_gemm_with_a_vector_as_bias_keeps_the_order_of_its_result():
    op = parse_op(
        f"%y = npu.gemm %a, %b, %c : (tensor<2x3xf32, {T}>, tensor<3x4xf32, {T}>, tensor<4xf32, {T}>)"
        f" -> tensor<2x4xf32, {T}>"
    )
    assert op.relayouts_within([None, None, None], [(1, 0)], FREE) == []
    assert reason(op, [None, None, None], [(1, 0)], FREE) == "a vector lies along the columns of the result"


def test_a_feature_map_of_one_element_has_letters():
    """The shape of the result depends on the axes of the feature map, so both change their orders together."""
    op = parse_op(
        "%y = npu.upsample %x factors = [2] : (tensor<1x1x1xf32, #npu.layout<NCW>>)"
        " -> tensor<1x1x2xf32, #npu.layout<NCW>>"
    )
    (relayout,) = op.relayouts([None], [(2, 0, 1)])
    assert relayout.operands == ((2, 0, 1),)


def test_a_gather_by_a_scalar_follows_its_result():
    op = parse_op(
        f"%y = npu.gather %x, %i axis = 1 : (tensor<2x3x5xf32, {T}>, tensor<i64, {T}>) -> tensor<2x5xf32, {T}>"
    )
    (relayout,) = op.relayouts([None, None], [(1, 0)])
    assert relayout.operands == ((2, 1, 0), ())


def test_the_order_of_a_bias_determines_that_of_the_batch():
    batched = "tensor<2x3x4x4xf32, #npu.layout<NTensor>>"
    op = parse_op(f"%y = npu.gemm %a, %b, %c : {batched}")
    (relayout,) = op.relayouts_within([None, None, (1, 0, 2, 3)], [None], MatmulFreedom.BATCH)
    assert relayout.operands == ((1, 0, 2, 3),) * 3
