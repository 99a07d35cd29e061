"""Time of the interpreter for a ResNet-50 on one image, and for single ops.

    python benchmarks/interpreter.py [--size 64]

The network runs in NCHW and in NHWC, with random weights as its arguments.
"""

import argparse
import time
from dataclasses import dataclass, field

from npu_opt.dialects.npu import NPU
from npu_opt.interpreter import random_inputs, run
from npu_opt.layout import Layout, permute
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.dialects.func import Func, FuncOp
from xdsl.parser import Parser

STAGES = ((64, 3), (128, 4), (256, 6), (512, 3))
"""Channels and number of blocks of each stage."""
CHAIN = 20_000


@dataclass(frozen=True)
class Activation:
    """A value of the network: its name and its sizes N, C, H, W."""

    name: str
    shape: tuple[int, int, int, int]


@dataclass
class Network:
    """The text of a function under construction."""

    feature: str
    weight: str
    arguments: list[str] = field(default_factory=list[str])
    body: list[str] = field(default_factory=list[str])

    def argument(self, type_: str) -> str:
        self.arguments.append(f"%a{len(self.arguments)}: {type_}")
        return f"%a{len(self.arguments) - 1}"

    def image(self, size: int) -> Activation:
        shape = (1, 3, size, size)
        return Activation(self.argument(self.type_of(shape)), shape)

    def type_of(self, shape: tuple[int, ...], layout: str | None = None) -> str:
        layout = layout or self.feature
        stored = permute(shape, Layout.parse(layout).order_for(4))
        return f"tensor<{'x'.join(map(str, stored))}xf32, #npu.layout<{layout}>>"

    def add(self, text: str, operands: list[str], shape: tuple[int, int, int, int]) -> Activation:
        name = f"%v{len(self.body)}"
        self.body.append(f"{name} = {text} : ({', '.join(operands)}) -> {self.type_of(shape)}")
        return Activation(name, shape)

    def convolution(self, x: Activation, outputs: int, extent: int, stride: int = 1) -> Activation:
        """A convolution that keeps the size up to its stride, and the normalisation behind it."""
        batch, inputs, height, width = x.shape
        kernel_type = self.type_of((outputs, inputs, extent, extent), self.weight)
        kernel = self.argument(kernel_type)
        shape = (batch, outputs, -(-height // stride), -(-width // stride))
        text = f"npu.conv2d {x.name}, {kernel} strides = {[stride] * 2} pads = {[extent // 2] * 4}"
        found = self.add(text, [self.type_of(x.shape), kernel_type], shape)
        vectors = [self.argument(f"tensor<{outputs}xf32>") for _ in range(4)]
        # The variances are random, so a large epsilon keeps their sums positive.
        axis = f"axis = {self.feature.index('C')} epsilon = 1.0e+01"
        types = [self.type_of(shape), *[f"tensor<{outputs}xf32>"] * 4]
        return self.add(f"npu.batch_norm {found.name}, {', '.join(vectors)} {axis}", types, shape)

    def relu(self, x: Activation) -> Activation:
        return self.add(f"npu.relu {x.name}", [self.type_of(x.shape)], x.shape)

    def bottleneck(self, x: Activation, channels: int, stride: int, widen: bool) -> Activation:
        inner = self.relu(self.convolution(x, channels, 1))
        inner = self.relu(self.convolution(inner, channels, 3, stride))
        inner = self.convolution(inner, 4 * channels, 1)
        beside = self.convolution(x, 4 * channels, 1, stride) if widen else x
        types = [self.type_of(inner.shape)] * 2
        return self.relu(self.add(f"npu.add {inner.name}, {beside.name}", types, inner.shape))

    def resnet50(self, size: int) -> None:
        x = self.relu(self.convolution(self.image(size), 64, 7, 2))
        batch, channels, height, width = x.shape
        pool = f"npu.max_pool {x.name} window = [3, 3] strides = [2, 2] pads = [1, 1, 1, 1]"
        x = self.add(pool, [self.type_of(x.shape)], (batch, channels, -(-height // 2), -(-width // 2)))
        for stage, (channels, count) in enumerate(STAGES):
            for block in range(count):
                stride = 2 if stage and not block else 1
                x = self.bottleneck(x, channels, stride, widen=not block)
        x = self.add(f"npu.global_avg_pool {x.name}", [self.type_of(x.shape)], (*x.shape[:2], 1, 1))
        x = self.convolution(x, 1000, 1)
        self.body.append(f"return {x.name} : {self.type_of(x.shape)}")

    def text(self) -> str:
        result = self.body[-1].split(" : ")[1]
        return f"func.func @main({', '.join(self.arguments)}) -> {result} {{\n" + "\n".join(self.body) + "\n}"


def parse(text: str) -> ModuleOp:
    context = Context()
    for dialect in (Builtin, Func, NPU):
        context.load_dialect(dialect)
    module = Parser(context, text).parse_module()
    module.verify()
    return module


def seconds(text: str) -> tuple[int, float]:
    """The number of ops of a program, and its run time."""
    module = parse(text)
    (main,) = (op for op in module.ops if isinstance(op, FuncOp))
    inputs = random_inputs(main, seed=0)
    start = time.perf_counter()
    run(module, "main", inputs)
    return len(main.body.block.ops), time.perf_counter() - start


def chain() -> str:
    type_ = "tensor<4xf32>"
    ops = [f"%{index + 1} = npu.neg %{index} : {type_}" for index in range(CHAIN)]
    return f"func.func @main(%0: {type_}) -> {type_} {{\n" + "\n".join(ops) + f"\nreturn %{CHAIN} : {type_}\n}}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=64, help="height and width of the image")
    size: int = parser.parse_args().size
    for feature, weight in (("NCHW", "OIHW"), ("NHWC", "HWOI")):
        network = Network(feature, weight)
        network.resnet50(size)
        count, time_taken = seconds(network.text())
        print(f"ResNet-50 at {size}x{size} in {feature}, {count} ops: {time_taken:.2f} s")
    count, time_taken = seconds(chain())
    print(f"an op on 4 elements: {time_taken / count * 1e6:.0f} us")


if __name__ == "__main__":
    main()
