"""Small programs with letters, and targets whose stages transpose, for `layout-optimal` with `cost=traffic`."""

from dataclasses import replace
from pathlib import Path
from random import Random

from npu_opt.dialects.npu.shape import TransposeOp
from npu_opt.targets import Target, load
from npu_opt.targets.prices import parse_price
from xdsl.dialects.builtin import ModuleOp

from support.generators.random_targets import random_target
from support.generators.small_groups import ONE, PRICES, TWO, random_hardware
from support.ir_text import parse_verified

LAYOUTS = ("NCHW", "NHWC")
SIZES = ({"C": 4, "H": 6, "W": 1}, {"C": 2, "H": 3, "W": 4})
"""Sizes with two orders of the data, and with six."""
OPS = {
    "opu": ("relu", "relu", "sigmoid", "conv", "max_pool", "mirror", "clip"),
    "plover": ("relu", "sigmoid", "conv", "conv", "upsample", "upsample", "max_pool", "exp"),
    "random": ("relu", "sigmoid", "conv", "exp", "tanh", "max_pool"),
}
TWO_ON = {"opu": ("add", "add", "mul", "concat"), "plover": ("add", "add", "mul", "sub")}
ATTRIBUTES = {
    "upsample": "factors = [1, 1]",
    "max_pool": "window = [1, 1]",
    "mirror": "axes = [{}]",
    "clip": "min = 0.0 max = 6.0",
}


def random_traffic_target(rng: Random, folder: Path) -> Target:
    """Random stages, and demands of some of the ops that they may run."""
    names = {"abs": "input", "exp": "input", "tanh": "input", "relu": "input", "add": "lhs", "mul": "rhs"}
    demands = [
        f'{op} = {{ {operand} = "{rng.choice(LAYOUTS)}" }}' for op, operand in names.items() if rng.random() < 0.5
    ]
    return random_hardware(rng, folder, "\n[demands]\n" + "\n".join(demands))


def traffic_target(seed: int, folder: Path) -> Target:
    """Each third one has a few random stages, and each fourth of the others everything that a target can have."""
    if seed % 3 == 2:
        return random_traffic_target(Random(seed), folder)
    if seed % 4 < 3:
        target = load(("opu", "plover")[seed % 3])
        return _priced(target, Random(seed)) if seed % 2 else target
    return _large_target(seed, folder)


def _priced(target: Target, rng: Random) -> Target:
    """The target with prices of some stages that transpose."""
    turning = {stage.name for stage in (*target.stages_running(TransposeOp.name), *target.absorbing_stages)}
    prices = {name: parse_price(rng.choice(PRICES), None) for name in sorted(turning) if rng.random() < 0.7}
    return replace(target, stages={name: replace(each, price=prices.get(name)) for name, each in target.stages.items()})


def _large_target(seed: int, folder: Path) -> Target:
    file = folder / "random.toml"
    file.write_text(random_target(seed))
    return load(file)


def traffic_program(seed: int, name: str) -> ModuleOp:
    """A program for a target of this name."""
    rng = Random(seed)
    sizes = {"N": 1, **SIZES[seed // 3 % 2]}
    made = _Program(rng, sizes, OPS.get(name, ONE), TWO_ON.get(name, TWO))
    for _ in range(rng.randint(2, 5 if sizes["W"] == 1 else 4)):
        made.add()
    return parse_verified(made.text())


class _Program:
    def __init__(self, rng: Random, sizes: dict[str, int], one: tuple[str, ...], two: tuple[str, ...]) -> None:
        self._rng, self._sizes, self._one, self._two = rng, sizes, one, two
        self._lines: list[str] = []
        self._values = {"x": rng.choice(LAYOUTS), "y": rng.choice(LAYOUTS)}
        self._arguments = ", ".join(f"%{name}: {self._type(layout)}" for name, layout in self._values.items())
        self._unread = ["x"]

    def _type(self, layout: str) -> str:
        shape = "x".join(str(self._sizes[letter]) for letter in layout)
        return f"tensor<{shape}xf32, #npu.layout<{layout}>>"

    def add(self) -> None:
        rng, name = self._rng, f"v{len(self._lines)}"
        first = rng.choice(self._unread) if rng.random() < 0.7 else rng.choice([*self._values])
        layout = self._values[first]
        others = [each for each, its in self._values.items() if its == layout and each != first]
        if rng.random() < 0.2:
            layout = LAYOUTS[layout == LAYOUTS[0]]
            by = [0, 2, 3, 1] if layout == "NHWC" else [0, 3, 1, 2]
            types = f"({self._type(self._values[first])}) -> {self._type(layout)}"
            self._lines.append(f"%{name} = npu.transpose %{first} permutation = {by} : {types}")
        elif others and rng.random() < 0.4:
            second = rng.choice(others)
            self._two_operands(name, first, second, layout)
            self._unread = [each for each in self._unread if each != second]
        else:
            self._one_operand(name, first, layout)
        self._unread = [*(each for each in self._unread if each != first), name]
        self._values[name] = layout

    def _two_operands(self, name: str, first: str, second: str, layout: str) -> None:
        op, type_ = self._rng.choice(self._two), self._type(layout)
        if op == "concat":
            # The sum of the sizes would differ, so half of each is taken.
            op = "max"
        self._lines.append(f"%{name} = npu.{op} %{first}, %{second} : {type_}")

    def _one_operand(self, name: str, first: str, layout: str) -> None:
        op, type_ = self._rng.choice(self._one), self._type(layout)
        if op == "conv":
            kernel = f"tensor<{self._sizes['C']}x{self._sizes['C']}x1x1xf32, #npu.layout<OIHW>>"
            self._lines.append(f"%k{name} = npu.constant dense<0.5> : {kernel}")
            self._lines.append(f"%{name} = npu.conv2d %{first}, %k{name} : ({type_}, {kernel}) -> {type_}")
            return
        attributes = ATTRIBUTES.get(op, "").format(layout.index("H"))
        self._lines.append(f"%{name} = npu.{op} %{first} {attributes} : ({type_}) -> {type_}")

    def text(self) -> str:
        returned = self._unread or ["x"]
        types = ", ".join(self._type(self._values[each]) for each in returned)
        values = ", ".join(f"%{each}" for each in returned)
        body = "\n".join(self._lines)
        return f"func.func @main({self._arguments}) -> ({types}) {{\n{body}\nfunc.return {values} : {types}\n}}"
