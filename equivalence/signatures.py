"""Arguments and results of two functions: alike, incompatible, or known in one program better than in the other."""

from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import IntegerType, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute
from xdsl.utils.hints import isa

from ..dialects.notes.interfaces import InterfaceValue, arguments_of, results_of
from ..dialects.npu.values import encoding, is_rankless, is_unknown, shape_text
from ..layout import DYNAMIC, permute
from .values import element_type, known_sizes, stored_type


class Mismatch(NamedTuple):
    """A difference of two interfaces; if it is not sure, calls of one may be calls of the other."""

    reason: str
    is_sure: bool = True


def mismatch(first: FuncOp, second: FuncOp, *, signs_count: bool = True) -> Mismatch | None:
    """The first sure difference, else the first one that is not; layouts are names of axes and do not count.

    What a note says to be stored in another order has the type of the original program. Results of which one program
    knows more sizes are compared by the proof.
    """
    for what, left, right in _kinds(first, second):
        if len(left) != len(right):
            return Mismatch(f"the first program has {len(left)} {what}s, the second {len(right)}")
    found = [
        each
        for _, left, right in _kinds(first, second)
        for pair in zip(left, right, strict=True)
        for each in (_of_types(*pair, signs_count), _of_padding(*pair))
        if each is not None
    ]
    return next((each for each in found if each.is_sure), found[0] if found else None)


def taken_types(first: FuncOp, second: FuncOp) -> list[Attribute]:
    """The types of the arguments that both functions take, in the order of the original program."""
    pairs = zip(arguments_of(first), arguments_of(second), strict=True)
    return [_narrower(one.original_type, other.original_type) for one, other in pairs]


def names_of_sizes(first: FuncOp, second: FuncOp) -> list[list[Hashable]]:
    """The names of the sizes of arguments, None where there is none: equal names are equal sizes.

    Both functions have to name them, so that neither alone can state that sizes are equal.
    """
    pairs = zip(arguments_of(first), arguments_of(second), strict=True)
    named = (zip(one.original_names, other.original_names, strict=False) for one, other in pairs)
    return [[None if None in both else both for both in each] for each in named]


def taken_sizes(first: FuncOp, second: FuncOp) -> dict[tuple[int, int], int]:
    """The sizes of arguments of the first function that one of both says, by argument and stored axis."""
    sizes: dict[tuple[int, int], int] = {}
    for value, type_ in zip(arguments_of(first), taken_types(first, second), strict=True):
        shape = known_sizes(type_)
        stored = shape if value.permutation is None else permute(shape, value.permutation)
        sizes |= {(value.index, axis): size for axis, size in enumerate(stored) if size != DYNAMIC}
    return sizes


def _kinds(first: FuncOp, second: FuncOp) -> Iterator[tuple[str, Sequence[InterfaceValue], Sequence[InterfaceValue]]]:
    yield "argument", arguments_of(first), arguments_of(second)
    yield "result", results_of(first), results_of(second)


def _of_types(one: InterfaceValue, other: InterfaceValue, signs_count: bool) -> Mismatch | None:
    left, right = one.original_type, other.original_type
    if stored_type(left) == stored_type(right):
        return None
    both = f"{stored_text(one)} in the first program and {stored_text(other)} in the second"
    what = f"{_what(one)} is {both}"
    if not signs_count and _differ_in_signs(left, right):
        return Mismatch(f"{what}, which are the same bits", is_sure=False)
    if stored_type(_narrower(left, right)) != stored_type(_narrower(right, left)):
        # Tensors of any rank, and values of which nothing is known, may be of the type that the other program has.
        is_open = any(is_rankless(each) or is_unknown(each) for each in (left, right))
        return Mismatch(what, is_sure=not is_open)
    if one.is_argument:
        return Mismatch(f"{what}, of which one takes more than the other", is_sure=False)
    return None


def _differ_in_signs(left: Attribute, right: Attribute) -> bool:
    one, other = element_type(left), element_type(right)
    if not isinstance(one, IntegerType) or not isinstance(other, IntegerType):
        return False
    return one.bitwidth == other.bitwidth and known_sizes(left) == known_sizes(right)


def _narrower(one: Attribute, other: Attribute) -> Attribute:
    """The first type with the sizes that only the other one says."""
    left, right = known_sizes(one), known_sizes(other)
    if not isa(one, TensorType) or not isa(other, TensorType) or len(left) != len(right):
        return one
    sizes = [others if size == DYNAMIC else size for size, others in zip(left, right, strict=True)]
    return TensorType(one.get_element_type(), sizes, one.encoding)


def _of_padding(one: InterfaceValue, other: InterfaceValue) -> Mismatch | None:
    """Other padding: at another place, or zeros in one program only.

    A value without a layout, as all are in files of other formats, says nothing about its padding.
    """
    if _padding(one) == _padding(other):
        return None
    both = f"{_padding_text(one)} in the first program and {_padding_text(other)} in the second"
    is_sure = encoding(one.type) is not None and encoding(other.type) is not None
    return Mismatch(f"{_what(one)} has {both}", is_sure)


def _padding(value: InterfaceValue) -> tuple[dict[int, int], bool]:
    """The sizes of the axes behind which padding is, and True if that is zeros."""
    layout = encoding(value.type)
    return ({}, True) if layout is None else (layout.padded_axes, layout.has_zeros)


def _padding_text(value: InterfaceValue) -> str:
    sizes, has_zeros = _padding(value)
    if not sizes:
        return "no padding"
    axes = ", ".join(f"{size} elements along axis {axis}" for axis, size in sorted(sizes.items()))
    return f"padding behind {axes}, which {'is zeros' if has_zeros else 'may be anything'},"


def _what(value: InterfaceValue) -> str:
    return f"{'argument' if value.is_argument else 'result'} {value.index}"


def stored_text(value: InterfaceValue) -> str:
    """The sizes and element type of an argument or result."""
    if not isa(value.type, TensorType):
        return str(value.type)
    text = f"{shape_text(value.type.get_shape())} of {value.type.get_element_type()}"
    return text if value.permutation is None else f"{text} (stored as {value.note})"
