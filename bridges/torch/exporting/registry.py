"""The table of exporters: one function per op of the dialect, which adds calls that compute the same.

An exporter takes the op, the graph, and one argument per operand definition: a value, None for an absent optional
operand, or a tuple for a variadic one. It returns one value per result. Values have the stored shapes and no layouts.
"""

from collections.abc import Callable
from typing import TypeAlias

from xdsl.ir import SSAValue

from ....dialects.op_table import OpTable
from ..errors import NotExportable

Exporter: TypeAlias = Callable[..., SSAValue | tuple[SSAValue, ...]]

EXPORTERS: OpTable[Exporter] = OpTable(
    f"{__package__}.ops", lambda name: NotExportable(f"'{name}' has no counterpart in PyTorch")
)

exports, exports_rest = EXPORTERS.enter, EXPORTERS.enter_rest
