"""What the transposes of a program cost."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from math import prod

from xdsl.dialects.builtin import FixedBitwidthType, ModuleOp, TensorType
from xdsl.ir import SSAValue

from ..dialects.npu.base import shape_of, tensor_type
from ..dialects.npu.shape import AnyTransposeOp, ViewOp
from ..dialects.npu.source import ConstantOp
from ..layout import DYNAMIC, identity, same_storage

ASSUMED_LEADING_SIZE = 1
"""What a first stored dimension of unknown size counts as: it is the batch of most networks."""
ASSUMED_SIZE = 64
"""What any other dimension of unknown size counts as."""


class Excuse(Enum):
    """Why a transpose costs nothing at run time."""

    NO_MOVE = "moves nothing"
    UNIT_AXES = "moves unit axes only"
    CONSTANT = "of a constant"


@dataclass(frozen=True)
class Cost:
    """What a number of transposes cost together."""

    transposes: int = 0
    bytes: int = 0
    is_assumed: bool = False
    """Whether some of the bytes belong to a tensor of unknown size."""

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(self.transposes + other.transposes, self.bytes + other.bytes, self.is_assumed or other.is_assumed)

    @property
    def bytes_text(self) -> str:
        return f"~{self.bytes}" if self.is_assumed else str(self.bytes)


def transposes(module: ModuleOp) -> Iterator[tuple[AnyTransposeOp, Excuse | None]]:
    """All transposes in the sequence of the program, each with its excuse if it does not count."""
    of_constants: dict[SSAValue, bool] = {}
    for op in module.walk():
        if isinstance(op, AnyTransposeOp):
            yield op, _excuse(op, of_constants)


def counted_transposes(module: ModuleOp) -> list[AnyTransposeOp]:
    """The transposes that move data at run time."""
    return [op for op, excuse in transposes(module) if excuse is None]


def cost_of_program(module: ModuleOp, assumed_size: int = ASSUMED_SIZE) -> Cost:
    """What the transposes of a program cost."""
    return sum((cost_of(tensor_type(op.input), assumed_size) for op in counted_transposes(module)), Cost())


def cost_of(type_: TensorType, assumed_size: int = ASSUMED_SIZE) -> Cost:
    """What it costs to transpose a tensor of this type."""
    return Cost(1, moved_bytes(type_, assumed_size), DYNAMIC in type_.get_shape())


def moved_bytes(type_: TensorType, assumed_size: int = ASSUMED_SIZE) -> int:
    """The bytes of a tensor; what is not known of its size is assumed."""
    element = type_.element_type
    assert isinstance(element, FixedBitwidthType), "tensors of the dialect hold numbers of a known size"
    assumed = (assumed_size if axis else ASSUMED_LEADING_SIZE for axis in range(len(type_.get_shape())))
    sizes = [other if size == DYNAMIC else size for size, other in zip(type_.get_shape(), assumed, strict=True)]
    return -(-prod(sizes) * element.bitwidth // 8)


def _excuse(op: AnyTransposeOp, of_constants: dict[SSAValue, bool]) -> Excuse | None:
    moved, shape = op.moved(), shape_of(op.input)
    if same_storage(identity(len(shape)), moved, shape):
        return Excuse.NO_MOVE if moved == identity(len(shape)) or 0 in shape else Excuse.UNIT_AXES
    return Excuse.CONSTANT if is_of_constant(op.input, of_constants) else None


def is_of_constant(value: SSAValue, known: dict[SSAValue, bool]) -> bool:
    """Whether only views stand between a constant and a value; `known` has the answers so far."""
    chain: list[SSAValue] = []
    while value not in known and isinstance(view := value.owner, ViewOp):
        # For now: where ops may stand in any sequence, views can form a ring.
        known[value] = False
        chain.append(value)
        value = view.input
    answer = known[value] if value in known else isinstance(value.owner, ConstantOp)
    known.update(dict.fromkeys(chain, answer))
    return answer
