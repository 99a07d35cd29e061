"""Imported models: a program, and the tensors that it refers to."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from xdsl.dialects.builtin import ModuleOp

from .safetensors import StoredTensor


class Weight(Protocol):
    """A tensor of a model that is not written out in the program."""

    @property
    def has_data(self) -> bool: ...

    @property
    def shape(self) -> tuple[int, ...]: ...

    def stored(self) -> StoredTensor: ...


@dataclass(frozen=True, slots=True)
class Imported:
    """A module, and the tensors that it refers to by key."""

    module: ModuleOp
    weights: Mapping[str, Weight]
    opaque: dict[str, int] = field(default_factory=dict[str, int])
    """The number of nodes that became `npu.opaque`, by op."""
    unfolded: dict[str, int] = field(default_factory=dict[str, int])
    """The nodes that became opaque because of a limit of folding, with the bytes they need."""
    format: str = "onnx"
    """The format of the file."""
    came: Any = None
    """The nodes of the file as they came, for the exporter of the same format."""
    notes: Sequence[str] = ()
    """Lines for the user about the file."""

    @property
    def without_an_op(self) -> Iterator[str]:
        """A line about the nodes that became `npu.opaque`, if there are any."""
        if self.opaque:
            kinds = ", ".join(f"{name} ({count})" if count > 1 else name for name, count in self.opaque.items())
            yield f"nodes without an op of the dialect: {kinds}"
