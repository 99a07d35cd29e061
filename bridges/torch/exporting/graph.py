"""Calls under construction: a block of them, with builders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from numpy.typing import NDArray
from xdsl.dialects.builtin import TensorType, i1
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ....dialects.npu.attrs import ReferenceAttr
from ....dialects.npu.source import ConstantOp, OpaqueOp
from ....dialects.npu.values import element_type_of, shape_of
from ....layout import DYNAMIC, Order, compose, identity, permute, same_storage
from ..calls import Call
from ..numbers import dense, numbers_of
from ..recurrent import ParametersKey

Operands = Mapping[str, SSAValue | Sequence[SSAValue] | None]
COPIES = frozenset(
    {
        "alias",
        "detach",
        "diagonal",
        "expand",
        "narrow",
        "permute",
        "select",
        "slice",
        "split",
        "split_with_sizes",
        "squeeze",
        "t",
        "transpose",
        "unbind",
        "unfold",
        "unsqueeze",
        "view",
    }
)
"""Views, which the edge dialect has as copies only."""
RESHAPES = frozenset({"aten.reshape.default", "aten.view.default", "aten.view_copy.default"})


class CallBuilder:
    """A block of calls."""

    def __init__(
        self,
        types: Sequence[Attribute],
        has_copies: bool,
        is_core: bool = False,
        parameters: Mapping[ParametersKey, Sequence[ConstantOp]] | None = None,
    ) -> None:
        self.block = Block(arg_types=types)
        self.has_copies = has_copies
        """True if views are copies."""
        self.is_core = has_copies or is_core
        """True if calls are of the core operators only, as far as there are any."""
        self.location: Attribute | None = None
        """The location of the op which is being exported."""
        self.parameters = parameters or {}
        """The constants that calls had in place of those that were computed from them."""
        self.before: Operation | None = None
        """The call in front of which others are added; None is the end."""
        self._reshapes: set[SSAValue] = set()
        """The results of reshapes which no node came as."""
        self.came: set[Operation] = set()
        """The calls that are there as they came."""
        self._added: set[SSAValue] = set()
        """The views of results in the order of an op, which its calls do not have."""
        self._transposes: dict[tuple[SSAValue, Order], SSAValue] = {}

    def call(
        self,
        name: str,
        operands: Operands,
        sizes: Sequence[int],
        element: Attribute | None = None,
        /,
        **values: Any,
    ) -> SSAValue:
        """Add a call with one result; the default element type is that of the first operand."""
        given = _flat(operands)
        if element is None:
            element = element_type_of(next(iter(given.values())))
        return self.call_many(name, operands, [sizes], [element], **values)[0]

    def call_many(
        self,
        name: str,
        operands: Operands,
        sizes: Sequence[Sequence[int]],
        elements: Sequence[Attribute],
        /,
        **values: Any,
    ) -> Sequence[SSAValue]:
        """Add a call with several results."""
        stated = {key: value for key, value in values.items() if value is not None}
        made = Call(self._named(name), _flat(operands), stated).op(elements, sizes)
        return self.insert(made)

    def truth(self, name: str, operands: Operands, sizes: Sequence[int], /, **values: Any) -> SSAValue:
        """Add a call with truth values as its result."""
        return self.call(name, operands, sizes, i1, **values)

    def insert(self, made: Operation) -> Sequence[SSAValue]:
        if self.location is not None:
            made.location = cast("Any", self.location)
        if self.before is None:
            self.block.add_op(made)
        else:
            self.block.insert_op_before(made, self.before)
        return made.results

    def keep(self, made: Operation) -> Sequence[SSAValue]:
        """Add a call that came."""
        self.came.add(made)
        return self.insert(made)

    def _named(self, name: str) -> str:
        """The name of an operator in this dialect of PyTorch."""
        system, base, overload = name.split(".")
        return f"{system}.{base}_copy.{overload}" if self.has_copies and base in COPIES else name

    # Constants.

    def constant(self, numbers: NDArray[Any], element: Attribute) -> SSAValue:
        return self.insert(ConstantOp(dense(numbers, element)))[0]

    def numbers(self, x: SSAValue) -> NDArray[Any] | None:
        """The numbers of a constant that is written out."""
        op = x.owner
        if not isinstance(op, ConstantOp) or isinstance(op.value, ReferenceAttr):
            return None
        return numbers_of(op)

    def number(self, x: SSAValue) -> bool | int | float | None:
        """The number of a constant of one element and no axes, which can be an argument."""
        found = None if shape_of(x) else self.numbers(x)
        return None if found is None else found.item()

    def came_constant(self, op: ConstantOp) -> SSAValue:
        """A constant as it came."""
        made = op.clone()
        made.location = op.location
        self.block.add_op(made)
        return made.result

    # Views.

    def transpose(self, x: SSAValue, permutation: Order, is_own: bool = False) -> SSAValue:
        """Transpose a value: chains are composed, unless the transpose is one of the program's own."""
        if permutation == identity(len(permutation)):
            return x
        if (not is_own or x in self._added) and (before := self.permuted(x)) is not None:
            return self.transpose(before[0], compose(before[1], permutation))
        key = x, permutation
        if key not in self._transposes or is_own:
            sizes = permute(shape_of(x), permutation)
            if isinstance(x.owner, ConstantOp) and not is_own:
                self._transposes[key] = self._constant_as(x.owner, shape_of(x), permutation)
            elif not is_own and same_storage(identity(len(sizes)), permutation, shape_of(x)):
                self._transposes[key] = self.reshape(x, sizes)
            else:
                self._transposes[key] = self.call("aten.permute.default", {"self": x}, sizes, dims=[*permutation])
        return self._transposes[key]

    def _constant_as(self, op: ConstantOp, shape: Sequence[int], permutation: Order) -> SSAValue:
        """A constant, read in this shape, with its axes permuted."""
        type_ = TensorType(element_type_of(op.result), permute(tuple(shape), permutation))
        made = ConstantOp(op.value_of_view(tuple(shape), permutation, type_), type_)
        made.location = op.location
        self.block.add_op(made)
        return made.result

    def permuted(self, x: SSAValue) -> tuple[SSAValue, Order] | None:
        """The value that a permute reads, and its order; None for any other value."""
        call = Call.of(x.owner) if isinstance(x.owner, OpaqueOp) else None
        if call is None or call.name not in ("aten.permute.default", "aten.permute_copy.default"):
            return None
        return call.operands["self"], tuple(call.values["dims"])

    def reshape(self, x: SSAValue, sizes: Sequence[int], stated: Sequence[int | str] | None = None) -> SSAValue:
        """View a value in another shape; unknown sizes are `stated`, but for one that follows from the others."""
        # One unknown size follows from the others, unless there are no elements.
        is_known = [*sizes].count(DYNAMIC) + (0 in sizes) <= 1
        if tuple(sizes) == shape_of(x) and is_known:
            return x
        if isinstance(x.owner, ConstantOp):
            return self._constant_as(x.owner, sizes, identity(len(sizes)))
        if is_known and (viewed := self.viewed(x)) is not None:
            return self.reshape(viewed, sizes)
        if (whole := self._permuted_whole(x, sizes)) is not None:
            return whole
        given = [-1 if size == DYNAMIC else size for size in sizes] if stated is None else [*stated]
        name, argument = ("view", "size") if self.has_copies else ("reshape", "shape")
        made = self.call(f"aten.{name}.default", {"self": x}, sizes, **{argument: given})
        self._reshapes.add(made)
        return made

    def viewed(self, x: SSAValue) -> SSAValue | None:
        """The value that a reshape reads which no node came as; None for any other value."""
        return x.owner.operands[0] if x in self._reshapes and isinstance(x.owner, Operation) else None

    def _reshaped(self, x: SSAValue) -> SSAValue | None:
        """The value that a reshape reads; None for any other value."""
        call = Call.of(x.owner) if isinstance(x.owner, OpaqueOp) else None
        return call.operands["self"] if call is not None and call.name in RESHAPES else None

    def _permuted_whole(self, x: SSAValue, sizes: Sequence[int]) -> SSAValue | None:
        """A permute of a value whose last axis was split for an op and is whole again; None for any other value."""
        before = self.permuted(x)
        source = self._reshaped(before[0]) if before is not None and before[0] in self._added else None
        if before is None or source is None or len(before[1]) != len(shape_of(source)) + 1:
            return None
        *_, axis, last = range(len(before[1]))
        place = before[1].index(axis)
        order = tuple(each for each in before[1] if each != last)
        is_whole = before[1][place : place + 2] == (axis, last) and permute(shape_of(source), order) == tuple(sizes)
        return self.transpose(source, order) if is_whole and sizes.count(DYNAMIC) <= 1 else None

    def note_added(self, x: SSAValue) -> SSAValue:
        """A view that is undone by its inverse."""
        self._added.add(x)
        return x

    def unlifted(self, x: SSAValue) -> SSAValue:
        """A value without the unit axes that a reshape has put in front."""
        call = Call.of(x.owner) if isinstance(x.owner, OpaqueOp) else None
        if call is None or call.name not in RESHAPES:
            return x
        source = call.operands["self"]
        added = len(shape_of(x)) - len(shape_of(source))
        return source if added > 0 and shape_of(x) == (*(1,) * added, *shape_of(source)) else x

    def drop_unused(self) -> None:
        """Drop pure calls and constants that nothing reads."""
        self._transposes.clear()
        for op in reversed([*self.block.ops]):
            is_pure = isinstance(op, ConstantOp) or (isinstance(op, OpaqueOp) and op.pure is not None)
            if is_pure and all(result.first_use is None for result in op.results):
                op.detach()
                op.erase()


def _flat(operands: Operands) -> dict[str, SSAValue]:
    found: dict[str, SSAValue] = {}
    for name, each in operands.items():
        if isinstance(each, SSAValue):
            found[name] = each
        elif each is not None:
            found.update((f"{name}.{place}", value) for place, value in enumerate(each))
    return found
