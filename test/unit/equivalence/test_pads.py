"""Pads of windows and pads that are ops of their own; proofs are compared with what is computed."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.interpreter import random_inputs, run
from support.campaign import amount, counted
from support.closeness import SUMS, are_close
from support.ir_text import parse_verified
from support.oracles.running import main_of
from xdsl.dialects.builtin import ModuleOp

SIZE, CHANNELS = 9, 4
KERNEL = "tensor<2x3x3x4xf32>"


def proves(first: ModuleOp, second: ModuleOp) -> bool:
    """True if two programs are proved equal; their numbers have to be."""
    verdict = compare(first, second, by_formulas=True).verdict
    inputs = random_inputs(main_of(first), 0)
    (one,), (other,) = (run(module, inputs=inputs) for module in (first, second))
    is_same = one.shape == other.shape and are_close(one, other, SUMS)
    assert verdict is not Verdict.PROVED or is_same
    return verdict is Verdict.PROVED


class Chain:
    """A program on an image, written op by op."""

    def __init__(self, batch: str = "2") -> None:
        self.batch, self.shape = batch, [SIZE, SIZE]
        self.begin = f"func.func @main(%x: {self.type()}, %w: {KERNEL}) -> "
        self.lines: list[str] = []

    def type(self, channels: int = CHANNELS) -> str:
        return f"tensor<{self.batch}x{'x'.join(map(str, self.shape))}x{channels}xf32>"

    def value(self) -> str:
        return f"%{len(self.lines)}" if self.lines else "%x"

    def add(self, text: str, shape: list[int], channels: int = CHANNELS, more: str = "") -> "Chain":
        """Add an op; the operand and its types follow the name."""
        name, _, rest = text.partition(" ")
        given, before = self.value(), self.type()
        self.shape = shape
        types = f"({before}{more and ', ' + KERNEL}) -> {self.type(channels)}"
        self.lines.append(f"%{len(self.lines) + 1} = {name} {given}{more} {rest} : {types}")
        return self

    def pad(self, low: int, high: int, mode: str = "") -> "Chain":
        text = f"npu.pad low = [0, {low}, {low}, 0] high = [0, {high}, {high}, 0] {mode}"
        return self.add(text, [size + low + high for size in self.shape])

    def cut(self, low: int, high: int) -> "Chain":
        """Cut elements off before and behind both axes of the image."""
        left = [size - low - high for size in self.shape]
        limits = f"9223372036854775807, {low + left[0]}, {low + left[1]}, {CHANNELS}"
        return self.add(f"npu.slice starts = [0, {low}, {low}, 0] limits = [{limits}]", left)

    def window(self, op: str, low: int = 0, high: int = 0, stride: int = 2, more: str = "") -> ModuleOp:
        """The program that ends with a window of 3x3."""
        sizes = [(size + low + high - 3) // stride + 1 for size in self.shape]
        text = f"strides = [{stride}, {stride}] pads = [{low}, {low}, {high}, {high}] {more} data_layout = <NHWC>"
        if op == "conv2d":
            self.add(f"npu.conv2d {text} kernel_layout = <OHWI>", sizes, 2, ", %w")
            return self.ended(2)
        self.add(f"npu.{op} window = [3, 3] {text}", sizes)
        return self.ended()

    def ended(self, channels: int = CHANNELS) -> ModuleOp:
        """The program that returns the last value."""
        type_ = self.type(channels)
        lines = "\n".join([*self.lines, f"func.return {self.value()} : {type_}"])
        return parse_verified(f"{self.begin}{type_} {{\n{lines}\n}}")


@pytest.mark.parametrize("batch", ["2", "?"])
@pytest.mark.parametrize(("op", "more"), [("conv2d", ""), ("avg_pool", "count_padding")])
def test_pads_of_a_window_may_be_an_op(batch: str, op: str, more: str):
    inside = Chain(batch).window(op, 1, 2, more=more)
    assert proves(inside, Chain(batch).pad(1, 2).window(op))
    assert proves(inside, Chain(batch).pad(1, 0).window(op, 0, 2, more=more))
    assert proves(Chain(batch).pad(0, 2).window(op, 1, 0, more=more), inside)
    assert not proves(inside, Chain(batch).pad(2, 1).window(op))


def test_pads_that_no_position_reaches_do_not_matter():
    """Of 9 + 1 + 1 elements positions with a stride of 3 reach 9, and of 9 + 2 + 1 all."""
    for op, more in (("conv2d", ""), ("avg_pool", "count_padding")):
        inside = Chain().window(op, 0, 2, 3, more)
        assert proves(inside, Chain().pad(0, 2).window(op, stride=3))
        assert proves(inside, Chain().window(op, stride=3))
        assert not proves(inside, Chain().window(op, 1, 1, 3, more))
    assert proves(Chain().pad(2, 2).window("conv2d", stride=2), Chain().window("conv2d", 2, 2, 2))
    assert proves(Chain().pad(2, 3).window("conv2d", stride=2), Chain().window("conv2d", 2, 2, 2))


def test_pads_are_added_and_cut_off():
    assert proves(Chain().pad(1, 2).pad(2, 0).ended(), Chain().pad(3, 2).ended())
    assert proves(Chain().pad(3, 3).cut(1, 2).ended(), Chain().pad(2, 1).ended())
    assert proves(Chain().pad(3, 3).cut(3, 3).ended(), Chain().pad(0, 0).ended())
    assert not proves(Chain().pad(3, 3).cut(1, 2).ended(), Chain().pad(1, 2).ended())
    every_second = "npu.slice starts = [0, 0, 0, 0] limits = [2, 18, 18, 4] steps = [1, 2, 2, 1]"
    assert not proves(Chain().pad(0, 9).add(every_second, [SIZE, SIZE]).ended(), Chain().pad(0, 0).ended())
    assert not proves(Chain().pad(1, 1).cut(2, 0).ended(), Chain().pad(0, 1).cut(0, 1).ended())


def test_only_zeros_are_pads_of_a_window():
    assert not proves(Chain().window("conv2d", 1, 1), Chain().pad(1, 1, "value = 1.0").window("conv2d"))
    assert not proves(Chain().window("conv2d", 1, 1), Chain().pad(1, 1, 'mode = "edge"').window("conv2d"))
    assert not proves(Chain().window("max_pool", 1, 1), Chain().pad(1, 1).window("max_pool"))
    assert not proves(Chain().window("avg_pool", 1, 1), Chain().pad(1, 1).window("avg_pool"))
    ones = Chain().pad(1, 1, "value = 1.0").pad(1, 1).ended()
    assert not proves(ones, Chain().pad(2, 2).ended())
    assert not proves(ones, Chain().pad(2, 2, "value = 1.0").ended())
    for mode in ('mode = "edge"', 'mode = "reflect"'):
        assert not proves(Chain().pad(1, 1, mode).pad(1, 1).ended(), Chain().pad(2, 2, mode).ended())


def random_chain(random: Random, batch: str) -> ModuleOp:
    chain = Chain(batch)
    for _ in range(random.randrange(3)):
        low, high = random.randrange(3), random.randrange(3)
        if random.random() < 0.4 and min(chain.shape) > low + high + 2:
            chain.cut(low, high)
        else:
            chain.pad(low, high, random.choice(["", "", "", "value = 1.0", 'mode = "edge"']))
    if random.random() < 0.3:
        return chain.ended()
    op = random.choice(["conv2d", "avg_pool", "max_pool"])
    more = random.choice(["", "count_padding"]) if op == "avg_pool" else ""
    return chain.window(op, random.randrange(3), random.randrange(3), random.choice([1, 2, 3]), more)


def problems(seed: int, tally: Counter[str]) -> list[str]:
    """Random programs in pairs, of which few are equal: those that are proved have to be."""
    random = Random(seed)
    made = [random_chain(random, "2?"[seed % 2]) for _ in range(12)]
    found: list[str] = []
    for first, second in combinations(made, 2):
        if main_of(first).function_type != main_of(second).function_type:
            continue
        tally["pairs"] += 1
        try:
            tally["proved"] += proves(first, second)
        except AssertionError:
            found.append(f"{first}\n{second}")
    return found


def test_random_pads(capsys: pytest.CaptureFixture[str]):
    assert counted(problems, range(amount(30, 5000)), 50, capsys)["proved"] > 20
