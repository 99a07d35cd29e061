"""The verdict of the proof on pairs of models of which an engine computes other numbers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from npu_opt.bridges.litert.engine import LiteEngine
from npu_opt.equivalence.compare import CONDITIONS, Verdict
from npu_opt.text.diagnostics import ReportedError
from npu_opt.tools.driver.comparison.comparison import compare_programs
from npu_opt.tools.driver.formats.program import read_model_program
from numpy.typing import NDArray
from onnx import ModelProto

from ..generators.unequal_pairs import Pair
from .onnx_running import unoptimised

Array = NDArray[Any]
FORMATS = {".onnx": "onnx", ".tflite": "litert"}
NOT_READ = "not read"
"""The word for pairs of which one model is refused."""
ROUNDED = 1e-4
"""The largest difference, relative to the largest number, that is one of roundings."""


@dataclass(frozen=True)
class Witness:
    """An input on which two models differ, and by how much at most, relative to the largest number."""

    place: int
    apart: float


def witnesses(pair: Pair) -> list[Witness]:
    """The inputs on which an engine computes other numbers; none if it does not run one of the models."""
    found: list[Witness] = []
    try:
        runs = [_runner(model, pair.ending) for model in (pair.first, pair.second)]
    except Exception:  # Engines' exceptions have no class in common.
        return found
    for place, inputs in enumerate(pair.inputs):
        try:
            results = [run(inputs) for run in runs]
        except Exception:
            continue
        apart = max(_apart(one, other) for one, other in zip(*results, strict=True))
        if apart:
            found.append(Witness(place, apart))
    return found


def _runner(model: bytes, ending: str) -> Callable[[Sequence[Array]], list[Array]]:
    if ending == ".tflite":
        return LiteEngine(model).run
    proto = ModelProto.FromString(model)
    session, names = unoptimised(proto), [each.name for each in proto.graph.input]
    return lambda inputs: session.run(None, dict(zip(names, inputs, strict=False)))


def _apart(one: Array, other: Array) -> float:
    """The largest difference of two results; infinite for other shapes, signs of zero, and what is not finite."""
    if one.shape != other.shape or one.dtype != other.dtype:
        return np.inf
    if one.dtype.kind != "f":
        return float(np.inf if (one != other).any() else 0)
    same = (one == other) & (np.signbit(one) == np.signbit(other)) | (np.isnan(one) & np.isnan(other))
    if same.all():
        return 0.0
    with np.errstate(all="ignore"):
        apart = np.abs(one.astype(np.float64) - other.astype(np.float64))[~same]
    if not np.isfinite(apart).all() or not apart.any():
        return np.inf
    finite = np.abs(one[np.isfinite(one)])
    return float(apart.max() / max(finite.max(initial=0.0), np.finfo(np.float32).tiny))


def wrong_proofs(pair: Pair, found: Sequence[Witness], folder: Path) -> list[str]:
    """The proofs that a witness refutes, although no condition of theirs is about it."""
    files = [folder / f"{name}{pair.ending}" for name in ("first", "second")]
    for file, model in zip(files, (pair.first, pair.second), strict=True):
        file.write_bytes(model)
    problems: list[str] = []
    for arithmetic in (False, True):
        try:
            one, other = (read_model_program(str(file), format=FORMATS[pair.ending]) for file in files)
        except ReportedError:
            return [NOT_READ]
        result = compare_programs(one, other, (), always_run=False, note=lambda _: None, in_real_numbers=arithmetic)
        conditions = [name for name in CONDITIONS if getattr(result.answer, name)]
        notes = [*result.conditions()]
        if result.answer.verdict is Verdict.PROVED and not _is_covered(pair, found, conditions, notes):
            problems.append(f"{pair.family}: {pair.name}: proved, with {conditions or 'no condition'}; {found[0]}")
    return problems


def _is_covered(pair: Pair, found: Sequence[Witness], conditions: Sequence[str], notes: Sequence[str]) -> bool:
    """True if the conditions of a proof are about the differences."""
    if any("inputs with a default count as constants" in note for note in notes):
        return pair.family == "defaults"
    if "powers_fit" in conditions:
        return True
    return bool(conditions) and all(each.apart <= ROUNDED for each in found)
