"""LiteRT models as programs to run: the files themselves, by LiteRT's interpreter."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from re import sub
from typing import TYPE_CHECKING, Any

import numpy as np
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
    ModuleOp,
    Signedness,
    StringAttr,
    TensorType,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Region
from xdsl.utils.hints import isa

from ....bridges.extra import MissingExtraError
from ....bridges.fixed_sizes import FixedSizes, WrongSizes
from ....dialects.npu.values import element_type_of
from ....text.diagnostics import Report, ReportedError
from ..formats.program import Program

if TYPE_CHECKING:
    # Not at run time: the package ai-edge-litert is an extra.
    from ....bridges.litert.engine import LiteEnd, LiteEngine

ENDING = ".tflite"
FLOATS = {2: Float16Type, 4: Float32Type, 8: Float64Type}
"""The types of floats by their bytes."""


def is_lite_model(file: str) -> bool:
    """True if the file name is that of a LiteRT model."""
    return file.endswith(ENDING)


def load_lite_model(model: Path | bytes, name: str) -> LiteEngine:
    """Load a model, from its file or from memory; raises `ReportedError`."""
    from ....bridges.litert.engine import LiteEngine, LiteRunError

    try:
        if isinstance(model, Path):
            with model.open("rb"):
                pass
        return LiteEngine(model)
    except MissingExtraError as error:
        raise ReportedError(Report(str(error))) from error
    except OSError as error:
        raise ReportedError(Report(f"cannot read: {error.strerror}", name)) from error
    except LiteRunError as error:
        raise ReportedError(Report(str(error), name)) from error


def lite_program(file: str, fixed: FixedSizes) -> Program:
    """A program with the inputs and outputs of a LiteRT model, of sizes that may be fixed, and without its ops."""
    engine = load_lite_model(Path(file), file)
    try:
        shapes = fixed.applied([end.name for end in engine.inputs], [end.shape for end in engine.inputs])
    except WrongSizes as error:
        raise ReportedError(Report(str(error), file)) from error
    inputs = [_type(end, shape, file) for end, shape in zip(engine.inputs, shapes, strict=True)]
    outputs = [_type(end, end.shape, file) for end in engine.outputs]
    block = Block(arg_types=inputs)
    for argument, end in zip(block.args, engine.inputs, strict=True):
        argument.name_hint = _hint(end.name)
    function = FuncOp(
        "main", (inputs, outputs), Region(block), arg_attrs=_names(engine.inputs), res_attrs=_names(engine.outputs)
    )
    return Program(file, ModuleOp([function]), None)


def with_ops(program: Program, function: FuncOp, fixed: FixedSizes) -> FuncOp:
    """The function of a model with its ops, which say what integers are indices; that of its ends if it is not read."""
    types = map(element_type_of, function.body.block.args)
    if function.body.block.ops or not any(isa(each, IntegerType) and each.bitwidth > 8 for each in types):
        return function
    from ....bridges.litert.importing.errors import LiteRtError
    from ....bridges.litert.importing.importer import import_model

    try:
        found = import_model(Path(program.name), fixed=fixed).module.body.block.first_op
    except (LiteRtError, OSError):
        return function
    if isinstance(found, FuncOp) and found.function_type.inputs == function.function_type.inputs:
        return found
    return function


def _type(end: LiteEnd, shape: Sequence[int], file: str) -> TensorType[Attribute]:
    return TensorType(_element_type(end.dtype, end.name, file), shape)


def _element_type(dtype: np.dtype[Any], name: str, file: str) -> Attribute:
    match dtype.kind:
        case "f":
            return FLOATS[dtype.itemsize]()
        case "b":
            return IntegerType(1)
        case "i":
            return IntegerType(8 * dtype.itemsize)
        case "u":
            return IntegerType(8 * dtype.itemsize, Signedness.UNSIGNED)
        case _:
            raise ReportedError(Report(f"'{name}' has elements of type {dtype}, which cannot be run", file))


def _hint(name: str) -> str | None:
    """The closest valid name of a value."""
    text = sub(r"[^0-9a-zA-Z_$.-]", "_", name).strip("_.-") or None
    return f"v{text}" if text and text[0].isdigit() else text


def _names(ends: Sequence[LiteEnd]) -> ArrayAttr[DictionaryAttr]:
    return ArrayAttr(DictionaryAttr({"onnx.name": StringAttr(end.name)}) for end in ends)
