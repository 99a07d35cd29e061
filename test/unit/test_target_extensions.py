"""Errors about target files that extend another one, with their lines."""

from dataclasses import replace
from pathlib import Path

import pytest
from npu_opt.targets import TargetError, load

EXTENDING = """\
name = "mine"
description = "My hardware"
extends = "litert"
"""
EXTENSIONS = [
    ('"litert"', '"liter"', "3: unknown target 'liter'; did you mean 'litert'?"),
    ('"litert"', '"none/chip.toml"', "3: 'none/chip.toml' is no file: the path is relative to this file"),
    ('"litert"', '"mine.toml"', "3: the target extends itself"),
    ('"litert"', "1", "3: 'extends' must be a text, found a number"),
    (
        '"litert"',
        '"litert"\n[preferred]',
        "4: 'preferred' cannot be said with 'extends': only 'matmul', 'cost', 'demands', 'costs', 'transposes',"
        " 'integers-only', 'nchwc', 'optimize', 'whole', 'free', 'ranks', 'file', 'data-flow' or 'stages'",
    ),
    ('"litert"', '"litert"\n[stages.act]\nruns = ["relu"]', "1: 'data-flow' is missing: it must be a table"),
    ('"litert"', '"litert"\n[data-flow]\nroot = "a"\nedges = []', "1: 'stages' is missing: it must be a table"),
    ('"litert"', '"opu"\nfree = ["relu"]', "4: 'relu' cannot be free: a stage runs it"),
    (
        '"litert"',
        '"opu"\n[stages.pool]\nruns = ["reshape"]',
        "4: a stage runs 'reshape', which is free in 'opu': say 'free'",
    ),
    (
        '"litert"',
        '"opu"\n[stages.extra]\nruns = ["exp"]',
        "4: no edge leads from the root 'concat' to the stage 'extra'",
    ),
    (
        '"litert"',
        '"opu"\n[data-flow]\nroot = "pool_pad"\nedges = ["pool_pad > compare"]',
        "opu.toml:94: unknown stage 'pool'",
    ),
    (
        '"litert"',
        '"opu"\n[stages.pool]\nruns = ["exp with own"]',
        "5: 'exp' has one operand, so 'with own' has no meaning",
    ),
    ('"litert"', '"opu"\n[stages.pool]\nruns = ["mul with owm"]', "5: unknown operand kind 'owm'; did you mean 'own'?"),
    ('"litert"', '"opu"\n[stages.pool]\nruns = ["exp"]\nholds = 1', "6: 'holds' must be true or false, found a number"),
]


@pytest.mark.parametrize(("old", "new", "message"), EXTENSIONS)
def test_errors_in_files_that_extend_another(old: str, new: str, message: str, tmp_path: Path):
    file = tmp_path / "mine.toml"
    file.write_text(EXTENDING.replace(old, new))
    with pytest.raises(TargetError) as caught:
        load(file)
    assert f"{'' if message.startswith('opu.toml') else f'{file}:'}{message}" in str(caught.value)


def test_a_target_that_extends_one_that_extends_another(tmp_path: Path):
    """Each adds to the one before: demands, stages and the file's rules."""
    head = 'name = "{}"\ndescription = "X"\nextends = "{}"\n'
    (tmp_path / "middle.toml").write_text(
        head.format("middle", "opu") + '[demands]\nlrn = { axis = 1 }\n[stages.pool]\nruns = ["exp"]\n'
    )
    (tmp_path / "last.toml").write_text(head.format("last", "middle.toml") + "[file]\nopset = 17\n")
    middle, last = load(tmp_path / "middle.toml"), load(tmp_path / "last.toml")
    assert (last.name, last.rules.opset, middle.rules.opset) == ("last", 17, None)
    assert (last.demands, last.stages) == (middle.demands, middle.stages)
    (tmp_path / "more.toml").write_text(head.format("more", "middle.toml") + '[stages.compare]\nruns = ["sin"]\n')
    stages = load(tmp_path / "more.toml").stages
    assert [[rule.op for rule in stages[name].rules] for name in ("pool", "compare")] == [["npu.exp"], ["npu.sin"]]


def test_targets_that_extend_each_other(tmp_path: Path):
    for name, other in (("one", "other"), ("other", "one")):
        text = f'name = "{name}"\ndescription = "X"\nextends = "{other}.toml"\n'
        (tmp_path / f"{name}.toml").write_text(text)
    with pytest.raises(TargetError, match=r"one\.toml:3: the target extends itself"):
        load(tmp_path / "one.toml")


def test_the_target_for_int8_differs_from_the_one_for_half_precision_in_transposes_and_group_norms():
    half, int8 = load("sophgo-bm1684x"), load("sophgo-bm1684x-int8")
    same = {
        "name": half.name,
        "description": half.description,
        "rules": replace(int8.rules, splits_transposes=True),
        "optimize": f"--recognise-norms=formulas=false {int8.optimize}",
    }
    assert replace(int8, **same) == half
    assert half.rules != int8.rules
