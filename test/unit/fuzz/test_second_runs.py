"""Random programs in which ops may run twice: the minimum is that of all sets of copies and all ways to share users."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.passes.common.demands.target_cost import cost_on_target
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.passes.optimal.explain.account import collected_accounts
from npu_opt.targets import load
from support.campaign import counted, seeds
from support.generators.copied import PricedCopies, program_with_copies
from support.oracles.copies import copies_in, least_with_copies, runs_more_than_twice
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

PROGRAMS = seeds(25, 1000)
CHUNK = 20


def problems(seed: int, tally: Counter[str]) -> Iterator[str]:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "copies.toml"
        program = program_with_copies(seed)
        file.write_text(program.target)
        yield from (f"seed {seed}: {each}" for each in _problems(program, file, tally))


def _problems(program: PricedCopies, target: Path, tally: Counter[str]) -> Iterator[str]:
    placed = program.module.clone()
    with collected_accounts() as accounts:
        LayoutOptimal(target=str(target)).apply(Context(), placed)
    placed.verify()
    answer = compare(program.module, placed)
    if answer.verdict is not Verdict.PROVED:
        yield answer.text
    if not accounts[0].is_proved:
        yield accounts[0].text
    without, least = least_with_copies(program.module, target, program.prices)
    copies = copies_in(program.module, placed, program.prices)
    tally["saved"] += least < without
    tally["copies"] += len(copies)
    found = cost_on_target(placed, load(str(target))).ticks + sum(copies)
    if found < least and runs_more_than_twice(program.module, placed):
        tally["three runs"] += 1
    elif found != least:
        yield f"{found} is the price, {least} is the least, {without} without copies"
    yield from _unstable(placed, target)


def _unstable(placed: ModuleOp, target: Path) -> Iterator[str]:
    again = placed.clone()
    LayoutOptimal(target=str(target)).apply(Context(), again)
    if str(again) != str(placed):
        yield "a second run of the pass changes the program"


def test_random_programs(capsys: pytest.CaptureFixture[str]):
    tally = counted(problems, PROGRAMS, CHUNK, capsys)
    assert tally["saved"] > len(PROGRAMS) / 10
    assert tally["copies"] >= tally["saved"]
