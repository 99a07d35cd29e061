"""The shipped programs and the networks through `layout-optimal`: correct, stable, and never worse than others.

The checks are those of the random programs, without chance.
"""

import os
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from npu_opt.tools.driver.formats.program import new_context, read_program
from support import optional_tools
from support.campaign import LONG, one_by_one
from support.generators.placed_programs import Program
from support.oracles.placement import named
from support.source_tree import ROOT
from test_optimal import found_in

EXAMPLES = sorted((ROOT / "examples").glob("*.mlir"))
MODELS = ROOT / "benchmarks" / "models"
NETWORKS = sorted(MODELS.glob("*.onnx")) if LONG else [MODELS / "espcn.onnx"]


def looked_at(file: Path) -> tuple[Counter[str], list[str]]:
    """The strategy counts for a program, and the problems of the result."""
    tally = Counter[str]()
    module = read_program(str(file), new_context()).module
    found = found_in(0, Program("file", named(module)), tally)
    return tally, [f"{file.stem}: {check}: {problem}" for check, problem in found]


def check(answers: Sequence[tuple[Counter[str], list[str]]], capsys: pytest.CaptureFixture[str]) -> None:
    tally = sum((each for each, _ in answers), Counter[str]())
    problems = [problem for _, found in answers for problem in found]
    with capsys.disabled():
        print(f"\n{len(answers)} files: {dict(tally)}")
    assert not problems, f"{len(problems)} problems\n\n" + "\n\n".join(problems)
    assert tally["proved"] > 0
    assert tally["minima proved"] == tally["compared"] > 0


def test_examples(capsys: pytest.CaptureFixture[str]):
    check([looked_at(file) for file in EXAMPLES], capsys)


@pytest.mark.skipif(optional_tools.onnx().location is None, reason=optional_tools.onnx().note)
def test_networks(capsys: pytest.CaptureFixture[str]):
    with ProcessPoolExecutor(os.cpu_count() if LONG else 1, get_context("spawn")) as pool:
        answers = zip(one_by_one(NETWORKS, capsys), pool.map(looked_at, NETWORKS), strict=True)
        check([answer for _, answer in answers], capsys)
