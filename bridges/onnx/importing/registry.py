"""Tables of converters, folders and shape functions by op name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from xdsl.ir import SSAValue

from ....dialects.op_table import NameTable
from .sizes import Size
from .types import Array

if TYPE_CHECKING:
    from .node import ImportedNode
    from .shaped import Shaped

Converted: TypeAlias = SSAValue | Sequence[SSAValue | None]
"""The values of the outputs of a node; None for unused ones."""
Converter: TypeAlias = "Callable[[ImportedNode], Converted]"
"""Adds npu ops that compute the node; raises `UnsupportedNode` if there are none."""
Folder: TypeAlias = "Callable[[ImportedNode], Array | None]"
"""The folded value of a node, or None."""
Sizer: TypeAlias = "Callable[[ImportedNode], Sequence[Size | None] | None]"
"""The shape of a node's first output, as far as it is known."""
Typer: TypeAlias = "Callable[[ImportedNode], Shaped | Sequence[Shaped]]"
"""The type of a node's first output, or those of all, where ONNX does not infer them."""

_PACKAGE = f"{__package__}.ops"

CONVERTERS: NameTable[Converter] = NameTable(_PACKAGE)
FOLDERS: NameTable[Folder] = NameTable(_PACKAGE)
SIZERS: NameTable[Sizer] = NameTable(_PACKAGE)
TYPERS: NameTable[Typer] = NameTable(_PACKAGE)
"""All tables by op name, with the domain as a prefix if it is not the default one."""

converts, folds, sizes_of, types = CONVERTERS.enter, FOLDERS.enter, SIZERS.enter, TYPERS.enter
converts_rest = CONVERTERS.enter_rest


def key_of(domain: str, name: str) -> str:
    """The key of an op in the tables."""
    return name if domain in ("", "ai.onnx") else f"{domain}.{name}"
