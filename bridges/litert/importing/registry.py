"""The table of readers: one function per kind of op, which builds equivalent ops of the dialect.

A reader takes the op as a `FileNode`. It returns one value per result, or raises `NotReadable` if the dialect has no
equivalent; the op is then kept as `npu.opaque`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from xdsl.ir import SSAValue

from ....dialects.op_table import NameTable

Reader: TypeAlias = "Callable[..., SSAValue | Sequence[SSAValue]]"

READERS: NameTable[Reader] = NameTable(f"{__package__}.ops")

reads = READERS.enter
