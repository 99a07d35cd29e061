"""Export of programs as LiteRT models."""

from pathlib import Path

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ..errors import NotExportable
from .files import write_model
from .model import LiteModel, assembled
from .program import Source, export


def to_litert(
    module: ModuleOp,
    directory: Path = Path(),
    source: Source | None = None,
    function: FuncOp | None = None,
    hardware: str = "litert",
) -> LiteModel:
    """Export a program as a model, whose graph is `function`, or else @main.

    Constants that are not written out come from `source`, or else from safetensors files in `directory`. The file says
    that it is made for this `hardware`.
    """
    return assembled(export(module, directory, source, function), module, hardware)


__all__ = ["LiteModel", "NotExportable", "Source", "to_litert", "write_model"]
