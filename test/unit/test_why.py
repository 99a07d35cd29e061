"""Every name that an answer of --why quotes is a question that has an answer."""

import re
from pathlib import Path

import pytest
from npu_opt.passes.common.words.reasons import moved_text
from npu_opt.tools.opt import run
from support.generators.programs import random_program
from support.ir_text import parse
from support.source_tree import ROOT
from xdsl.dialects.func import FuncOp

NAME = re.compile(r"%[\w$.-]+(?: \(relabelled\))?")


def answer(program: Path, out: Path, name: str, capfd: pytest.CaptureFixture[str], *flags: str) -> str:
    assert run([str(program), *flags, "--weights=none", f"--why={name}", "-o", str(out)]) == 0, name
    lines = capfd.readouterr().err.splitlines()
    return "\n".join(line for line in lines if ": note: " not in line)


def ask_all(
    program: Path, out: Path, prefix: str, start: str, most: int, capfd: pytest.CaptureFixture[str], *flags: str
) -> set[str]:
    """Ask for a name, then for those that the answers quote; returns all names."""
    known, waiting = {start}, [start]
    while waiting:
        text = answer(program, out, waiting.pop(), capfd, *flags)
        for name in NAME.findall(text):
            question = f"{prefix}{name}"
            if question not in known and len(known) < most:
                known.add(question)
                waiting.append(question)
    return known


@pytest.mark.parametrize(
    ("given", "made", "how"),
    [
        ("1x40x4x4xf32, #npu.layout<NCHW>", "1x4x4x40xf32, #npu.layout<NHWC>", "transposed"),
        ("1x32x4x4xf32, #npu.layout<NCHW>", "1x2x4x4x16xf32, #npu.layout<NCHW16c>", "packed"),
        ("1x2x4x4x16xf32, #npu.layout<NCHW16c>", "1x32x4x4xf32, #npu.layout<NCHW>", "unpacked"),
        ("1x1x4x4x32xf32, #npu.layout<NCHW32c>", "1x2x4x4x16xf32, #npu.layout<NCHW16c>", "packed"),
    ],
)
def test_conversions_have_names(given: str, made: str, how: str):
    types = parse(f"func.func private @conversion(tensor<{given}>) -> tensor<{made}>").body.block.first_op
    assert isinstance(types, FuncOp)
    assert moved_text(types.function_type.inputs.data[0], types.function_type.outputs.data[0]) == how


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
    known = ask_all(program, tmp_path / "out.mlir", prefix, start, 12, capfd, flag)
    assert seed or len(known) > 1


def test_names_of_a_network_have_answers(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    model = ROOT / "benchmarks" / "models" / "shufflenet_v2.onnx"
    start = "/features/features.2/Transpose_output_0"
    known = ask_all(model, tmp_path / "out.mlir", "", start, 4, capfd, "--layout-optimal")
    assert len(known) == 4
