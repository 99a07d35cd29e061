"""Debug counters: a program computes the same after every number of changes."""

import re
from collections.abc import Iterator

import pytest
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.passes.fuse_ops import FuseOps
from npu_opt.passes.fuse_ops_hw import FuseOpsHw
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.passes.layout_preset import LayoutPreset
from npu_opt.passes.layout_preset_npu import LayoutPresetNpu
from npu_opt.tools.driver.debug_counter import counted
from support.campaign import amount
from support.generators.flattened import flattened_program
from support.generators.networks import random_network
from support.generators.programs import random_program
from support.generators.reshaped import reshaped_program
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.transforms.canonicalize import CanonicalizePass

PROGRAMS = amount(3, 300)
PIPELINES: tuple[tuple[ModulePass, ...], ...] = (
    (LayoutOptimal(), CanonicalizePass(), FuseOps()),
    (LayoutOptimal(interface="free"),),
    (LayoutPreset(strategy="naive"), CanonicalizePass(), FuseOpsHw()),
    (LayoutPreset(),),
    (LayoutPreset(strategy="seed-plus", interface="free"),),
    (LayoutPresetNpu(), CanonicalizePass(), FuseOpsHw(annotate=True)),
    (LayoutPresetNpu(strategy="record"),),
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


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_every_number_of_changes_preserves_the_results(seed: int, capsys: pytest.CaptureFixture[str]):
    module = program(seed)
    for pipeline in PIPELINES:
        before = module
        for module_pass in pipeline:
            whole = before.clone()
            module_pass.apply(Context(), whole)
            expected = compare(before, whole).verdict
            last = whole
            for limit, last in partial_programs(before, module_pass, capsys):
                found = compare(before, last)
                assert found.verdict in (expected, Verdict.PROVED), f"{module_pass} after {limit} changes: {found.text}"
            assert str(last) == str(whole), f"{module_pass} with all changes"
            before = whole
