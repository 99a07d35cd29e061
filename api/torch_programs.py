"""`relayout`: an exported program of PyTorch with few permutes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..bridges.torch.loading import export_program, import_program
from ..tools.driver.formats.program import new_context
from .optimizing import pipeline_of
from .paths import StrPath

if TYPE_CHECKING:
    from torch.export import ExportedProgram


def relayout(
    program: ExportedProgram,
    *,
    target: StrPath = "torch",
    strategy: str = "optimal",
    passes: str = "canonicalize",
    interface: str = "keep",
) -> ExportedProgram:
    """The program with the fewest permutes that the target allows."""
    imported = import_program(program, inline_limit=16)
    for each in pipeline_of(target, strategy, passes, interface):
        each.apply(new_context(), imported.module)
    return export_program(imported, imported.module)
