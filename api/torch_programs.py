"""`relayout`: an exported program of PyTorch with few permutes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from ..bridges.torch.exporting.convert import to_calls
from ..bridges.torch.importing.convert import to_npu
from ..bridges.torch.reading import read
from ..bridges.torch.writing import written
from ..tools.driver.formats.program import new_context
from .optimizing import Strategy, pipeline_of
from .paths import StrPath

if TYPE_CHECKING:
    from torch.export import ExportedProgram


def relayout(
    program: ExportedProgram,
    *,
    target: StrPath = "onnx",
    strategy: Strategy = "optimal",
    passes: str = "canonicalize",
    interface: str = "keep",
) -> ExportedProgram:
    """The program with the fewest permutes that the target allows."""
    if program.dialect == "TRAINING":
        program = cast("Any", program).run_decompositions({})
    imported = read(program, "weights.safetensors", 16)
    module = imported.module
    imported.came.came = to_npu(module)
    for each in pipeline_of(target, strategy, passes, interface):
        each.apply(new_context(), module)
    to_calls(module, imported.came.came, program.dialect == "EDGE")
    return written(imported.came, module)
