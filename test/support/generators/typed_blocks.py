"""Small programs of images of floats, bytes and booleans, for targets that demand blocks of channels.

Convolutions and pools want blocks; comparisons, selections and casts change the element type between them. Operands of
comparisons are repeated along any axes, and some values are flattened or transposed.
"""

from random import Random
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp

from support.ir_text import parse_verified

CHANNELS = (1, 2, 3, 4, 8, 16, 17, 24, 40)
SIZES = (1, 2, 3, 6)
COMPARISONS = ("less", "greater", "equal")


class Value(NamedTuple):
    name: str
    element: str
    shape: tuple[int, ...]
    layout: str = "NCHW"

    @property
    def type(self) -> str:
        return f"tensor<{'x'.join(map(str, self.shape))}x{self.element}, #npu.layout<{self.layout}>>"


class _Program:
    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        sizes = [self.rng.choice(SIZES) for _ in range(2)]
        self._values = [Value("%x", "f32", (self.rng.choice((1, 1, 1, 2, 3)), self.rng.choice(CHANNELS), *sizes))]
        self._arguments = [*self._values]
        self._lines: list[str] = []
        self._read: set[str] = set()

    def made(self) -> str:
        for _ in range(self.rng.randint(2, 7)):
            self._step()
        returned = [value for value in self._values if value.name not in self._read] or self._values[-1:]
        arguments = ", ".join(f"{each.name}: {each.type}" for each in self._arguments)
        types, names = (", ".join(each) for each in zip(*[(value.type, value.name) for value in returned]))
        lines = [f"func.func @main({arguments}) -> ({types}) {{", *self._lines, f"  return {names} : {types}", "}"]
        return "\n".join(lines)

    def _step(self) -> None:
        value = self.rng.choice(self._values[-2:] if self.rng.random() < 0.7 else self._values)
        kinds = {
            "f32": (self._convolution, self._convolution, self._pool, self._comparison, self._comparison, self._cast,
                    self._unary, self._binary, self._concat, self._selection, self._transposed),
            "i8": (self._pool, self._comparison, self._cast, self._concat, self._selection, self._transposed),
            "i1": (self._cast, self._selection, self._logical, self._concat, self._transposed),
        }  # fmt: skip
        self.rng.choice(kinds[value.element])(value)

    def _add(self, op: str, reads: list[Value], element: str, shape: tuple[int, ...], more: str = "") -> None:
        self._read.update(each.name for each in reads)
        made = Value(f"%v{len(self._lines)}", element, shape)
        names, types = ", ".join(each.name for each in reads), ", ".join(each.type for each in reads)
        self._lines.append(f"  {made.name} = npu.{op} {names}{more} : ({types}) -> {made.type}")
        self._values.append(made)

    def _argument(self, element: str, shape: tuple[int, ...]) -> Value:
        made = Value(f"%a{len(self._arguments)}", element, shape)
        self._arguments.append(made)
        return made

    def _convolution(self, value: Value) -> None:
        batch, channels, *sizes = value.shape
        is_depthwise = self.rng.random() < 0.25
        results = channels if is_depthwise else self.rng.choice(CHANNELS)
        shape = (results, 1 if is_depthwise else channels, 1, 1)
        kernel = Value(f"%k{len(self._lines)}", "f32", shape, "OIHW")
        if self.rng.random() < 0.2:
            self._arguments.append(kernel)
        else:
            self._lines.append(f"  {kernel.name} = npu.constant dense<{self.rng.randint(-4, 4) / 4}> : {kernel.type}")
        strides = [self.rng.choice((1, 1, 2)) for _ in sizes]
        sizes = [-(-size // stride) for size, stride in zip(sizes, strides, strict=True)]
        more = f" strides = {strides}" + f" groups = {channels}" * is_depthwise
        self._add("conv2d", [value, kernel], "f32", (batch, results, *sizes), more)

    def _pool(self, value: Value) -> None:
        op = self.rng.choice(("max_pool", "avg_pool")) if value.element == "f32" else "max_pool"
        self._add(op, [value], value.element, value.shape, " window = [1, 1]")

    def _other(self, value: Value, element: str) -> Value:
        """A value of an element type that can be repeated to the shape of another one."""
        alike = [
            each
            for each in self._values
            if each.element == element
            and each.name != value.name
            and all(one in (1, other) for one, other in zip(each.shape, value.shape, strict=True))
        ]
        if alike and self.rng.random() < 0.6:
            return self.rng.choice(alike)
        return self._argument(element, tuple(self.rng.choice((1, size)) for size in value.shape))

    def _pair(self, value: Value) -> list[Value]:
        pair = [value, self._other(value, value.element)]
        self.rng.shuffle(pair)
        return pair

    def _comparison(self, value: Value) -> None:
        self._add(self.rng.choice(COMPARISONS), self._pair(value), "i1", value.shape)

    def _logical(self, value: Value) -> None:
        if self.rng.random() < 0.3:
            self._add("not", [value], "i1", value.shape)
        else:
            self._add(self.rng.choice(("and", "or", "xor")), self._pair(value), "i1", value.shape)

    def _cast(self, value: Value) -> None:
        self._add(
            "cast",
            [value],
            self.rng.choice([each for each in ("f32", "i8", "i1") if each != value.element]),
            value.shape,
        )

    def _unary(self, value: Value) -> None:
        self._add(self.rng.choice(("relu", "sigmoid", "tanh")), [value], "f32", value.shape)

    def _binary(self, value: Value) -> None:
        self._add(self.rng.choice(("add", "mul", "max")), self._pair(value), "f32", value.shape)

    def _concat(self, value: Value) -> None:
        batch, channels, *sizes = value.shape
        other = self._argument(value.element, (batch, self.rng.choice(CHANNELS), *sizes))
        self._add("concat", [value, other], value.element, (batch, channels + other.shape[1], *sizes), " axis = 1")

    def _selection(self, value: Value) -> None:
        if value.element == "i1":
            element = self.rng.choice(("f32", "i8", "i1"))
            reads = [value, self._other(value, element), self._other(value, element)]
        else:
            reads = [self._other(value, "i1"), value, self._other(value, value.element)]
        if self.rng.random() < 0.3:
            reads[1:] = reads[:0:-1]
        shape = tuple(max(sizes) for sizes in zip(*(each.shape for each in reads), strict=True))
        self._add("select", reads, reads[1].element, shape)

    def _transposed(self, value: Value) -> None:
        batch, channels, height, width = value.shape
        self._add("transpose", [value], value.element, (batch, channels, width, height), " permutation = [0, 1, 3, 2]")


def typed_block_program(seed: int) -> ModuleOp:
    """A random program of two to seven ops."""
    return parse_verified(_Program(seed).made())
