"""Channels in other orders: programs that pick and join them compute the same, are proved equal, and move no more."""

from math import prod
from random import Random

import numpy as np
import pytest
from npu_opt.dialects.npu.convolution import ForwardConvolutionOp
from npu_opt.dialects.npu.movement import ConcatOp, GatherOp, SliceOp, SplitOp
from npu_opt.dialects.npu.shape import TransposeOp
from npu_opt.dialects.npu.source import written_integers
from npu_opt.dialects.npu.values import shape_of
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.interpreter import random_inputs, run
from npu_opt.passes.patterns.folded import is_known
from npu_opt.passes.recognise_shuffles import RecogniseShuffles
from support.campaign import amount
from support.closeness import FEW_STEPS_NEAR_ZERO, are_close, assert_close
from support.ir_text import parse
from support.oracles.running import main_of
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp


def absorbed(module: ModuleOp, zeros: bool) -> ModuleOp:
    result = module.clone()
    RecogniseShuffles(absorb=True, zeros=zeros).apply(Context(), result)
    result.verify()
    return result


def type_of(*shape: int) -> str:
    return f"tensor<{'x'.join(map(str, shape))}xf64>"


class Drawing:
    """A program of random ops on images of a few channels."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._is_last = random.random() < 0.3
        self._values: list[tuple[str, int]] = [("%x", 6)]
        self._lines: list[str] = []

    def image(self, channels: int) -> str:
        return type_of(1, 2, 3, channels) if self._is_last else type_of(1, channels, 2, 3)

    def program(self) -> str:
        for _ in range(self._random.randint(4, 14)):
            value = self._random.choice([each for each in self._values if each[1]][-4:])
            kind = self._random.choice(
                (
                    *(self._convolve, self._convolve, self._relu, self._gather, self._shuffle, self._split),
                    *(self._slice, self._join, self._join, self._scale, self._each, self._add),
                    *(self._add_convolved, self._weigh),
                )
            )
            kind(*value)
        if self._random.random() < 0.7 and self._values[-1][1]:
            self._convolve(*self._values[-1])
        return self._returned()

    def units(self) -> str:
        """Units as in ShuffleNet v2: half of the channels go on, the others are convolved, and all are mixed."""
        for _ in range(2):
            self._kernel("%x", 6, 6, 1)
        (one, size), (other, _) = self._values[-2:]
        for _ in range(self._random.randint(1, 3)):
            self._concat(one, size, other, size)
            self._random.choice((self._gather, self._shuffle))(*self._values[-1])
            self._split(*self._values[-1])
            (one, _), (worked, _) = self._values[-2:]
            self._kernel(worked, size, size, 1)
            self._random.choice((self._relu, self._add_convolved, self._weigh))(*self._values[-1])
            other = self._values[-1][0]
        self._concat(one, size, other, size)
        self._kernel(*self._values[-1], 6, 1)
        return self._returned()

    def _returned(self) -> str:
        results = [self._values[-1], *self._random.sample(self._values, self._random.choice((0, 0, 1)))]
        types = ", ".join(self.image(channels) for _, channels in results)
        names = ", ".join(name for name, _ in results)
        body = "\n".join(self._lines)
        return f"func.func @main(%x: {self.image(6)}) -> ({types}) {{\n{body}\nfunc.return {names} : {types}\n}}"

    @property
    def _axis(self) -> int:
        return 3 if self._is_last else 1

    def _new(self, channels: int) -> str:
        self._values.append((f"%v{len(self._values)}", channels))
        return self._values[-1][0]

    def _constant(self, *shape: int) -> tuple[str, str]:
        name = f"%c{len(self._lines)}"
        numbers = np.array([self._random.uniform(-1, 1) for _ in range(prod(shape))]).reshape(shape).tolist()
        self._lines.append(f"{name} = npu.constant dense<{numbers}> : {type_of(*shape)}")
        return name, type_of(*shape)

    def _kernel(self, value: str, channels: int, outputs: int, groups: int) -> None:
        kernel, type_ = self._constant(outputs, channels // groups, 1, 1)
        operands, types = [value, kernel], [self.image(channels), type_]
        if self._random.random() < 0.5:
            bias, type_ = self._constant(outputs)
            operands, types = [*operands, bias], [*types, type_]
        data = "NHWC" if self._is_last else "NCHW"
        self._lines.append(
            f"{self._new(outputs)} = npu.conv2d {', '.join(operands)} groups = {groups} data_layout = <{data}>"
            f" kernel_layout = <OIHW> : ({', '.join(types)}) -> {self.image(outputs)}"
        )

    def _convolve(self, value: str, channels: int) -> None:
        groups = self._random.choice([each for each in (1, 1, 1, 2, 3) if channels % each == 0])
        self._kernel(value, channels, self._random.choice((6, 12)), groups)

    def _each(self, value: str, channels: int) -> None:
        self._kernel(value, channels, channels, channels)

    def _relu(self, value: str, channels: int) -> None:
        self._lines.append(f"{self._new(channels)} = npu.relu {value} : {self.image(channels)}")

    def _add(self, value: str, channels: int) -> None:
        other = self._random.choice([name for name, count in self._values if count == channels])
        self._lines.append(f"{self._new(channels)} = npu.add {value}, {other} : {self.image(channels)}")

    def _add_convolved(self, value: str, channels: int) -> None:
        """The sum of a value and of one that is computed from it."""
        self._kernel(value, channels, channels, 1)
        one, other = self._random.sample([value, self._values[-1][0]], 2)
        self._binary("add", one, other, channels, self.image(channels))

    def _weigh(self, value: str, channels: int) -> None:
        """Squeeze and excite: a value times a number for each channel, which is computed from it."""
        few, one = (
            self._random.choice((1, 2)),
            type_of(1, 1, 1, channels) if self._is_last else type_of(1, channels, 1, 1),
        )
        data = "NHWC" if self._is_last else "NCHW"
        types = f"({self.image(channels)}) -> {one}"
        self._lines.append(f"%p{len(self._lines)} = npu.global_avg_pool {value} data_layout = <{data}> : {types}")
        pooled = f"%p{len(self._lines) - 1}"
        for outputs, inputs in ((few, channels), (channels, few)):
            kernel, type_ = self._constant(outputs, inputs, 1, 1)
            before, after = (
                type_of(1, 1, 1, count) if self._is_last else type_of(1, count, 1, 1) for count in (inputs, outputs)
            )
            self._lines.append(
                f"%p{len(self._lines)} = npu.conv2d {pooled}, {kernel} data_layout = <{data}>"
                f" kernel_layout = <OIHW> : ({before}, {type_}) -> {after}"
            )
            pooled = f"%p{len(self._lines) - 1}"
        self._binary("mul", value, pooled, channels, one)

    def _binary(self, op: str, one: str, other: str, channels: int, type_: str) -> None:
        image = self.image(channels)
        self._lines.append(f"{self._new(channels)} = npu.{op} {one}, {other} : ({image}, {type_}) -> {image}")

    def _scale(self, value: str, channels: int) -> None:
        shape = (1, 1, 1, channels) if self._is_last else (1, channels, 1, 1)
        factor, type_ = self._constant(*shape)
        image = self.image(channels)
        self._lines.append(f"{self._new(channels)} = npu.mul {value}, {factor} : ({image}, {type_}) -> {image}")

    def _gather(self, value: str, channels: int) -> None:
        places = self._random.sample(range(channels), channels)
        if self._random.random() < 0.2:
            places = [self._random.randrange(-channels, channels) for _ in places]
        self._lines.append(f"%c{len(self._lines)} = npu.constant dense<{places}> : tensor<{channels}xi64>")
        types = f"({self.image(channels)}, tensor<{channels}xi64>) -> {self.image(channels)}"
        indices = f"%c{len(self._lines) - 1}"
        self._lines.append(f"{self._new(channels)} = npu.gather {value}, {indices} axis = {self._axis} : {types}")

    def _shuffle(self, value: str, channels: int) -> None:
        groups = self._random.choice([each for each in (2, 3) if channels % each == 0] or [1])
        before, behind = ([1, 2, 3], []) if self._is_last else ([1], [2, 3])
        split, turned = (
            type_of(*before, *pieces, *behind)
            for pieces in ((groups, channels // groups), (channels // groups, groups))
        )
        axis, name = len(before), f"%s{len(self._lines)}"
        order = [*range(axis), axis + 1, axis, *range(axis + 2, 5)]
        self._lines.append(f"{name} = npu.reshape {value} : ({self.image(channels)}) -> {split}")
        self._lines.append(f"{name}t = npu.transpose {name} permutation = {order} : ({split}) -> {turned}")
        self._lines.append(f"{self._new(channels)} = npu.reshape {name}t : ({turned}) -> {self.image(channels)}")

    def _split(self, value: str, channels: int) -> None:
        half = channels // 2
        sizes = [half, channels - half]
        names = ", ".join(map(self._new, sizes))
        types = ", ".join(map(self.image, sizes))
        self._lines.append(
            f"{names} = npu.split {value} axis = {self._axis} sizes = {sizes} : ({self.image(channels)}) -> ({types})"
        )

    def _slice(self, value: str, channels: int) -> None:
        step = self._random.choice((1, 2))
        start = self._random.randrange(max(channels // 2, 1))
        sizes = [1, 2, 3, channels] if self._is_last else [1, channels, 2, 3]
        starts, steps = [0] * 4, [1] * 4
        starts[self._axis], steps[self._axis] = start, step
        left = len(range(start, channels, step))
        self._lines.append(
            f"{self._new(left)} = npu.slice {value} starts = {starts} limits = {sizes} steps = {steps}"
            f" : ({self.image(channels)}) -> {self.image(left)}"
        )

    def _join(self, value: str, channels: int) -> None:
        self._concat(value, channels, *self._random.choice(self._values))

    def _concat(self, value: str, channels: int, other: str, count: int) -> None:
        types = f"({self.image(channels)}, {self.image(count)}) -> {self.image(channels + count)}"
        name = self._new(channels + count)
        self._lines.append(f"{name} = npu.concat {value}, {other} axis = {self._axis} : {types}")


def moved(module: ModuleOp) -> int:
    """The elements of all results of ops that pick and join what a program computes."""
    ops = (ConcatOp, GatherOp, SliceOp, SplitOp, TransposeOp)
    picked = [op for op in module.walk() if isinstance(op, ops) and not is_known(op.results[0])]
    return sum(prod(shape_of(each)) for op in picked for each in op.results if each.uses)


@pytest.mark.parametrize("zeros", [False, True])
@pytest.mark.parametrize("seed", range(amount(25, 4000)))
def test_random_programs(seed: int, zeros: bool):
    check_absorbed(parse(Drawing(Random(seed)).program()), seed, zeros)


@pytest.mark.parametrize("seed", [1049, 1151])
def test_values_without_channels_and_programs_without_convolutions(seed: int):
    check_absorbed(parse(Drawing(Random(seed)).program()), seed, zeros=False)


@pytest.mark.parametrize("zeros", [False, True])
@pytest.mark.parametrize("seed", range(amount(10, 2000)))
def test_random_units(seed: int, zeros: bool):
    check_absorbed(parse(Drawing(Random(seed)).units()), seed, zeros)


def check_absorbed(module: ModuleOp, seed: int, zeros: bool) -> None:
    """Rewrite a program, and compare numbers, proofs and what is moved."""
    module.verify()
    result = absorbed(module, zeros)
    inputs = random_inputs(main_of(module), seed)
    for before, after in zip(run(module, "main", inputs), run(result, "main", inputs), strict=True):
        assert_close(after, before, FEW_STEPS_NEAR_ZERO)
    answer = compare(module, result, by_formulas=zeros)
    assert answer.verdict is Verdict.PROVED, answer.text
    assert moved(result) <= moved(module)


@pytest.mark.parametrize("seed", range(amount(25, 4000)))
def test_a_wrong_order_is_not_proved(seed: int):
    """Two places of an index of a kernel or a gather are exchanged: other numbers come out, or nothing reads them."""
    random = Random(seed)
    module = parse(Drawing(random).program())
    result = absorbed(module, zeros=True)
    indices = {
        op.indices: written
        for op in result.walk()
        if isinstance(op, GatherOp) and (written := written_integers(op.indices)) is not None and len(written) > 1
    }
    if not indices:
        return
    numbers = random.choice([*indices.values()])
    one, other = random.sample(range(len(numbers)), 2)
    exchanged = [*numbers]
    exchanged[one], exchanged[other] = numbers[other], numbers[one]
    broken = parse(str(result).replace(f"dense<{numbers}>", f"dense<{exchanged}>", 1))
    inputs = random_inputs(main_of(module), seed)
    outputs = run(module, "main", inputs), run(broken, "main", inputs)
    is_same = all(are_close(one, other, FEW_STEPS_NEAR_ZERO) for one, other in zip(*outputs, strict=True))
    assert is_same or compare(module, broken, by_formulas=True).verdict is not Verdict.PROVED


def test_there_are_convolutions_that_become_wider():
    modules = [parse(Drawing(Random(seed)).program()) for seed in range(40)]
    widened = [absorbed(each, zeros=True) for each in modules]
    before, after = (
        [shape_of(op.kernel)[1] for module in each for op in module.walk() if isinstance(op, ForwardConvolutionOp)]
        for each in (modules, widened)
    )
    assert any(one < other for one, other in zip(before, after, strict=True))
