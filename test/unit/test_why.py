"""Every name that an answer of --why quotes is a question that has an answer."""

import re
from pathlib import Path

import pytest
from npu_opt.tools.opt import run
from support.generators.programs import random_program
from support.source_tree import ROOT
from xdsl.dialects.func import FuncOp

NAME = re.compile(r"%[\w$.-]+(?: \(relabelled\))?")


def answer(program: Path, name: str, capfd: pytest.CaptureFixture[str], *flags: str) -> str:
    assert run([str(program), *flags, f"--why={name}", "-o", str(program.with_suffix(".out.mlir"))]) == 0, name
    return capfd.readouterr().err


@pytest.mark.parametrize("flag", ["--layout-preset", "--layout-preset-npu", "--layout-optimal", "--npu-default"])
@pytest.mark.parametrize("seed", range(4))
def test_names_in_answers_have_answers(seed: int, flag: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    program = tmp_path / "in.mlir"
    if seed:
        module = random_program(seed, 15, coloured=False)
        program.write_text(str(module))
        function = next(op.sym_name.data for op in module.ops if isinstance(op, FuncOp) and op.body.blocks)
        prefix, start = f"@{function}:", f"@{function}:%0"
    else:
        program.write_text((ROOT / "examples" / "two_branches.mlir").read_text())
        prefix, start = "", "%conv"
    known, waiting = {start}, [start]
    while waiting:
        text = answer(program, waiting.pop(), capfd, flag)
        for name in NAME.findall(text):
            question = f"{prefix}{name}"
            if question not in known and len(known) < 12:
                known.add(question)
                waiting.append(question)
    assert seed or len(known) > 1
