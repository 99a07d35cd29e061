"""What `xdsl-opt`, `npu-opt` and every other xDSL tool sees of this package (entry point `xdsl.universe`)."""

from __future__ import annotations

from xdsl.ir import Dialect
from xdsl.universe import Universe
from xdsl.utils.target import Target

from .passes import get_all_passes


def _get_npu() -> Dialect:
    # Imported late: tools that never meet an npu op must not pay for the dialect.
    from .dialects.npu import NPU

    return NPU


def _get_onnx() -> type[Target]:
    from .bridges.onnx.export_target import OnnxTarget

    return OnnxTarget


NPU_UNIVERSE = Universe(
    all_dialects={"npu": _get_npu}, all_passes=get_all_passes(), all_targets={"onnx": _get_onnx}
)
