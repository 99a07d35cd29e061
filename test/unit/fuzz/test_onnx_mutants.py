"""Damaged ONNX models: npu-opt reads each one or reports its error in its own words."""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.campaign import LONG, one_by_one, seeds

pytest.importorskip("onnx", reason="onnx is not installed: pip install -e '.[onnx]'")

FOLDER = Path(__file__).parent
UNEXPECTED = ("internal error", "please report", "Traceback", "--debug shows", "MemoryError")
"""The messages of npu-opt for unexpected failures."""
CHUNK = 1000
FORM = re.compile(r"^(npu-opt|\S.*?): error: \S", re.MULTILINE)


def problem(found: dict[str, Any]) -> str | None:
    """The problem with npu-opt's result for a model, if there is one."""
    code, said = found["code"], found["said"]
    if code not in (0, 1, 2):
        return f"exit code {code}: {said}"
    if any(word in said for word in UNEXPECTED):
        return said
    return said or "exit code 1, and nothing said" if code and not FORM.search(said) else None


def outcomes(first: int, count: int, folder: Path) -> list[dict[str, Any]]:
    """The results of npu-opt for some mutants, in a separate process: the package onnx is written in C++."""
    models = "all" if LONG else "few"
    command = [sys.executable, "-W", "ignore", "-m", "support.generators.onnx_mutants", FOLDER / "mutated_models.txt"]
    process = subprocess.Popen(
        [*command, str(first), str(count), models],
        stdout=subprocess.PIPE,
        text=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(FOLDER.parents[1])},
    )
    with process:
        assert process.stdout is not None
        lines = [json.loads(line) for line in process.stdout]
    found = [line for line in lines if "code" in line]
    if process.returncode:
        last: dict[str, Any] = lines[-1] if lines else {"seed": first, "done": []}
        found.append({**last, "code": process.returncode, "said": "the process ended"})
    return found


def _all_outcomes(first: int, end: int, folder: Path) -> Iterator[dict[str, Any]]:
    """Behind a seed that ends the process, another one goes on."""
    while first < end:
        found = outcomes(first, end - first, folder)
        yield from found
        first = found[-1]["seed"] + 1


def test_damaged_models(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    tried = seeds(150, 20_000)
    counts: Counter[int] = Counter()
    problems: list[str] = []
    for first in one_by_one(tried[::CHUNK], capsys):
        for each in _all_outcomes(first, min(first + CHUNK, tried.stop), tmp_path):
            counts[each["code"]] += 1
            if (wrong := problem(each)) is not None:
                problems.append(f"seed {each['seed']}, {', '.join(each['done'])}: {wrong}")
    with capsys.disabled():
        print(f"\ndamaged models by exit code: {dict(counts)}")
    assert not problems, "\n".join(problems)
    assert counts[0] > 0.1 * len(tried)
    assert counts[1] > 0.3 * len(tried)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ({"code": 0, "said": "m.onnx: note: left out\n"}, None),
        ({"code": 1, "said": "m.onnx: error: Add 'y': 3 inputs, expected 2\n"}, None),
        ({"code": 1, "said": ""}, "exit code 1, and nothing said"),
        ({"code": 1, "said": "KeyError: 3\n"}, "KeyError: 3\n"),
        ({"code": -11, "said": ""}, "exit code -11: "),
        (
            {"code": 1, "said": "m.onnx: error: KeyError: 3\nnote: --debug shows the Python traceback\n"},
            "m.onnx: error: KeyError: 3\nnote: --debug shows the Python traceback\n",
        ),
    ],
)
def test_what_counts_as_a_problem(found: dict[str, Any], expected: str | None):
    assert problem(found) == expected
