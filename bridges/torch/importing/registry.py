"""The table of converters, by the names of operators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from xdsl.ir import SSAValue

from ....dialects.op_table import NameTable

if TYPE_CHECKING:
    from .node import CallNode

Converted: TypeAlias = SSAValue | Sequence[SSAValue | None]
"""The values of the results of a call; None for unused ones."""
Converter: TypeAlias = "Callable[[CallNode], Converted]"
"""Adds npu ops that compute the call; raises `UnsupportedNode` if there are none."""

CONVERTERS: NameTable[Converter] = NameTable(f"{__package__}.ops")

converts = CONVERTERS.enter
