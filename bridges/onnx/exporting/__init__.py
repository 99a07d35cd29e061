"""Export of programs as ONNX models that ONNX Runtime loads.

An ONNX op with axis attributes works on the stored data. An op that requires NCHW is placed between two transposes;
adjacent transposes cancel out.
"""

from dataclasses import replace
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from .... import __version__
from ..errors import NotExportable
from .checked import check_model
from .files import INLINE_LIMIT, whole, write_model
from .forms import NEWEST_OPSET, OLDEST_OPSET, NeedsOpset, Opset
from .graph import Source
from .model import Model, assembled
from .program import export, noted_opsets


def to_onnx(
    module: ModuleOp,
    opset: int | None = None,
    directory: Path = Path(),
    source: Source | None = None,
    has_nchwc: bool = False,
) -> Model:
    """Export a program as a model, which ONNX's checker accepts.

    Constants that are not written out come from `source`, or else from safetensors files in `directory`.
    With `has_nchwc` ops on blocks of channels are those of com.microsoft.nchwc, which only ONNX Runtime runs.
    The default opset is that of the imported model, or the lowest one after it that can say all ops; the newest if
    there is no imported model.
    """
    if opset is not None:
        if not OLDEST_OPSET <= opset <= NEWEST_OPSET:
            raise NotExportable(f"opset {opset}: expected {OLDEST_OPSET} to {NEWEST_OPSET}")
        exported = export(module, Opset(opset, is_fixed=True), directory, source, has_nchwc)
        model = assembled(exported, module, __version__)
        check_model(model)
        return model
    given = noted_opsets(module).get("", NEWEST_OPSET)
    chosen, reason = min(max(given, OLDEST_OPSET), NEWEST_OPSET), ""
    while True:
        try:
            model = assembled(export(module, Opset(chosen), directory, source, has_nchwc), module, __version__)
        except NeedsOpset as error:
            chosen, reason = error.needed, f": {error.kind} needs it"
        else:
            break
    check_model(model)
    return replace(model, note="" if chosen == given else f"opset {chosen} instead of {given}{reason}")


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
