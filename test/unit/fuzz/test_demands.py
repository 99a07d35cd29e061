"""Demands of random targets on random ops: what the passes take them to be is what the file says."""

from collections import Counter
from math import prod
from pathlib import Path
from random import Random

import pytest
from npu_opt.dialects.npu.shape import AnyTransposeOp
from npu_opt.dialects.npu.values import shape_of, tensor_type
from npu_opt.passes.common.demands.target_layouts import TargetLayouts
from npu_opt.passes.common.moves.transpose_cost import moved_bytes
from npu_opt.passes.common.storages.origins import Origins
from npu_opt.passes.transmit.apply import transmit
from npu_opt.targets import load
from npu_opt.targets.conditions import parse_condition
from npu_opt.targets.facts import Amount, OpFacts, TransposeFacts
from npu_opt.targets.vocabulary import dialect_vocabulary
from support.campaign import one_by_one, seeds
from support.generators.placed_programs import program
from support.generators.random_expressions import random_condition
from support.generators.random_targets import random_target
from support.oracles.condition_values import facts_of, holds
from support.oracles.demanded import rule_of, wanted_of
from support.oracles.transpose_conditions import transpose_holds
from xdsl.dialects.builtin import ModuleOp, TensorType

OPS = tuple(dialect_vocabulary())


def measured(type_: TensorType) -> Amount:
    """The sizes of values are known where conditions ask for them."""
    return Amount(moved_bytes(type_), prod(type_.get_shape()))


def coloured(seed: int) -> ModuleOp:
    module = program(seed).module
    transmit(module)
    return module


def test_conditions_mean_what_they_say(capsys: pytest.CaptureFixture[str]):
    """Random conditions on the ops of random programs, with constants and unknown sizes."""
    values = Counter[bool | None]()
    for seed in one_by_one(seeds(20, 1000), capsys):
        rng, constants = Random(seed), Origins()
        for op in program(seed).module.walk():
            names = dialect_vocabulary().get(op.name.removeprefix("npu."))
            if names is None or not op.operands:
                continue
            for _ in range(5):
                text = random_condition(rng, names)
                condition = parse_condition(text, (*names.operands, *names.results))
                found = condition.expression.holds(OpFacts(op, measured, constants.is_constant))
                assert found is holds(text, facts_of(op)), f"{text}\n{op}"
                values[found] += 1
    assert min(values[value] for value in (True, False, None)) > 0.05 * values.total()


def test_conditions_on_transposes_mean_what_they_say(capsys: pytest.CaptureFixture[str]):
    """Random conditions on the transposes of random programs."""
    values = Counter[bool]()
    for seed in one_by_one(seeds(40, 1000), capsys):
        rng = Random(seed)
        for op in (op for op in program(seed).module.walk() if isinstance(op, AnyTransposeOp)):
            type_ = tensor_type(op.input)
            facts = TransposeFacts.of(type_.element_type, shape_of(op.input), op.moved(), moved_bytes(type_))
            for _ in range(5):
                text = random_condition(rng, None)
                found = parse_condition(text, None).holds(facts)
                assert found is transpose_holds(text, op), f"{text}\n{op}"
                values[found] += 1
    assert min(values.values()) > 0.2 * values.total()


def test_demands_of_random_targets(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    tally = Counter[str]()
    modules = [coloured(seed) for seed in range(40, 50)]
    for seed in one_by_one(seeds(20, 1000), capsys):
        folder = tmp_path / str(seed)
        folder.mkdir()
        (folder / "random.toml").write_text(random_target(seed))
        target = load(folder / "random.toml")
        target_layouts = TargetLayouts(target)
        for op in (op for module in modules for op in module.walk() if target.has_demand(op.name)):
            assert target_layouts.rules.rule(op) is rule_of(op, target), f"{op}\n{target.demands[op.name]}"
            wanted = [each for each in wanted_of(op, target) if any(each)]
            found = [(*each.demands.operands, *each.demands.results) for each in target_layouts.rules.alternatives(op)]
            assert found == wanted, f"{op}\n{target.demands[op.name]}"
            tally["one" if len(wanted) == 1 else "several" if wanted else "none"] += 1
    assert min(tally["one"], tally["several"], tally["none"]) > 20, tally
