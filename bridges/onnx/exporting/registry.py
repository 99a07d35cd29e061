"""The table of exporters: one function per op of the dialect, which adds equivalent nodes of ONNX.

An exporter takes the op, the graph, and one argument per operand definition: a tensor, None for an absent optional
operand, or a tuple for a variadic one. It returns one tensor per result, of any element type and without a name; the
caller casts and names the results. Tensors are physical, like the arrays of the interpreter: their axes are in stored
order.
"""

from collections.abc import Callable
from typing import TypeAlias

from ....dialects.op_table import OpTable
from ..errors import NotExportable
from .graph import OnnxTensor

Exporter: TypeAlias = Callable[..., OnnxTensor | tuple[OnnxTensor, ...]]

EXPORTERS: OpTable[Exporter] = OpTable(
    f"{__package__}.ops", lambda name: NotExportable(f"'{name}' has no counterpart in ONNX")
)
"""The exporter of each op, `npu.opaque` and `npu.constant` included."""

exports, exports_rest = EXPORTERS.enter, EXPORTERS.enter_rest
