"""The plan of a layout pass: rewritten ops, inserted conversions, and the value that each use reads then.

Strategies and the solver choose orders; both end in a plan. `apply.py` is the one step that changes a program.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue

from ....dialects.npu.axes import Relayout
from ....dialects.npu.shape import ViewOp
from ....dialects.npu.views import Sizes
from ....layout import Order
from ..graph.producers import Use
from ..words.reasons import Reason
from .insertion import InsertionPoint


class Reshaped(NamedTuple):
    """The form of an op over pieces of its axes. Operands are in program order."""

    operands: tuple[Attribute, ...]
    results: tuple[Attribute, ...]
    sizes: tuple[Sizes | None, ...]
    """For each operand and result the sizes of its dimensions, in the symbols of its storage."""
    properties: Mapping[str, Attribute]
    operand_permutation: Order | None
    """For each new position the old operand, if operands are swapped."""

    def place_of(self, operand: int) -> int:
        """The new index of an operand."""
        return operand if self.operand_permutation is None else self.operand_permutation.index(operand)


@dataclass(slots=True, eq=False)
class Conversion:
    """An inserted transpose, or an inserted view of a value under another type, shared by all uses that need it."""

    source: SSAValue
    """The value of the input program that is converted."""
    behind: Conversion | None
    """The conversion of that value that is the operand instead."""
    permutation: Order | None
    """The permutation of the transpose; None for a view."""
    type: TensorType
    """The type of the result."""
    source_sizes: Sizes
    """The sizes of the operand's dimensions, in the symbols of the storage; they matter only if no data is moved."""
    sizes: Sizes
    """The sizes of the result's dimensions."""
    served: Operation
    """The first op that reads the result."""
    name: str | None
    """The name hint of the result."""
    point: InsertionPoint | None = None
    """None: right behind the conversion that is the operand."""
    reason: Reason | None = None
    moves: bool = False
    """True if data is moved; a permutation of dimensions of one element moves none."""
    is_pack: bool = False
    """True if data is moved into blocks or out of them, by a pack or unpack."""
    of_constant: bool = False
    uses: list[Use] = field(default_factory=list[Use])
    """The uses served, also those served through views of the result."""

    @property
    def is_counted(self) -> bool:
        """True if the conversion costs run time. Constants are stored in the right order from the start."""
        return self.moves and not self.of_constant


Source: TypeAlias = SSAValue | Conversion


@dataclass
class LayoutPlan:
    """All changes that a layout pass makes to a module."""

    module: ModuleOp
    strategy: str
    """The name that the locations of inserted and rewritten ops start with."""
    relayouts: Mapping[Operation, Relayout | Reshaped]
    """The new forms of ops."""
    conversions: Sequence[Conversion]
    """In an order in which they can be inserted."""
    reads: Mapping[Use, Source]
    """The new operand of each use that changes."""
    dead: Sequence[Operation] = ()
    """Ops to erase before anything else, users first."""
    views: Sequence[ViewOp] = ()
    """Views of the input program to erase at the end if they have lost all uses, in program order."""
    arguments: Mapping[SSAValue, TensorType] = field(default_factory=dict[SSAValue, TensorType])
    """The types of free arguments, and of what calls and loops return."""
    functions: Sequence[FuncOp] = ()
    """The functions with free arguments or results."""
