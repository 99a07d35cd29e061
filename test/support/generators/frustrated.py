"""Small random programs with conflicting orders: square tensors, transposes, sums and products."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp

from support.ir_text import parse

SIZES = ((2, 2), (2, 2, 2), (2, 3, 2), (3, 3), (2, 2, 3), (2, 3), (4, 2, 2), (1, 4, 3))


class Value(NamedTuple):
    name: str
    shape: tuple[int, ...]

    @property
    def type(self) -> str:
        return f"tensor<{''.join(f'{size}x' for size in self.shape)}f32, #npu.layout<Tensor>>"


@dataclass
class Program:
    """A program under construction."""

    rng: Random
    arguments: list[Value]
    values: list[Value] = field(default_factory=list[Value])
    lines: list[str] = field(default_factory=list[str])

    def add(self, op: str, operands: Sequence[Value], shape: Sequence[int], settings: str = "") -> None:
        result = Value(f"%v{len(self.lines)}", tuple(shape))
        names, types = (", ".join(each) for each in zip(*((each.name, each.type) for each in operands), strict=True))
        self.lines.append(f"{result.name} = npu.{op} {names}{settings} : ({types}) -> {result.type}")
        self.values.append(result)

    def step(self) -> None:
        """Add an op on one of the last values, or none if the sampled op is not valid for it."""
        rng = self.rng
        value = rng.choice(self.values[-5:] if rng.random() < 0.7 else self.values)
        kinds = (self._transpose, self._join, self._reshape, self._reduce, self._broadcast, self._product, self._along)
        (kind,) = rng.choices(kinds, (30, 35, 12, 8, 5, 8, 5))
        kind(value)

    def _transpose(self, value: Value) -> None:
        permutation = self.rng.sample(range(len(value.shape)), len(value.shape))
        shape = [value.shape[axis] for axis in permutation]
        self.add("transpose", [value], shape, f" permutation = {permutation}")

    def _join(self, value: Value) -> None:
        others = [each for each in self.values if each.shape == value.shape and each != value]
        if not others or self.rng.random() < 0.2:
            self.add("relu", [value], value.shape)
        else:
            self.add(self.rng.choice(("add", "sub", "mul")), [value, self.rng.choice(others)], value.shape)

    def _reshape(self, value: Value) -> None:
        """Merge two axes, split one, or do both."""
        shape, rng = value.shape, self.rng
        splits = [axis for axis, size in enumerate(shape) if size in (4, 6) and len(shape) < 4]
        if splits and rng.random() < 0.5:
            axis = rng.choice(splits)
            parts = rng.sample((2, shape[axis] // 2), 2)
            self.add("reshape", [value], (*shape[:axis], *parts, *shape[axis + 1 :]))
        elif len(shape) == 2 and rng.random() < 0.5:
            self.add("reshape", [value], (shape[1], shape[0]))
        elif len(shape) >= 2:
            axis = rng.randrange(len(shape) - 1)
            self.add("reshape", [value], (*shape[:axis], shape[axis] * shape[axis + 1], *shape[axis + 2 :]))

    def _reduce(self, value: Value) -> None:
        if len(value.shape) < 2:
            return
        axis, keeps = self.rng.randrange(len(value.shape)), self.rng.random() < 0.3
        shape = (*value.shape[:axis], *([1] if keeps else []), *value.shape[axis + 1 :])
        self.add("reduce_sum", [value], shape, f" axes = [{axis}]{' keep' if keeps else ''}")

    def _broadcast(self, value: Value) -> None:
        rank = len(value.shape)
        if rank > 2:
            return
        new = self.rng.randrange(rank + 1)
        shape = (*value.shape[:new], self.rng.choice((2, 3)), *value.shape[new:])
        self.add("broadcast", [value], shape, f" axes = {[axis for axis in range(rank + 1) if axis != new]}")

    def _product(self, value: Value) -> None:
        if not 2 <= len(value.shape) <= 3:
            return
        flags = self.rng.random() < 0.3, self.rng.random() < 0.3
        lhs = _matrices(value.shape, flags[0])
        fitting = [
            (each, rhs)
            for each in self.values
            if len(each.shape) == len(lhs)
            for rhs in (_matrices(each.shape, flags[1]),)
            if rhs[:-2] == lhs[:-2] and rhs[-2] == lhs[-1]
        ]
        if fitting:
            other, rhs = self.rng.choice(fitting)
            settings = "".join(f" {name}" for name, flag in zip(("trans_a", "trans_b"), flags, strict=True) if flag)
            self.add("matmul", [value, other], (*lhs[:-1], rhs[-1]), settings)

    def _along(self, value: Value) -> None:
        """An op along one axis, or a gather along it."""
        axis = self.rng.randrange(len(value.shape)) if value.shape else None
        if axis is None:
            return
        if self.rng.random() < 0.5:
            self.add("softmax", [value], value.shape, f" axis = {axis}")
        else:
            shape = (*value.shape[:axis], 2 * value.shape[axis], *value.shape[axis + 1 :])
            self.add("concat", [value, value], shape, f" axis = {axis}")

    def text(self) -> str:
        read = " ".join(self.lines).replace(",", " ").split()
        outputs = [each for each in self.values[len(self.arguments) :] if read.count(each.name) == 1][-4:]
        outputs = outputs or self.values[-1:]
        if self.rng.random() < 0.3:
            outputs.append(self.rng.choice(self.values))
        taken = ", ".join(f"{each.name}: {each.type}" for each in self.arguments)
        types = ", ".join(each.type for each in outputs)
        body = "\n  ".join([*self.lines, f"func.return {', '.join(each.name for each in outputs)} : {types}"])
        return f"func.func @main({taken}) -> ({types}) {{\n  {body}\n}}"


def _matrices(shape: tuple[int, ...], are_transposed: bool) -> tuple[int, ...]:
    return (*shape[:-2], shape[-1], shape[-2]) if are_transposed else shape


def frustrated_program(seed: int, size: int) -> ModuleOp:
    rng = Random(seed)
    sizes = rng.choice(SIZES)
    arguments = [Value(f"%a{place}", tuple(rng.sample(sizes, len(sizes)))) for place in range(rng.randint(1, 3))]
    program = Program(rng, arguments, [*arguments])
    while len(program.lines) < size:
        program.step()
    return parse(program.text())
