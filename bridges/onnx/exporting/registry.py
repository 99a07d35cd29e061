"""The table of exporters: one function per op of the dialect, which adds nodes of ONNX that compute the same.

An exporter gets the op, the graph, and then one argument per operand of its definition: a tensor, None for an optional
operand that is absent, or a tuple for a variadic one. It returns a tensor per result, of any element type and without
name: whoever calls it converts and names the results. Tensors of the graph are physical, like the arrays of the
interpreter: their axes stand as they are stored.
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
"""How each op is written in ONNX. `npu.opaque` and `npu.constant` are here like all others."""

exports = EXPORTERS.enter
