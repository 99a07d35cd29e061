"""Models as input of the Python functions: `load`."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, Union, cast
from weakref import WeakKeyDictionary

from xdsl.dialects.builtin import ModuleOp

from ..bridges.fixed_sizes import NO_SIZES, FixedSizes
from ..dialects.program.symbols import verify
from ..text.locations import locate_in_text
from ..tools.driver.formats.models import whole_ops
from ..tools.driver.formats.program import Program, new_context, read_model_program, read_program
from .errors import NpuOptError, raised_as_own, wrong_argument
from .paths import StrPath, path_text

if TYPE_CHECKING:
    # Not at run time: the package onnx is optional and slow to load.
    from onnx import ModelProto

    from ..bridges.imported import Imported
    from .results import Result

AnyModel: TypeAlias = Union[StrPath, "ModelProto", ModuleOp, Program, "Result"]
"""A file in MLIR, ONNX or LiteRT, a model in memory, or what a function of this package has returned."""


_WEIGHTS: WeakKeyDictionary[ModuleOp, Imported] = WeakKeyDictionary()
"""The weights of the modules that functions of this package have returned, which hold only references to them."""


def load(
    model: AnyModel,
    *,
    folder: StrPath | None = None,
    target: StrPath | None = None,
    sizes: Mapping[str, int] | None = None,
    shapes: Mapping[str, Sequence[int]] | None = None,
) -> Program:
    """Read and verify a program: a file in MLIR (`.mlir`), ONNX (`.onnx`) or LiteRT (`.tflite`), or one in memory.

    A program in memory may refer to files, as external data of ONNX or constants in safetensors; they are in `folder`
    or below it. The default is the current folder. The `target` may describe ops of other domains of an ONNX model.
    `sizes` fixes the sizes of inputs that have names, as in `{"batch": 1}`, `shapes` all sizes of an input, as in
    `{"ids": (1, 128)}`. Ops that the target runs whole are not read as their definitions.
    """
    hardware = path_text(target)
    with raised_as_own():
        whole = whole_ops(hardware)
    return read(model, folder=folder, hardware=hardware, fixed=FixedSizes(sizes or {}, shapes or {}), whole=whole)


def read(
    model: AnyModel,
    *,
    folder: StrPath | None = None,
    hardware: str | None = None,
    fixed: FixedSizes = NO_SIZES,
    whole: frozenset[str] = frozenset(),
) -> Program:
    """`load`, with the `whole` ops that are not read as their definitions."""
    # Imported late: results are programs, too.
    from .results import Result

    path = path_text(model)
    if folder is not None and (path is not None or isinstance(model, Program | Result)):
        raise NpuOptError("argument folder: expected no folder, as the files of this model are beside it")
    if fixed and isinstance(model, Result | Program | ModuleOp):
        raise NpuOptError("argument sizes: expected a file or a model of ONNX, whose sizes are fixed as it is read")
    if isinstance(model, Result):
        return model.program
    if isinstance(model, Program):
        return model
    if path is not None:
        return with_weights_kept(_read_file(path, hardware, fixed, whole))
    place = Path("" if folder is None else folder)
    if isinstance(model, ModuleOp):
        name = str(place / "<module>")
        with raised_as_own(name):
            verify(model)
        return Program(name, model, None, _WEIGHTS.get(model), is_file=False)
    if (proto := _as_model_proto(model)) is not None:
        with raised_as_own():
            return with_weights_kept(
                read_model_program(str(place / "<model>"), proto, hardware, fixed=fixed, whole=whole)
            )
    expected = ("a path", "an onnx.ModelProto", "an xdsl ModuleOp", "a Program", "a Result")
    raise wrong_argument("model", model, expected)


def with_weights_kept(program: Program) -> Program:
    """The program; its module alone, as an argument, has the same weights as long as it lives."""
    if program.imported is not None:
        # Without its module, which would otherwise keep itself alive.
        _WEIGHTS[program.module] = replace(program.imported, module=ModuleOp([]))
    return program


def _read_file(path: str, target: str | None, fixed: FixedSizes, whole: frozenset[str]) -> Program:
    # A file, and not standard input, which is the tools' meaning of a dash.
    file = os.path.join(os.curdir, path) if path == "-" else path
    with raised_as_own(path):
        program = read_program(file, new_context(), target=target, fixed=fixed, whole=whole)
    if program.source is not None:
        locate_in_text(program.source)
    return program


def _as_model_proto(model: object) -> ModelProto | None:
    """The argument if it is a model of the package onnx, which is then loaded."""
    onnx = sys.modules.get("onnx")
    return cast("ModelProto", model) if onnx is not None and isinstance(model, onnx.ModelProto) else None


def changeable(program: Program) -> Program:
    """A copy of a program that passes may change."""
    return with_weights_kept(replace(program, module=program.module.clone(), source=None, is_file=False))
