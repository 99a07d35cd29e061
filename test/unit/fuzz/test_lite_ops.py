"""Mutants of single LiteRT ops are refused in words, or computed, written and compared as LiteRT computes them."""

import traceback
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import npu_opt
import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("ai_edge_litert", reason="ai-edge-litert is not installed: pip install -e '.[dev]'")

from npu_opt.api.errors import NpuOptError
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.interpreter import InterpreterError, run
from support.campaign import amount, counted
from support.generators.lite_cases import LiteCase, mutant
from support.generators.lite_families import FAMILIES
from support.oracles.litert_apart import Determined

Array = NDArray[Any]
LITERT = Determined()
REFUSALS = "no counterpart", "no exact counterpart", "LiteRT has no", "takes no elements of type"
TOLERANCE = 1e-4
"""Relative to the largest number: kernels add in another order, in f32, and compute exponentials by polynomials."""


def differs(found: Sequence[Array], expected: Sequence[Array], steps: int) -> str | None:
    """The first difference of outputs; small integers may differ by some steps."""
    for number, (left, right) in enumerate(zip(found, expected, strict=True)):
        if left.shape != right.shape or left.dtype != right.dtype:
            return f"output {number}: {left.dtype} {left.shape} and not {right.dtype} {right.shape}"
        if left.dtype.kind != "f":
            room = steps if left.dtype.itemsize < 4 and left.dtype.kind != "b" else 0
            if np.max(np.abs(left.astype(np.float64) - right.astype(np.float64)), initial=0) > room:
                return f"output {number}: {left.ravel()[:8]} and not {right.ravel()[:8]}"
            continue
        finite = np.isfinite(right)
        most = np.max(np.abs(right[finite]), initial=0)
        room = (TOLERANCE if left.dtype.itemsize > 2 else 2.0**-8) * most + 1e-6
        if not np.array_equal(np.isfinite(left), finite) or not np.array_equal(
            np.isnan(left[~finite]), np.isnan(right[~finite])
        ):
            return f"output {number}: {left.ravel()[:8]} and not {right.ravel()[:8]}"
        if np.max(np.abs(left[finite] - right[finite]), initial=0) > room:
            return f"output {number}: {left.ravel()[:8]} and not {right.ravel()[:8]}"
    return None


def problems(seed: int, tally: Counter[str]) -> list[str]:
    rng = Random(seed)
    kind = [*FAMILIES][seed % len(FAMILIES)]
    base = FAMILIES[kind](rng)
    expected = LITERT.run(base.model(), base.inputs)
    if expected is None:
        tally["not run"] += 1
        return []
    base = base.with_results(expected)
    case = mutant(base, rng) if seed // len(FAMILIES) % 8 else base
    with TemporaryDirectory() as folder:
        found = _problems(base, expected, case, Path(folder), tally)
    return [f"seed {seed}: {kind} {[*case.changed]}: {text}" for text in found]


def _problems(base: LiteCase, expected: list[Array], case: LiteCase, folder: Path, tally: Counter[str]) -> list[str]:
    try:
        content = case.model()
    except Exception:  # The library that packs the file takes no such number.
        tally["not packed"] += 1
        return []
    first, file, again = folder / "first.tflite", folder / "model.tflite", folder / "again.tflite"
    first.write_bytes(base.model())
    file.write_bytes(content)
    outputs = LITERT.run(content, case.inputs)
    tally["run by LiteRT" if outputs is not None else "refused by LiteRT"] += 1
    found: list[str] = []
    try:
        module = npu_opt.load(file).module
    except NpuOptError:
        tally["refused"] += 1
        # A refusal is no problem, if LiteRT does not run it or its types are not those of the dialect.
        return found
    except Exception:
        return [f"load\n{traceback.format_exc()}"]
    is_kept = any(op.name == "npu.opaque" for op in module.walk())
    tally["kept" if is_kept else "read"] += 1
    if outputs is not None and not is_kept:
        try:
            computed = run(module, "main", case.inputs)
            if text := differs([np.asarray(each) for each in computed], outputs, steps=1):
                found.append(f"interpreter: {text}\n{module}")
        except InterpreterError as error:
            found.append(f"interpreter: {error}\n{module}")
        except Exception:
            found.append(f"interpreter\n{traceback.format_exc()}\n{module}")
    try:
        npu_opt.optimize(file, target="litert").save(again)
        written = LITERT.run(again.read_bytes(), case.inputs)
        tally["written"] += 1
        if outputs is not None:
            text = "not run" if written is None else differs(written, outputs, steps=1)
            if text:
                found.append(f"written: {text}\n{module}")
    except NpuOptError as error:
        tally["not written"] += 1
        if not any(each in str(error) for each in REFUSALS):
            found.append(f"not written: {error}")
    except Exception:
        found.append(f"optimize\n{traceback.format_exc()}\n{module}")
    try:
        answer = compare(npu_opt.load(first).module, module, by_formulas=True)
        tally[f"changed: {answer.verdict.name}"] += 1
        if answer.verdict == Verdict.PROVED:
            outputs_of_base = LITERT.run(content, base.inputs)
            if outputs_of_base is not None and (text := differs(outputs_of_base, expected, steps=1)):
                found.append(f"proved, but {text}\n{module}")
        if again.exists() and again.stat().st_size:
            answer = compare(module, npu_opt.load(again).module, by_formulas=True)
            tally[f"written: {answer.verdict.name}"] += 1
            if answer.verdict == Verdict.DIFFERENT:
                found.append(f"written file is different: {answer.text}\n{module}")
    except NpuOptError:
        pass
    except Exception:
        found.append(f"compare\n{traceback.format_exc()}\n{module}")
    return found


def test_mutants_of_single_ops(capsys: pytest.CaptureFixture[str]):
    counted(problems, range(amount(300, 20_000)), 250, capsys)
