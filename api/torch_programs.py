"""Programs of PyTorch: `relayout`, and a backend of `torch.compile`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..dialects.program.symbols import verify
from ..tools.driver.formats.program import new_context
from .errors import raised_as_own
from .optimizing import Passes, Strategy, pipeline_of
from .paths import StrPath
from .torch_models import PLACE, imported_program

if TYPE_CHECKING:
    from torch.export import ExportedProgram
    from torch.fx import GraphModule


def relayout(
    program: ExportedProgram,
    *,
    target: StrPath = "torch",
    strategy: Strategy | None = "optimal",
    passes: Passes = "canonicalize",
    interface: str = "keep",
) -> ExportedProgram:
    """The program with the fewest permutes that the target allows: names, signature, state and notes are kept.

    Parameters that are read in another order are stored in it. The options are those of `npu_opt.optimize`.
    """
    imported, context = imported_program(program, inline_limit=16), new_context()
    module = imported.module
    with raised_as_own(PLACE):
        for each in pipeline_of(target, strategy, passes, interface):
            each.apply(context, module)
        verify(module)
        # Imported late: the package torch is an extra.
        from ..bridges.torch.programs.loading import export_program

        return export_program(imported, module)


def backend(
    graph: GraphModule, inputs: Sequence[Any], *, options: Mapping[str, Any] | None = None
) -> Callable[..., Any]:
    """A backend of `torch.compile`: graphs with few permutes, which run eagerly. `options` are those of `relayout`."""
    # Imported late: the package torch is an extra.
    from ..bridges.torch.programs.compiling import compiled

    return compiled(graph, inputs, lambda program: relayout(program, **(options or {})))
