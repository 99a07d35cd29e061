"""Builders of npu ops for importers, which know the sizes of values better than types say."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from typing import Any, Protocol, TypeAlias, cast

from numpy.typing import NDArray
from xdsl.dialects.builtin import DenseArrayBase, FloatAttr, IntegerAttr, StringAttr, TensorType, UnitAttr, f64, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.utils.exceptions import VerifyException

from ..dialects.npu.attrs import OperandDim, ReshapeDim, ReshapeDimsAttr
from ..dialects.npu.shape import BroadcastOp, ReshapeOp, TransposeOp
from ..dialects.npu.values import element_type_of, has_one_element
from ..layout import DYNAMIC

UNIT = UnitAttr()


class UnknownSize(Protocol):
    """A size that is known at run time only; equal ones are the same."""

    def __hash__(self) -> int: ...


Size: TypeAlias = int | UnknownSize
Sizes: TypeAlias = Sequence[Size]


class ShapedLike(Protocol):
    """The element type and the shape of a value."""

    @property
    def element(self) -> Attribute: ...

    @property
    def sizes(self) -> tuple[Any, ...]: ...


@dataclass(frozen=True, slots=True)
class Typed:
    element: Attribute
    sizes: tuple[Any, ...]


class UnsupportedNode(Exception):
    """A node has no equivalent in the npu dialect; it becomes an `npu.opaque`."""


def are_known(sizes: Sizes) -> bool:
    return all(isinstance(size, int) for size in sizes)


def static(sizes: Sizes) -> tuple[int, ...]:
    """The sizes as in types."""
    return tuple(size if isinstance(size, int) else DYNAMIC for size in sizes)


def tensor_type(element: Attribute, sizes: Sizes) -> TensorType:
    """A tensor type without layout."""
    return _type(element, static(sizes))


@cache
def _type(element: Attribute, shape: tuple[int, ...]) -> TensorType:
    # Cached: verifying a type is slow, and a network has few.
    return TensorType(element, shape)


class OpBuilder(ABC):
    """Builders of ops."""

    @abstractmethod
    def sizes_of(self, value: SSAValue) -> tuple[Any, ...]:
        """The shape of an SSA value."""

    @abstractmethod
    def place(self, made: Operation, sizes: Sequence[tuple[Any, ...]]) -> None:
        """Place an op behind those built so far; its results have these sizes."""

    @abstractmethod
    def constant_of(self, array: NDArray[Any]) -> SSAValue:
        """Build a constant."""

    # Adding ops.

    def add(
        self,
        op: type[IRDLOperation],
        operands: Sequence[SSAValue | Sequence[SSAValue] | None],
        sizes: Sizes,
        element: Attribute | None = None,
        /,
        **properties: object,
    ) -> SSAValue:
        """Add an op with one result of this shape; the default element type is that of the first operand."""
        if element is None:
            first = operands[0]
            assert isinstance(first, SSAValue)
            element = element_type_of(first)
        return self.add_many(op, operands, [Typed(element, tuple(sizes))], **properties)[0]

    def add_many(
        self,
        op: type[IRDLOperation],
        operands: Sequence[SSAValue | Sequence[SSAValue] | None],
        results: Sequence[ShapedLike],
        are_one_group: bool = False,
        /,
        **properties: object,
    ) -> Sequence[SSAValue]:
        """Add an op with several results; `are_one_group` is for a variadic result."""
        types = [tensor_type(each.element, each.sizes) for each in results]
        values = {
            name: attribute(value) for name, value in properties.items() if value is not None and value is not False
        }
        if op.get_irdl_definition().options:
            # Only xDSL's builder counts the operands of several groups.
            made = op.build(
                operands=[each if isinstance(each, SSAValue | None) else list(each) for each in operands],
                result_types=[types] if are_one_group else types,
                properties=values,
            )
        else:
            given = [(each,) if isinstance(each, SSAValue) else each or () for each in operands]
            made = op.create(operands=[*chain.from_iterable(given)], result_types=types, properties=values)
        return self.insert(made, results)

    def insert(self, made: Operation, results: Sequence[ShapedLike]) -> Sequence[SSAValue]:
        """Add an op if it verifies."""
        try:
            made.verify()
        except VerifyException as error:
            # Otherwise it would remain a user of its operands.
            made.erase()
            raise UnsupportedNode(str(error)) from error
        self.place(made, [each.sizes for each in results])
        return made.results

    # Shapes of values.

    def reshape(self, value: SSAValue, sizes: Sizes, is_own: bool = False) -> SSAValue:
        """Reshape a value. One that is a view of a value of these sizes is that value, unless the model says it so."""
        views = [*_views(value)]
        same = next((source for source in views if self.sizes_of(source) == tuple(sizes)), None)
        if same is not None and (same is value or not is_own or not are_known(self.sizes_of(value))):
            return same
        for source in views:
            before = self.sizes_of(source)
            dims = dims_of(before, sizes)
            # A dimension lost in one shape may still be present in the shape before an earlier reshape.
            # A tensor without elements determines no size.
            if (static(sizes) if dims is None else dims.data).count(DYNAMIC) <= (0 not in sizes):
                return self.add(ReshapeOp, [source], sizes, dims=dims)
        raise UnsupportedNode("several sizes are not sizes of the operand")

    def aligned(self, value: SSAValue, rank: int) -> SSAValue:
        """Prepend unit axes to reach this rank; a value of one element is kept unchanged."""
        sizes = self.sizes_of(value)
        if len(sizes) >= rank or has_one_element(value):
            return value
        return self.reshape(value, (*(1,) * (rank - len(sizes)), *sizes))

    def broadcast(self, value: SSAValue, sizes: Sizes) -> SSAValue:
        """Broadcast a value to a shape as in numpy."""
        before = self.sizes_of(value)
        if before == tuple(sizes):
            return value
        first = len(sizes) - len(before)
        repeated = [size for axis, size in enumerate(sizes) if axis < first or (before[axis - first] != size)]
        if not are_known(repeated):
            raise UnsupportedNode("an unknown size is not one of the operand")
        return self.add(BroadcastOp, [value], sizes, axes=[first + axis for axis in range(len(before))])

    def transpose(self, value: SSAValue, permutation: Sequence[int]) -> SSAValue:
        """Transpose a value."""
        sizes = self.sizes_of(value)
        if sorted(permutation) != list(range(len(sizes))):
            raise UnsupportedNode(f"{list(permutation)} is not a permutation of {len(sizes)} axes")
        if list(permutation) == list(range(len(sizes))):
            return value
        return self.add(TransposeOp, [value], [sizes[axis] for axis in permutation], permutation=permutation)


def attribute(value: object) -> Attribute:
    """A Python value as an attribute."""
    match value:
        case Attribute():
            return value
        case True:
            return UNIT
        case int():
            return _number(value)
        case float():
            return FloatAttr(value, f64)
        case str():
            return StringAttr(value)
        case _:
            numbers = cast("Sequence[int | float]", value)
            if any(isinstance(number, float) for number in numbers):
                return DenseArrayBase.from_list(f64, [float(number) for number in numbers])
            return _numbers(tuple(int(number) for number in numbers))


@lru_cache(maxsize=4096)
def _number(number: int) -> IntegerAttr:
    # Cached, as are lists: making and verifying an attribute is slow, and a network has few.
    return IntegerAttr(number, i64)


@lru_cache(maxsize=4096)
def _numbers(numbers: tuple[int, ...]) -> DenseArrayBase:
    return DenseArrayBase.from_list(i64, numbers)


def _views(value: SSAValue) -> Iterator[SSAValue]:
    """A value, and the operands of the chain of reshapes that produces it."""
    yield value
    while isinstance(value.owner, ReshapeOp):
        value = value.owner.input
        yield value


def dims_of(before: Sizes, after: Sizes) -> ReshapeDimsAttr | None:
    """The `dims` of a reshape: which unknown sizes of the result are sizes of the operand. None if there are none."""
    if are_known(after):
        return None
    left: dict[Size, list[int]] = {}
    for axis, size in enumerate(before):
        if not isinstance(size, int):
            left.setdefault(size, []).append(axis)
    dims: list[ReshapeDim] = []
    for size in after:
        if isinstance(size, int):
            dims.append(size)
        elif left.get(size):
            dims.append(OperandDim(left[size].pop(0)))
        else:
            dims.append(DYNAMIC)
    return ReshapeDimsAttr(tuple(dims)) if any(isinstance(dim, OperandDim) for dim in dims) else None
