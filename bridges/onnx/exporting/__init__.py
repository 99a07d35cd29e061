"""Export of programs as ONNX models that ONNX Runtime loads.

An ONNX op with axis attributes works on the stored data. An op that requires NCHW is placed between two transposes;
adjacent transposes cancel out.
"""

from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from .... import __version__
from ..errors import NotExportable
from .files import INLINE_LIMIT, whole, write_model
from .graph import Source
from .model import Model, assembled
from .program import export, noted_opset

NEWEST_OPSET = 26
"""The newest opset that ONNX Runtime (1.31) supports."""
OLDEST_OPSET = 21
"""The oldest opset with everything that the exporters write: integers of 4 bits."""


def to_onnx(
    module: ModuleOp, opset: int | None = None, directory: Path = Path(), source: Source | None = None
) -> Model:
    """Export a program as a model.

    Constants that are not written out come from `source`, or else from safetensors files in `directory`.
    The default opset is that of the imported model, or the newest if that is out of range.
    """
    if opset is None:
        noted = noted_opset(module) or 0
        opset = noted if OLDEST_OPSET <= noted <= NEWEST_OPSET else NEWEST_OPSET
    if not OLDEST_OPSET <= opset <= NEWEST_OPSET:
        raise NotExportable(f"opset {opset}: expected {OLDEST_OPSET} to {NEWEST_OPSET}")
    return assembled(export(module, opset, directory, source), module, __version__)


__all__ = [
    "INLINE_LIMIT",
    "NEWEST_OPSET",
    "OLDEST_OPSET",
    "Model",
    "NotExportable",
    "Source",
    "to_onnx",
    "whole",
    "write_model",
]
