"""Attention and rotary embeddings with values in any order of their axes, against one element at a time in numpy."""

from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest
from npu_opt.dialects.npu.attention import AttentionOp, HeadsOp, RotaryOp
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.values import element_type_of
from npu_opt.interpreter import evaluate
from npu_opt.interpreter.elements import Array
from support.campaign import seeds
from support.generators.numbers import close, magnitude
from support.generators.samples import SampledOp, sample
from xdsl.dialects.builtin import StringAttr, f16
from xdsl.ir import SSAValue

OPS: dict[type[NpuOp], str] = {AttentionOp: "attention", RotaryOp: "rotary"}


class Axes:
    """An array whose elements are found by batch, head, row and channel."""

    def __init__(self, op: NpuOp, name: str, array: Array) -> None:
        stated = op.properties.get(f"{name}_axes")
        self.text = stated.data if isinstance(stated, StringAttr) else "BHNC"
        self.array = array
        self.sizes = [array.shape[self.text.index(letter)] for letter in "BHNC"]

    def place(self, *where: int) -> tuple[int, ...]:
        named = dict(zip("BHNC", where, strict=True))
        return tuple(named[letter] for letter in self.text)

    def __getitem__(self, where: tuple[int, ...]) -> float:
        return float(self.array[self.place(*where)])


def attention(op: NpuOp, query: Array, key: Array, value: Array, mask: Array | None, made: Axes) -> Array:
    """The sum of values by the weight of each key, for one row of the query after the other."""
    assert isinstance(op, AttentionOp)
    q, k, v = Axes(op, "query", query), Axes(op, "key", key), Axes(op, "value", value)
    (batches, heads, rows, channels), (_, shared, keys, _) = q.sizes, k.sizes
    for b, h, n in product(range(batches), range(heads), range(rows)):
        group = h * shared // heads
        dots = (sum(q[b, h, n, c] * k[b, group, m, c] for c in range(channels)) for m in range(keys))
        scores = [op.scale.value.data * each for each in dots]
        if op.softcap is not None:
            cap = op.softcap.value.data
            scores = [cap * float(np.tanh(each / cap)) for each in scores]
        added = [0.0] * keys
        for m in range(keys):
            if mask is not None:
                where = tuple(0 if size == 1 else at for at, size in zip((b, h, n), mask.shape, strict=False))
                found: Any = mask[(*where, m)]
                added[m] = float(found) if mask.dtype != np.bool_ else 0.0 if found else -np.inf
            if op.causal is not None and m > n:
                added[m] = -np.inf
        total = [score + more for score, more in zip(scores, added, strict=True)]
        is_seen = any(more != -np.inf for more in added)
        powers = [float(np.exp(each - max(total))) if is_seen else 0.0 for each in total]
        for e in range(v.sizes[3]):
            weighted = sum(power * v[b, group, m, e] for m, power in enumerate(powers))
            made.array[made.place(b, h, n, e)] = weighted / sum(powers) if is_seen else 0.0
    return made.array


def rotary(op: NpuOp, x: Array, cos: Array, sin: Array, positions: Array | None, made: Axes) -> Array:
    """Each pair of channels turned by its angle."""
    assert isinstance(op, RotaryOp)
    given, angles = Axes(op, "input", x), cos.shape[-1]
    for b, h, n, c in product(*map(range, given.sizes)):
        made.array[made.place(b, h, n, c)] = given[b, h, n, c]
    for b, h, n, a in product(*map(range, given.sizes[:3]), range(angles)):
        where = (b, n, a) if positions is None else (int(positions[b, n]), a)
        first, second = (2 * a, 2 * a + 1) if op.interleaved is not None else (a, a + angles)
        one, other = given[b, h, n, first], given[b, h, n, second]
        made.array[made.place(b, h, n, first)] = one * float(cos[where]) - other * float(sin[where])
        made.array[made.place(b, h, n, second)] = one * float(sin[where]) + other * float(cos[where])
    return made.array


def by_elements(op: NpuOp, inputs: list[Array], result: Array) -> Array:
    one, two, three, last = (*inputs, None)[:4]
    assert one is not None
    assert two is not None
    assert three is not None
    made = Axes(op, "result", np.zeros(result.shape))
    found = (attention if isinstance(op, AttentionOp) else rotary)(op, one, two, three, last, made)
    return found.astype(result.dtype)


def sampled(op: type[NpuOp], seed: int) -> tuple[SampledOp, list[Array], Array]:
    given = sample(op, Random(seed))
    inputs = given.inputs(seed)
    (result,) = evaluate(given.op, inputs)
    return given, inputs, result


@pytest.mark.parametrize("op", OPS, ids=OPS.values())
def test_meaning(op: type[NpuOp]):
    orders = set[tuple[str, ...]]()
    for seed in seeds(80, 3000):
        given, inputs, result = sampled(op, seed)
        expected = by_elements(given.op, inputs, result)
        scale = magnitude([*inputs, result]) ** 2
        assert close(result, expected, element_type_of(given.op.results[0]), scale), f"seed {seed}: {given.op}"
        orders.add(tuple(str(given.op.properties.get(f"{name}_axes")) for name in given.op.LETTERED))
    assert len(orders) > 20


@pytest.mark.parametrize("op", OPS, ids=OPS.values())
def test_steps_compute_the_same(op: type[NpuOp]):
    compared = 0
    for seed in seeds(80, 3000):
        given, inputs, result = sampled(op, seed)
        assert isinstance(given.op, HeadsOp)
        block = given.op.in_steps()
        # Each step rounds floats of 16 bits.
        if block is None or element_type_of(given.op.result) == f16:
            continue
        known: dict[SSAValue, Array] = dict(zip(block.args, inputs, strict=True))
        for step in block.ops:
            assert isinstance(step, NpuOp)
            known.update(zip(step.results, evaluate(step, [known[each] for each in step.operands]), strict=True))
        assert block.last_op is not None
        found = known[block.last_op.results[0]]
        assert found.shape == result.shape
        scale = magnitude([*inputs, result]) ** 2
        assert close(found, result, element_type_of(given.op.results[0]), scale), f"seed {seed}: {given.op}"
        compared += 1
    assert compared > 40
