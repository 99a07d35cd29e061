"""Export of programs as LiteRT models."""

from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from ..errors import NotExportable
from .files import write_model
from .model import LiteModel, assembled
from .program import Source, export


def to_litert(module: ModuleOp, directory: Path = Path(), source: Source | None = None) -> LiteModel:
    """Export a program as a model.

    Constants that are not written out come from `source`, or else from safetensors files in `directory`.
    """
    return assembled(export(module, directory, source))


__all__ = ["LiteModel", "NotExportable", "Source", "to_litert", "write_model"]
