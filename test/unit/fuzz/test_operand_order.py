"""Operands of commutative ops are swapped: no strategy leaves other transposes or bytes than before.

The class of a value, and with it the target's demands, must not depend on which operand comes first.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pytest
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.elementwise import ElementwiseOp
from npu_opt.dialects.npu.shape import RelabelOp
from npu_opt.passes.common.moves.transpose_cost import cost_of_program
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.passes.layout_preset import LayoutPreset
from npu_opt.passes.layout_preset_npu import LayoutPresetNpu
from npu_opt.passes.layout_transmit import LayoutTransmit
from npu_opt.passes.transmit.apply import transmit
from npu_opt.tools.driver.formats.program import new_context, read_program
from support import optional_tools
from support.campaign import LONG, amount, one_by_one
from support.generators.mixed_classes import mixed_program
from support.generators.placed_programs import TARGETS, program
from support.generators.random_targets import random_target
from support.oracles.placement import findings, text
from support.source_tree import ROOT
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

PROGRAMS = amount(30, 2000)
ON_RANDOM_TARGETS = amount(4, 2000)
MODELS = ROOT / "benchmarks" / "models"
NETWORKS = sorted(MODELS.glob("*.onnx")) if LONG else [MODELS / "espcn.onnx", MODELS / "squeezenet.onnx"]


def passes_on(target: str) -> Iterator[ModulePass]:
    for strategy in ("naive", "regions", "regions-plus", "seed-plus"):
        yield LayoutPreset(strategy=strategy, target=target)
    yield LayoutPresetNpu(strategy="greedy", target=target)
    yield LayoutPresetNpu(strategy="record", target=target)
    yield LayoutOptimal(target=target, cost="bytes")
    yield LayoutOptimal(target=target, cost="count")


def left(module: ModuleOp, steps: Sequence[ModulePass]) -> tuple[int, ...]:
    """The transposes and bytes that the passes leave; bytes are not compared for `cost=count`."""
    placed = module.clone()
    for step in steps:
        step.apply(Context(), placed)
    cost = cost_of_program(findings(module).result(placed).canonical.module)
    counts_only = any(isinstance(step, LayoutOptimal) and step.cost == "count" for step in steps)
    return (cost.transposes,) if counts_only else (cost.transposes, cost.bytes)


def swapped(module: ModuleOp, seed: int) -> ModuleOp:
    """The program with the operands of commutative ops swapped: all of them, or some at random."""
    result, random = module.clone(), Random(seed)
    for op in result.walk():
        if isinstance(op, NpuOp) and op.commutes() and (seed % 2 or random.random() < 0.5):
            op.operands = [*reversed(op.operands)]
    result.verify()
    return result


def differences_on(target: str, module: ModuleOp, seed: int) -> Iterator[str]:
    """The passes for which the order of operands matters."""
    other = swapped(module, seed)
    for each in passes_on(target):
        if (before := left(module, [each])) != (after := left(other, [each])):
            yield f"{each.pipeline_pass_spec()}: {before} became {after}"


def differences(module: ModuleOp, seed: int) -> Iterator[str]:
    for target in TARGETS:
        yield from differences_on(target, module, seed)
    other = swapped(module, seed)
    for resolve in ("next", "previous", "nearest"):
        steps = [LayoutTransmit(resolve=resolve), LayoutPreset()]
        if (before := left(module, steps)) != (after := left(other, steps)):
            yield f"resolve={resolve}: {before} became {after}"


def test_random_programs(capsys: pytest.CaptureFixture[str]):
    meetings = Counter[bool]()
    for seed in one_by_one(range(PROGRAMS), capsys):
        for module in subjects(seed):
            found = list(differences(module, seed))
            assert not found, f"seed {seed}\n{text(module)}\n" + "\n".join(found)
        meetings += classes_that_meet(subjects(seed)[1])
    # Operands of one class only cannot be confused.
    assert meetings[True] >= PROGRAMS


def subjects(seed: int) -> tuple[ModuleOp, ModuleOp]:
    return program(seed).module, mixed_program(seed)


def test_random_targets(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """The order of operands decides nothing on random targets, which demand the same of both."""
    file = tmp_path / "random.toml"
    for seed in one_by_one(range(ON_RANDOM_TARGETS), capsys):
        file.write_text(random_target(seed, is_symmetric=True))
        for module in subjects(seed):
            found = list(differences_on(str(file), module, seed))
            assert not found, f"seed {seed}\n{file.read_text()}\n{text(module)}\n" + "\n".join(found)


def classes_that_meet(module: ModuleOp) -> Counter[bool]:
    """The number of elementwise ops of two operands that use a relabelled one, so that their classes differed."""
    coloured = module.clone()
    transmit(coloured)
    found = (op for op in coloured.walk() if isinstance(op, ElementwiseOp) and len(op.operands) == 2)
    return Counter(any(isinstance(operand.owner, RelabelOp) for operand in op.operands) for op in found)


@pytest.mark.skipif(optional_tools.onnx().location is None, reason=optional_tools.onnx().note)
@pytest.mark.parametrize("file", NETWORKS, ids=lambda file: file.stem)
def test_networks(file: Path):
    module = read_program(str(file), new_context()).module
    found = list(differences(module, 1))
    assert not found, "\n".join(found)
    for target in TARGETS:
        plain, plus = (
            left(module, [LayoutPreset(strategy=each, target=target)]) for each in ("regions", "regions-plus")
        )
        assert plus[1] <= plain[1]
