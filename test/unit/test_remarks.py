"""The remarks account for every transpose of random programs, whatever passes do to them."""

from collections import Counter

import pytest
from npu_opt.passes import get_all_passes
from npu_opt.passes.common.moves.transpose_cost import transposes
from npu_opt.passes.common.storages.origins import Origins
from npu_opt.tools.observers.remarks import Remarks
from support.generators.programs import random_program
from xdsl.context import Context
from xdsl.dialects.builtin import FileLineColLoc, IntAttr, ModuleOp, StringAttr
from xdsl.passes import ModulePass
from xdsl.transforms.canonicalize import CanonicalizePass
from xdsl.utils.arg_spec import parse_pipeline

PIPELINES = (
    "layout-preset{strategy=naive},canonicalize",
    "layout-preset{strategy=regions},layout-preset-npu,canonicalize",
    "layout-preset-npu{strategy=record},layout-preset{strategy=naive},canonicalize",
    "canonicalize,layout-preset-npu,canonicalize,strip-layouts,canonicalize",
)


def passes_of(pipeline: str) -> list[ModulePass]:
    known = {**get_all_passes(), "canonicalize": lambda: CanonicalizePass}
    return [known[spec.name]().from_spec(spec) for spec in parse_pipeline(pipeline)]


def locate(module: ModuleOp) -> None:
    """Let every op come from a place of its own."""
    for line, op in enumerate(module.walk(), 1):
        op.location = FileLineColLoc(StringAttr("in.mlir"), IntAttr(line), IntAttr(1))


@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize("seed", range(12))
def test_what_was_there_and_what_came_and_went_is_what_is_left(
    seed: int, pipeline: str, capsys: pytest.CaptureFixture[str]
):
    module = random_program(seed, 25, coloured=seed % 2 == 0)
    locate(module)
    remarks = Remarks("all")
    remarks.before_passes(module, None)
    count = len(list(transposes(module, Origins())))
    for each in passes_of(pipeline):
        before = module.clone()
        each.apply(Context(), module)
        remarks.after_pass(each, module)
        lines = [line for line in capsys.readouterr().err.splitlines() if not line.startswith("note: layout-preset")]
        said = Counter(line.split(": remark: ")[1].split()[0] for line in lines)
        assert said.keys() <= {"inserted", "cancelled", "folded"}
        count += said["inserted"] - said["cancelled"] - said["folded"]
        assert count == len(list(transposes(module, Origins())))
        if str(before) == str(module):
            assert not said
    remarks.after_passes(module)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) <= count
    assert all(": remark: kept transpose " in line for line in lines)
