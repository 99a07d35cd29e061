"""The transposes of a model file."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.ir import SSAValue

from ..dialects.assumed_sizes import assumed
from ..dialects.npu.values import order_of_value, shape_of
from ..dialects.npu.views import views_above
from ..layout import DYNAMIC, unpermute


@dataclass(frozen=True)
class MovedData:
    """The transposes of a model that move data, and the bytes that they move."""

    transposes: int = 0
    bytes: int = 0
    is_estimated: bool = False
    """True if a size is unknown. It is assumed, as for programs; data of unknown rank count as none."""
    parts_of: tuple[str, ...] = ()
    """The names of the ops that are written with transposes, each once."""

    def with_transpose(
        self, sizes: Sequence[int] | None, width: int, value: SSAValue | None, part_of: str | None
    ) -> "MovedData":
        """With one more transpose, of data of these sizes and so many bytes for each element.

        The data is that of a value of the program, if it has it; its size is then that of the value. The transpose is
        one of the program, or a part of an op.
        """
        shape = sizes if value is None else _logical_shape(value)
        moved = 0 if shape is None else prod(assumed(shape)) * width
        is_estimated = self.is_estimated or shape is None or DYNAMIC in shape
        parts_of = tuple(dict.fromkeys((*self.parts_of, *filter(None, [part_of]))))
        return MovedData(self.transposes + 1, self.bytes + moved, is_estimated, parts_of)


def _logical_shape(value: SSAValue) -> list[int]:
    """The logical sizes of the storage of a value, which count for all views of it, whatever sizes these show."""
    root = value
    for view in views_above(value):
        root = view.input
    return list(unpermute(shape_of(root), order_of_value(root)))
