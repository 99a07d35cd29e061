"""Certificates of random programs: all are accepted, and have the bound that the pass proves."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from npu_opt.checkers.check_minimum import verdict_of
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.passes.optimal.certificates.of_choice import collected_certificates
from npu_opt.passes.optimal.choice import copied_ops
from npu_opt.passes.optimal.choice.mode_choice import ModeTable, WiderProblem
from npu_opt.passes.optimal.choice.run_twice import CopyTrial
from npu_opt.passes.optimal.explain.account import collected_accounts
from support.campaign import counted, seeds
from support.generators.block_programs import mixed_program
from support.generators.carried_sets import carried_set
from support.generators.copied import program_with_copies
from support.generators.frustrated import frustrated_program
from support.generators.placed_programs import TARGETS, program
from support.generators.tied import tied_programs
from support.generators.traffic_programs import traffic_program
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

PROGRAMS = seeds(4, 400)
WITH_COPIES = seeds(60, 2000)
CHUNK = 10


def subjects(seed: int, folder: Path) -> Iterator[tuple[str, ModuleOp, dict[str, Any]]]:
    """Programs of all kinds, with the options of the pass."""
    size = 4 + seed // 4 % 20
    yield "no layout for all", frustrated_program(seed, size), {"cost": "bytes"}
    yield "free interface", frustrated_program(seed, size), {"cost": "bytes", "interface": "free"}
    for target in TARGETS:
        yield target, program(seed).module.clone(), {"target": target, "cost": ("bytes", "count")[seed % 2]}
    yield "prices", program(seed).module.clone(), {"target": "ethos-u55"}
    yield "measured prices", program(seed).module.clone(), {"target": "onnxruntime", "cost": "prices"}
    yield "ties", tied_programs(seed).clone(), {"cost": "bytes"}
    yield "calls and loops", carried_set(seed).module.clone(), {"cost": "bytes"}
    copied = program_with_copies(seed)
    file = folder / "copies.toml"
    file.write_text(copied.target)
    yield "ops that run twice", copied.module.clone(), {"target": str(file)}
    travelling = ("opu", "plover")[seed % 2]
    yield "bytes that travel", traffic_program(seed, travelling), {"target": travelling, "cost": "traffic"}
    for target in ("brick", "daven"):
        yield f"blocks of {target}", mixed_program(seed).module(), {"target": target}


def problems(seed: int, tally: Counter[str]) -> Iterator[str]:
    with TemporaryDirectory() as folder:
        for name, module, options in subjects(seed, Path(folder)):
            with collected_accounts() as accounts, collected_certificates() as certificates:
                LayoutOptimal(**options).apply(Context(), module)
            (certificate,) = certificates
            code, verdict = verdict_of(certificate.data(is_compressed=False))
            tally["certificates"] += 1
            tally["costs"] += certificate.cost > 0
            # A program that stays as it came has no account.
            is_proved = bool(accounts) and accounts[0].is_proved
            tally["proved"] += is_proved
            if code == 1 or (is_proved and code):
                yield f"seed {seed}, {name}: {verdict}"
            if is_proved and certificate.bound != accounts[0].bound:
                yield f"seed {seed}, {name}: {accounts[0].text}, and the certificate has {certificate.bound}"


def test_random_programs(capsys: pytest.CaptureFixture[str]):
    tally = counted(problems, PROGRAMS, CHUNK, capsys)
    assert tally["proved"] > tally["certificates"] / 2
    assert tally["costs"] > tally["certificates"] / 4


def test_further_orders_and_second_runs_are_in_one_problem(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """Ops of large programs run twice in the orders of the choice: the proof has further ones as well."""
    found: list[tuple[ModeTable, WiderProblem]] = []

    def wider(trial: CopyTrial) -> WiderProblem:
        other = of_trial(trial)
        if trial.choice.wider is not None:
            found.append((trial.choice.wider().table, other))
        return other

    of_trial = CopyTrial._wider  # pyright: ignore[reportPrivateUsage] - its result is what the certificate is about.
    monkeypatch.setattr(CopyTrial, "_wider", wider)
    monkeypatch.setattr(copied_ops, "SMALL", 0)
    with_pairs = 0
    for seed in WITH_COPIES:
        copied = program_with_copies(seed)
        file = tmp_path / "copies.toml"
        file.write_text(copied.target)
        found.clear()
        with collected_accounts() as accounts, collected_certificates() as certificates:
            LayoutOptimal(target=str(file)).apply(Context(), copied.module.clone())
        assert accounts[0].is_proved, seed
        _, verdict = verdict_of(certificates[0].data(is_compressed=False))
        assert verdict.startswith(f"accepted: minimum {accounts[0].bound} "), (seed, verdict)
        for further, (table, problem) in found:
            known = [*map(len, further.modes.of.values())]
            assert [*map(len, table.modes.of.values())] == known, seed
            with_pairs += any(modes > count for modes, count in zip(problem.modes, known, strict=True))
    assert with_pairs
