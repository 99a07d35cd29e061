"""Programs of linalg, which layout passes place as nests of loops: they are converted at the borders of the pipeline.

No observer but the proof sees the conversions, so that figures, remarks and reasons are those of the passes.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ....dialects.program.symbols import verify

if TYPE_CHECKING:
    from ....text.parser import SourceMap
    from ...observers.base import Observer

DIALECTS = ("linalg", "tosa")


def conversions(module: ModuleOp, passes: Sequence[ModulePass]) -> Sequence[ModulePass]:
    """The conversions before and after layout passes on a program of linalg or tosa; none if there is one already."""
    if not any(op.name.partition(".")[0] in DIALECTS for op in module.walk()):
        return ()
    # Imported late: most programs have no ops of these dialects.
    from ....passes.convert_linalg_to_npu import ConvertLinalgToNpu
    from ....passes.convert_npu_to_linalg import ConvertNpuToLinalg
    from ....passes.npu_default import NpuDefault
    from ....passes.placement.layout_pass import LayoutPass

    is_placed = any(isinstance(each, LayoutPass | NpuDefault) for each in passes)
    is_converted = any(isinstance(each, ConvertLinalgToNpu | ConvertNpuToLinalg) for each in passes)
    return (ConvertLinalgToNpu(), ConvertNpuToLinalg()) if is_placed and not is_converted else ()


@contextmanager
def converted(
    module: ModuleOp, source: SourceMap | None, passes: Sequence[ModulePass], ctx: Context, proofs: Observer
) -> Generator[bool]:
    """A context in which a program of linalg is one of nests, if the passes need one; true if they do."""
    borders = conversions(module, passes)
    if borders:
        proofs.before_passes(module, source)
    for conversion in borders[:1]:
        _convert(conversion, module, ctx, proofs)
    yield bool(borders)
    for conversion in borders[1:]:
        _convert(conversion, module, ctx, proofs)


def _convert(conversion: ModulePass, module: ModuleOp, ctx: Context, proofs: Observer) -> None:
    proofs.before_pass(conversion, module)
    conversion.apply(ctx, module)
    verify(module)
    proofs.after_pass(conversion, module)
