"""The table of exporters: one function per op of the dialect, which adds equivalent ops of LiteRT.

An exporter takes the op, the graph, and one argument per operand definition: a tensor, None for an absent optional
operand, or a tuple for a variadic one. It returns one tensor per result. Tensors are physical: their axes are in stored
order.
"""

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

from ....dialects.op_table import OpClass, OpTable
from ..errors import NotExportable
from .graph import LiteTensor

Exporter: TypeAlias = Callable[..., LiteTensor | tuple[LiteTensor, ...]]

F = TypeVar("F", bound=Callable[..., Any])

EXPORTERS: OpTable[Exporter] = OpTable(
    f"{__package__}.ops", lambda name: NotExportable(f"'{name}' has no counterpart in LiteRT")
)

exports, exports_rest = EXPORTERS.enter, EXPORTERS.enter_rest

MOVERS: set[OpClass] = set()
"""The ops whose results are some of their operands' elements: they take quantised tensors as they are."""


def moves(*ops: OpClass) -> Callable[[F], F]:
    """Register the exporter of ops that move elements."""
    MOVERS.update(ops)
    return exports(*ops)
