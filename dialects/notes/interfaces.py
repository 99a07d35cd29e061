"""The note at an argument or result that is stored in another order than in the original program.

It is the attribute `npu.interface = "NHWC (was NCHW)"`. An ONNX model has the same text in its metadata.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, OpResult, SSAValue
from xdsl.utils.hints import isa

from ...compat.xdsl import is_array_of
from ...layout import Layout, LayoutError, Order, compose, identity, invert, permutation_between, permute

NOTE = "npu.interface"
DIMS = "onnx.dims"
"""The names of the dimensions in an ONNX model, of an argument or result, or (lists) of the results of an op."""

_TEXT = re.compile(r"(.+) \(was (.+)\)")


@dataclass(frozen=True)
class StoredAs:
    """The layout of an argument or result, beside that of the original program."""

    layout: Layout
    was: Layout

    @staticmethod
    def parse(text: str, rank: int) -> StoredAs | None:
        """Inverse of `str`; None for a text that says nothing about a tensor of this rank."""
        found = _TEXT.fullmatch(text)
        if found is None:
            return None
        try:
            note = StoredAs(Layout.parse(found[1]), Layout.parse(found[2]))
        except LayoutError:
            return None
        both = note.layout, note.was
        return note if all(each.rank_mismatch(rank) is None for each in both) else None

    def __str__(self) -> str:
        return f"{self.layout} (was {self.was})"

    def permutation(self, rank: int) -> Order:
        """The original dimension at each present one."""
        return permutation_between(self.was.order_for(rank), self.layout.order_for(rank))


@dataclass(frozen=True)
class InterfaceValue:
    """An argument or result of a function."""

    function: FuncOp
    index: int
    is_argument: bool

    @property
    def type(self) -> Attribute:
        types = self.function.function_type
        return (types.inputs if self.is_argument else types.outputs).data[self.index]

    @property
    def attributes(self) -> DictionaryAttr:
        given = self.function.arg_attrs if self.is_argument else self.function.res_attrs
        return given.data[self.index] if given is not None else DictionaryAttr({})

    @property
    def note(self) -> StoredAs | None:
        """The note about its order; only a function of one block has any."""
        text = self.attributes.data.get(NOTE)
        if not isinstance(text, StringAttr) or len(self.function.body.blocks) != 1 or not isa(self.type, TensorType):
            return None
        return StoredAs.parse(text.data, self.rank)

    @property
    def permutation(self) -> Order | None:
        """The original dimension at each present one; None if it is stored as in the original program."""
        note = self.note
        found = None if note is None else note.permutation(self.rank)
        return None if found == identity(self.rank) else found

    @property
    def order(self) -> Order:
        """The original dimension at each present one."""
        return self.permutation or identity(self.rank)

    @property
    def original_type(self) -> Attribute:
        """The type with the dimensions of the original program."""
        permutation = self.permutation
        if permutation is None or not isa(self.type, TensorType):
            return self.type
        shape = permute(self.type.get_shape(), invert(permutation))
        return TensorType(self.type.get_element_type(), shape)

    @property
    def original_names(self) -> Sequence[str | None]:
        """The name of the size of each dimension of the original program, None where it has none."""
        dims = self.attributes.data.get(DIMS)
        if not is_array_of(dims, Attribute) or len(dims) != self.rank:
            return [None] * self.rank
        names = [each.data or None if isinstance(each, StringAttr) else None for each in dims]
        return names if self.permutation is None else permute(names, invert(self.permutation))

    @property
    def name(self) -> str:
        """The name in the ONNX model, or that of the argument's value, or the position."""
        known = self.attributes.data.get("onnx.name")
        if isinstance(known, StringAttr) and known.data:
            return known.data
        hint = self.value.name_hint if self.is_argument and self.value is not None else None
        return f"%{hint}" if hint else f"{'input' if self.is_argument else 'output'}{self.index}"

    @property
    def rank(self) -> int:
        """The rank of a tensor; 0 for other types."""
        return len(self.type.get_shape()) if isa(self.type, TensorType) else 0

    @property
    def value(self) -> SSAValue | None:
        """The argument, or the value that is returned, of a function of one block."""
        blocks = self.function.body.blocks
        if len(blocks) != 1:
            return None
        if self.is_argument:
            return blocks[0].args[self.index]
        returned = self.function.get_return_op()
        return None if returned is None else returned.operands[self.index]

    def note_move(self, permutation: Order, layout: Layout) -> None:
        """Note that the dimensions were permuted; `layout` is the new one."""
        whole = permutation if self.permutation is None else compose(self.permutation, permutation)
        was = layout.with_order(permute(layout.order_for(len(whole)), invert(whole)))
        self.take_note(None if whole == identity(len(whole)) else StoredAs(layout, was))
        self.move_dims(permutation)

    def move_dims(self, permutation: Order) -> None:
        """Permute the names of the sizes as the dimensions."""
        dims = self.attributes.data.get(DIMS)
        if is_array_of(dims, Attribute) and len(dims) == len(permutation):
            self.set_attributes({**self.attributes.data, DIMS: ArrayAttr(permute(dims.data, permutation))})

    def take_note(self, note: StoredAs | None) -> None:
        """Replace the note."""
        attributes = {name: value for name, value in self.attributes.data.items() if name != NOTE}
        if note is not None:
            attributes[NOTE] = StringAttr(str(note))
        self.set_attributes(attributes)

    def set_attributes(self, attributes: Mapping[str, Attribute]) -> None:
        """Replace the attributes of the argument or result."""
        if attributes == self.attributes.data:
            return
        given = self.function.arg_attrs if self.is_argument else self.function.res_attrs
        types = self.function.function_type.inputs if self.is_argument else self.function.function_type.outputs
        each = list(given) if given is not None else [DictionaryAttr({})] * len(types)
        each[self.index] = DictionaryAttr(attributes)
        found = ArrayAttr(each) if any(part.data for part in each) else None
        if self.is_argument:
            self.function.arg_attrs = found
        else:
            self.function.res_attrs = found


def dims_of(value: OpResult) -> Sequence[Attribute]:
    """The names of the dimensions of an op's result; empty if there are none, or not as many as dimensions."""
    noted = value.op.attributes.get(DIMS)
    if not is_array_of(noted, ArrayAttr) or len(noted) != len(value.op.results):
        return ()
    dims = noted.data[value.index].data
    return dims if isa(value.type, TensorType) and len(dims) == len(value.type.get_shape()) else ()


def note_dims(value: OpResult, dims: Iterable[Attribute]) -> None:
    """Note the names of the dimensions of an op's result."""
    known = [ArrayAttr(dims_of(result)) for result in value.op.results]
    known[value.index] = ArrayAttr(dims)
    value.op.attributes[DIMS] = ArrayAttr(known)


def interface_of(function: FuncOp) -> Iterator[InterfaceValue]:
    """The arguments and results of a function."""
    yield from arguments_of(function)
    yield from results_of(function)


def arguments_of(function: FuncOp) -> Sequence[InterfaceValue]:
    return [InterfaceValue(function, index, True) for index in range(len(function.function_type.inputs))]


def results_of(function: FuncOp) -> Sequence[InterfaceValue]:
    return [InterfaceValue(function, index, False) for index in range(len(function.function_type.outputs))]
