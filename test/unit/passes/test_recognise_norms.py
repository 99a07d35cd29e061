"""Recognised norms compute the same as the formulas that they replace."""

import random
from itertools import product
from typing import Any

import numpy as np
import pytest
from npu_opt.dialects.npu.normalization import GroupNormOp, InstanceNormOp, LayerNormOp, NormalizationOp, RmsNormOp
from npu_opt.interpreter import run
from npu_opt.passes.recognise_norms import RecogniseNorms
from numpy.typing import NDArray
from support.closeness import DOUBLE, assert_close
from support.ir_text import parse
from support.oracles.running import main_of
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

Array = NDArray[Any]


def recognised(module: ModuleOp) -> ModuleOp:
    result = module.clone()
    RecogniseNorms().apply(Context(), result)
    result.verify()
    return result


def argument(module: ModuleOp) -> SSAValue:
    return main_of(module).body.block.args[0]


def norms(module: ModuleOp) -> list[type[NormalizationOp]]:
    return [type(op) for op in module.walk() if isinstance(op, NormalizationOp)]


def check_numbers(before: ModuleOp, after: ModuleOp, *inputs: Array) -> None:
    """In f64, so that only mistakes exceed the tolerance."""
    expected, found = run(before, "main", [*inputs]), run(after, "main", [*inputs])
    for left, right in zip(expected, found, strict=True):
        assert_close(left, right, DOUBLE)


def text_of(shape: tuple[int, ...]) -> str:
    return f"tensor<{'x'.join(map(str, (*shape, 'f64')))}>"


def dense(numbers: Array) -> str:
    return f"npu.constant dense<{numbers.tolist()}> : {text_of(numbers.shape)}"


SQUARES = ["npu.mul %d, %d : ({x}, {x})", "npu.pow %d, %two : ({x}, tensor<f64>)"]
QUOTIENTS = [
    "%r = npu.sqrt %e : {m}\n%y = npu.div %d, %r : ({x}, {m}) -> {x}",
    "%r = npu.rsqrt %e : {m}\n%y = npu.mul %d, %r : ({x}, {m}) -> {x}",
    "%q = npu.sqrt %e : {m}\n%r = npu.reciprocal %q : {m}\n%y = npu.mul %r, %d : ({m}, {x}) -> {x}",
]
CENTRES = ["%c = npu.reduce_mean %x axes = {axes} keep : ({x}) -> {m}\n%d = npu.sub %x, %c : ({x}, {m}) -> {x}", ""]


@pytest.mark.parametrize(("square", "quotient", "centre"), [*product(SQUARES, QUOTIENTS, CENTRES)])
@pytest.mark.parametrize("axes", [[0], [1, 2], [2, 0], [0, 1, 2]])
def test_every_way_to_write_the_formula(square: str, quotient: str, centre: str, axes: list[int]):
    shape = (3, 4, 5)
    x, m = text_of(shape), text_of(tuple(1 if axis in axes else size for axis, size in enumerate(shape)))
    body = f"""{centre}
      %two = npu.constant dense<2.0> : tensor<f64>
      %epsilon = npu.constant dense<0.125> : tensor<1xf64>
      %s = {square} -> {{x}}
      %v = npu.reduce_mean %s axes = {{axes}} keep : ({{x}}) -> {{m}}
      %e = npu.add %v, %epsilon : ({{m}}, tensor<1xf64>) -> {{m}}
      {quotient}"""
    body = body.format(x=x, m=m, axes=axes)
    if not centre:
        body = body.replace("%d", "%x")
    module = parse(f"func.func @main(%x: {x}) -> {x} {{\n{body}\nfunc.return %y : {x}\n}}")
    after = recognised(module)
    assert norms(after) == [LayerNormOp if centre else RmsNormOp]
    assert len(list(after.walk())) == 4
    check_numbers(module, after, np.random.default_rng(0).normal(size=shape))


@pytest.mark.parametrize("seed", range(60))
def test_groups_between_reshapes(seed: int):
    """Any number of groups and positions, and any scale and bias."""
    rng, numbers = random.Random(seed), np.random.default_rng(seed)
    batch, groups, each = rng.choice([1, 2, 3]), rng.choice([1, 2, 4]), rng.choice([1, 2, 3])
    places = tuple(rng.choice([1, 2, 3]) for _ in range(rng.choice([1, 2])))
    if each == max(places) == 1:
        # There would be nothing to normalise.
        places = (2,)
    shape, count = (batch, groups * each, *places), each * int(np.prod(places))
    inner = (batch, groups, count) if rng.random() < 0.5 else (batch, groups, each, *places)
    scale, bias = (np.ones(groups), np.zeros(groups)) if rng.random() < 0.5 else (numbers.normal(size=(2, groups)))
    channels = (1, groups * each, *[1] * len(places))
    x, r, v, c = map(text_of, (shape, inner, (groups,), channels))
    module = parse(f"""func.func @main(%x: {x}) -> {x} {{
      %s = {dense(scale)}
      %b = {dense(bias)}
      %scale = {dense(numbers.normal(size=channels))}
      %bias = {dense(numbers.normal(size=channels))}
      %in = npu.reshape %x : ({x}) -> {r}
      %n = npu.instance_norm %in, %s, %b axis = 1 axes = {[*range(2, len(inner))]} epsilon = 0.125
        : ({r}, {v}, {v}) -> {r}
      %out = npu.reshape %n : ({r}) -> {x}
      %p = npu.mul %out, %scale : ({x}, {c}) -> {x}
      %y = npu.add %bias, %p : ({c}, {x}) -> {x}
      func.return %y : {x}
    }}""")
    after = recognised(module)
    if inner != shape:
        expected = {GroupNormOp, LayerNormOp} if each > 1 else {InstanceNormOp, LayerNormOp}
        assert set(norms(after)) <= expected
        assert [type(use.operation) in expected for use in argument(after).uses] == [True]
    check_numbers(module, after, numbers.normal(size=shape))
    assert str(recognised(after)) == str(after)


@pytest.mark.parametrize("seed", range(200))
def test_random_reshapes_around_a_norm(seed: int):
    """Only equal computations are recognised: any reshape, any axes, compared by numbers."""
    rng, numbers = random.Random(seed), np.random.default_rng(seed)
    factors = [rng.choice([1, 2, 2, 3]) for _ in range(5)]
    shape, inner = random_cut(rng, factors), random_cut(rng, factors)
    axes = sorted(rng.sample(range(len(inner)), rng.randint(1, len(inner))))
    x, r = text_of(shape), text_of(inner)
    free = [axis for axis in range(len(inner)) if axis not in axes]
    if free and rng.random() < 0.7:
        axis = rng.choice(free)
        vector = text_of(inner[axis : axis + 1])
        norm = f"npu.instance_norm %in, %s, %b axis = {axis} axes = {axes} : ({r}, {vector}, {vector}) -> {r}"
        scale, bias = numbers.normal(size=(2, inner[axis]))
    else:
        norm = f"npu.layer_norm %in axes = {axes} : {r}"
        scale, bias = np.ones(1), np.zeros(1)
    module = parse(f"""func.func @main(%x: {x}) -> {x} {{
      %s = {dense(scale)}
      %b = {dense(bias)}
      %in = npu.reshape %x : ({x}) -> {r}
      %n = {norm}
      %y = npu.reshape %n : ({r}) -> {x}
      func.return %y : {x}
    }}""")
    check_numbers(module, recognised(module), numbers.normal(size=shape))


def random_cut(rng: random.Random, factors: list[int]) -> tuple[int, ...]:
    """A shape with as many elements as the product of these factors."""
    shape = [1]
    for factor in factors:
        if rng.random() < 0.5:
            shape.append(factor)
        else:
            shape[-1] *= factor
    return tuple(shape)


def test_each_norm_has_one_scale_and_one_bias():
    x, v = "tensor<4x8xf64>", "tensor<1x8xf64>"
    rng = np.random.default_rng(0)
    constants = "\n".join(f"%k{place} = {dense(rng.normal(size=(1, 8)))}" for place in range(5))
    module = parse(f"""func.func @main(%x: {x}) -> {x} {{
      {constants}
      %n = npu.layer_norm %x axes = [1] : {x}
      %a = npu.mul %n, %k0 : ({x}, {v}) -> {x}
      %b = npu.mul %a, %k1 : ({x}, {v}) -> {x}
      %m = npu.layer_norm %b axes = [1] : {x}
      %c = npu.add %m, %k2 : ({x}, {v}) -> {x}
      %d = npu.add %c, %k3 : ({x}, {v}) -> {x}
      %y = npu.mul %d, %k4 : ({x}, {v}) -> {x}
      func.return %y : {x}
    }}""")
    after = recognised(module)
    assert len(list(after.walk())) == len(list(module.walk())) - 2
    check_numbers(module, after, rng.normal(size=(4, 8)))


def test_cubes_are_no_squares():
    x, m = "tensor<4x8xf64>", "tensor<4x1xf64>"
    module = parse(f"""func.func @main(%x: {x}) -> {x} {{
      %three = npu.constant dense<3.0> : tensor<f64>
      %epsilon = npu.constant dense<9.0> : tensor<f64>
      %s = npu.pow %x, %three : ({x}, tensor<f64>) -> {x}
      %v = npu.reduce_mean %s axes = [1] keep : ({x}) -> {m}
      %e = npu.add %v, %epsilon : ({m}, tensor<f64>) -> {m}
      %r = npu.sqrt %e : {m}
      %y = npu.div %x, %r : ({x}, {m}) -> {x}
      func.return %y : {x}
    }}""")
    assert str(recognised(module)) == str(module)


def test_means_along_other_axes_are_no_layer_norm():
    x, m = "tensor<4x4xf64>", "tensor<4x1xf64>"
    module = parse(f"""func.func @main(%x: {x}) -> {x} {{
      %epsilon = npu.constant dense<0.5> : tensor<f64>
      %c = npu.reduce_mean %x axes = [0, 1] keep : ({x}) -> tensor<1x1xf64>
      %d = npu.sub %x, %c : ({x}, tensor<1x1xf64>) -> {x}
      %s = npu.mul %d, %d : {x}
      %v = npu.reduce_mean %s axes = [1] keep : ({x}) -> {m}
      %e = npu.add %v, %epsilon : ({m}, tensor<f64>) -> {m}
      %r = npu.sqrt %e : {m}
      %y = npu.div %d, %r : ({x}, {m}) -> {x}
      func.return %y : {x}
    }}""")
    after = recognised(module)
    assert norms(after) == [RmsNormOp]
    check_numbers(module, after, np.random.default_rng(0).normal(size=(4, 4)))


@pytest.mark.parametrize(("dims", "undoes"), [("[@in0, ?, 4]", True), ("[?, @in0, 4]", False)])
def test_unknown_sizes_keep_their_positions(dims: str, undoes: bool):
    """The type is the same both ways, but in one of them the two unknown sizes are swapped."""
    x, r = "tensor<?x?x4xf64>", "tensor<?x?xf64>"
    module = parse(f"""func.func @main(%x: {x}) -> {x} {{
      %in = npu.reshape %x dims = [@in0, ?] : ({x}) -> {r}
      %n = npu.layer_norm %in axes = [1] : {r}
      %y = npu.reshape %n dims = {dims} : ({r}) -> {x}
      func.return %y : {x}
    }}""")
    after = recognised(module)
    assert ("npu.reshape" in str(after)) is not undoes
    check_numbers(module, after, np.random.default_rng(0).normal(size=(2, 3, 4)))


def test_long_chains():
    norm = "npu.layer_norm %{} axes = [1] : (tensor<2x3xf64>) -> tensor<2x3xf64>"
    lines = [f"%{number + 1} = {norm.format(number)}" for number in range(3000)]
    body = "\n".join(lines)
    module = parse(
        f"func.func @main(%0: tensor<2x3xf64>) -> tensor<2x3xf64> {{\n{body}\nfunc.return %3000 : tensor<2x3xf64>\n}}"
    )
    assert len(norms(recognised(module))) == 3000
