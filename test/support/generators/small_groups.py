"""Random small programs and random data-flows, for the search of groups."""

from pathlib import Path
from random import Random

from npu_opt.targets import Target
from xdsl.dialects.builtin import ModuleOp

from support.generators.hardware import hardware, program
from support.generators.random_expressions import pair

ONE, TWO = ("relu", "abs", "exp", "tanh"), ("add", "mul", "prelu")
"""The last one reads its second operand beside its data."""
PERMUTATIONS = ("[0, 2, 1, 3]", "[0, 2, 3, 1]")
MODES = ("", "runs", "absorbs", "free")
CONDITIONS = ("true", "true", "'keeps the last axis'", "'moves the last axis'")
PRICES = ("0", "7", "700", "7000", "0.1 x bytes", "0.25 x bytes + 3", "bytes", "3 x bytes", "bytes + bytes + 90")
"""Prices of transposes: up to twice the bytes are less than a round through memory."""
SHAPES = ("chain", "tree", "tree out", "any")


def random_hardware(rng: Random, folder: Path, demands: str = "") -> Target:
    """A data-flow of two to six stages, some with limited uses, some with cycles, and a way to transpose."""
    names = [f"s{place}" for place in range(rng.randint(2, 6))]
    edges = {(names[rng.randrange(place)], names[place]) for place in range(1, len(names))}
    for _ in range(rng.randrange(4)):
        first, second = rng.choice(names), rng.choice(names)
        if names.index(first) < names.index(second) or rng.random() < 0.2:
            edges.add((first, second))
    stages: dict[str, str] = {}
    for name in names:
        runs = rng.sample([*ONE[:3], *TWO], rng.randint(1, 3))
        runs = [f"{op} with own" if op in TWO and rng.random() < 0.25 else op for op in runs]
        stages[name] = f"runs = {runs}" + (f"\nuses = {rng.randint(1, 2)}" if rng.random() < 0.4 else "")
        stages[name] += "\nholds = true" if rng.random() < 0.2 else ""
    mode = rng.choice(MODES)
    turning = rng.sample(names, rng.choice((1, 2, 2))) if mode in ("absorbs", "runs") else ()
    for name in turning:
        if mode == "absorbs":
            stages[name] += f"\nabsorbs = {rng.choice(CONDITIONS)}"
        else:
            stages[name] = stages[name].replace("runs = [", "runs = ['transpose', ")
        if rng.random() < 0.7:
            stages[name] += f"\n{pair('price', rng.choice(PRICES))}"
    top = "forbids-escaping = true" if rng.random() < 0.4 else ""
    free = ("reshape", "transpose") if mode == "free" else ("reshape",)
    return hardware(folder, [f"{first} > {second}" for first, second in sorted(edges)], stages, top + demands, free)


def random_program(rng: Random, shape: str, length: int) -> ModuleOp:
    """A program of ops on values of one size, as a chain, as a tree in either direction, or any."""
    lines: list[str] = []
    values, unread = ["x", "y"], ["x"]
    for place in range(length):
        name = f"v{place}"
        first = unread[-1] if shape == "chain" else rng.choice(unread if shape == "tree" else values)
        second = rng.choice([each for each in unread if each != first] or ["y"]) if shape == "tree" else "y"
        second = rng.choice(values) if shape == "any" else second
        if rng.random() < 0.15:
            lines.append(f"{name} = reshape {first}")
        elif rng.random() < 0.25:
            lines.append(f"{name} = transpose {first} | permutation = {rng.choice(PERMUTATIONS)}")
        elif rng.random() < 0.45:
            lines.append(f"{name} = {rng.choice(TWO)} {first} {second}")
            unread = [each for each in unread if each != second]
        else:
            lines.append(f"{name} = {rng.choice(ONE)} {first}")
        unread = [*(each for each in unread if each != first), name]
        if shape == "tree" and rng.random() < 0.3:
            unread.append("x")
        values.append(name)
    returned = [each for each in unread if each not in "xy"]
    if shape != "chain" and rng.random() < 0.3:
        returned.append(rng.choice(values))
    return program(*lines, results=" ".join(dict.fromkeys(returned)))
