"""Unusual programs through every strategy that places transposes, on both targets: all checks hold.

What the checker does not decide, such as functions of several blocks, is run with numbers, one way and the other.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np
import pytest
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.interpreter import evaluate
from npu_opt.passes.layout_preset import LayoutPreset
from npu_opt.passes.layout_preset_npu import LayoutPresetNpu
from npu_opt.targets import load
from npu_opt.text.parser import NpuParser
from support.generators.edge_programs import LARGE, PROGRAMS
from support.ir_text import context
from support.oracles.placement import (
    Outcome,
    Setting,
    Trial,
    changed_interfaces,
    changed_tensors,
    different,
    functions,
    invalid,
    named,
    problems,
    transposes,
    unmet_demands,
)
from support.oracles.running import Array, Effect
from xdsl.context import Context
from xdsl.dialects.builtin import IntegerType, ModuleOp, TensorType
from xdsl.dialects.cf import BranchOp, ConditionalBranchOp
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.dialects.scf import IfOp, YieldOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.hints import isa

SETTINGS: dict[str, tuple[LayoutPreset | LayoutPresetNpu, bool]] = {
    "naive": (LayoutPreset(strategy="naive"), False),
    "regions": (LayoutPreset(strategy="regions"), True),
    "all-regions": (LayoutPreset(strategy="regions", all_regions=True), False),
    "regions-plus": (LayoutPreset(strategy="regions-plus"), True),
    "greedy": (LayoutPresetNpu(strategy="greedy"), True),
    "record": (LayoutPresetNpu(strategy="record"), False),
}
"""The strategies, and whether they do nothing where nothing is demanded."""

NOT_RUN = ("nothing known of sizes", "types that have no layout")
"""Programs that have to be proved, for there are no numbers for them."""


def parse(text: str) -> ModuleOp:
    known = context()
    known.allow_unregistered = True
    return NpuParser(known, text).parse_module()


# Running programs with branches.

DEEPEST = 4
"""The depth of calls; some functions call themselves and never return."""


class Machine:
    """Runs functions with branches.

    What nothing is known of does something with the bytes that it gets, and so do calls once they are deep enough.
    """

    def __init__(self, module: ModuleOp):
        self.functions = functions(module)
        self.effects: list[Effect] = []
        self.depth = 0

    def call(self, name: str, inputs: Sequence[Any]) -> list[Any]:
        values: dict[SSAValue, Any] = {}
        block: Block | None = self.functions[name].body.blocks[0]
        self.depth += 1
        while block is not None:
            values.update(zip(block.args, inputs, strict=True))
            block, inputs = self.block(block, values)
        self.depth -= 1
        return list(inputs)

    def block(self, block: Block, values: dict[SSAValue, Any]) -> tuple[Block | None, list[Any]]:
        """The block that comes next, and what it gets."""
        for op in block.ops:
            operands = [values[operand] for operand in op.operands]
            match op:
                case ReturnOp() | YieldOp():
                    return None, operands
                case BranchOp():
                    return op.successor, operands
                case ConditionalBranchOp():
                    taken = (op.then_block, op.then_arguments) if operands[0] else (op.else_block, op.else_arguments)
                    return taken[0], [values[value] for value in taken[1]]
                case IfOp():
                    region = op.true_region if operands[0] else op.false_region
                    results = self.block(region.block, values)[1]
                case CallOp() if self.depth <= DEEPEST and not self.callee(op).is_declaration:
                    results = self.call(op.callee.string_value(), operands)
                case NpuOp() if op.name != "npu.opaque":
                    results = evaluate(op, operands)
                case _:
                    results = self.foreign(op, operands)
            values.update(zip(op.results, results, strict=True))
        return None, []

    def callee(self, op: CallOp) -> FuncOp:
        return self.functions[op.callee.string_value()]

    def foreign(self, op: Operation, operands: Sequence[Array]) -> list[Array]:
        data = b"".join(np.ascontiguousarray(each).tobytes() for each in operands)
        self.effects.append((op.name, operands))
        seed = sum(data) % 1000
        types = [result.type for result in op.results]
        return list(inputs_for(types, seed))


def inputs_for(types: Sequence[Attribute], seed: int) -> Iterator[Any]:
    rng = np.random.default_rng(seed)
    for index, type_ in enumerate(types):
        if type_ == IntegerType(1):
            yield np.bool_(seed >> index & 1)
        else:
            assert isa(type_, TensorType)
            yield rng.standard_normal([max(size, 3) if size < 0 else size for size in type_.get_shape()]).astype("f")


def run_branches(trial: Trial, module: ModuleOp) -> Outcome:
    """The results of @main for each of its branches."""
    machine = Machine(module)
    types = functions(module)["main"].function_type.inputs.data
    # Small enough to be exact: sums of the same products in another order.
    results: list[Array] = []
    for seed in range(16):
        results += [each.round(3) for each in machine.call("main", list(inputs_for(types, seed)))]
    return Outcome(results, machine.effects)


def no_numbers(trial: Trial, module: ModuleOp) -> Outcome:
    raise AssertionError("this program has to be proved")


def setting_of(strategy: str, target: str) -> Setting:
    preset, needs_demands = SETTINGS[strategy]
    made = replace(preset, target=target)
    keeps_tensors = isinstance(made, LayoutPresetNpu)
    return Setting(
        strategy, partial(_apply, made), load(target), keeps_tensors, needs_demands, shares=strategy != "naive"
    )


def _apply(made: LayoutPreset | LayoutPresetNpu, module: ModuleOp) -> None:
    made.apply(Context(), module)


@cache
def small_program(name: str) -> ModuleOp:
    """A named program for all strategies; they change copies."""
    module = named(parse(PROGRAMS[name]))
    module.verify()
    return module


@pytest.mark.parametrize("target", ["opu", "plover"])
@pytest.mark.parametrize("strategy", SETTINGS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_edge(name: str, strategy: str, target: str):
    run = no_numbers if name in NOT_RUN else run_branches
    assert problems(Trial(small_program(name), setting_of(strategy, target), run=run)) == {}


QUICK = {check.__name__: check for check in (invalid, different, unmet_demands, changed_interfaces, changed_tensors)}
"""The checks of large programs."""


@pytest.fixture(scope="module", params=[pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in LARGE])
def large_program(request: pytest.FixtureRequest) -> tuple[str, ModuleOp]:
    """A large program and its name. One process tries all strategies on it."""
    return request.param, NpuParser(context(), LARGE[request.param]()).parse_module()


@pytest.mark.parametrize("strategy", SETTINGS)
def test_large_program(large_program: tuple[str, ModuleOp], strategy: str):
    name, module = large_program
    trial = Trial(module, setting_of(strategy, "opu"), run=no_numbers)
    assert problems(trial, QUICK) == {}
    before, after = transposes(module), transposes(trial.placed)
    if strategy in ("regions", "regions-plus", "greedy") and name in ("a long chain", "many users"):
        assert after - before in (1, 2)


@pytest.mark.parametrize(
    ("name", "op"), [("a loop", "npu.abs"), ("several blocks", "npu.relu"), ("a choice", "npu.relu")]
)
def test_a_mistake_behind_a_branch_is_found(name: str, op: str):
    correct = setting_of("regions", "opu")

    def forgetful(module: ModuleOp) -> None:
        correct.run(module)
        for each in [each for each in module.walk() if each.name == op]:
            each.results[0].replace_all_uses_with(each.operands[0])

    trial = Trial(small_program(name), replace(correct, run=forgetful), run=run_branches)
    assert set(problems(trial)) == {"different", "worse_when_canonical"}
