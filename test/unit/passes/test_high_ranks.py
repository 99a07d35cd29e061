"""Values of more axes than can be re-ordered, beside others: every strategy and target keeps them, with a proof."""

from math import prod
from pathlib import Path
from random import Random
from typing import get_args

import npu_opt
import pytest
from npu_opt.api.optimizing import Strategy
from npu_opt.layout import MAX_RANK, permute

PROGRAMS = 8
TARGETS = ("opu", "litert", "onnx", "ort-nchwc", "plover", "ethos-u55")
TWO_TRANSPOSES = """func.func @main(%x: tensor<2x3x2x2x3x2x2xf32>) -> tensor<2x3x2x2x3x2x2xf32> {
  %a = npu.transpose %x permutation = [6, 0, 1, 2, 3, 4, 5] : (tensor<2x3x2x2x3x2x2xf32>) -> tensor<2x2x3x2x2x3x2xf32>
  %b = npu.transpose %a permutation = [1, 2, 3, 0, 4, 5, 6] : (tensor<2x2x3x2x2x3x2xf32>) -> tensor<2x3x2x2x2x3x2xf32>
  %c = npu.transpose %b permutation = [0, 1, 2, 3, 5, 4, 6] : (tensor<2x3x2x2x2x3x2xf32>) -> tensor<2x3x2x2x3x2x2xf32>
  func.return %c : tensor<2x3x2x2x3x2x2xf32>
}
"""


def program(seed: int) -> str:
    """A chain of transposes, reshapes and elementwise ops of ranks up to 8, with a convolution at its end."""
    rng = Random(seed)
    lines: list[str] = []
    shape = [2, 3, 2, 2, 1, 4, 3, 2][: rng.randint(MAX_RANK + 1, 8)]
    rng.shuffle(shape)
    given, name = type_of(shape), "%x"
    for number in range(rng.randint(2, 6)):
        before, result = type_of(shape), f"%v{number}"
        match rng.choice(("transpose", "transpose", "reshape", "relu")):
            case "transpose":
                order = rng.sample(range(len(shape)), len(shape))
                shape = list(permute(shape, tuple(order)))
                op = f"npu.transpose {name} permutation = {order}"
            case "reshape":
                shape = reshaped(rng, shape)
                op = f"npu.reshape {name}"
            case _:
                op = f"npu.relu {name}"
        lines.append(f"  {result} = {op} : ({before}) -> {type_of(shape)}")
        name = result
    image = [prod(shape) // 24, 2, 4, 3]
    lines += [
        f"  %image = npu.reshape {name} : ({type_of(shape)}) -> {type_of(image)}",
        "  %w = npu.constant dense<0.5> : tensor<2x2x1x1xf32>",
        "  %c = npu.conv2d %image, %w data_layout = <NCHW> kernel_layout = <OIHW>",
        f"    : ({type_of(image)}, tensor<2x2x1x1xf32>) -> {type_of(image)}",
    ]
    results = f"{type_of(shape)}, {type_of(image)}"
    body = "\n".join(lines)
    return f"func.func @main(%x: {given}) -> ({results}) {{\n{body}\n  func.return {name}, %c : {results}\n}}\n"


def type_of(shape: list[int]) -> str:
    return f"tensor<{'x'.join(map(str, shape))}xf32>"


def reshaped(rng: Random, shape: list[int]) -> list[int]:
    """The shape with two neighbours merged, or with an axis of one element more."""
    place = rng.randrange(len(shape) - 1)
    if rng.random() < 0.5 and len(shape) < 8:
        return [*shape[:place], 1, *shape[place:]]
    return [*shape[:place], shape[place] * shape[place + 1], *shape[place + 2 :]]


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_values_of_many_axes_keep_their_order(tmp_path: Path, seed: int) -> None:
    file = tmp_path / "model.mlir"
    file.write_text(program(seed))
    for target in TARGETS:
        for strategy in get_args(Strategy):
            result = npu_opt.optimize(file, target=target, strategy=strategy)
            assert npu_opt.check(file, result), (target, strategy)


def test_two_transposes_of_many_axes_become_one(tmp_path: Path) -> None:
    file = tmp_path / "model.mlir"
    file.write_text(TWO_TRANSPOSES)
    result = npu_opt.optimize(file, target="litert")
    assert npu_opt.check(file, result)
    assert result.transposes == 1
