"""Small random programs with ops that may be cheaper to run twice than to convert, and targets with prices for that."""

from collections.abc import Mapping
from random import Random
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp

from support.ir_text import parse

SIZES = (1, 2, 3, 4)
MOST_COPIED = 3
"""The maximum number of ops that may run twice."""
KINDS = ("broadcast", "slice", "cast", "elementwise")


class SecondRun(NamedTuple):
    """The price of running an op a second time, in thousandths."""

    read: int
    """For each byte of the operands."""
    written: int
    """For each byte of the results."""
    fixed: int

    @property
    def text(self) -> str:
        return f"{self.read / 1000} x read + {self.written / 1000} x written + {self.fixed / 1000}"


class PricedCopies(NamedTuple):
    """A program, and the text of a target with its prices."""

    module: ModuleOp
    target: str
    prices: Mapping[str, SecondRun]
    """The prices of second runs, by the kind of op."""


def program_with_copies(seed: int, name: str = "copies") -> PricedCopies:
    rng = Random(seed)
    prices = {
        kind: SecondRun(rng.choice((0, 20, 100, 400)), rng.choice((0, 50, 100, 400)), rng.choice((0, 1000, 7000)))
        for kind in KINDS
        if rng.random() < 0.8
    }
    transposes = rng.choice(
        (
            '"1 x bytes + 3"',
            '[{ when = "keeps the last axis", per-byte = 0.3, per-call = 5 }, { per-byte = 1.2, per-call = 2 }]',
            '[{ when = "swaps blocks", price = "0.4 x bytes" }, { price = "1 x bytes + 9" }]',
        )
    )
    lines = [f'name = "{name}"', 'description = "random"', 'extends = "opu"', "[costs]", 'unit = "cycles"']
    lines += [f"transpose = {transposes}", *(["[costs.recompute]"] if prices else [])]
    lines += [f'{kind} = "{price.text}"' for kind, price in prices.items()]
    return PricedCopies(_Program(rng).module(), "\n".join(lines) + "\n", prices)


class _Program:
    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._lines: list[str] = []
        self._arguments: list[str] = []
        self._shape = [rng.choice(SIZES[:2]), *(rng.choice(SIZES) for _ in range(3))]
        self._copied = 0
        self._sources: list[str] = []
        """Values of the shape of all."""

    def module(self) -> ModuleOp:
        rng = self._rng
        self._sources = [self._source() for _ in range(rng.randint(1, 2))]
        for _ in range(rng.randint(1, 3)):
            self._sources.append(self._next())
        results = [self._ended(value) for value in self._sources[-rng.randint(1, 2) :]]
        for _ in range(rng.randint(0, 2)):
            results.append(self._ended(rng.choice(self._sources)))
        types = ", ".join(type_ for _, type_ in results)
        names = ", ".join(name for name, _ in results)
        text = f"""func.func @main({", ".join(self._arguments)}) -> ({types}) {{
          {chr(10).join(self._lines)}
          func.return {names} : {types}
        }}"""
        return parse(text)

    def _argument(self, shape: list[int], element: str = "f32") -> str:
        name = f"%a{len(self._arguments)}"
        self._arguments.append(f"{name}: {_type(shape, element)}")
        return name

    def _add(self, op: str) -> str:
        name = f"%v{len(self._lines)}"
        self._lines.append(f"{name} = {op}")
        return name

    def _mirrored(self, value: str, shape: list[int]) -> str:
        """An op that demands channels last."""
        return self._add(f"npu.mirror {value} axes = [2] data_layout = <NCHW> : {_type(shape)}")

    def _source(self) -> str:
        rng = self._rng
        shape, kind = self._shape, rng.choice(("argument", "broadcast", "broadcast", "slice", "cast"))
        if kind == "argument" or self._copied >= MOST_COPIED:
            return self._argument(shape)
        self._copied += 1
        if kind == "broadcast":
            small = [size if rng.random() < 0.5 else 1 for size in shape]
            given = self._mirrored(self._argument(small), small) if rng.random() < 0.3 else self._argument(small)
            return self._add(f"npu.broadcast {given} axes = [0, 1, 2, 3] : ({_type(small)}) -> {_type(shape)}")
        if kind == "slice":
            axis = rng.randrange(4)
            large = [size + (place == axis) for place, size in enumerate(shape)]
            given, starts = self._argument(large), [int(place == axis) for place in range(4)]
            return self._add(
                f"npu.slice {given} starts = {starts} limits = {large} : ({_type(large)}) -> {_type(shape)}"
            )
        given = self._argument(shape, "f16")
        return self._add(f"npu.cast {given} : ({_type(shape, 'f16')}) -> {_type(shape)}")

    def _next(self) -> str:
        rng, shape = self._rng, self._shape
        value = self._sources[-1] if rng.random() < 0.6 else rng.choice(self._sources)
        kind = rng.choice(("mirror", "relu", "relu", "add", "add", "transpose"))
        if kind == "mirror" or (kind in ("relu", "add") and self._copied >= MOST_COPIED):
            return self._mirrored(value, shape)
        if kind == "transpose":
            # Exchanges the sizes of the last axes, so that others still fit.
            there = [shape[0], shape[1], shape[3], shape[2]]
            turned = self._add(f"npu.transpose {value} permutation = [0, 1, 3, 2] : ({_type(shape)}) -> {_type(there)}")
            size = there[2] * there[3]
            flat = self._add(f"npu.reshape {turned} : ({_type(there)}) -> {_type([shape[0], shape[1], size])}")
            return self._add(f"npu.reshape {flat} : ({_type([shape[0], shape[1], size])}) -> {_type(shape)}")
        self._copied += 1
        if kind == "relu":
            return self._add(f"npu.relu {value} : {_type(shape)}")
        return self._add(f"npu.add {value}, {rng.choice(self._sources)} : {_type(shape)}")

    def _ended(self, value: str) -> tuple[str, str]:
        rng, shape = self._rng, self._shape
        if rng.random() < 0.5:
            return value, _type(shape)
        if rng.random() < 0.5:
            return self._mirrored(value, shape), _type(shape)
        flat = [shape[0], shape[1], shape[2] * shape[3]]
        return self._add(f"npu.reshape {value} : ({_type(shape)}) -> {_type(flat)}"), _type(flat)


def _type(shape: list[int], element: str = "f32") -> str:
    return f"tensor<{'x'.join(map(str, shape))}x{element}>"
