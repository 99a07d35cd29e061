"""Elementwise operators of PyTorch, reductions and casts as npu ops, and back."""

# Lambdas of any arguments have parameters of unknown types.
# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from support.torch_cases import Case, check, torch
from support.torch_graphs import QUIET

pytestmark = QUIET
functional: Any = torch.nn.functional

torch.manual_seed(1)
SPECIAL = torch.tensor([float("nan"), float("inf"), -float("inf"), 0.0, -0.0, 0.5, 1.5, 2.5])
X, Y = torch.randn(2, 4, 6, 8), torch.randn(2, 4, 6, 8)
BENT = X.clone()
BENT[0, 0, 0], BENT[1, 2, 3] = SPECIAL, -SPECIAL
WHOLE = torch.randint(-7, 8, (2, 4, 6, 8))
DIVISORS = torch.randint(1, 8, (2, 4, 6, 8)) * torch.where(torch.rand(2, 4, 6, 8) > 0.5, 1, -1)
CHANNELS = torch.randn(4, 1, 1)


def named(names: str) -> list[Callable[..., Any]]:
    """Functions of torch by their names."""
    return [getattr(torch, name) for name in names.split()]


UNARY: Sequence[Callable[..., Any]] = [
    *named(
        "abs neg exp log sqrt rsqrt reciprocal sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh erf ceil"
        " floor round square trunc isnan isinf logical_not sigmoid"
    ),
    # The sign of NaN is 0 in PyTorch alone.
    lambda x: torch.sign(torch.where(x == x, x, 1.0)),
]
ACTIVATIONS: Sequence[Callable[..., Any]] = [
    *(
        getattr(functional, name)
        for name in "relu gelu relu6 hardtanh leaky_relu elu celu softplus hardsigmoid logsigmoid softsign hardswish"
        " mish selu silu tanhshrink hardshrink softshrink".split()
    ),
    lambda x: functional.gelu(x, approximate="tanh"),
    lambda x: torch.ops.aten.leaky_relu(x),
    lambda x: functional.leaky_relu(x, 0.3),
    lambda x: functional.elu(x, 0.5),
    lambda x: functional.hardtanh(x, -0.5, 2.0),
    lambda x: functional.threshold(x, 0.1, 0.2),
    lambda x: functional.glu(x, 1),
    lambda x: x.clamp(min=0),
    lambda x: x.clamp(max=0.5),
    lambda x: x.clamp(-0.5, 0.25),
]
BINARY: Sequence[Callable[..., Any]] = [
    lambda x, y, _: x + y,
    lambda x, y, _: x - y,
    lambda x, _, c: x * c,
    lambda x, _, c: c / x,
    lambda x, y, _: torch.add(x, y, alpha=2.5),
    lambda x, _, c: torch.sub(x, c, alpha=0.5),
    lambda x, y, _: torch.rsub(x, y),
    lambda x, _, c: torch.maximum(x, c),
    lambda x, _, c: torch.minimum(c, x),
    lambda x, y, _: x.abs() ** y,
    lambda x, y, _: torch.fmod(x, y),
    lambda x, y, _: torch.remainder(x, y),
    lambda x, y, _: torch.div(x, y, rounding_mode="trunc"),
    lambda x, y, c: (x > y, x < c, x == y, x != c, x >= y, c <= x),
    lambda x, _, c: torch.where(x > 0, x, c),
    lambda x, y, _: torch.where(x > y, 1.5, x),
    lambda x, y, _: torch.where(x > y, x, 0.0),
    lambda x, y, _: x.masked_fill(x > y, -1e9),
    lambda x, y, _: torch.logical_and(x > 0, y > 0) | ((x > 1) ^ (y < 0)),
    lambda x, y, _: torch.logical_or(x, y),
    lambda x, y, c: torch.clamp(x, c, y.abs() + 2),
]
NUMBERS: Sequence[Callable[..., Any]] = [
    lambda x: x + 2,
    lambda x: 3 - x,
    lambda x: x * 0.1,
    lambda x: x / 3,
    lambda x: 2 / x,
    lambda x: x**2,
    lambda x: x.abs() ** 0.5,
    lambda x: 2**x,
    lambda x: x > 0,
    lambda x: x == 1,
    lambda x: 0.5 < x,
    lambda x: torch.full((), 0.25) >= x,
    # Both are of 32 bits here, as a tensor of no axes counts less.
    lambda x: x * 0 + 0.1 == torch.full((), 0.1, dtype=torch.float64),
    lambda x: x % 2,
    lambda x: torch.fmod(x, 1.5),
    lambda x: torch.rsub(x, 1, alpha=2),
    lambda x: torch.add(x, 1, alpha=3),
    lambda x: x.masked_fill(x > 1, 0.0),
]
INTEGERS: Sequence[Callable[..., Any]] = [
    lambda i, k: i + k,
    lambda i, _: i * 3,
    lambda i, k: i // k,
    lambda i, k: torch.div(i, k, rounding_mode="trunc"),
    lambda i, k: i / k,
    lambda i, k: i % k,
    lambda i, k: torch.fmod(i, k),
    lambda i, k: i > k,
    lambda i, _: i == 2.5,
    lambda i, k: i & k,
    lambda i, _: i | 3,
    lambda i, k: i ^ k,
    lambda i, _: ~i,
    lambda i, _: i.clamp(-2, 3),
    lambda i, _: i.clamp(min=0.5),
    lambda i, _: i.sqrt(),
    lambda i, _: i + 1.5,
    lambda i, k: i.to(torch.int32) * k,
    lambda i, k: i.to(torch.int8) + k.to(torch.int32),
    lambda i, _: i**2,
    lambda i, _: functional.relu(i),
    lambda i, k: i.bool() & (k > 0),
    lambda i, _: (i > 0).float() * 2,
    lambda i, k: i.to(torch.uint8) > k.to(torch.int8),
    lambda i, _: i.to(torch.float64),
    lambda i, _: i.abs().sum(1),
    lambda i, _: i.prod(1),
    lambda i, _: i.cumsum(1),
    lambda i, _: i.amax(1),
    lambda i, _: i.to(torch.int32).sum(2),
    lambda i, _: (i > 0).sum(1),
]
REDUCTIONS: Sequence[Callable[..., Any]] = [
    lambda x: x.sum(),
    lambda x: x.sum(1),
    lambda x: x.sum((1, 2), keepdim=True),
    lambda x: x.mean(),
    lambda x: x.mean((-1, -2)),
    lambda x: x.mean((2, 3), keepdim=True),
    lambda x: x.amax(1),
    lambda x: x.amin((1, 3), keepdim=True),
    lambda x: tuple(x.max(1)),
    lambda x: tuple(x.min(2, keepdim=True)),
    lambda x: x.max(1)[0],
    lambda x: x.min(3)[1],
    lambda x: x.max(),
    lambda x: x.prod(1),
    lambda x: x.prod(),
    lambda x: x.argmax(1),
    lambda x: x.argmin(2, keepdim=True),
    lambda x: x.argmax(),
    lambda x: (x > 0).any(),
    lambda x: (x > 1).any(1),
    lambda x: (x > -1).all((1, 2), keepdim=True),
    lambda x: x.var(1),
    lambda x: x.var(),
    lambda x: x.std((2, 3), keepdim=True),
    lambda x: torch.var(x, (1,), correction=0),
    lambda x: torch.var_mean(x, (2, 3), keepdim=True),
    lambda x: torch.linalg.vector_norm(x, dim=1),
    lambda x: torch.linalg.vector_norm(x, float("inf"), dim=1),
    lambda x: x.norm(p=1, dim=(2, 3)),
    lambda x: functional.normalize(x),
    lambda x: x.logsumexp(1),
    lambda x: x.cumsum(1),
    lambda x: x.cumprod(2),
]
SHORT: Sequence[Callable[..., Any]] = [
    lambda x: x + 0.1,
    lambda x: x * 2,
    lambda x: functional.silu(x),
    lambda x: functional.gelu(x),
    lambda x: x.float() * 2,
    lambda x: functional.softmax(x, 1),
    lambda x: x.mean(1),
    lambda x: functional.layer_norm(x, (8,)),
    lambda x: x @ x.mT,
    lambda x: x.masked_fill(x > 0, -1e3),
]
LARGE: Sequence[Callable[..., Any]] = [
    lambda x: x.std((2, 3), keepdim=True),
    lambda x: torch.std_mean(x, 1),
    lambda x: x.norm(dim=1),
    lambda x: functional.softmax(x, 1),
    lambda x: (x / 10000) * 1e5,
    lambda x: (x / 10000) * torch.full((), 1e5),
]
"""The squares of large numbers, and some factors, are more than 16 bits hold."""
EMPTY: Sequence[Callable[..., Any]] = [
    lambda x: (x[:, :0] > 0).any(1),
    lambda x: (x[:, :0] > 0).all(),
    lambda x: x[:, :0].sum(1),
    lambda x: x[:, :0].prod(1),
    lambda x: torch.cat([x[:, :0], x], 1),
]
CASES: Mapping[str, Case] = {
    "unary": Case(UNARY, [BENT], permutes=0),
    "activations": Case(ACTIVATIONS, [X], permutes=0),
    "slopes": Case(
        [lambda x, w, _: functional.prelu(x, w), lambda x, _, v: functional.prelu(x, v)],
        [X],
        weights=[torch.rand(4), torch.rand(1)],
        permutes=0,
    ),
    "binary": Case(BINARY, [BENT, Y], weights=[CHANNELS], permutes=None),
    "numbers": Case(NUMBERS, [X], permutes=0),
    "integers": Case(INTEGERS, [WHOLE, DIVISORS]),
    "reductions": Case(REDUCTIONS, [X]),
    "halves": Case(SHORT, [X.half()], bits=16),
    "bfloats": Case(SHORT, [X.bfloat16()], bits=16),
    "large halves": Case(LARGE, [(X * 300).half()], bits=16, stays=frozenset({"aten.mul.Tensor"})),
    "no elements": Case(EMPTY, [X], stays=frozenset({"aten.any.dim", "aten.all.default"})),
}


@pytest.mark.parametrize("name", CASES)
def test_computes_what_pytorch_does(name: str) -> None:
    check(CASES[name])


def test_unknown_functions_are_moved() -> None:
    """Each of these is another number than the npu op's in some case."""
    functions: Sequence[Callable[..., Any]] = [
        lambda x, _: torch.div(x, 3, rounding_mode="floor"),
        lambda x, _: torch.log1p(x.abs()),
        lambda x, _: x.clamp(2.0, 1.0),
        lambda x, _: x.clamp(min=torch.inf),
        lambda x, _: x.clamp(max=-torch.inf),
        lambda x, _: functional.softplus(x, beta=2.0),
        lambda x, _: functional.softplus(x, threshold=1.0),
        lambda x, _: functional.celu(x, 2.0),
        lambda x, c: torch.atan2(x, c),
    ]
    names = "div.Tensor_mode log1p.default clamp.default softplus.default celu.default atan2.default"
    stays = frozenset(f"aten.{each}" for each in names.split())
    check(Case(functions, [X], weights=[CHANNELS], stays=stays, permutes=0, is_decomposed=False))
