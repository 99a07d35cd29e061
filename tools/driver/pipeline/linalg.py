"""Programs of linalg, which layout passes place as nests of loops."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ....passes.npu_default import NpuDefault
from ....passes.placement.layout_pass import LayoutPass

DIALECTS = ("linalg", "tosa")


def is_converted(module: ModuleOp, passes: Sequence[ModulePass]) -> bool:
    """True if a program has ops of linalg or tosa, for layout passes that come without a conversion."""
    # Imported late: most programs have no ops of these dialects.
    from ....passes.convert_linalg_to_npu import ConvertLinalgToNpu

    if not any(isinstance(each, LayoutPass | NpuDefault) for each in passes):
        return False
    if any(isinstance(each, ConvertLinalgToNpu) for each in passes):
        return False
    return any(op.name.partition(".")[0] in DIALECTS for op in module.walk())
