"""Which function converts a node, by the name of its op: the one table of names that importing needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from xdsl.ir import SSAValue

from ....dialects.op_table import NameTable
from .sizes import Size
from .types import Array

if TYPE_CHECKING:
    from .node import ImportedNode, Shaped

Converted: TypeAlias = SSAValue | Sequence[SSAValue | None]
"""What stands for the outputs of a node; None for those that nothing uses."""
Converter: TypeAlias = "Callable[[ImportedNode], Converted]"
"""Adds the npu ops that compute what a node does; raises `UnsupportedNode` where there are none."""
Folder: TypeAlias = "Callable[[ImportedNode], Array | None]"
"""The numbers that a node computes, if they are known."""
Sizer: TypeAlias = "Callable[[ImportedNode], Sequence[Size | None] | None]"
"""The shape of a node's first output, as far as it follows from what is known of its inputs."""
Typer: TypeAlias = "Callable[[ImportedNode], Shaped]"
"""The type of a node's first output, for ops that ONNX does not define."""

_PACKAGE = f"{__package__}.ops"

CONVERTERS: NameTable[Converter] = NameTable(_PACKAGE)
FOLDERS: NameTable[Folder] = NameTable(_PACKAGE)
SIZERS: NameTable[Sizer] = NameTable(_PACKAGE)
TYPERS: NameTable[Typer] = NameTable(_PACKAGE)
"""All by the name of the op, with its domain before it where that is not the default one."""

converts, folds, sizes_of, types = CONVERTERS.enter, FOLDERS.enter, SIZERS.enter, TYPERS.enter


def key_of(domain: str, name: str) -> str:
    """The name of an op in the tables."""
    return name if domain in ("", "ai.onnx") else f"{domain}.{name}"
