"""Shuffles are found wherever they are, move no more bytes than before, and compute the same."""

from math import prod
from random import Random

import numpy as np
import pytest
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.interpreter import random_inputs, run
from npu_opt.passes.common.moves.gathers import cost_of_gathers
from npu_opt.passes.common.moves.transpose_cost import cost_of_program
from npu_opt.passes.recognise_shuffles import RecogniseShuffles
from support.campaign import amount
from support.closeness import FEW_STEPS_NEAR_ZERO, assert_close
from support.ir_text import parse
from support.oracles.running import main_of
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp


def recognised(module: ModuleOp) -> ModuleOp:
    result = module.clone()
    RecogniseShuffles().apply(Context(), result)
    result.verify()
    return result


def shape_type(*shape: int) -> str:
    return f"tensor<{'x'.join(map(str, shape))}xf32>"


def numbers(random: Random, *shape: int) -> str:
    """A constant with different elements."""
    return str(np.array([random.random() for _ in range(prod(shape))]).reshape(shape).tolist())


def program(random: Random) -> str:
    """Some of: a convolution, a relu, a shuffle of any pieces, a relu, a convolution, another user."""
    sizes = [random.choice((1, 2, 3)) for _ in range(random.choice((2, 3)))]
    channels, is_last = prod(sizes), random.random() < 0.5
    data = "NHWC" if is_last else "NCHW"

    def image(*pieces: int) -> str:
        return shape_type(1, 2, 3, *pieces) if is_last else shape_type(1, *pieces, 2, 3)

    plain = image(channels)
    lines: list[str] = []

    def convolution(name: str, operand: str, groups: int) -> None:
        kernel, bias = (channels, channels // groups, 1, 1), (channels,)
        lines.append(f"%k{name} = npu.constant dense<{numbers(random, *kernel)}> : {shape_type(*kernel)}")
        lines.append(f"%b{name} = npu.constant dense<{numbers(random, *bias)}> : {shape_type(*bias)}")
        lines.append(
            f"%{name} = npu.conv2d {operand}, %k{name}, %b{name} groups = {groups} data_layout = <{data}>"
            f" kernel_layout = <OIHW> : ({plain}, {shape_type(*kernel)}, {shape_type(*bias)}) -> {plain}"
        )

    def relu(name: str, operand: str) -> None:
        lines.append(f"%{name} = npu.relu {operand} : {plain}")

    value = "%x"
    if random.random() < 0.5:
        convolution("c", value, random.choice((1, channels)))
        value = "%c"
    if random.random() < 0.5:
        relu("d", value)
        value = "%d"
    order = random.sample(range(len(sizes)), len(sizes))
    first = 3 if is_last else 1
    rank = 3 + len(sizes)
    permutation = [*range(first), *(first + each for each in order), *range(first + len(sizes), rank)]
    turned = image(*(sizes[each] for each in order))
    lines.append(f"%p = npu.reshape {value} : ({plain}) -> {image(*sizes)}")
    lines.append(f"%q = npu.transpose %p permutation = {permutation} : ({image(*sizes)}) -> {turned}")
    lines.append(f"%s = npu.reshape %q : ({turned}) -> {plain}")
    relu("e", "%s")
    results = ["%e"]
    if random.random() < 0.6:
        convolution("f", "%e", random.choice((1, channels)))
        results = ["%f"]
    if random.random() < 0.3:
        results.append(random.choice(("%s", value)))
    types = ", ".join([plain] * len(results))
    body = "\n".join(lines)
    return f"func.func @main(%x: {plain}) -> ({types}) {{\n{body}\nfunc.return {', '.join(results)} : {types}\n}}"


@pytest.mark.parametrize("seed", range(amount(12, 1500)))
def test_random_programs(seed: int):
    module = parse(program(Random(seed)))
    found = recognised(module)
    assert compare(module, found).verdict is Verdict.PROVED
    before, after = cost_of_program(module), cost_of_program(found)
    assert after.transposes == 0
    assert cost_of_gathers(found).bytes <= before.bytes
    assert str(recognised(found)) == str(found)
    inputs = random_inputs(main_of(module), seed)
    for one, other in zip(run(module, "main", inputs), run(found, "main", inputs), strict=True):
        assert_close(one, other, FEW_STEPS_NEAR_ZERO)


def gather(indices: list[int]) -> ModuleOp:
    return parse(f"""func.func @main(%x: tensor<2x6xf32>) -> tensor<2x6xf32> {{
      %i = npu.constant dense<{indices}> : tensor<6xi64>
      %y = npu.gather %x, %i axis = 1 : (tensor<2x6xf32>, tensor<6xi64>) -> tensor<2x6xf32>
      func.return %y : tensor<2x6xf32>
    }}""")


def test_the_proof_knows_gathers_that_permute_pieces():
    shuffle = parse("""func.func @main(%x: tensor<2x6xf32>) -> tensor<2x6xf32> {
      %a = npu.reshape %x : (tensor<2x6xf32>) -> tensor<2x2x3xf32>
      %b = npu.transpose %a permutation = [0, 2, 1] : (tensor<2x2x3xf32>) -> tensor<2x3x2xf32>
      %c = npu.reshape %b : (tensor<2x3x2xf32>) -> tensor<2x6xf32>
      func.return %c : tensor<2x6xf32>
    }""")
    assert compare(shuffle, gather([0, 3, 1, 4, 2, 5])).verdict is Verdict.PROVED
    assert compare(shuffle, gather([0, -3, 1, -2, 2, -1])).verdict is Verdict.PROVED
    for other in ([0, 2, 4, 1, 3, 5], [0, 3, 1, 4, 5, 2], [0, 3, 1, 4, 2, 2], [0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0]):
        assert compare(shuffle, gather(other)).verdict is not Verdict.PROVED
    assert compare(gather([0, 1, 2, 3, 4, 5]), gather([0, 1, 2, 3, -2, 5])).verdict is Verdict.PROVED
    # No permutation of pieces: an op like any other, whose indices are compared by their numbers.
    assert compare(gather([1, 0, 2, 3, 4, 5]), gather([1, 0, 2, 3, 4, 5])).verdict is Verdict.PROVED
    assert compare(gather([1, 0, 2, 3, 4, 5]), gather([0, 1, 2, 3, 5, 4])).verdict is not Verdict.PROVED


def test_the_proof_knows_constants_with_pieces_in_another_order():
    def constant(elements: str) -> ModuleOp:
        return parse(f"""func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
          %k = npu.constant dense<{elements}> : tensor<4xf32>
          %a = npu.reshape %k : (tensor<4xf32>) -> tensor<2x2xf32>
          %b = npu.transpose %a permutation = [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
          %c = npu.reshape %b : (tensor<2x2xf32>) -> tensor<4xf32>
          %y = npu.add %x, %c : tensor<4xf32>
          %z = npu.mul %y, %k : tensor<4xf32>
          func.return %z : tensor<4xf32>
        }}""")

    def folded(elements: str, turned: str) -> ModuleOp:
        return parse(f"""func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
          %k = npu.constant dense<{elements}> : tensor<4xf32>
          %c = npu.constant dense<{turned}> : tensor<4xf32>
          %y = npu.add %x, %c : tensor<4xf32>
          %z = npu.mul %y, %k : tensor<4xf32>
          func.return %z : tensor<4xf32>
        }}""")

    whole = "[1.0, 2.0, 3.0, 4.0]"
    assert compare(constant(whole), folded(whole, "[1.0, 3.0, 2.0, 4.0]")).verdict is Verdict.PROVED
    assert compare(folded(whole, "[1.0, 3.0, 2.0, 4.0]"), constant(whole)).verdict is Verdict.PROVED
    assert compare(constant(whole), folded(whole, "[1.0, 3.0, 4.0, 2.0]")).verdict is not Verdict.PROVED
