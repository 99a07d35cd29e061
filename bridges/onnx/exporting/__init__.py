"""Export of programs as ONNX models that ONNX Runtime loads.

An ONNX op with axis attributes works on the stored data. An op that requires NCHW is placed between two transposes;
adjacent transposes cancel out.
"""

from dataclasses import replace
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from ....dialects.settings.file_rules import ANYTHING, OLDEST_OPSET, FileRules
from ....version import __version__
from ..came import CameNodes
from ..errors import NotExportable
from .checked import check_model, check_rules
from .files import INLINE_LIMIT, whole, write_model
from .graph import Exported, Source
from .metadata import drop_metadata
from .model import Model, assembled
from .opset import NEWEST_OPSET, OLDEST_KEPT, NeedsOpset, Opset
from .program import export, noted_opsets


def to_onnx(
    module: ModuleOp,
    opset: int | None = None,
    directory: Path = Path(),
    source: Source | None = None,
    has_nchwc: bool = False,
    keeps_foreign: bool = False,
    has_metadata: bool = True,
    came: CameNodes | None = None,
    rules: FileRules = ANYTHING,
) -> Model:
    """Export a program as a model, which ONNX's checker accepts.

    Constants that are not written out come from `source`, or else from safetensors files in `directory`.
    With `has_nchwc` ops on blocks of channels are those of com.microsoft.nchwc, which only ONNX Runtime runs.
    With `keeps_foreign` ops of other formats are nodes of other domains; otherwise they are errors.
    Without `has_metadata` nodes, inputs and outputs lack what the imported model says about them.
    The nodes that `came` leave as they came where no pass has changed them.
    The default opset is that of the imported model, or the lowest one after it that can say all ops; the newest that
    ONNX Runtime has if there is no imported model, or if that is newer and the ops are in it. It is none that the
    `rules` exclude: ops are expanded, or refused.
    """
    given = noted_opsets(module).get("", NEWEST_OPSET)
    if opset is not None and not OLDEST_OPSET <= opset <= max(given, NEWEST_OPSET):
        raise NotExportable(f"opset {opset}: expected {OLDEST_OPSET} to {max(given, NEWEST_OPSET)}")
    newest = NEWEST_OPSET if rules.opset is None else min(rules.opset, NEWEST_OPSET)
    first = min(max(given, OLDEST_KEPT), newest) if opset is None else opset
    is_newest = opset is None and first == rules.opset
    chosen = Opset(first, opset is not None or is_newest, is_newest, rules.lacks)
    reason = ": the target has no newer one" if newest < min(given, NEWEST_OPSET) else ""
    while True:
        try:
            exported = export(module, chosen, directory, source, has_nchwc, keeps_foreign, came, rules)
            model = assembled(exported, module, __version__, came or CameNodes())
        except NeedsOpset as error:
            if chosen.is_fixed or error.needed <= chosen.number:
                raise
            limit = max(given, NEWEST_OPSET) if rules.opset is None else newest
            is_newest = error.needed >= limit == rules.opset
            chosen = Opset(min(error.needed, limit), is_newest, is_newest, rules.lacks)
            reason = f": {error.kind} needs it" if error.needed <= limit else f": {error.kind} needs {error.needed}"
        except NotExportable:
            if chosen.is_fixed or chosen.number >= given or rules.opset is not None:
                raise
            chosen = Opset(given, lacks=rules.lacks)
        else:
            break
    if not has_metadata:
        drop_metadata(model.proto.graph)
    check_model(model, given)
    check_rules(model, rules)
    notes = [_foreign_note(exported)]
    if opset is None and chosen.number != given:
        notes.append(f"opset {chosen.number} instead of {given}{reason}")
    return replace(model, note="; ".join(filter(None, notes)))


def _foreign_note(exported: Exported) -> str:
    """The ops of other formats in the model; empty if there are none."""
    found = exported.graph.foreign
    if not found:
        return ""
    kinds = ", ".join(f"{count} {name}" for name, count in sorted(found.items()))
    ops = f"{found.total()} op{'s' * (found.total() != 1)}"
    return f"{ops} of other formats, which only a runtime with such ops loads: {kinds}"


__all__ = [
    "INLINE_LIMIT",
    "NEWEST_OPSET",
    "Model",
    "NotExportable",
    "Source",
    "to_onnx",
    "whole",
    "write_model",
]
