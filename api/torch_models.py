"""Modules and exported programs of PyTorch as models."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from ..bridges.extra import MissingExtraError, require
from ..bridges.fixed_sizes import NO_SIZES, FixedSizes
from ..bridges.imported import Imported
from ..bridges.torch.errors import FxError
from ..dialects.program.symbols import verify
from .errors import NpuOptError, raised_as_own, wrong_argument

if TYPE_CHECKING:
    from torch.export import ExportedProgram

PLACE = "<program>"


@dataclass(frozen=True)
class Examples:
    """The inputs with which a module is exported, and the sizes that are known at run time only."""

    args: Sequence[Any] | None = None
    kwargs: Mapping[str, Any] | None = None
    dynamic_shapes: Any = None

    def check_unused(self) -> None:
        """Raise an error about the first of these, which only a module is exported with."""
        for name in ("args", "kwargs", "dynamic_shapes"):
            if (found := getattr(self, name)) is not None:
                raise wrong_argument(name, type(found).__name__, ("none, unless a torch.nn.Module is exported",))


NO_EXAMPLES = Examples()


def is_module(model: object) -> bool:
    """True for a module of PyTorch, which is loaded then."""
    torch: Any = sys.modules.get("torch")
    return torch is not None and isinstance(model, torch.nn.Module)


def as_exported(model: object, examples: Examples) -> ExportedProgram | None:
    """A module or an exported program as a program; None for all else."""
    if is_module(model):
        if examples.args is None and examples.kwargs is None:
            raise wrong_argument("args", examples.args, ("inputs with which the module is exported",))
        return _exported(model, examples)
    exported = sys.modules.get("torch.export")
    return cast("Any", model) if exported is not None and isinstance(model, exported.ExportedProgram) else None


def _exported(module: Any, examples: Examples) -> ExportedProgram:
    args: object = () if examples.args is None else examples.args
    kwargs: object = cast("object", examples.kwargs or {})
    if not isinstance(args, tuple | list):
        raise wrong_argument("args", type(args).__name__, ("a tuple or list of inputs",))
    if not isinstance(kwargs, Mapping):
        raise wrong_argument("kwargs", type(kwargs).__name__, ("inputs by name",))
    # Imported late: the package torch is an extra.
    from ..bridges.torch.programs.loading import export_module

    try:
        return export_module(
            module, tuple(cast("Sequence[Any]", args)), {**cast("Mapping[str, Any]", kwargs)}, examples.dynamic_shapes
        )
    except FxError as error:
        raise NpuOptError(str(error)) from error


def imported_program(program: ExportedProgram, fixed: FixedSizes = NO_SIZES, inline_limit: int = 1024) -> Imported:
    """A program as a module; raises `NpuOptError`."""
    if (torch := cast("Any", sys.modules.get("torch.export"))) and not isinstance(program, torch.ExportedProgram):
        raise wrong_argument("program", program, ("a torch.export.ExportedProgram",))
    try:
        require("torch")
    except MissingExtraError as error:
        raise NpuOptError(str(error)) from error
    # Imported late: the package torch is an extra.
    from ..bridges.torch.programs.loading import import_program

    try:
        found = import_program(program, inline_limit=inline_limit, fixed=fixed)
    except FxError as error:
        raise NpuOptError(str(error)) from error
    with raised_as_own(PLACE):
        verify(found.module)
    return found
