"""Small random programs without layouts in which values of all classes meet at elementwise ops."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp

from support.ir_text import parse

IMAGE, GATE, KERNEL = (1, 8, 4, 4), (1, 8, 1, 1), (8, 8, 1, 1)
BINARY = ("add", "mul", "max", "min", "sub", "div")
LETTERED = ("", "", "", "NCHW", "NHWC", "OIHW", "Tensor", "NTensor")


class Value(NamedTuple):
    name: str
    shape: tuple[int, ...]
    layout: str = ""

    @property
    def type(self) -> str:
        layout = f", #npu.layout<{self.layout}>" if self.layout else ""
        return f"tensor<{'x'.join(map(str, self.shape))}xf32{layout}>"


@dataclass
class Program:
    """A program under construction."""

    rng: Random
    values: list[Value]
    lines: list[str] = field(default_factory=list[str])

    def add(self, op: str, operands: Sequence[Value], shape: tuple[int, ...], settings: str = "") -> Value:
        result = Value(f"%v{len(self.lines)}", shape)
        names, types = (", ".join(each) for each in zip(*((each.name, each.type) for each in operands), strict=True))
        self.lines.append(f"{result.name} = npu.{op} {names}{settings} : ({types}) -> {result.type}")
        self.values.append(result)
        return result

    def any(self, *shapes: tuple[int, ...]) -> Value:
        """One of the values of these shapes, more likely a late one."""
        values = [each for each in self.values if each.shape in shapes]
        return self.rng.choice(values[-6:] if self.rng.random() < 0.7 else values)

    def step(self) -> None:
        kinds = (self._joined, self._convolved, self._multiplied, self._viewed, self._gated, self._padded)
        (kind,) = self.rng.choices(kinds, (40, 15, 10, 15, 12, 8))
        kind()

    def _joined(self) -> None:
        one = self.any(IMAGE, KERNEL)
        other = self.any(IMAGE, GATE) if one.shape == IMAGE else self.any(KERNEL)
        # The declared layouts of both have to agree if an op uses both directly.
        if not one.layout or not other.layout or one.layout == other.layout:
            pair = [one, other] if self.rng.random() < 0.5 else [other, one]
            self.add(self.rng.choice(BINARY), pair, one.shape)

    def _convolved(self) -> None:
        data = self.any(IMAGE, KERNEL)
        kernels = [each for each in self.values if each.shape == KERNEL and each.layout in ("", "OIHW")]
        if data.layout in ("", "NCHW"):
            letters = ("" if data.layout else " data_layout = <NCHW>") + " kernel_layout = <OIHW>"
            self.add("conv2d", [data, self.rng.choice([k for k in kernels if not k.layout])], data.shape, letters)

    def _multiplied(self) -> None:
        if (data := self.any(IMAGE)).layout in ("", "NTensor"):
            self.add("matmul", [data, data], IMAGE)

    def _viewed(self) -> None:
        """A reshape to another rank and back."""
        data = self.any(IMAGE)
        if data.layout in ("", "NCHW", "Tensor", "NTensor"):
            flat = (1, 8, 16) if self.rng.random() < 0.7 else (1, 128)
            through = self.add("relu", [self.add("reshape", [data], flat)], flat)
            self.add("reshape", [through], IMAGE)

    def _gated(self) -> None:
        self.add("reduce_mean", [self.any(IMAGE)], GATE, " axes = [2, 3] keep")

    def _padded(self) -> None:
        one, other = self.any(IMAGE), self.any(IMAGE)
        if not one.layout or not other.layout or one.layout == other.layout:
            wide = self.add("concat", [one, other], (1, 16, 4, 4), " axis = 1")
            self.add("slice", [wide], IMAGE, " starts = [0, 4, 0, 0] limits = [1, 12, 4, 4]")


def mixed_program(seed: int, size: int | None = None) -> ModuleOp:
    """The program of a seed."""
    rng = Random(seed)
    size = rng.randrange(6, 25) if size is None else size
    arguments = [Value(f"%a{place}", IMAGE, rng.choice(LETTERED)) for place in range(3)]
    arguments += [Value("%a3", IMAGE), Value("%k0", KERNEL), Value("%k1", KERNEL, rng.choice(("", "OIHW", "NCHW")))]
    arguments.append(Value("%g", GATE, rng.choice(("", "NCHW", "Tensor"))))
    program = Program(rng, list(arguments))
    while len(program.lines) < size:
        program.step()
    results = [program.values[-1], program.any(IMAGE)]
    head = ", ".join(f"{each.name}: {each.type}" for each in arguments)
    types = ", ".join(each.type for each in results)
    lines = "\n".join(program.lines)
    names = ", ".join(each.name for each in results)
    return parse(f"func.func @main({head}) -> ({types}) {{\n{lines}\nreturn {names} : {types}\n}}")
