"""Value numbering modulo views.

Every value is a *node* (what was computed, whatever the order of storage) and an arrangement (where the axes of the
node are stored). Transposes, relabels and reshapes that cut and join whole axes only change the arrangement. Any other
op makes a node, whose key is the op, its operands' nodes and its sorted axes; equal keys are equal nodes. Two programs
that are numbered with one table compute the same value where node and arrangement are equal.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp, NoneAttr, TensorType
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.traits import Commutative, is_side_effect_free
from xdsl.utils.hints import isa

from ..dialects.npu.attrs import LayoutAttr
from ..dialects.npu.axes import RoleMap
from ..dialects.npu.base import NpuOp
from ..dialects.npu.elementwise import ElementwiseOp
from ..dialects.npu.shape import BroadcastOp, ReshapeOp, ViewOp
from ..dialects.npu.source import ConstantOp, OpaqueOp
from ..dialects.npu.values import Shape, shape_of
from ..dialects.npu.views import sizes_after
from ..layout import DYNAMIC, Arrangement, Extent, Piece
from .constants import Constants, uniform
from .joined import JoinedAxes
from .notes import of_function, telling
from .roles import OpAxes, axes_of
from .symbols import Definitions

DEEPEST_CALL = 100
"""Calls nested deeper than this are compared as they stand, without looking into the callee."""


class Value(NamedTuple):
    """A stored tensor, or something that is no tensor and has no arrangement."""

    node: int
    stored: Arrangement | None


class Effect(NamedTuple):
    """An op that is not known to be pure, at its place in the sequence of such ops."""

    key: Hashable
    op: Operation

    @property
    def name(self) -> str:
        """What is done: the name of the op, or of what it stands for."""
        match self.op:
            case OpaqueOp():
                return self.op.op_name.data
            case CallOp():
                return f"a call of {self.op.callee}"
            case _:
                return self.op.name


@dataclass
class Outcome:
    """What a function does: its effects in sequence, what it returns, and the values of each of its ops."""

    effects: list[Effect] = field(default_factory=list[Effect])
    arguments: tuple[Value, ...] = ()
    returned: tuple[Value, ...] = ()
    values: dict[Operation, tuple[Value, ...]] = field(default_factory=dict[Operation, tuple[Value, ...]])


class Numbering:
    """The table of nodes that two programs share."""

    def __init__(self, definitions: Definitions) -> None:
        self._numbers: dict[Hashable, int] = {}
        self._joined = JoinedAxes(self.number)
        self._constants = Constants(self.number, self._joined)
        self._calls: dict[tuple[FuncOp, tuple[Value, ...]], tuple[Value, ...]] = {}
        self._definitions = definitions

    def number(self, key: Hashable) -> int:
        """The number of a key: the same for equal keys."""
        return self._numbers.setdefault(key, len(self._numbers))

    def function(self, function: FuncOp) -> Outcome:
        """Number a function of one block; its arguments are known by their places."""
        block = function.body.block
        arguments = [self._fresh(("argument", index), arg.type) for index, arg in enumerate(block.args)]
        outcome = Outcome(arguments=tuple(arguments))
        outcome.returned = self._block(block, arguments, outcome, ())
        return outcome

    def outside_functions(self, module: ModuleOp) -> Outcome:
        """Number the ops of a module that are neither functions nor modules."""
        outcome = Outcome()
        self._ops([op for op in module.ops if not isinstance(op, FuncOp | ModuleOp)], {}, outcome, ())
        return outcome

    def _block(
        self, block: Block, arguments: Sequence[Value], outcome: Outcome, callers: tuple[FuncOp, ...]
    ) -> tuple[Value, ...]:
        """Number the ops of a block in order; the answer is what it returns."""
        return self._ops(block.ops, dict(zip(block.args, arguments, strict=True)), outcome, callers)

    def _ops(
        self, ops: Iterable[Operation], known: dict[SSAValue, Value], outcome: Outcome, callers: tuple[FuncOp, ...]
    ) -> tuple[Value, ...]:
        for op in ops:
            operands = [known.get(operand) or self._unknown(operand) for operand in op.operands]
            if isinstance(op, ReturnOp):
                if notes := telling(op.attributes):
                    outcome.effects.append(Effect((op.name, notes, self._definitions.of(op)), op))
                return tuple(operands)
            if isinstance(op, CallOp) and (callee := self._called(op, callers)) is not None:
                effects_before = len(outcome.effects)
                results: Sequence[Value] = self._call(callee, operands, outcome, callers)
                if notes := telling(op.attributes):
                    results = [Value(self.number(("call", notes, each.node)), each.stored) for each in results]
                    noted = [Effect((notes, effect.key), effect.op) for effect in outcome.effects[effects_before:]]
                    outcome.effects[effects_before:] = noted
            else:
                results = self._op(op, operands, known, outcome)
            known.update(zip(op.results, results, strict=True))
            if not callers:
                outcome.values[op] = tuple(results)
        return ()

    def _called(self, op: CallOp, callers: tuple[FuncOp, ...]) -> FuncOp | None:
        """The callee, if its body can be numbered in place of the call."""
        callee = self._definitions.symbols.lookup(op, op.callee)
        if not isinstance(callee, FuncOp) or callee in callers or len(callers) >= DEEPEST_CALL:
            return None
        if op.properties.keys() - {"callee"} or of_function(callee):
            return None
        return callee if _ends_by_return(callee) else None

    def _call(
        self, callee: FuncOp, operands: Sequence[Value], outcome: Outcome, callers: tuple[FuncOp, ...]
    ) -> tuple[Value, ...]:
        """Number the body of a callee in place of the call; a call without effects is remembered."""
        call = callee, tuple(operands)
        if (results := self._calls.get(call)) is not None:
            return results
        effects_before = len(outcome.effects)
        results = self._block(callee.body.block, operands, outcome, (*callers, callee))
        if len(outcome.effects) == effects_before:
            self._calls[call] = results
        return results

    def _op(
        self, op: Operation, operands: Sequence[Value], known: dict[SSAValue, Value], outcome: Outcome
    ) -> Sequence[Value]:
        match op:
            case ViewOp():
                viewed = self._view(op, operands[0])
                return [Value(*self._constants.viewed(op, viewed.node, tensor(viewed)))]
            case BroadcastOp() if not op.repeats():
                return [Value(operands[0].node, op.placed(tensor(operands[0])))]
            case ConstantOp():
                return [Value(*self._constants.value(op))]
            case ElementwiseOp() if self._is_uniform_result(op, operands):
                return [self._uniform_result(op, operands)]
            case NpuOp() if (roles := op.roles()) is not None:
                return self._computed(op, roles, operands)
            case _:
                return self._foreign(op, operands, known, outcome)

    def _is_uniform_result(self, op: ElementwiseOp, operands: Sequence[Value]) -> bool:
        is_known = DYNAMIC not in shape_of(op.result) and not telling(op.attributes)
        return is_known and all(map(self._is_uniform, operands))

    def _is_uniform(self, value: Value) -> bool:
        """Whether all elements of a value are equal, as far as is known."""
        return self._constants.is_uniform(value.node) or not any(tensor(value).axes)

    def _uniform_result(self, op: ElementwiseOp, operands: Sequence[Value]) -> Value:
        """Equal elements make equal elements, wherever they stand."""
        nodes = [operand.node for operand in operands]
        if op.has_trait(Commutative):
            nodes.sort()
        properties = tuple(sorted((name, value) for name, value in op.properties.items()))
        node = self.number(("uniform", op.name, properties, tuple(nodes), element_type(op.result.type)))
        self._constants.enter_uniform(node)
        return Value(node, uniform(shape_of(op.result)))

    def _view(self, op: ViewOp, operand: Value) -> Value:
        if self._constants.is_uniform(operand.node) and (shape := _known_shape(op, tensor(operand))) is not None:
            return Value(operand.node, uniform(shape))
        if isinstance(op, ReshapeOp):
            return self._reshaped(op, operand)
        viewed = op.view(tensor(operand))
        assert viewed is not None, "only a reshape can be more than an arrangement says"
        return Value(operand.node, viewed)

    def _reshaped(self, op: ReshapeOp, operand: Value) -> Value:
        logical, sizes = op.logical(tensor(operand)), op.logical_extents(tensor(operand))
        known = [size for size in sizes if size is not None and size.factor]
        if len(known) == len(sizes) and all(size.factor for size in logical.shape):
            if (reshaped := self._joined.reshaped(logical, known)) is not None:
                return Value(operand.node, op.stored_result(reshaped))
        if (permuted := _permuted_without_elements(logical, sizes)) is not None:
            return Value(operand.node, op.stored_result(permuted))
        node = self.number(("reshape", operand.node, logical, sizes))
        axes = [self._symbol(node, axis) if size is None else size for axis, size in enumerate(sizes)]
        return Value(node, op.stored_result(Arrangement.of(axes)))

    def _computed(self, op: NpuOp, roles: RoleMap, operands: Sequence[Value]) -> list[Value]:
        """Number an op that says what its axes do."""
        sequence, axes = self._sequenced(op, roles, operands)
        properties = tuple(
            sorted((name, value) for name, value in op.properties.items() if name not in roles.described)
        )
        nodes = tuple(operands[index].node for index in sequence)
        key = (op.name, properties, telling(op.attributes), nodes, axes.axes)
        return [self._result(key, index, result, axes) for index, result in enumerate(op.results)]

    def _sequenced(self, op: NpuOp, roles: RoleMap, operands: Sequence[Value]) -> tuple[tuple[int, ...], OpAxes]:
        """The axes of an op. Operands that may change places are put in the order of their nodes."""
        stored = [tensor(operand) for operand in operands]
        results = [[None if size == DYNAMIC else Extent(size) for size in shape_of(result)] for result in op.results]
        sequence = tuple(range(len(operands)))
        alike = frozenset(index for index, each in enumerate(operands) if self._constants.is_uniform(each.node))

        def axes(each: tuple[int, ...]) -> tuple[tuple[int, ...], OpAxes]:
            return each, axes_of(roles, stored, results, each, alike)

        if not (roles.swaps or op.has_trait(Commutative)) or operands[0].node < operands[1].node:
            return axes(sequence)
        swapped = (1, 0, *sequence[2:])
        if operands[0].node > operands[1].node:
            return axes(swapped)
        both = [axes(sequence), axes(swapped)]
        return min(both, key=lambda pair: [axis.sort_key() for axis in pair[1].axes])

    def _result(self, key: Hashable, index: int, result: SSAValue, axes: OpAxes) -> Value:
        node = self.number((key, index, element_type(result.type)))
        stored = tuple(
            tuple(
                Piece(slot.axis, slot.inner, self._symbol(node, slot.axis) if slot.size is None else slot.size)
                for slot in slots
            )
            for slots in axes.stored[index]
        )
        return Value(node, Arrangement.joined(stored))

    def _foreign(
        self, op: Operation, operands: Sequence[Value], known: dict[SSAValue, Value], outcome: Outcome
    ) -> list[Value]:
        """Number an op of which nothing is known but its text: its operands are compared as they are stored."""
        ends = op.next_op is None and not isinstance(op.parent_op(), ModuleOp)
        outside = [
            known[operand]
            for nested in op.walk()
            if nested is not op
            for operand in nested.operands
            if operand in known
        ]
        key: Hashable = (
            op.name,
            self._definitions.text(op) if op.regions else "",
            self._definitions.of(op),
            self._definitions.version(op) if isinstance(op, OpaqueOp) else None,
            tuple(sorted(op.properties.items(), key=lambda item: item[0])),
            telling(op.attributes),
            tuple(operands),
            tuple(outside),
            _types(op),
            ends,
        )
        # An op that ends a function decides what becomes of its operands.
        if ends or not is_side_effect_free(op):
            outcome.effects.append(Effect(key, op))
            key = (len(outcome.effects), key)
        return [self._fresh((key, index), result.type) for index, result in enumerate(op.results)]

    def _fresh(self, key: Hashable, type_: Attribute) -> Value:
        """A value about which only its key is known, stored as it stands."""
        node = self.number((key, stored_type(type_)))
        if not isinstance(type_, TensorType):
            return Value(node, None)
        sizes = [self._symbol(node, a) if size == DYNAMIC else Extent(size) for a, size in enumerate(type_.get_shape())]
        return Value(node, Arrangement.of(sizes))

    def _unknown(self, value: SSAValue) -> Value:
        """A value that equals no other one: in a module, ops may stand before what they read."""
        return self._fresh(object(), value.type)

    def _symbol(self, node: int, axis: int) -> Extent:
        """The unknown size of an axis of a node."""
        return Extent(1, (self.number(("size", node, axis)),))


def _known_shape(op: ViewOp, stored: Arrangement) -> Shape | None:
    """The shape of a view, if it follows from its type, or from the sizes of the operand."""
    if DYNAMIC not in shape_of(op.result):
        return shape_of(op.result)
    sizes = sizes_after(op, stored.shape)
    return None if sizes is None or any(size.symbols for size in sizes) else tuple(size.factor for size in sizes)


def _permuted_without_elements(logical: Arrangement, sizes: Sequence[Extent | None]) -> Arrangement | None:
    """A reshape of a value without elements as the transpose that gives the same sizes, if there is one.

    Every arrangement of no elements is right, and canonicalization makes reshapes of such transposes.
    """
    if all(size.factor for size in logical.shape):
        return None
    left = [(size, pieces) for size, pieces in zip(logical.shape, logical.axes, strict=True) if not size.is_unit]
    axes: list[tuple[Piece, ...]] = []
    for size in sizes:
        place = next((place for place, (each, _) in enumerate(left) if each == size), None)
        if place is None and (size is None or not size.is_unit):
            return None
        axes.append(() if place is None else left.pop(place)[1])
    return None if left else Arrangement(tuple(axes))


def tensor(value: Value) -> Arrangement:
    """The arrangement of a value that is a tensor, as all operands of the dialect's ops are."""
    assert value.stored is not None
    return value.stored


def element_type(type_: Attribute) -> Attribute:
    """The element type of a tensor; any other type itself."""
    return type_.get_element_type() if isa(type_, TensorType) else type_


def stored_type(type_: Attribute) -> Hashable:
    """What a type says about the stored data: its layout names the axes, but the data is what it is."""
    if not isa(type_, TensorType):
        return type_
    encoding = None if isinstance(type_.encoding, LayoutAttr | NoneAttr) else type_.encoding
    return type_.get_element_type(), type_.get_shape(), encoding


def _types(op: Operation) -> tuple[Hashable, ...]:
    """What an op says by its types. Of ops whose operands have axes with names, those names count as well."""
    types = (*(operand.type for operand in op.operands), *(result.type for result in op.results))
    return types if isinstance(op, NpuOp) and not isinstance(op, OpaqueOp) else tuple(map(stored_type, types))


def _ends_by_return(function: FuncOp) -> bool:
    """Whether a function is one block that returns."""
    return len(function.body.blocks) == 1 and isinstance(function.body.block.last_op, ReturnOp)
