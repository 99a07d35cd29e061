"""The texts of large programs for benchmarks.

python benchmarks/programs.py [network | coloured-network | chain | fan] [--ops 1000]
"""

import argparse
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

SIZE, CHANNELS = 28, 64
"""Height (and width) and channels of all images, so that any number of blocks can be chained."""
HALF = CHANNELS // 2


@dataclass
class Network:
    """A network of squeeze-and-excitation blocks with two branches, whose weights are kept in a file.

    Either all types have layouts, or only the ops that need letters have `data_layout`.
    """

    is_coloured: bool
    lines: list[str] = field(default_factory=list[str])

    def type_of(self, *shape: int, layout: str) -> str:
        encoding = f", #npu.layout<{layout}>" if self.is_coloured else ""
        return f"tensor<{'x'.join(map(str, shape))}xf32{encoding}>"

    def image(self, channels: int, size: int = SIZE) -> str:
        return self.type_of(1, channels, size, size, layout="NCHW")

    def add(self, op: str, operands: list[tuple[str, str]], type_: str, settings: str = "") -> tuple[str, str]:
        """Add an op, and return its result as a pair of name and type."""
        name = f"%v{len(self.lines)}"
        names, types = zip(*operands, strict=True)
        signature = type_ if {*types} == {type_} else f"({', '.join(types)}) -> {type_}"
        self.lines.append(f"{name} = npu.{op} {', '.join(names)}{settings} : {signature}")
        return name, type_

    def weight(self, *shape: int, layout: str = "Tensor") -> tuple[str, str]:
        name, type_ = f"%v{len(self.lines)}", self.type_of(*shape, layout=layout)
        self.lines.append(f'{name} = npu.constant #npu.reference<"weights.safetensors", "{name[1:]}"> : {type_}')
        return name, type_

    def data_layouts(self, *layouts: str) -> str:
        """The layout properties of an op if the types have no layouts."""
        stated = zip(("data_layout", "kernel_layout"), layouts, strict=False)
        return "" if self.is_coloured else "".join(f" {name} = <{layout}>" for name, layout in stated)

    def convolution(self, x: tuple[str, str], inputs: int, outputs: int, extent: int) -> tuple[str, str]:
        kernel = self.weight(outputs, inputs, extent, extent, layout="OIHW")
        settings = f" pads = {[extent // 2] * 4}{self.data_layouts('NCHW', 'OIHW')}"
        return self.add("conv2d", [x, kernel, self.weight(outputs)], self.image(outputs), settings)

    def pool(self, kind: str, x: tuple[str, str]) -> tuple[str, str]:
        settings = f" window = [3, 3] pads = [1, 1, 1, 1]{self.data_layouts('NCHW')}"
        return self.add(f"{kind}_pool", [x], self.image(CHANNELS), settings)

    def block(self, x: tuple[str, str]) -> tuple[str, str]:
        """Twenty-six ops from an image to the next one."""
        image = self.image(CHANNELS)
        y = self.convolution(x, CHANNELS, CHANNELS, 3)
        y = self.add("batch_norm", [y, *(self.weight(CHANNELS) for _ in range(4))], image, " axis = 1")
        y = self.add("relu", [y], image)
        beside = self.pool("avg", self.pool("max", y))
        branches = [self.convolution(y, CHANNELS, HALF, 1), self.convolution(beside, CHANNELS, HALF, 1)]
        y = self.add("concat", branches, image, " axis = 1")
        return self.add("relu", [self.add("add", [self.gated(y), x], image)], image)

    def gated(self, x: tuple[str, str]) -> tuple[str, str]:
        """An image times a number per channel, which a matrix product computes from the channel means."""
        means, vector = self.image(CHANNELS, 1), self.type_of(1, CHANNELS, layout="Tensor")
        y = self.add("global_avg_pool", [x], means, self.data_layouts("NCHW"))
        y = self.add("reshape", [y], vector)
        matrix = self.weight(CHANNELS, CHANNELS)
        y = self.add("gemm", [y, matrix, self.weight(CHANNELS)], vector)
        y = self.add("reshape", [self.add("sigmoid", [y], vector)], means)
        return self.add("mul", [x, y], self.image(CHANNELS))

    def text(self, op_count: int) -> str:
        x = ("%x", self.image(CHANNELS))
        while len(self.lines) < op_count:
            x = self.block(x)
        return function(self.lines, "%x", self.image(CHANNELS), [x])


def function(lines: list[str], argument: str, type_: str, results: list[tuple[str, str]]) -> str:
    names, types = (", ".join(part) for part in zip(*results, strict=True))
    head = f"func.func @main({argument}: {type_}) -> ({types}) {{"
    return "\n".join((head, *(f"  {line}" for line in lines), f"  return {names} : {types}", "}", ""))


IMAGE = f"tensor<1x{CHANNELS}x{SIZE}x{SIZE}xf32>"


def chain(op_count: int) -> str:
    """A chain of ops, ending in a pool with a known layout."""
    lines = [f"%{index + 1} = npu.relu %{index} : {IMAGE}" for index in range(op_count - 1)]
    last = f"%{op_count - 1}"
    lines.append(f"%y = npu.max_pool {last} window = [1, 1] data_layout = <NCHW> : {IMAGE}")
    return function(lines, "%0", IMAGE, [("%y", IMAGE)])


def fan(op_count: int) -> str:
    """Ops that all use one value, every eighth with a known layout, and the sum of their results."""

    def ops() -> Iterator[str]:
        yield f"%sum0 = npu.relu %x : {IMAGE}"
        for index in range((op_count - 1) // 2):
            op = "max_pool %x window = [1, 1] data_layout = <NCHW>" if index % 8 == 0 else "relu %x"
            yield f"%{index} = npu.{op} : {IMAGE}"
            yield f"%sum{index + 1} = npu.add %sum{index}, %{index} : {IMAGE}"

    return function(list(ops()), "%x", IMAGE, [(f"%sum{(op_count - 1) // 2}", IMAGE)])


PROGRAMS: Mapping[str, Callable[[int], str]] = {
    "network": lambda op_count: Network(is_coloured=False).text(op_count),
    "coloured-network": lambda op_count: Network(is_coloured=True).text(op_count),
    "chain": chain,
    "fan": fan,
}
"""The text of a program of approximately this many ops, by name."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", choices=PROGRAMS, default="network")
    parser.add_argument("--ops", type=int, default=1_000)
    arguments = parser.parse_args()
    print(PROGRAMS[arguments.program](arguments.ops), end="")


if __name__ == "__main__":
    main()
