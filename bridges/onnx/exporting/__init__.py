"""Programs as ONNX models: what every op of the dialect is in ONNX, and a file that ONNX Runtime loads.

An op of ONNX that finds its axes by their numbers works on the stored data; one that wants NCHW gets it by a transpose,
and its result is transposed back. Transposes that meet in between cancel out.
"""

from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from .... import __version__
from ..errors import NotExportable
from .files import INLINE_LIMIT, write_model
from .graph import Source
from .model import Model, assembled
from .program import export, noted_opset

NEWEST_OPSET = 26
"""The newest version of ONNX that ONNX Runtime (1.31) knows."""
OLDEST_OPSET = 21
"""The oldest version that has all of what the exporters write: integers of 4 bits."""


def to_onnx(
    module: ModuleOp, opset: int | None = None, directory: Path = Path(), source: Source | None = None
) -> Model:
    """A program as a model of this version of ONNX.

    Constants that are not written out are asked of the `source`; others are in safetensors files in `directory`.
    If no version is said, it is that of the model that the program comes from, or the newest if that is too old or new.
    """
    if opset is None:
        noted = noted_opset(module) or 0
        opset = noted if OLDEST_OPSET <= noted <= NEWEST_OPSET else NEWEST_OPSET
    if not OLDEST_OPSET <= opset <= NEWEST_OPSET:
        raise NotExportable(f"opset {opset}: expected {OLDEST_OPSET} to {NEWEST_OPSET}")
    return assembled(export(module, opset, directory, source), module, __version__)


__all__ = ["INLINE_LIMIT", "NEWEST_OPSET", "OLDEST_OPSET", "Model", "NotExportable", "Source", "to_onnx", "write_model"]
