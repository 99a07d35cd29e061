"""The nodes of a model as they came, noted by an importer for the exporter of its format.

A node leaves as it came if the ops that it became are those that it became: no pass has changed them.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from ..dialects.npu.shape import RelabelOp
from .made_ops import MOST_OPS, MadeOps, is_in_text, is_part, made_ops, type_text
from .origins import node_of

Place: TypeAlias = tuple[int, int]
"""The number of a last op, and that of a value: one of its results, or one of `MadeOps.leaves`."""


@dataclass(frozen=True, slots=True)
class ReadValue:
    """An input that the ops of the node read."""

    places: Sequence[Place]
    """The places at which they read it."""
    shape: tuple[int, ...] | None
    """The shape in the model, if it is a constant."""


@dataclass(frozen=True, slots=True, eq=False)
class ReadType:
    """An input of which the ops have nothing but its type."""

    value: SSAValue
    text: str
    """The type that it had, as `type_text` says it."""


N = TypeVar("N")
"""A node of a format."""
T = TypeVar("T")
"""A tensor of a format."""


@dataclass(frozen=True, slots=True, eq=False)
class CameNode(Generic[N]):
    """A node that can leave as it came, and the ops that it became."""

    proto: N
    parts: frozenset[str]
    """The nodes that the ops are of: this one, or those of its definition."""
    last: Sequence[tuple[str, str]]
    """The ops that compute the outputs: the node of each, and `MadeOps.text`."""
    inputs: Sequence[ReadValue | ReadType | Any]
    """The values that the ops read of each input; facts of the format besides."""
    outputs: Sequence[Place | None]
    """The results of the last ops that are the outputs; None for an output without a use."""


class LastOps(NamedTuple):
    """The ops that compute the outputs of a node, when it has just become ops."""

    ops: Mapping[Operation, MadeOps]
    outputs: Sequence[Place | None]

    @property
    def texts(self) -> list[tuple[str, str]]:
        return [(node_of(op) or "", made.text) for op, made in self.ops.items()]

    @property
    def places(self) -> dict[SSAValue, list[Place]]:
        """The places at which the ops read each value."""
        result: dict[SSAValue, list[Place]] = {}
        for number, made in enumerate(self.ops.values()):
            for place, value in enumerate(made.leaves):
                result.setdefault(value, []).append((number, place))
        return result

    def have_all_in(self, inputs: Iterable[object], parts: frozenset[str]) -> bool:
        """True if all values that the ops read are among these inputs, or in the text of the ops."""
        given = {place for each in inputs if isinstance(each, ReadValue) for place in each.places}
        return all(given.issuperset(where) or is_in_text(value, parts) for value, where in self.places.items())


def last_ops(results: Iterable[SSAValue | None], parts: frozenset[str]) -> LastOps | None:
    """The ops that compute these values, which are all of these nodes; None if they are others or too many."""
    last: dict[Operation, MadeOps] = {}
    numbers: dict[Operation, int] = {}
    outputs: list[Place | None] = []
    for value in results:
        if value is None:
            outputs.append(None)
            continue
        op = value.owner
        if not isinstance(value, OpResult) or not isinstance(op, Operation):
            return None
        if op not in last:
            if len(last) == MOST_OPS or (made := made_ops(op, parts)) is None:
                return None
            last[op], numbers[op] = made, len(last)
        outputs.append((numbers[op], value.index))
    return LastOps(last, outputs) if last else None


Found: TypeAlias = Sequence[tuple[Operation, MadeOps] | None]
"""Ops that compute the outputs of a node as they did; None for one that is not there."""
Ops: TypeAlias = Mapping[str | None, Sequence[Operation]]
"""The ops of each node."""


@dataclass(slots=True)
class Unchanged(Generic[N, T]):
    """A node whose ops are as it became them."""

    came: CameNode[N]
    inputs: Sequence[SSAValue | None]
    """The values of the program that it reads; None for an input that is left out or has its numbers in the ops."""
    outputs: Sequence[SSAValue | None]
    inner: Sequence[Operation] = ()
    """The ops between both, which nothing else uses: they are not in the file if the node is."""
    passed: list[Operation] = field(default_factory=list[Operation])
    """The inner ops in front of the node's first one."""
    results: Mapping[SSAValue, T] | None = None
    """The results of the node, as soon as it is in the graph."""
    is_possible: bool = True
    """False if the node cannot be where its first op is, or in the version of the file."""


def unchanged(function: FuncOp, by_name: Mapping[str, Sequence[CameNode[N]]]) -> dict[Operation, Unchanged[N, Any]]:
    """The nodes of the model that the ops of a function still are, by each op that computes outputs.

    The nodes are given by the node of each of their last ops.
    """
    places = {op: place for place, op in enumerate(function.body.block.ops)} if by_name else {}
    ops: dict[str | None, list[Operation]] = {}
    for op in places:
        ops.setdefault(node_of(op), []).append(op)
    result: dict[Operation, Unchanged[N, Any]] = {}
    noted = dict.fromkeys(node for name in ops for node in by_name.get(name or "", ()))
    finder = _Finder(ops, result)
    for node in noted:
        found = finder.found(node)
        values = None if found is None else _inputs(node, found)
        if found is None or values is None:
            continue
        if all(
            value is not None for value, given in zip(values, node.inputs, strict=True) if isinstance(given, ReadValue)
        ):
            last = [None if each is None else each[0] for each in found]
            outputs = [None if at is None or (op := last[at[0]]) is None else op.results[at[1]] for at in node.outputs]
            ops_of = {op for each in found if each is not None for op in each[1].ops}
            # An output that is computed otherwise now must not have the node computed twice.
            whole = ops_of if None in last else {op for op in last if op is not None}
            values_inside = (value for op in whole for value in op.results if value not in outputs)
            inner = _inner(ops_of, last, places)
            readers = ops_of if None in last else {*inner, *last}
            if not all(reader in readers for value in values_inside for reader in _readers(value)):
                continue
            same = Unchanged[N, Any](node, values, outputs, inner)
            result.update((op, same) for op in last if op is not None)
    return result


def _inner(ops: Iterable[Operation], last: Container[Operation], places: Mapping[Operation, int]) -> list[Operation]:
    """The ops in front of the last ones that these alone use, with relabels between them."""
    between = {op: None for op in ops if op not in last}
    waiting = [*between]
    while waiting:
        for user in _users(waiting.pop()):
            if isinstance(user, RelabelOp) and user not in between:
                between[user] = None
                waiting.append(user)
    inner: dict[Operation, None] = {}
    for op in sorted(between, key=lambda op: places[op], reverse=True):
        if all(user in inner or user in last for user in _users(op)):
            inner[op] = None
    return [*inner]


def _readers(value: SSAValue) -> Iterator[Operation]:
    """The ops that read a value, perhaps behind relabels."""
    for use in value.uses:
        if isinstance(use.operation, RelabelOp):
            yield from _readers(use.operation.result)
        else:
            yield use.operation


def _users(op: Operation) -> Iterator[Operation]:
    return (use.operation for result in op.results for use in result.uses)


class _Finder:
    """Finds the ops of nodes among those of a function that are not taken."""

    def __init__(self, ops: Ops, taken: Container[Operation]) -> None:
        self._ops = ops
        self._taken = taken
        self._made = cache(made_ops)

    def found(self, node: CameNode[Any]) -> Found | None:
        """The ops that compute the outputs of a node; None if one of them is another now. Unused ones may be gone."""
        found: list[tuple[Operation, MadeOps] | None] = []
        for name, text in node.last:
            alike = (each for each in self._alike(name, text, node.parts) if _inputs(node, [*found, each]) is not None)
            found.append(next(alike, None))
        if None not in found:
            return found
        seen = {op for each in found if each is not None for op in each[1].ops}
        parts = (op for name in node.parts for op in self._ops.get(name, ()) if is_part(op, node.parts))
        return found if seen and all(op in seen for op in parts) else None

    def _alike(self, name: str, text: str, parts: frozenset[str]) -> Iterator[tuple[Operation, MadeOps]]:
        for op in self._ops.get(name, ()):
            both = (self._made(op, parts, shares) for shares in (False, True) if op not in self._taken)
            if (made := next((each for each in both if each is not None and each.text == text), None)) is not None:
                yield op, made


def _inputs(node: CameNode[Any], found: Found) -> Sequence[SSAValue | None] | None:
    """The values that these ops read as the inputs of a node; None if two of them read different ones as the same.

    Where they have the type of a value only, it has to be of that type, and one that is computed anyway.
    """
    values: list[SSAValue | None] = []
    for given in node.inputs:
        if isinstance(given, ReadType):
            is_there = isinstance(given.value, BlockArgument) or given.value.first_use is not None
            if not is_there or type_text(given.value) != given.text:
                return None
            values.append(given.value)
            continue
        places = given.places if isinstance(given, ReadValue) else ()
        read = [each[1].leaves[place] for number, place in places for each in found[number : number + 1] if each]
        if any(value is not read[0] for value in read):
            return None
        values.append(read[0] if read else None)
    return values
