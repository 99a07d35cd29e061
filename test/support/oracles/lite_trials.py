"""Trials of LiteRT ops: LiteRT, the interpreter, the file that is written and the proof say the same."""

import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
from npu_opt.bridges.litert.errors import NotExportable
from npu_opt.bridges.litert.exporting import to_litert
from npu_opt.bridges.litert.exporting.files import packed
from npu_opt.bridges.litert.importing.errors import LiteRtError
from npu_opt.bridges.litert.importing.importer import import_model
from npu_opt.dialects.npu.source import ForeignOp
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.interpreter import run
from npu_opt.passes.layout_optimal import LayoutOptimal
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.transforms.canonicalize import CanonicalizePass

from support.generators.lite_cases import LiteCase, schema
from support.oracles.litert_apart import Determined

Array = NDArray[Any]
CONTEXT = Context()
LITERT = Determined()
NOT_WRITTEN = "no counterpart", "no exact counterpart", "LiteRT has no", "takes no elements of type"
"""Words of the errors about ops that LiteRT does not run either."""
LIMITS = "computed", "bias per row", "unknown size", "no form with a zero point of 0"
"""Words of the errors about ops that LiteRT runs: weights that are no constants or whose zero points it does not read,
and windows over unknown sizes."""
SIZED_AT_RUN_TIME = (
    "BROADCAST_TO",
    "MIRROR_PAD",
    "PAD",
    "PADV2",
    "RESHAPE",
    "RESIZE_BILINEAR",
    "RESIZE_NEAREST_NEIGHBOR",
    "SLICE",
    "STRIDED_SLICE",
    "TILE",
)
"""The kinds whose other operands say the sizes of the result; a file may state others, which LiteRT ignores."""
TOLERANCE = 1e-4
"""Relative to the largest number: kernels add in another order, in f32, and compute exponentials by polynomials."""


def differs(found: Sequence[Array], expected: Sequence[Array], coarse: Array | None = None) -> str | None:
    """The first difference of outputs; small integers may differ by a step, and elements by those of `coarse`."""
    for number, (left, right) in enumerate(zip(found, expected, strict=True)):
        if left.size == right.size == 1:  # LiteRT selects single elements without the axes of some operands.
            left, right = left.reshape(()), right.reshape(())
        if left.shape != right.shape or left.dtype != right.dtype:
            return f"output {number}: {left.dtype} {left.shape} and not {right.dtype} {right.shape}"
        if left.dtype.kind == "c":
            left, right = (each.ravel().view(f"f{each.itemsize // 2}") for each in (left, right))
        if left.dtype.kind != "f":
            room = 1 if left.dtype.itemsize < 4 and left.dtype.kind != "b" else 0
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
        more = 0 if coarse is None else coarse.reshape(left.shape)[finite]
        if np.any(np.abs(left[finite] - right[finite]) > room + more):
            return f"output {number}: {left.ravel()[:8]} and not {right.ravel()[:8]}"
    return None


def problems_of(base: LiteCase, expected: list[Array], case: LiteCase, folder: Path, tally: Counter[str]) -> list[str]:
    """The problems of a mutant of a base, whose outputs are expected."""
    try:
        content = case.model()
    except Exception:  # The library that packs the file takes no such number.
        tally["not packed"] += 1
        return []
    outputs = LITERT.run(content, case.inputs)
    if outputs is not None and _means_nothing(case, outputs):
        outputs = None
    tally["run by LiteRT" if outputs is not None else "not run by LiteRT"] += 1
    try:
        module = _read(folder / "model.tflite", content)
    except LiteRtError as error:
        tally["refused"] += 1
        # LiteRT also runs ops whose options make no sense, or whose results have other types than the file states.
        return [f"refused: {error}"] if outputs is not None and case is base else []
    except Exception:
        return [f"read\n{traceback.format_exc()}"]
    found: list[str] = []
    for check in _computed, _written, _compared:
        try:
            found += check(_Trial(base, expected, case, outputs, module, folder, tally))
        except Exception:
            found.append(f"{check.__name__}\n{traceback.format_exc()}\n{module}")
    return found


def _means_nothing(case: LiteCase, outputs: Sequence[Array]) -> bool:
    """True if a file contradicts itself, or computes with infinite weights.

    LiteRT interpolates with weights of 0, which make NaN of infinity, pools and convolves with a window that does not
    fit, and takes elements of STRIDED_SLICE from outside of an axis.
    """
    states_others = [each.data.shape for each in case.results] != [each.shape for each in outputs]
    if states_others and case.kind in SIZED_AT_RUN_TIME and any(each and each.is_input for each in case.operands[1:]):
        return True
    if "CONV" in case.kind:
        return any(not each.size for each in outputs)
    if case.kind == "STRIDED_SLICE":
        return _is_outside(case)
    if case.kind == "RESIZE_BILINEAR":
        return any(not np.isfinite(each).all() for each in case.inputs if each.dtype.kind == "f")
    if case.kind.endswith("POOL_2D") and case.values.get("padding") == schema.Padding.VALID:
        window = case.values.get("filterHeight", 1), case.values.get("filterWidth", 1)
        return any(size < part for size, part in zip(case.inputs[0].shape[1:3], window, strict=False))
    return False


def _is_outside(case: LiteCase) -> bool:
    """True if an axis is dropped whose element is none of it."""
    data, begins, *_ = case.operands
    masks = case.values
    if data is None or begins is None or masks.get("ellipsisMask") or masks.get("newAxisMask"):
        return False
    ignored = masks.get("beginMask", 0)
    places = enumerate(zip(data.data.shape, begins.data.reshape(-1), strict=False))
    taken = [pair for axis, pair in places if masks.get("shrinkAxisMask", 0) >> axis & 1 and not ignored >> axis & 1]
    return any(not -size <= begin < size for size, begin in taken)


def _coarseness(case: LiteCase) -> Array | None:
    """The error of LiteRT's own arithmetic: GELU in 16 bits, where 1 + erf(x) is off by half of the last bit of 1."""
    if case.kind != "GELU" or case.inputs[0].dtype != np.float16:
        return None
    return np.abs(case.inputs[0].astype(np.float32)) * 2.0**-11


@dataclass(frozen=True)
class _Trial:
    base: LiteCase
    expected: list[Array]
    """The outputs of the base."""
    case: LiteCase
    outputs: list[Array] | None
    """The outputs of the mutant; None if LiteRT does not run it, or leaves some unwritten."""
    module: ModuleOp
    """The program of the mutant."""
    folder: Path
    tally: Counter[str]


def _read(file: Path, content: bytes) -> ModuleOp:
    file.write_bytes(content)
    return import_model(file, inline_limit=None).module


def _computed(trial: _Trial) -> Iterator[str]:
    """The interpreter computes what LiteRT computes."""
    is_kept = any(isinstance(op, ForeignOp) for op in trial.module.walk())
    trial.tally["kept" if is_kept else "read"] += 1
    if trial.outputs is None or is_kept:
        return
    computed = run(trial.module, "main", trial.case.inputs)
    if text := differs([np.asarray(each) for each in computed], trial.outputs, _coarseness(trial.case)):
        yield f"interpreter: {text}\n{trial.module}"


def _written(trial: _Trial) -> Iterator[str]:
    """A file of the placed program computes the same, and is proved or undecided."""
    placed = trial.module.clone()
    with redirect_stderr(StringIO()):
        LayoutOptimal(target="litert").apply(CONTEXT, placed)
        CanonicalizePass().apply(CONTEXT, placed)
    try:
        content = packed(to_litert(placed))
    except NotExportable as error:
        trial.tally["not written"] += 1
        given = [each.data for each in trial.case.operands if each is not None]
        has_none = any(0 in each.shape for each in (*given, *(trial.outputs or [])))
        words = LIMITS if trial.outputs is not None and not has_none else (*LIMITS, *NOT_WRITTEN)
        if not any(each in str(error) for each in words):
            yield f"not written: {error}\n{trial.module}"
        return
    if trial.outputs is not None:
        found = LITERT.run(content, trial.case.inputs)
        text = "not run" if found is None else differs(found, trial.outputs, _coarseness(trial.case))
        if text:
            yield f"written: {text}\n{trial.module}"
    answer = compare(trial.module, _read(trial.folder / "again.tflite", content), by_formulas=True)
    trial.tally[f"written: {answer.verdict.name.lower()}"] += 1
    if answer.verdict == Verdict.DIFFERENT:
        yield f"written file is different: {answer.text}\n{trial.module}"


def _compared(trial: _Trial) -> Iterator[str]:
    """Programs that are proved equal compute the same."""
    answer = compare(_read(trial.folder / "first.tflite", trial.base.model()), trial.module, by_formulas=True)
    trial.tally[f"changed: {answer.verdict.name.lower()}"] += 1
    if answer.verdict == Verdict.PROVED:
        found = LITERT.run(trial.case.model(), trial.base.inputs)
        if found is not None and (text := differs(found, trial.expected, _coarseness(trial.case))):
            yield f"proved, but {text}\n{trial.module}"
