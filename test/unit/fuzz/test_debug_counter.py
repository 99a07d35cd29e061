"""Debug counters: a program computes the same after every number of changes."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

import pytest
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.passes.fuse_ops import FuseOps
from npu_opt.passes.fuse_ops_hw import FuseOpsHw
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.passes.layout_preset import LayoutPreset
from npu_opt.passes.layout_preset_npu import LayoutPresetNpu
from npu_opt.tools.driver.pipeline.debug_counter import counted
from support.campaign import amount
from support.generators.flattened import flattened_program
from support.generators.networks import random_network
from support.generators.programs import random_program
from support.generators.random_targets import random_target
from support.generators.reshaped import reshaped_program
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.transforms.canonicalize import CanonicalizePass

PROGRAMS = amount(3, 300)
Pipelines: TypeAlias = Sequence[Sequence[ModulePass]]
PIPELINES: Pipelines = (
    (LayoutOptimal(), CanonicalizePass(), FuseOps()),
    (LayoutOptimal(interface="free"),),
    (LayoutPreset(strategy="naive"), CanonicalizePass(), FuseOpsHw()),
    (LayoutPreset(),),
    (LayoutPreset(strategy="seed-plus", interface="free"),),
    (LayoutPresetNpu(), CanonicalizePass(), FuseOpsHw(annotate=True)),
    (LayoutPresetNpu(strategy="record"),),
)


def pipelines_on(target: str) -> Pipelines:
    """Passes on a target that may demand and absorb anything."""
    return (
        (LayoutOptimal(target=target), CanonicalizePass(), FuseOpsHw(target=target)),
        (LayoutOptimal(target=target, cost="bytes", interface="free"),),
        (LayoutOptimal(target=target, cost="traffic"), FuseOpsHw(target=target, strategy="cover")),
        (LayoutPreset(target=target, strategy="naive"), CanonicalizePass(), FuseOps()),
        (LayoutPreset(target=target), FuseOpsHw(target=target, strategy="cover", annotate=True)),
        (LayoutPresetNpu(target=target), FuseOpsHw(target=target)),
        (LayoutPresetNpu(target=target, strategy="record", interface="free"),),
    )


def program(seed: int) -> ModuleOp:
    size = 4 + seed // 4 % 12
    match seed % 4:
        case 0:
            return random_program(seed, size, seed % 8 > 0)
        case 1:
            return random_network(seed, size, seed % 8 > 1)
        case 2:
            return flattened_program(seed)
        case _:
            return reshaped_program(seed)


def partial_programs(
    module: ModuleOp, module_pass: ModulePass, capsys: pytest.CaptureFixture[str]
) -> Iterator[tuple[int, ModuleOp]]:
    """The program after each number of changes, up to all of them."""
    is_whole, limit = False, 0
    while not is_whole:
        copy = module.clone()
        with counted(module_pass, {module_pass.name: limit}) as counted_pass:
            counted_pass.apply(Context(), copy)
        copy.verify()
        yield limit, copy
        note = capsys.readouterr().err
        found = re.search(rf"note: {module_pass.name}: applied ([0-9]+) of ([0-9]+) changes", note)
        is_whole = found is not None and found[1] == found[2]
        limit += 1


def check(module: ModuleOp, pipelines: Pipelines, capsys: pytest.CaptureFixture[str]) -> int:
    """The number of programs after some changes, but not all, each of which computes the same."""
    count = 0
    for pipeline in pipelines:
        before = module
        for module_pass in pipeline:
            whole = before.clone()
            module_pass.apply(Context(), whole)
            expected = compare(before, whole).verdict
            last = whole
            for limit, last in partial_programs(before, module_pass, capsys):
                found = compare(before, last)
                assert found.verdict in (expected, Verdict.PROVED), f"{module_pass} after {limit} changes: {found.text}"
                count += 1
            assert str(last) == str(whole), f"{module_pass} with all changes"
            count -= 1
            before = whole
    return count


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_every_number_of_changes_preserves_the_results(seed: int, capsys: pytest.CaptureFixture[str]):
    check(program(seed), PIPELINES, capsys)


@pytest.mark.parametrize("part", range(2))
def test_random_targets(part: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Every number of changes preserves the results on random targets."""
    file, count = tmp_path / "random.toml", 0
    for seed in range(part, PROGRAMS + 1, 2):
        file.write_text(random_target(seed))
        count += check(program(seed), pipelines_on(str(file)), capsys)
    assert count > PROGRAMS
