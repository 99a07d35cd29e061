"""Models as input of the Python functions: `load`."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, Union, cast
from weakref import WeakKeyDictionary

from xdsl.dialects.builtin import ModuleOp

from ..bridges.fixed_sizes import NO_SIZES, FixedSizes
from ..dialects.program.symbols import verify
from ..text.locations import locate_in_text
from ..tools.driver.formats.models import whole_ops
from ..tools.driver.formats.program import Program, new_context, read_model_program, read_program
from .errors import NpuOptError, raised_as_own, wrong_argument
from .paths import StrPath, path_text
from .torch_models import NO_EXAMPLES, PLACE, Examples, as_exported, imported_program, is_module

if TYPE_CHECKING:
    # Not at run time: the packages are optional and slow to load.
    from onnx import ModelProto
    from torch.export import ExportedProgram
    from torch.nn import Module

    from ..bridges.imported import Imported
    from .results import Result

AnyModel: TypeAlias = Union[StrPath, "ModelProto", "Module", "ExportedProgram", ModuleOp, Program, "Result"]
"""A file in MLIR, ONNX, LiteRT or PyTorch, a model in memory, or what a function of this package has returned."""


_WEIGHTS: WeakKeyDictionary[ModuleOp, Imported] = WeakKeyDictionary()
"""The weights of the modules that functions of this package have returned, which hold only references to them."""


def load(
    model: AnyModel,
    *,
    folder: StrPath | None = None,
    target: StrPath | None = None,
    sizes: Mapping[str, int] | None = None,
    shapes: Mapping[str, Sequence[int]] | None = None,
    args: Sequence[Any] | None = None,
    kwargs: Mapping[str, Any] | None = None,
    dynamic_shapes: Any = None,
) -> Program:
    """Read and verify a program: a file in MLIR (`.mlir`), ONNX (`.onnx`), LiteRT (`.tflite`) or PyTorch (`.pt2`), or
    one in memory.

    A program in memory may refer to files, as external data of ONNX or constants in safetensors; they are in `folder`
    or below it. The default is the current folder. The `target` may describe ops of other domains of an ONNX model.
    A `torch.nn.Module` is exported with the inputs `args` and `kwargs`, and the `dynamic_shapes` of `torch.export`.
    `sizes` fixes the sizes of inputs that have names, as in `{"batch": 1}`, `shapes` all sizes of an input, as in
    `{"ids": (1, 128)}`. Ops that the target runs whole are not read as their definitions.
    """
    hardware = path_text(target)
    with raised_as_own():
        whole = whole_ops(hardware)
    fixed, examples = FixedSizes(sizes or {}, shapes or {}), Examples(args, kwargs, dynamic_shapes)
    return read(model, folder=folder, hardware=hardware, fixed=fixed, whole=whole, examples=examples)


def read(
    model: AnyModel,
    *,
    folder: StrPath | None = None,
    hardware: str | None = None,
    fixed: FixedSizes = NO_SIZES,
    whole: frozenset[str] = frozenset(),
    examples: Examples = NO_EXAMPLES,
) -> Program:
    """`load`, with the `whole` ops that are not read as their definitions."""
    # Imported late: results are programs, too.
    from .results import Result

    path = path_text(model)
    if not is_module(model):
        examples.check_unused()
    if folder is not None and (path is not None or isinstance(model, Program | Result)):
        raise NpuOptError("argument folder: expected no folder, as the files of this model are beside it")
    if fixed and isinstance(model, Result | Program | ModuleOp):
        raise NpuOptError(
            "argument sizes: expected a file or a model of ONNX or PyTorch, whose sizes are fixed as it is read"
        )
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
    if (exported := as_exported(model, examples)) is not None:
        imported = imported_program(exported, fixed)
        return with_weights_kept(Program(PLACE, imported.module, None, imported, is_file=False))
    torch = ("a torch.nn.Module", "a torch.export.ExportedProgram")
    expected = ("a path", "an onnx.ModelProto", *torch, "an xdsl ModuleOp", "a Program", "a Result")
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


def copied(program: Program) -> Program:
    """A program whose module is its own, and which is still that of its file."""
    return replace(program, module=program.module.clone())


def changeable(program: Program) -> Program:
    """A copy of a program that passes may change, so that it is no longer that of its file."""
    return with_weights_kept(replace(copied(program), source=None, is_file=False))
