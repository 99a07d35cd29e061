"""An op of a model during its import."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import FloatAttr, StringAttr, TensorType, UnitAttr, f64
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.traits import is_side_effect_free

from ....dialects.notes.node_kinds import KIND
from ....dialects.npu.activations import ClipOp, ReluOp
from ....dialects.npu.attrs import OperandDim, ReshapeDimsAttr
from ....dialects.npu.base import NpuOp
from ....dialects.npu.shape import ReshapeOp
from ....dialects.npu.values import shape_of, shape_text
from ....layout import DYNAMIC
from ..counterparts import CLAMPS
from ..exporting.elements import LiteElement
from ..exporting.kinds import ACTIVATIONS
from ..schema import options_of, schema
from .errors import LiteRtError, NotReadable
from .file import ABSENT, FileOperator, FileQuantization, FileTensor, LiteFile
from .types import Shape, tensor_type

Operands: TypeAlias = "Sequence[SSAValue | Sequence[SSAValue] | None]"
APPLIED = {number: kind for kind, number in ACTIVATIONS.items()}
"""The kinds of activation functions by their numbers in the format."""


@dataclass(frozen=True)
class RunGraph:
    """A graph that an op runs, as a function."""

    function: FuncOp
    number: int

    @property
    def name(self) -> str:
        return self.function.sym_name.data

    @property
    def results(self) -> list[Shape]:
        """The shapes of the results."""
        returned = self.function.get_return_op()
        assert returned is not None
        return [shape_of(value) for value in returned.operands]

    @property
    def has_effects(self) -> bool:
        ops = self.function.body.block.ops
        return not all(is_side_effect_free(op) for op in ops if not isinstance(op, ReturnOp))


class NodeValues(Protocol):
    """The values of the function to which the ops of a node are added."""

    def value(self, place: int) -> SSAValue:
        """The value of a tensor."""
        ...

    def known(self, place: int) -> NDArray[Any] | None:
        """The numbers of a tensor that an op has computed, if they are constant."""
        ...

    def is_state(self, place: int) -> bool:
        """True for a variable that has no value yet."""
        ...

    def insert(self, op: Operation) -> None:
        """Add an op."""
        ...

    def add_constant(self, numbers: NDArray[np.generic], element: LiteElement) -> SSAValue:
        """Add a constant."""
        ...

    def run_graphs(self, node: FileNode, graphs: Mapping[str, int]) -> Mapping[str, RunGraph]:
        """The graphs that an op runs; its results get the shapes that follow from them."""
        ...


@dataclass(slots=True)
class FileNode:
    """An op of the file, with builders of npu ops for it."""

    file: LiteFile
    operator: FileOperator
    function: NodeValues

    # Operands and results.

    @property
    def kind(self) -> str:
        return self.operator.kind

    @property
    def count(self) -> int:
        """The number of operands."""
        return len(self.operator.inputs)

    def has(self, index: int) -> bool:
        return index < self.count and self.operator.inputs[index] != ABSENT

    def input(self, index: int) -> FileTensor:
        return self.file.tensors[self._required(index)]

    def value(self, index: int) -> SSAValue:
        """The value of an operand."""
        self.require(self.input(index).blocks is None, "an operand that is quantised in blocks")
        return self.function.value(self._required(index))

    def _required(self, index: int) -> int:
        """The tensor of an operand without which the op means nothing: LiteRT reads memory of something else."""
        if index >= self.count:
            raise LiteRtError(
                f"'{self.result.name}' cannot be computed: {self.kind} has {self.count}"
                f" operand{'' if self.count == 1 else 's'}, expected at least {index + 1}"
            )
        if not self.has(index):
            raise NotReadable(f"no operand {index}")
        return self.operator.inputs[index]

    def values(self) -> list[SSAValue]:
        return [self.value(index) for index in range(self.count)]

    def numbers(self, index: int) -> NDArray[Any]:
        """The elements of an operand, which must be constant."""
        found = self.file.numbers(self.input(index))
        if found is None:
            found = self.function.known(self.operator.inputs[index])
        if found is None:
            raise NotReadable(f"operand {index} is not constant")
        return found

    def is_known(self, index: int) -> bool:
        """True if the elements of an operand are constant, or computed of such."""
        try:
            self.numbers(index)
        except NotReadable:
            return False
        return True

    def is_constant(self, index: int) -> bool:
        return self.input(index).content is not None

    def ints(self, index: int) -> list[int]:
        """The integers of a constant operand."""
        return [int(number) for number in self.numbers(index).reshape(-1)]

    def shape(self, index: int = 0) -> tuple[int, ...]:
        """The shape of an operand."""
        return self.input(index).shape

    def known_shape(self, index: int = 0) -> tuple[int, ...]:
        """The shape of an operand, all sizes of which must be known."""
        if DYNAMIC in self.shape(index):
            raise NotReadable("an unknown size")
        return self.shape(index)

    def axis(self, axis: int, rank: int) -> int:
        """An axis that may be counted from the end."""
        self.require(-rank <= axis < rank, "an axis that does not exist")
        return axis % rank

    @property
    def result(self) -> FileTensor:
        """The first result."""
        return self.results[0]

    @property
    def results(self) -> list[FileTensor]:
        self.require(ABSENT not in self.operator.outputs and len(self.operator.outputs) > 0, "an absent result")
        return [self.file.tensors[place] for place in self.operator.outputs]

    @property
    def options(self) -> Any:
        """The options of the op, or their defaults."""
        if self.operator.options is not None:
            return _Options(self.operator.options)
        if (name := options_of(self.kind)) is None:
            raise NotReadable("no options")
        return getattr(schema(), f"{name}OptionsT")()

    def require(self, condition: bool, reason: str) -> None:
        if not condition:
            raise NotReadable(reason)

    def require_possible(self, condition: bool) -> None:
        """Nothing is known of a file with an op that fails at run time."""
        if not condition:
            given = " and ".join(shape_text(self.shape(index)) for index in range(self.count) if self.has(index))
            to = shape_text(self.result.shape)
            raise LiteRtError(f"'{self.result.name}' cannot be computed: {self.kind} of {given} to {to}")

    def quantization(self, tensor: FileTensor) -> FileQuantization:
        if tensor.quantization is None:
            raise NotReadable(f"'{tensor.name}' has no scale")
        return tensor.quantization

    # Builders.

    def add(
        self,
        op: type[NpuOp],
        operands: Operands,
        properties: Mapping[str, Attribute | None] | None = None,
        type: TensorType | None = None,
    ) -> SSAValue:
        """Add an op and return its result; the default type is that of the first result in the file."""
        types: list[Any] = [type or tensor_type(self.result.element, self.result.shape)]
        made = op.build(operands=operands, result_types=types, properties=dict(properties or {}))
        self.function.insert(made)
        return made.results[0]

    def marked(self, x: SSAValue) -> SSAValue:
        """The result of an op that is written as the one of the file again."""
        assert isinstance(x.owner, Operation)
        x.owner.attributes[KIND] = StringAttr(self.kind)
        return x

    def marked_unsigned(self, x: SSAValue) -> SSAValue:
        """The result of an op, which is written as the one of the file again if it is of ui8."""
        return self.marked(x) if self.result.element == LiteElement.U8 else x

    def typed(self, tensor: FileTensor, shape: Sequence[int] | None = None) -> TensorType:
        """The type of a tensor, or of one like it with another shape."""
        return tensor_type(tensor.element, tensor.shape if shape is None else tuple(shape))

    def constant(self, numbers: Any, element: LiteElement) -> SSAValue:
        """A constant that is not in the file."""
        return self.function.add_constant(np.asarray(numbers, element.dtype), element)

    def reshaped(self, x: SSAValue, shape: Sequence[int], element: LiteElement | None = None) -> SSAValue:
        """Reshape a value; with several unknown sizes, only unit axes in front can be added."""
        given, wanted = shape_of(x), tuple(shape)
        if given == wanted:
            return x
        dims = None
        if wanted.count(DYNAMIC) > 1:
            front = len(wanted) - len(given)
            # The sizes at run time may be any others.
            self.require(wanted == (*[1] * front, *given), "unknown sizes")
            pairs = enumerate(wanted)
            dims = ReshapeDimsAttr(tuple(OperandDim(axis - front) if size == DYNAMIC else size for axis, size in pairs))
        elif DYNAMIC not in wanted and DYNAMIC not in given:
            self.require_possible(prod(given) == prod(wanted))
        type_ = tensor_type(self.result.element if element is None else element, wanted)
        return self.add(ReshapeOp, [x], {} if dims is None else {"dims": dims}, type_)

    @property
    def activation(self) -> int:
        """The number of the activation function in the options, which a kernel does not read in those of another op."""
        options = self.operator.options
        number = getattr(options, "fusedActivationFunction", 0)
        is_own = type(options).__name__ == f"{options_of(self.kind)}OptionsT"
        self.require(number == 0 or is_own, "options of another op")
        return number

    def activated(self, x: SSAValue) -> SSAValue:
        """The activation function that the op applies to its result."""
        number = self.activation
        if number == 0:
            return x
        # The format has a number for TANH as well, which no kernel but those of recurrent ops applies.
        self.require(number in APPLIED, "an unknown activation function")
        ends = CLAMPS.get(APPLIED[number])
        found = self.clipped(x, *ends) if ends else self.add(ReluOp, [x])
        return found if self.result.element.is_float else self.marked(found)

    def clipped(self, x: SSAValue, low: float, high: float) -> SSAValue:
        return self.add(ClipOp, [x], {"min": FloatAttr(low, f64), "max": FloatAttr(high, f64)})


class _MissingOption(NotReadable, AttributeError):
    """The options of an op are those of another kind."""


class _Options:
    """Options, which may be of any kind in a damaged file."""

    def __init__(self, found: Any):
        self._found = found

    def __getattr__(self, name: str) -> Any:
        try:
            return getattr(self._found, name)
        except AttributeError:
            raise _MissingOption(name) from None


def flag(condition: bool) -> UnitAttr | None:
    """The property of an op that is present under a condition."""
    return UnitAttr() if condition else None
