"""Random targets: a rule of which --check-target says that it never holds holds for no op of random programs."""

from collections import Counter
from pathlib import Path

import pytest
from npu_opt.dialects.npu.shape import TransposeOp
from npu_opt.passes.fusion.stages.target_use import TargetUse
from npu_opt.passes.transmit.apply import transmit
from npu_opt.targets import load
from npu_opt.targets.findings import findings, rule_path
from support.campaign import one_by_one, seeds
from support.generators.placed_programs import program
from support.generators.random_targets import loaded_target, random_target

PROGRAMS = 3
"""The programs for each target."""


def test_rules_that_never_hold(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file, tally = tmp_path / "random.toml", Counter[bool]()
    for seed in one_by_one(seeds(20, 1000), capsys):
        file.write_text(random_target(seed))
        target = load(file)
        errors = {each.path for each in findings(target) if each.is_error and "never met" not in each.message}
        for each in range(PROGRAMS):
            module = program(PROGRAMS * seed + each, 12).module.clone()
            transmit(module)
            for op, place in TargetUse(module, target).rules:
                path = rule_path(op, target.demands[op], place)
                assert not {path, (*path, "when")} & errors, f"seed {seed}, {path}\n{file.read_text()}\n{module}"
                tally[True] += 1
        tally[False] += len(errors)
    assert min(tally[True], tally[False]) > 20


def test_random_targets_transpose_in_all_ways():
    targets = [loaded_target(seed) for seed in range(30)]
    kinds = Counter(str(type(stage.absorbs)) for target in targets for stage in target.absorbing_stages)
    kinds["free"] = sum(target.is_free(TransposeOp.name) for target in targets)
    kinds["run"] = sum(bool(target.stages_running(TransposeOp.name)) for target in targets)
    kinds["no stages"] = sum(not target.stages for target in targets)
    assert len(kinds) == 5
    assert min(kinds.values()) > 1, kinds
