"""Values that loops carry and branches return, and the orders in which they are compared.

A loop whose state is stored in another order is the same loop if its body takes and returns it in that order. So the
order of each state is free: it is that of the axes of the value with which it begins, whatever that is stored as.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, permutations, product
from typing import Any, NamedTuple, cast

from xdsl.dialects import scf
from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.hints import isa

from ..dialects.npu.source import OpaqueOp
from ..dialects.npu.values import layout_of, rank_of
from ..layout import Order
from .symbols import count_of_captures
from .values import NumberedValue, Place, reordered, stored_type, transposed

MOST_TRIED = 24
"""The maximum number of orders tried where the value with which a state begins does not tell its axes apart."""
DEEPEST_TRIED = 2
"""The maximum depth of code in ops at which more than one order is tried."""


class CarriedState(NamedTuple):
    """A value that an op carries or returns, in the places where it is stored in one order."""

    operand: int | None
    arguments: tuple[SSAValue, ...]
    returned: tuple[tuple[Operation, int], ...]
    """The operands of the ops that end the code."""
    result: int | None

    def places(self, op: Operation) -> Iterator[Place]:
        """The arguments and operands at which it is stored."""
        if self.operand is not None:
            yield op, self.operand
        yield from self.arguments
        yield from self.returned
        if self.result is not None:
            yield op.results[self.result]

    def values(self, op: Operation) -> Iterator[SSAValue]:
        if self.operand is not None:
            yield op.operands[self.operand]
        yield from self.arguments
        yield from (end.operands[index] for end, index in self.returned)
        if self.result is not None:
            yield op.results[self.result]


@dataclass(frozen=True, slots=True)
class Orders:
    """The orders in which arguments of some code, and what it takes and returns, are compared."""

    known: dict[Place, Order] = field(default_factory=dict[Place, Order])
    undecided: Mapping[Place, Sequence[Place]] = field(default_factory=dict[Place, Sequence[Place]])
    """The operands that code returns, with the places whose order is that of the first value returned there."""

    @staticmethod
    def undecided_at(op: Operation, known: dict[Place, Order], rest: Sequence[CarriedState]) -> Orders:
        """Orders of which those of some states of an op are known when its code is numbered."""
        return Orders(known, {end: [*state.places(op)] for state in rest for end in state.returned})

    def get(self, place: Place) -> Order | None:
        return self.known.get(place)

    def of_operands(self, op: Operation, operands: Sequence[NumberedValue]) -> Sequence[NumberedValue]:
        """The operands of an op in the orders in which they are compared."""
        if not self.known and not self.undecided:
            return operands
        for place, value in enumerate(operands):
            alike = self.undecided.get((op, place), ())
            if alike and (op, place) not in self.known:
                self.known.update(dict.fromkeys(alike, next(iter(_orders(value)))))
        return [transposed(each, self.known.get((op, place))) for place, each in enumerate(operands)]


def states_of(op: Operation, functions: Mapping[str, FuncOp]) -> list[CarriedState]:
    """The tensors that an op carries from its operands through its code to its results, by what is known of the op."""
    found = [*_of_opaque(op, functions)] if isinstance(op, OpaqueOp) else [*_of_regions(op)]
    return [each for each in found if _is_tensor_of_one_rank([*each.values(op)])]


def _is_tensor_of_one_rank(values: Sequence[SSAValue]) -> bool:
    """True for tensors of several axes, without blocks, whose types say nothing but sizes and elements."""
    types = [value.type for value in values]
    if not all(isa(each, TensorType) and stored_type(each) == stored_type(reordered(each, ())) for each in types):
        return False
    layouts = [layout_of(value) for value in values]
    ranks = {*map(rank_of, values)}
    return len(ranks) == 1 and max(ranks) > 1 and not any(each is not None and each.tiles for each in layouts)


def _of_opaque(op: OpaqueOp, functions: Mapping[str, FuncOp]) -> Iterator[CarriedState]:
    blocks = {name: function.body.block for name, function in functions.items()}
    match op.op_name.data, sorted(blocks):
        case "onnx.If", ["else_branch", "then_branch"]:
            places = _places(op, "onnx.results", len(op.results))
            yield from _of_branches([blocks["then_branch"], blocks["else_branch"]], places)
        case "onnx.Loop", ["body"]:
            yield from _of_body(op, blocks["body"], before=2, scanned=0, flags=1)
        case "onnx.Scan", ["body"]:
            scanned = op.attributes.get("num_scan_inputs")
            if isinstance(scanned, IntegerAttr) and scanned.value.data > 0:
                yield from _of_body(op, blocks["body"], before=0, scanned=scanned.value.data, flags=0)
        case "litert.IF", ["litert.else", "litert.then"]:
            yield from _of_lite_if(op, [blocks["litert.then"], blocks["litert.else"]])
        case "litert.WHILE", ["litert.body", "litert.cond"]:
            yield from _of_while(op, blocks["litert.cond"], blocks["litert.body"])
        case _:
            pass


def _places(op: OpaqueOp, name: str, count: int) -> list[int]:
    """The place of each operand or result in the node of ONNX."""
    given = op.attributes.get(name)
    return [*cast("Any", given).get_values()] if isinstance(given, DenseArrayBase) else [*range(count)]


def _of_branches(blocks: Sequence[Block], places: Sequence[int]) -> Iterator[CarriedState]:
    ends = [block.last_op for block in blocks]
    for result, place in enumerate(places):
        returned = tuple((end, place) for end in ends if end is not None and place < len(end.operands))
        if len(returned) == len(blocks):
            yield CarriedState(None, (), returned, result)


def _of_body(op: OpaqueOp, body: Block, before: int, scanned: int, flags: int) -> Iterator[CarriedState]:
    """The state of a loop of ONNX, whose node has inputs before and behind it, and whose body returns a flag first."""
    border = len(op.operands) - count_of_captures(op)
    inputs, outputs = _places(op, "onnx.operands", border), _places(op, "onnx.results", len(op.results))
    count, end = max(inputs, default=-1) + 1 - before - scanned, body.last_op
    if end is None or [each for each in inputs if each >= before] != [*range(before, before + count + scanned)]:
        return
    if len(body.args) != before + count + scanned + len(op.operands) - border or len(end.operands) < flags + count:
        return
    for state in range(count):
        operand = inputs.index(before + state)
        result = outputs.index(state) if state in outputs else None
        yield CarriedState(operand, (body.args[before + state],), ((end, flags + state),), result)


def _of_lite_if(op: OpaqueOp, blocks: Sequence[Block]) -> Iterator[CarriedState]:
    if any(1 + len(block.args) != len(op.operands) for block in blocks):
        return
    for place in range(1, len(op.operands)):
        yield CarriedState(place, tuple(block.args[place - 1] for block in blocks), (), None)
    yield from _of_branches(blocks, range(len(op.results)))


def _of_while(op: OpaqueOp, condition: Block, body: Block) -> Iterator[CarriedState]:
    end = body.last_op
    counts = {len(each) for each in (op.operands, op.results, condition.args, body.args)}
    if end is None or counts != {len(end.operands)}:
        return
    for place in range(len(op.operands)):
        yield CarriedState(place, (condition.args[place], body.args[place]), ((end, place),), place)


def _of_regions(op: Operation) -> Iterator[CarriedState]:
    blocks = [region.block for region in op.regions if len(region.blocks) == 1]
    if len(blocks) != len(op.regions):
        return
    match op:
        case scf.IfOp():
            yield from _of_branches(blocks, range(len(op.results)))
        case scf.ForOp():
            end = blocks[0].last_op
            for place, argument in enumerate(blocks[0].args[1:]):
                if end is not None:
                    yield CarriedState(3 + place, (argument,), ((end, place),), place)
        case scf.WhileOp():
            first, second = blocks
            condition, end = first.last_op, second.last_op
            for place, argument in enumerate(first.args):
                if end is not None:
                    yield CarriedState(place, (argument,), ((end, place),), None)
            for place, argument in enumerate(second.args):
                if condition is not None:
                    yield CarriedState(None, (argument,), ((condition, 1 + place),), place)
        case _:
            pass


def orders_of(values: Sequence[NumberedValue], most: int) -> Iterator[tuple[Order, ...]]:
    """The orders in which some values are compared: their axes sorted by what is along them.

    Axes of which nothing differs are tried in several orders.
    """
    yield from islice(product(*map(_orders, values)), most)


def _orders(value: NumberedValue) -> Iterable[Order]:
    assert value.stored is not None
    axes = [*zip(value.stored.axes, value.stored.shape, strict=True)]
    groups: dict[object, list[int]] = {}
    for place in sorted(range(len(axes)), key=axes.__getitem__):
        groups.setdefault(axes[place], []).append(place)
    every = [
        permutations(places) if not size.is_unit else [tuple(places)]
        for (_, size), places in ((axes[places[0]], places) for places in groups.values())
    ]
    return (tuple(place for places in each for place in places) for each in product(*every))
