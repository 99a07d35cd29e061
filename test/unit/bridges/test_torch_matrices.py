"""Products, attention and quantised numbers of PyTorch as npu ops, and back; and data of unknown sizes."""

# Lambdas of any arguments have parameters of unknown types.
# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from support.torch_cases import Case, check, torch
from support.torch_graphs import QUIET, exported, permutes, relayout

pytest.importorskip("torch.ao.quantization.fx._decomposed")

pytestmark = QUIET
functional: Any = torch.nn.functional
quantized: Any = torch.ops.quantized_decomposed
attention: Any = functional.scaled_dot_product_attention

torch.manual_seed(3)
random: Any = torch.randn
X = random(2, 4, 6, 8)
PRODUCTS: Sequence[Callable[..., Any]] = [
    lambda x, w, b, _: functional.linear(x, w, b),
    lambda x, w, *_: functional.linear(x, w),
    lambda x, w, b, _: functional.linear(x[0, 0], w, b),
    lambda x, w, b, _: functional.linear(x[0, 0, 0], w, b),
    lambda x, *_: x @ x.transpose(2, 3),
    lambda x, _w, _b, m: x @ m,
    lambda x, _w, b, m: torch.addmm(b, x[0, 0], m),
    lambda x, _w, b, m: torch.addmm(b, x[0, 0], m, beta=0.5, alpha=2),
    lambda x, w, *_: torch.addmm(x[0, 0, :, :5], x[0, 0], w.t()),
    lambda x, _w, _b, m: torch.mm(x[0, 0], m),
    lambda x, *_: torch.baddbmm(torch.full((4, 6, 6), torch.nan), x[0], x[1].mT, beta=0),
    lambda x, *_: torch.bmm(x[0], x[1].mT),
    lambda x, _w, _b, m: torch.baddbmm(x[0] @ m, x[0], x[1].mT @ x[1] @ m),
    lambda x, *_: torch.mv(x[0, 0], x[1, 1, 1]),
    lambda x, *_: torch.dot(x[0, 0, 0], x[1, 1, 1]),
    lambda x, *_: x @ x[0, 0, 0],
    lambda x, *_: x[0, 0] @ x.mT,
    lambda x, *_: torch.einsum("bchw,bcxw->bchx", x, x),
    lambda x, _w, _b, m: torch.einsum("bchw,wk->bchk", x, m),
    lambda x, *_: torch.einsum("bchw,bchx->bcwx", x, x),
]
ATTENTION: Sequence[Callable[..., Any]] = [
    lambda q, k, v, *_: attention(q, k, v),
    lambda q, k, v, m, *_: attention(q, k, v, attn_mask=m),
    lambda q, k, v, m, *_: attention(q, k, v, attn_mask=m.float()),
    lambda q, k, v, *_: attention(q, k, v, is_causal=True, scale=0.3),
    lambda q, _k, _v, _m, k, v: attention(q, k, v, enable_gqa=True),
]
FLAT: Sequence[Callable[..., Any]] = [
    lambda q, k, v: attention(q.reshape(8, 6, 8), k.reshape(8, 5, 8), v.reshape(8, 5, 3))
]
HALVES: Sequence[Callable[..., Any]] = [
    lambda x: torch.baddbmm(x[0] @ x[1].mT / 300, x[0], x[1].mT, beta=0, alpha=0.01),
    lambda x: torch.addmm(x[0, 0, :, :6], x[0, 0], x[1, 0].mT, alpha=0.01),
    lambda x: torch.addmm(x[0, 0, :, :6], x[0, 0] / 300, x[1, 0].mT),
]
"""Products that 16 bits may hold as soon as they have a factor only."""
QUANTIZED: Sequence[Callable[..., Any]] = [
    lambda x, *_: quantized.quantize_per_tensor(x, 0.05, 3, -128, 127, torch.int8),
    lambda x, *_: quantized.dequantize_per_tensor(
        quantized.quantize_per_tensor(x, 0.05, 0, -127, 127, torch.int8), 0.05, 0, -127, 127, torch.int8
    ),
    lambda x, *_: quantized.quantize_per_tensor(x, 0.05, 128, 0, 255, torch.uint8),
    lambda x, *_: quantized.quantize_per_tensor(x, 0.01, 0, -100, 90, torch.int8),
    lambda x, s, z: quantized.dequantize_per_channel(
        quantized.quantize_per_channel(x, s, z, 1, -128, 127, torch.int8), s, z, 1, -128, 127, torch.int8
    ),
    lambda x, s, z: quantized.quantize_per_channel(x, s, z, 1, -127, 127, torch.int8),
]
UNKNOWN: Sequence[Callable[..., Any]] = [
    lambda x, *_: functional.relu(x) + 1,
    lambda x, a, *_: functional.conv2d(x, a, padding=1),
    lambda x, _a, _c, w, b: functional.linear(x, w, b),
    lambda x, _a, _c, w, b: functional.gelu(functional.linear(x.flatten(0, 1), w, b)),
    lambda x, *_: functional.layer_norm(x, (8,)),
    lambda x, *_: functional.softmax(x, 1),
    lambda x, *_: x.mean((2, 3)),
    lambda x, _a, c, *_: x * c,
    lambda x, _a, c, *_: functional.batch_norm(x, c.reshape(4), c.reshape(4).abs() + 1),
    lambda x, *_: functional.max_pool2d(x, 2),
    lambda x, *_: functional.adaptive_avg_pool2d(x, 1),
    lambda x, *_: functional.interpolate(x, scale_factor=2),
    lambda x, *_: functional.interpolate(x, scale_factor=2, mode="bilinear"),
    lambda x, *_: x @ x.mT,
    lambda x, *_: functional.group_norm(x, 2),
    lambda x, *_: attention(x, x, x),
    lambda x, *_: functional.pixel_shuffle(x, 2),
    lambda x, _a, c, *_: torch.where(x > 0, x, c),
    lambda x, *_: x.sum(1, keepdim=True) * x,
]
SIZES = {0: torch.export.Dim("b"), 2: torch.export.Dim("h", min=4, max=100)}
CASES: Mapping[str, Case] = {
    "products": Case(
        PRODUCTS, [X], weights=[random(5, 8), random(5), random(8, 5)], stays=frozenset({"aten.einsum.default"})
    ),
    "attention": Case(
        ATTENTION,
        [X, random(2, 4, 5, 8), random(2, 4, 5, 3), torch.rand(6, 5) > 0.3, random(2, 2, 5, 8), random(2, 2, 5, 3)],
        order=[0, 2, 1, 3],
    ),
    "attention of one batch": Case(
        FLAT, [X, random(2, 4, 5, 8), random(2, 4, 5, 3)], order=[0, 2, 1, 3], is_joined=True
    ),
    "no depth": Case(
        [lambda x: attention(x[..., :0], x[..., :0], x)],
        [X],
        order=[0, 2, 1, 3],
        stays=frozenset({"aten.scaled_dot_product_attention.default"}),
    ),
    "halves": Case(
        HALVES, [(X * 300).half()], bits=16, stays=frozenset({"aten.baddbmm.default", "aten.addmm.default"})
    ),
    "quantized": Case(QUANTIZED, [X], weights=[torch.rand(4) * 0.1 + 0.01, torch.randint(-5, 5, (4,))], permutes=0),
    "unknown sizes": Case(
        UNKNOWN,
        [X],
        weights=[random(3, 4, 3, 3), random(4, 1, 1), random(5, 8), random(5)],
        dynamic={0: SIZES},
        others=[[random(3, 4, 10, 8)], [random(1, 4, 4, 8)]],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_computes_what_pytorch_does(name: str) -> None:
    check(CASES[name])


def test_attention_has_heads_in_front():
    """Other forms need permutes in PyTorch, which a plan may not forget."""

    def function(x: Any) -> Any:
        query, key, value = (part.unflatten(-1, (2, 4)).transpose(1, 2) for part in x.tanh().split(8, -1))
        return attention(query, key, value).transpose(1, 2).flatten(2), key * 2

    program = exported(function, [torch.randn(2, 5, 24)])
    assert permutes(relayout(program)) == permutes(program) == 4
