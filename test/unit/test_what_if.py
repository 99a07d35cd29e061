"""`--what-if`: each answer is the cost of the program that is solved from scratch with the change.

The change is made as a user would: in a copy of the target's file, or by a flag.
"""

import json
import re
from pathlib import Path

import npu_opt
import pytest
from npu_opt.layout import LayoutClass
from npu_opt.passes.describe_ops import describe
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.passes.placement.layout_pass import colour
from npu_opt.targets import CostUnit, available, load
from npu_opt.tools.observers.what_if import what_if
from support.campaign import LONG, amount
from support.generators.programs import random_program
from support.source_tree import ROOT
from xdsl.dialects.builtin import ModuleOp

PROGRAMS = amount(8, 600)
NETWORKS = ("shufflenet_v2", "squeezenet")
MORE_NETWORKS = ("alexnet", "conformer_s", "crnn", "levit_128", "retinanet_r50", "segformer_b0", "swin_t", "yolo_v8_n")
COSTS = """
[costs]
unit = "cycles"
transpose = [{ when = "keeps the last axis", per-byte = 0.2, per-call = 100 }, { per-byte = 1.5, per-call = 300 }]
matmul = { lhs = "0.3 x bytes of lhs" }
"""
DEMAND = re.compile(r"with(?:out| (\w+) instead of \w+ in) the demand of \S+ on (\w+) \(\w+\.toml:(\d+)\)")
MATMUL = re.compile(r'matmul = "\w+"')
OPS = re.compile(r'(\[ops\."[^"]+"\]) (like = "[^"]+")')
FLAG = re.compile(r"\(--interface=([^)]*)\)")
CHANNELS_LAST, CHANNELS_FIRST = ["NWC", "NHWC", "NDHWC"], ["NCW", "NCHW", "NCDHW"]


def edited(lines: list[str], change: str, highest_rank: int) -> list[str]:
    """The lines of a target's file with a change."""
    lines = [*lines]
    for layout, name, number in DEMAND.findall(change):
        wanted = (CHANNELS_LAST if layout.endswith("C") else CHANNELS_FIRST)[: highest_rank - 2]
        entry = f"{name} = {json.dumps(wanted)}, " if layout else ""
        line = re.sub(rf'\b{name} = "[^"]*"(, )?', entry, lines[int(number) - 1])
        lines[int(number) - 1] = "" if re.search(r"= \{\W*\}", line) else re.sub(r",[ ]*\}", " }", line)
    for entry in MATMUL.findall(change):
        lines = [entry if line.startswith('matmul = "') else line for line in lines]
    return [*lines, *(f"{table}\n{like}" for table, like in OPS.findall(change))]


def figures(layout_pass: LayoutOptimal, module: ModuleOp) -> tuple[int, int, int, int | None]:
    """The cost of the program that a pass makes of another one."""
    copy = module.clone()
    describe(copy, load(layout_pass.target).vendor_ops)
    names = colour(copy, layout_pass.default_layout())
    cost = layout_pass.choose(copy, layout_pass.chosen_interface(copy, names)).cost
    return cost.ticks, cost.bytes, cost.transposes, cost.travelling


def checked(module: ModuleOp, file: Path) -> int:
    """The number of answers about a program that were solved from scratch."""
    lines, changed = file.read_text(encoding="utf-8").splitlines(), file.parent / "changed" / file.name
    changed.parent.mkdir(exist_ok=True)
    count, text, target = 0, str(module), load(str(file))
    for answer in what_if(LayoutOptimal(target=str(file)), module).answers:
        flags = FLAG.findall(answer.change)
        if len(flags) < len(re.findall(r"(argument|output) ", answer.change)):
            # No flag says it, or nothing is saved.
            continue
        made = edited(lines, answer.change, target.max_rank(LayoutClass.FEATURE))
        changed.write_text("\n".join(made), encoding="utf-8")
        other = LayoutOptimal(target=str(changed), cost=target.cost, interface=",".join(flags) or "keep")
        cost = answer.cost
        assert figures(other, module) == (cost.ticks, cost.bytes, cost.transposes, cost.travelling), answer.change
        count += 1
    assert str(module) == text
    return count


def target_file(folder: Path, name: str, more: str = "") -> Path:
    file, text = folder / f"{name}.toml", available()[name].read_text(encoding="utf-8")
    if more:
        # Other costs take the place of its own.
        text = text.partition("\n[costs]")[0].replace('cost = "bytes"\n', "\n", 1)
    file.write_text(text + more, encoding="utf-8")
    return file


def test_random_programs(tmp_path: Path):
    opu, plover = (target_file(tmp_path, name) for name in ("opu", "plover"))
    priced = tmp_path / "priced"
    priced.mkdir()
    files = opu, plover, target_file(priced, "plover", COSTS), target_file(priced, "opu", COSTS)
    count = 0
    for seed in range(PROGRAMS):
        module = random_program(seed, 12, coloured=seed % 2 == 0, functions=0)
        count += checked(module, files[seed % 4])
    assert count > 2 * PROGRAMS


def test_programs_whose_bytes_travel(tmp_path: Path):
    file = target_file(tmp_path, "plover")
    file.write_text(
        file.read_text(encoding="utf-8").replace("\nmatmul", '\ncost = "traffic"\nmatmul', 1), encoding="utf-8"
    )
    for seed in range(amount(3, 100)):
        assert checked(random_program(seed, 6, coloured=False, functions=0), file)


@pytest.mark.parametrize("name", (*NETWORKS, *MORE_NETWORKS) if LONG else NETWORKS)
def test_networks(name: str, tmp_path: Path):
    module = npu_opt.load(ROOT / f"benchmarks/models/{name}.onnx").module
    assert checked(module, target_file(tmp_path, "opu"))


def test_answers_are_the_best_first_and_none_is_dearer():
    module = npu_opt.load(ROOT / "benchmarks/models/shufflenet_v2.onnx").module
    found = what_if(LayoutOptimal(), module)
    costs = [answer.cost.bytes for answer in found.answers]
    assert costs == sorted(costs)
    assert all(cost <= found.before.bytes for cost in costs)


def test_json_has_what_the_lines_have():
    found = what_if(LayoutOptimal(), npu_opt.load(ROOT / "examples/two_branches.mlir").module)
    data = json.loads(found.as_json())
    assert data["before"] == {"transposes": 2, "bytes": 1536}
    assert [each["change"] for each in data["changes"]] == [each.change for each in found.answers]
    assert all(any(each.change in line for line in found.lines()) for each in found.answers)


@pytest.mark.parametrize("unit", ["bytes", "count"])
def test_what_is_saved_is_what_is_minimised(unit: CostUnit):
    module = npu_opt.load(ROOT / "benchmarks/models/shufflenet_v2.onnx").module
    found = what_if(LayoutOptimal(target="opu", cost=unit), module)
    lines = {line.rpartition(": ")[0].strip(): line for line in found.lines()[1:] if "nothing is saved" not in line}
    less = {each.change for each in found.answers if each.cost.counted(found.unit) < found.before.counted(found.unit)}
    assert set(lines) == less
    assert {each.change for each in found.removing(next(iter(found.at_conflict)))} <= less
    # Without this demand there are more transposes, which are smaller.
    without = lines.get("without the demand of conv2d on data (opu.toml:21)")
    assert (without is None) == (unit == "count")
    assert without is None or without.endswith(" bytes, but 18 transposes instead of 17")
