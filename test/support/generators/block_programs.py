"""Small programs of features, and targets that demand blocks of channels, for `layout-optimal`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from npu_opt.targets import Target, available, load
from xdsl.dialects.builtin import ModuleOp

from support.ir_text import parse_verified

CHANNELS = (3, 8, 16, 24, 32, 40)
NOT_WHOLE = (3, 8, 24, 40)
"""Numbers of channels that do not fill their blocks."""
SIZES = (1, 4)
TARGETS = ("daven", "brick", "first")
FIRST = """
name = "first"
description = "The first convolution reads whole data"
matmul = "rigid"
free = ["reshape"]

[preferred]
feature = ["NCW", "NCHW", "NCDHW"]
weight = ["OIW", "OIHW", "OIDHW"]

[demands]
conv2d = [
    { when = "depthwise", data = "NC1HWC0", kernel = "OIHW16o" },
    { when = "C < 16", data = "NCHW", kernel = "OIHW16o", result = "NC1HWC0" },
    { data = "NC1HWC0", kernel = "OIHW16i16o" },
]
"""


BYTES = (
    FIRST[: FIRST.index("[demands]")].replace("first", "bytes")
    + """
[demands]
quant_conv2d = [
    { when = "depthwise", data = "NC1HWC0 {C0 = 32}", kernel = "OIHW32o" },
    { data = "NC1HWC0 {C0 = 32}", kernel = "IHWO16o32i" },
]
"""
)
ATTRIBUTES = {
    "concat": " axis = 1",
    "avg_pool": " window = [1, 1]",
    "max_pool": " window = [1, 1]",
    "upsample": " factors = [1, 1]",
}
MIXED = BYTES.replace("bytes", "mixed") + 'avg_pool = { input = "NC1HWC0" }\n'
OWN = {"first": FIRST, "bytes": BYTES, "mixed": MIXED}


def block_target(name: str, folder: Path, more: str = "") -> Target:
    """A shipped target that demands blocks, or one of those here, with more tables or other stages in its file."""
    file = folder / f"{name}.toml"
    text = OWN[name] if name in OWN else available()[name].read_text()
    file.write_text((text.partition("[data-flow]")[0] if "[data-flow]" in more else text) + more)
    return load(file)


PREFERS = {
    'feature = ["NCW", "NCHW", "NCDHW"]': 'feature = ["NCW", "NC1HWC0", "NCDHW"]',
    'weight = ["OIW", "OIHW", "OIDHW"]': 'weight = ["OIW", "IHWO16o16i", "OIDHW"]',
    'data = "NC1HWC0", kernel = "IHWO16o16i"': 'data = "feature", kernel = "weight"',
    'data = "NC1HWC0", kernel = "IHWO16o"': 'data = "feature", kernel = "IHWO16o"',
    'transpose2d = { data = "feature", kernel = "weight" }': 'transpose2d = { data = "NCHW", kernel = "OIHW" }',
    'input = ["NC1HWC0", "feature"] }': 'input = ["feature", "NCHW"] }',
    'bilinear = { input = "feature" }': 'bilinear = { input = "NCHW" }',
    'input = "NC1HWC0" }': 'input = "preferred" }',
}
"""The entries of `daven` that name blocks, and those that prefer them instead."""


def preferring_target(folder: Path) -> Target:
    """A target like `daven`, that prefers the blocks of features and kernels."""
    text = available()["daven"].read_text()
    for named, preferred in PREFERS.items():
        assert named in text
        text = text.replace(named, preferred)
    file = folder / "daven.toml"
    file.write_text(text)
    return load(file)


def not_read(reads: Sequence[Sequence[int]]) -> list[int]:
    """The values of a program that no step reads, from the values that each step reads."""
    read = {value for values in reads for value in values}
    return [value for value in range(len(reads)) if value not in read]


@dataclass
class Step:
    """An op of a program, with the numbers of the values that it reads; that of its result is its own place."""

    op: str
    reads: tuple[int, ...]
    channels: int
    zero_point: int = 0
    """The zero point of the result of a convolution of bytes."""


@dataclass
class BlockProgram:
    """A program of steps on images of one size; value 0 is the argument."""

    size: int
    steps: list[Step] = field(default_factory=list[Step])
    has_bytes: bool = False
    """True if the numbers are bytes, which convolutions want in blocks of 32."""

    @property
    def tile(self) -> int:
        return 32 if self.has_bytes else 16

    def channels(self, value: int) -> int:
        return self.steps[value].channels

    @property
    def returned(self) -> list[int]:
        return not_read([step.reads for step in self.steps])

    def module(self) -> ModuleOp:
        """The program in NCHW."""
        return parse_verified(self.text())

    def text(self) -> str:
        lines = [self._line(place, step) for place, step in enumerate(self.steps) if place]
        types = ", ".join(self._type(self.channels(each)) for each in self.returned)
        values = ", ".join(f"%v{each}" for each in self.returned)
        head = f"func.func @main(%v0: {self._type(self.channels(0))}) -> ({types})"
        return "\n".join([f"{head} {{", *lines, f"  return {values} : {types}", "}"])

    def _type(self, channels: int) -> str:
        return f"tensor<1x{channels}x{self.size}x{self.size}x{self._element}, #npu.layout<NCHW>>"

    @property
    def _element(self) -> str:
        return "i8" if self.has_bytes else "f32"

    def _line(self, place: int, step: Step) -> str:
        reads = [f"%v{each}" for each in step.reads]
        types = [self._type(self.channels(each)) for each in step.reads]
        result, before = self._type(step.channels), ""
        text = ATTRIBUTES.get(step.op, "")
        if step.op in ("conv", "depthwise") and self.has_bytes:
            return self._convolution_of_bytes(place, step)
        if step.op in ("conv", "depthwise"):
            inputs = 1 if step.op == "depthwise" else self.channels(step.reads[0])
            types.append(f"tensor<{step.channels}x{inputs}x1x1xf32, #npu.layout<OIHW>>")
            numbers = [
                [[[round(((7 * o + 3 * i + place) % 11) / 8 - 0.5, 3)]] for i in range(inputs)]
                for o in range(step.channels)
            ]
            before = f"  %k{place} = npu.constant dense<{numbers}> : {types[-1]}\n"
            reads.append(f"%k{place}")
            text = f" groups = {step.channels}" if step.op == "depthwise" else ""
        if step.op == "offset":
            types.append(f"tensor<1x1x1x1x{self._element}, #npu.layout<NCHW>>")
            before = f"  %k{place} = npu.constant dense<1{'' if self.has_bytes else '.0'}> : {types[-1]}\n"
            reads.append(f"%k{place}")
        name = {"conv": "conv2d", "depthwise": "conv2d", "offset": "add"}.get(step.op, step.op)
        # None of these computes zeros from zeros.
        name = "not" if self.has_bytes and name in ("sigmoid", "exp") else name
        return f"{before}  %v{place} = npu.{name} {', '.join(reads)}{text} : ({', '.join(types)}) -> {result}"

    def _convolution_of_bytes(self, place: int, step: Step) -> str:
        inputs = 1 if step.op == "depthwise" else self.channels(step.reads[0])
        kernel = f"tensor<{step.channels}x{inputs}x1x1xi8, #npu.layout<OIHW>>"
        numbers = [[[[(7 * o + 3 * i + place) % 11 - 5]] for i in range(inputs)] for o in range(step.channels)]
        scale, zero = "tensor<f32, #npu.layout<Tensor>>", "tensor<i8, #npu.layout<Tensor>>"
        groups = f" groups = {step.channels}" if step.op == "depthwise" else ""
        types = f"{self._type(self.channels(step.reads[0]))}, {kernel}{f', {scale}, {zero}' * 3}"
        return "\n".join(
            [
                f"  %k{place} = npu.constant dense<{numbers}> : {kernel}",
                f"  %s{place} = npu.constant dense<0.125> : {scale}",
                f"  %d{place} = npu.constant dense<3> : {zero}",
                f"  %z{place} = npu.constant dense<0> : {zero}",
                f"  %r{place} = npu.constant dense<{step.zero_point}> : {zero}",
                f"  %v{place} = npu.quant_conv2d %v{step.reads[0]}, %k{place}, %s{place}, %d{place}, %s{place}, "
                f"%z{place}, %s{place}, %r{place}{groups} : ({types}) -> {self._type(step.channels)}",
            ]
        )


def block_program(seed: int, has_bytes: bool = False) -> BlockProgram:
    """A random program of two to six ops."""
    return _program(Random(seed), CHANNELS, 2, _step, has_bytes)


def dirtying_program(seed: int, has_bytes: bool = False) -> BlockProgram:
    """A random program of three to six ops, many of which compute no zeros in the padding of blocks."""
    return _program(Random(seed), NOT_WHOLE, 3, _dirtying_step, has_bytes)


def _program(
    rng: Random,
    channels: Sequence[int],
    fewest: int,
    step: Callable[[Random, BlockProgram], Step],
    has_bytes: bool,
) -> BlockProgram:
    made = BlockProgram(rng.choice(SIZES), [Step("argument", (), rng.choice(channels))], has_bytes)
    for _ in range(rng.randint(fewest, 6)):
        made.steps.append(step(rng, made))
    return made


def mixed_program(seed: int, has_bytes: bool = False) -> BlockProgram:
    """A random program, three of four of which have many ops that compute no zeros."""
    return dirtying_program(seed, has_bytes) if seed % 4 else block_program(seed, has_bytes)


def _dirtying_step(rng: Random, made: BlockProgram) -> Step:
    last = len(made.steps) - 1
    first = last if rng.random() < 0.8 else rng.randint(0, last)
    before, channels = made.steps[first].op, made.channels(first)
    if before in ("argument", "conv", "depthwise", "avg_pool", "max_pool") and rng.random() < 0.5:
        # Of numbers without bounds an exponential could be infinite.
        op = rng.choice(["sigmoid", "offset", "exp" if before == "argument" else "sigmoid"])
        return Step(op, (first,), channels)
    op = rng.choice(["conv", "conv", "depthwise", "avg_pool", "max_pool", "relu", "offset", "exp", "add"])
    if op == "exp" and before != "sigmoid":
        return Step("sigmoid", (first,), channels)
    if op == "conv":
        return Step(op, (first,), rng.choice(NOT_WHOLE), _zero_point(rng, made))
    if op == "depthwise":
        return Step(op, (first,), channels, _zero_point(rng, made))
    return _sum(rng, made, first) if op == "add" else Step(op, (first,), channels)


def _zero_point(rng: Random, made: BlockProgram) -> int:
    return rng.choice((0, 4)) if made.has_bytes else 0


def _step(rng: Random, made: BlockProgram) -> Step:
    last = len(made.steps) - 1
    first = last if rng.random() < 0.7 else rng.randint(0, last)
    channels = made.channels(first)
    op = rng.choice(["conv", "conv", "depthwise", "relu", "sigmoid", "avg_pool", "upsample", "add", "concat"])
    if op == "conv":
        return Step(op, (first,), rng.choice(CHANNELS))
    if op == "add":
        return _sum(rng, made, first)
    if op == "concat":
        second = rng.randint(0, last)
        return Step(op, (first, second), channels + made.channels(second))
    return Step(op, (first,), channels)


def _sum(rng: Random, made: BlockProgram, first: int) -> Step:
    """A sum of a value and another one with as many channels, if there is any."""
    channels = made.channels(first)
    alike = [each for each in range(len(made.steps)) if made.channels(each) == channels and each != first]
    return Step("add", (first, rng.choice(alike)), channels) if alike else Step("relu", (first,), channels)
