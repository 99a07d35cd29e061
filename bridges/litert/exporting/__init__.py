"""Export of programs as LiteRT models."""

from pathlib import Path

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ..errors import NotExportable
from .files import write_model
from .model import LiteModel, assembled
from .program import MadeFor, Source, lowered


def to_litert(
    module: ModuleOp,
    directory: Path = Path(),
    source: Source | None = None,
    function: FuncOp | None = None,
    made_for: MadeFor = MadeFor(),
) -> LiteModel:
    """Export a program as a model, whose graph is `function`, or else @main.

    Constants that are not written out come from `source`, or else from safetensors files in `directory`.
    """
    return assembled(lowered(module, directory, source, function, made_for.integers_only), made_for.name)


__all__ = ["LiteModel", "MadeFor", "NotExportable", "Source", "lowered", "to_litert", "write_model"]
