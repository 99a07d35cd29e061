"""The type of a value of a model during its import."""

from dataclasses import dataclass, field

from onnx import TypeProto
from xdsl.ir import Attribute

from .sizes import Size


@dataclass(frozen=True, slots=True)
class Shaped:
    """The element type and the shape of a value."""

    element: Attribute
    sizes: tuple[Size, ...]
    whole: TypeProto | None = field(default=None, compare=False)
    """The type of a value that is no tensor, or whose rank is not known."""

    @property
    def rank(self) -> int:
        return len(self.sizes)
