"""Random programs with free and named interfaces: the results are equal, and a free interface costs no more."""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.equivalence.numbers import CannotRun, difference, with_interface_of
from npu_opt.equivalence.symbols import public_functions
from npu_opt.interpreter import run
from npu_opt.passes.common.moves.transpose_cost import cost_of_program
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.passes.layout_preset import LayoutPreset
from npu_opt.passes.layout_preset_npu import LayoutPresetNpu
from npu_opt.passes.placement.layout_pass import LayoutPass
from npu_opt.passes.set_interface import SetInterface
from support.campaign import amount, counted
from support.generators.flattened import flattened_program
from support.generators.networks import random_network
from support.generators.programs import random_program
from support.generators.random_targets import random_target
from support.generators.reshaped import reshaped_program
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.transforms.canonicalize import CanonicalizePass

PROGRAMS = amount(4, 1000)
CHUNK = 25
STRATEGIES: dict[str, Callable[[str], LayoutPass]] = {
    "optimal": lambda interface: LayoutOptimal(interface=interface),
    "count": lambda interface: LayoutOptimal(interface=interface, cost="count", target="plover"),
    "naive": lambda interface: LayoutPreset(interface=interface, strategy="naive"),
    "regions-plus": lambda interface: LayoutPreset(interface=interface),
    "seed-plus": lambda interface: LayoutPreset(interface=interface, strategy="seed-plus"),
    "greedy": lambda interface: LayoutPresetNpu(interface=interface),
    "record": lambda interface: LayoutPresetNpu(interface=interface, strategy="record"),
}
NAMED = "NHWC,NWC,NDHWC,HWOI"


def program(seed: int) -> ModuleOp:
    if seed % 4 == 0:
        return random_program(seed, 4 + seed // 4 % 20, seed % 8 > 0, ("none", "any")[seed % 5 == 0])
    if seed % 4 == 1:
        return random_network(seed, 4 + seed // 4 % 20, seed % 8 > 1, ("none", "any")[seed % 5 == 0])
    return flattened_program(seed) if seed % 4 == 2 else reshaped_program(seed)


def placed(module: ModuleOp, *passes: ModulePass) -> ModuleOp:
    result = module.clone()
    for each in passes:
        each.apply(Context(), result)
        result.verify()
    return result


def strategies_on(target: str) -> dict[str, Callable[[str], LayoutPass]]:
    """Some on a random target as well."""
    return {
        **STRATEGIES,
        "optimal, random": lambda interface: LayoutOptimal(interface=interface, cost="bytes", target=target),
        "regions-plus, random": lambda interface: LayoutPreset(interface=interface, target=target),
    }


def problems(seed: int, tally: Counter[str]) -> Iterator[str]:
    with TemporaryDirectory() as folder:
        file = Path(folder, "random.toml")
        file.write_text(random_target(seed))
        yield from problems_of(seed, strategies_on(str(file)), tally)


def problems_of(seed: int, strategies: dict[str, Callable[[str], LayoutPass]], tally: Counter[str]) -> Iterator[str]:
    module = program(seed)
    for name, strategy in strategies.items():
        costs: dict[str, int] = {}
        for interface in ("keep", "free", NAMED):
            layouts = strategy(interface)
            done = placed(module, layouts)
            yield from verdict(module, done, f"seed {seed}, {name}, {interface}", tally)
            final = placed(done, CanonicalizePass())
            yield from verdict(module, final, f"seed {seed}, {name}, {interface}, canonicalize", tally)
            found = cost_of_program(final)
            costs[interface] = found.transposes if name == "count" else found.bytes
        tally["cheaper with a free interface"] += costs["free"] < costs["keep"]
        if costs["free"] > costs["keep"]:
            yield f"seed {seed}, {name}: {costs['keep']} became {costs['free']} with a free interface"
    for interface in ("free", NAMED):
        yield from verdict(module, placed(module, SetInterface(interface)), f"seed {seed}, {interface} alone", tally)


def verdict(first: ModuleOp, second: ModuleOp, about: str, tally: Counter[str]) -> Iterator[str]:
    answer = compare(first, second)
    tally[answer.verdict.name.lower()] += 1
    if answer.verdict is Verdict.PROVED:
        return
    for function in public_functions(first).values():
        try:
            found = difference(first, with_interface_of(first, second, partial(run, second)), function, [1])
        except CannotRun:
            tally["not run"] += 1
            continue
        tally["equal on a random input"] += found is None
        if found is not None or answer.verdict is Verdict.DIFFERENT:
            yield f"{about}: {answer.text}: {found}"


def test_random_programs(capsys: pytest.CaptureFixture[str]):
    tally = counted(problems, range(PROGRAMS), CHUNK, capsys)
    assert tally["cheaper with a free interface"] > PROGRAMS / 4
