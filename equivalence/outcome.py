"""The outcome of numbering a function: its effects and its values."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import NamedTuple

from xdsl.dialects.builtin import MemRefType, UnrankedMemRefType, UnregisteredOp
from xdsl.dialects.func import CallOp
from xdsl.ir import Operation
from xdsl.traits import is_side_effect_free

from ..dialects.npu.source import ForeignOp
from ..dialects.npu.values import Shape
from .values import NumberedValue


class Effect(NamedTuple):
    """An op that is not known to be pure; effects are numbered in program order."""

    key: Hashable
    op: Operation

    @property
    def name(self) -> str:
        """The name of the op, or of the op that it wraps."""
        match self.op:
            case ForeignOp():
                return self.op.op_name.data
            case CallOp():
                return f"a call of {self.op.callee}"
            case _:
                return self.op.name


@dataclass
class Outcome:
    """The effects of a function in program order, its returned values, and the values of each of its ops."""

    effects: list[Effect] = field(default_factory=list[Effect])
    arguments: tuple[NumberedValue, ...] = ()
    returned: tuple[NumberedValue, ...] = ()
    sizes: tuple[Shape, ...] = ()
    """The sizes of the results that the type of the function says."""
    values: dict[Operation, tuple[NumberedValue, ...]] = field(
        default_factory=dict[Operation, tuple[NumberedValue, ...]]
    )


def name_of(op: Operation) -> str:
    """The name of an op, registered or not."""
    return op.op_name.data if isinstance(op, UnregisteredOp) else op.name


def may_have_effects(op: Operation) -> bool:
    """True unless an op only computes its results, as those of linalg on tensors do, of which xDSL does not say it."""
    if is_side_effect_free(op):
        return False
    writes = any(isinstance(each.type, MemRefType | UnrankedMemRefType) for each in op.operands)
    if writes or not name_of(op).startswith("linalg."):
        return True
    return any(may_have_effects(each) for region in op.regions for block in region.blocks for each in block.ops)
