"""Value numbering modulo views.

Every value is a *node* (the computed tensor, in any order of storage) and an arrangement (the stored axes in terms of
the node's axes). Transposes, relabels and reshapes that split and merge whole axes only change the arrangement. Any
other op makes a node, whose key is the op, its operands' nodes and its sorted axes; equal keys are equal nodes. Two
programs numbered with one table compute the same value if node and arrangement are equal.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp, SymbolRefAttr
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.traits import RecursiveMemoryEffect

from ..dialects.notes.interfaces import arguments_of, results_of
from ..dialects.npu.base import NpuOp
from ..dialects.npu.dynamic import ListedOp, ShapeOfOp
from ..dialects.npu.elementwise import ElementwiseOp
from ..dialects.npu.linear import GemmOp, LinearOp
from ..dialects.npu.movement import ConcatOp, GatherOp, SliceOp, SplitOp
from ..dialects.npu.packing import PackingOp
from ..dialects.npu.quantized import SteppedOp
from ..dialects.npu.resampling import BilinearOp
from ..dialects.npu.same_layout import SameLayoutOp
from ..dialects.npu.shape import BroadcastOp, ViewOp
from ..dialects.npu.source import ConstantOp, OpaqueOp
from ..dialects.npu.vendor import VendorOp
from ..layout import invert
from .attempts import Attempt
from .carried import DEEPEST_TRIED, MOST_TRIED, CarriedState, Orders, orders_of, states_of
from .cores import takes_all
from .definitions import in_steps, noted_steps, unpooled_in_steps
from .evaluated import exactly
from .lists import Lists
from .narrowed import SUMS, Narrowed
from .nodes import Nodes
from .notes import meaningful, of_function
from .one_list import ByElements, by_slices
from .onnx_versions import RESIZE, as_newer_resize, present_properties
from .outcome import Effect, Outcome, may_have_effects, name_of
from .symbols import CAPTURES, Definitions, count_of_captures, ends_by_return, is_subgraph, opsets, version_of
from .values import (
    NumberedValue,
    element_type,
    known_sizes,
    reordered,
    takes,
    takes_bias,
    tensor,
    transposed,
    types_of,
)

if TYPE_CHECKING:
    from .blocks import Blocks
    from .by_channel import ByChannel
    from .formulas.numbered import Formulas
    from .moved import MovedElements
    from .real_numbers import RealNumbers

DIALECTS_OF_LOOPS = frozenset({"arith", "linalg", "loops", "tensor", "tosa"})
"""The dialects with ops that are nests of loops, or make tensors for them."""
OF_TENSORS = ("linalg.", "tensor.")
"""The dialects whose ops run the code in them on elements."""
DEEPEST_CALL = 100
"""The maximum depth of calls whose callees are numbered; deeper ones are compared by their callees."""
DEEPEST_BODY = 50
"""The maximum depth of code in ops that is numbered; deeper code is compared by its text."""


@dataclass(frozen=True, slots=True)
class _Scope:
    """Code that is being numbered: a function, or code in an op, which is executed any number of times."""

    known: dict[SSAValue, NumberedValue]
    outcome: Outcome
    callers: tuple[FuncOp, ...] = ()
    """The functions that are being numbered in place of a call or an attribute."""
    depth: int = 0
    """The number of ops around the code. Arguments and effects of different depths differ."""
    is_called: bool = False
    orders: Orders = field(default_factory=Orders)
    """The orders in which arguments of the code, and what it returns, are compared."""

    def inside(self, op: Operation, results: Sequence[NumberedValue]) -> None:
        """Note the values of an op."""
        self.known.update(zip(op.results, results, strict=True))
        if not self.is_called:
            self.outcome.values[op] = tuple(results)


class Numbering:
    """The values of programs as nodes of one table: their ops in order, through calls and into the code in ops."""

    def __init__(self, definitions: Definitions, attempt: Attempt = Attempt()) -> None:
        self._nodes = Nodes()
        self._constants = self._nodes.constants
        self._lists = Lists(self._nodes.number, self._constants, self._nodes.merged)
        self._calls: dict[tuple[FuncOp, int, tuple[NumberedValue, ...]], tuple[NumberedValue, ...]] = {}
        self._definitions = definitions
        self._steps: dict[int, Block | None] = {}
        """The steps of ops, by their kind."""
        self._blocks: Blocks | None = None
        self._real = self._real_numbers(attempt) if attempt.rounds_once else None
        self._formulas = self._formula_table(attempt) if attempt.by_formulas else None
        self._moved = self._table_of_moved() if attempt.by_places else None
        self._channels = self._table_of_channels(attempt) if attempt.by_channels else None
        self._narrowed = Narrowed(self._nodes.number, self._constants, self._results_of_block, self._nodes.of_op)

    def _real_numbers(self, attempt: Attempt) -> "RealNumbers":
        # Imported late: most programs have no quantised numbers.
        from .real_numbers import RealNumbers

        common = self._nodes.number, self._constants, self._of_block, self._nodes.of_op
        return RealNumbers(
            *common, in_signed_bytes=attempt.in_signed_bytes, has_float_weights=attempt.has_float_weights
        )

    @property
    def conditions(self) -> dict[str, bool]:
        """The conditions under which values are those of ops, by the names of an answer."""
        return {} if self._formulas is None else self._formulas.conditions

    def _formula_table(self, attempt: Attempt) -> "Formulas":
        # Imported late: most comparisons need none.
        from .formulas.numbered import Formulas

        common = self._nodes.number, self._constants, self._results_of_block, self._of_op
        return Formulas(*common, moves_factors=attempt.moves_factors)

    def _table_of_moved(self) -> "MovedElements":
        # Imported late: most comparisons need none, and it evaluates ops.
        from .moved import MovedElements

        return MovedElements(self._nodes.number, self._constants)

    def _table_of_channels(self, attempt: Attempt) -> "ByChannel":
        # Imported late: most comparisons need none, and it evaluates ops.
        from .by_channel import ByChannel

        return ByChannel(self._nodes, self._constants, attempt.zeros_absorb)

    def _blocked(self) -> "Blocks":
        if self._blocks is None:
            # Imported late: most programs have no blocks.
            from .blocks import Blocks

            self._blocks = Blocks(self._nodes.number, self._constants, self._nodes.merged, self._results_of_block)
        return self._blocks

    def function(
        self, function: FuncOp, taken: Sequence[Attribute] | None = None, names: Sequence[Sequence[Hashable]] = ()
    ) -> Outcome:
        """Number a function of one block; arguments and results are identified by position, in their original order.

        It is called with arguments of the types that are `taken`, by default its own; sizes of equal `names` are equal.
        """
        block, ends = function.body.block, arguments_of(function)
        types = taken or [end.original_type for end in ends]
        arguments = [
            transposed(self._nodes.fresh(("argument", end.index), type_, named), end.permutation)
            for end, type_, named in zip(ends, types, names or [()] * len(ends), strict=True)
        ]
        outcome = Outcome(arguments=tuple(map(self._nodes.or_nothing, arguments, block.args)))
        returned = self._block(block, outcome.arguments, _Scope({}, outcome))
        outcome.returned = tuple(
            transposed(value, end.permutation and invert(end.permutation))
            for value, end in zip(returned, results_of(function), strict=True)
        )
        outcome.sizes = tuple(known_sizes(end.original_type) for end in results_of(function))
        return outcome

    def outside_functions(self, module: ModuleOp) -> Outcome:
        """Number the ops of a module that are neither functions nor modules."""
        outcome = Outcome()
        self._ops([op for op in module.ops if not isinstance(op, FuncOp | ModuleOp)], _Scope({}, outcome))
        return outcome

    def _block(self, block: Block, arguments: Sequence[NumberedValue], scope: _Scope) -> tuple[NumberedValue, ...]:
        """Number the ops of a block in order, and return the operands of its terminator."""
        scope.known.update(zip(block.args, arguments, strict=True))
        return self._ops(block.ops, scope)

    def _ops(self, ops: Iterable[Operation], scope: _Scope) -> tuple[NumberedValue, ...]:
        known, outcome = scope.known, scope.outcome
        for op in self._definitions.in_time(ops):
            operands = [known.get(operand) or self._unknown(operand) for operand in op.operands]
            operands = scope.orders.of_operands(op, operands)
            if isinstance(op, ReturnOp):
                if notes := meaningful(op.attributes):
                    outcome.effects.append(Effect((op.name, notes, self._definitions.of(op)), op))
                return tuple(operands)
            if isinstance(op, CallOp) and (callee := self._called(op, scope)) is not None:
                effects_before = len(outcome.effects)
                results: Sequence[NumberedValue] = self._call(callee, operands, scope)
                if notes := meaningful(op.attributes):
                    results = [
                        NumberedValue(self._nodes.number(("call", notes, each.node)), each.stored) for each in results
                    ]
                    noted = [Effect((notes, effect.key), effect.op) for effect in outcome.effects[effects_before:]]
                    outcome.effects[effects_before:] = noted
            else:
                results = self._op(op, operands, scope)
            if self._formulas is not None:
                self._formulas.note(op, operands, results)
            if self._channels is not None:
                self._channels.note(op, results)
            scope.inside(op, [self._nodes.or_nothing(*each) for each in zip(results, op.results, strict=True)])
        return ()

    def _called(self, op: CallOp, scope: _Scope) -> FuncOp | None:
        """The callee, if its body can be numbered in place of the call."""
        if op.properties.keys() - {"callee"}:
            return None
        return self._numbered_function(op, op.callee, scope)

    def _numbered_function(self, op: Operation, symbol: SymbolRefAttr, scope: _Scope) -> FuncOp | None:
        """The function that an op refers to, if its body can be numbered in place of the symbol."""
        function, callers = self._definitions.symbols.lookup(op, symbol), scope.callers
        if not isinstance(function, FuncOp) or function in callers or len(callers) >= DEEPEST_CALL:
            return None
        return function if ends_by_return(function) and not of_function(function) else None

    def _call(self, callee: FuncOp, operands: Sequence[NumberedValue], scope: _Scope) -> tuple[NumberedValue, ...]:
        """Number the body of a callee in place of the call; calls without effects are cached."""
        call = callee, scope.depth, tuple(operands)
        if (results := self._calls.get(call)) is not None:
            return results
        effects_before = len(scope.outcome.effects)
        inner = _Scope({}, scope.outcome, (*scope.callers, callee), scope.depth, is_called=True)
        results = self._block(callee.body.block, operands, inner)
        if len(scope.outcome.effects) == effects_before:
            self._calls[call] = results
        return results

    def _of_op(self, op: NpuOp, operands: Sequence[NumberedValue]) -> NumberedValue:
        """The result of an op that has no formula: by channels, if these are numbered."""
        found = None if self._channels is None else self._channels.values(op, operands)
        return self._nodes.of_op(op, operands) if found is None else found[0]

    def _op(self, op: Operation, operands: Sequence[NumberedValue], scope: _Scope) -> Sequence[NumberedValue]:
        if isinstance(op, SameLayoutOp | LinearOp | ConstantOp) and op.has_blocks():
            if (in_blocks := self._blocked().of_op(op, operands)) is not None:
                return in_blocks
        if self._real is not None and isinstance(op, NpuOp) and (found := self._real.value(op, operands)) is not None:
            return [found]
        if isinstance(op, ByElements) and not meaningful(op.attributes):
            if (found := by_slices(op, operands)) is not None:
                return [self._of_block(*found)]
        is_sum = not isinstance(op, GemmOp) or op.bias is None or takes_bias(op, operands)
        if self._formulas is not None and isinstance(op, NpuOp) and is_sum:
            if (by_formula := self._formulas.values(op, operands)) is not None:
                return by_formula
        is_plain = not meaningful(op.attributes)
        if is_plain and isinstance(op, NpuOp) and (known := exactly(op, operands, self._constants)) is not None:
            return [self._of_block(known, operands)]
        if self._channels is not None and is_plain and isinstance(op, NpuOp):
            if (by_channel := self._channels.values(op, operands)) is not None:
                return by_channel
        if isinstance(op, ElementwiseOp | SUMS) and not any(map(self._nodes.has_core, operands)):
            if (narrowed := self._narrowed.value(op, operands)) is not None:
                return [narrowed]
        if self._moved is not None and is_plain and isinstance(op, NpuOp):
            if (moved := self._moved.value(op, operands)) is not None:
                return [moved]
        match op:
            case ViewOp():
                viewed = self._nodes.viewed(op, operands[0])
                return [NumberedValue(*self._constants.viewed(op, viewed.node, tensor(viewed)))]
            case PackingOp():
                packed = self._blocked().of_pack(op, operands[0]) if is_plain else None
                key = op.name, meaningful(op.attributes), operands[0], *op.layouts()
                return packed or [self._nodes.fresh(key, op.result.type)]
            case BroadcastOp() if is_plain and (placed := op.placed(tensor(operands[0]))) is not None:
                return [NumberedValue(operands[0].node, placed)]
            case ConstantOp():
                return [NumberedValue(*self._constants.value(op))]
            case GatherOp() if is_plain and (moved := self._constants.picked(op, *operands)) is not None:
                return [NumberedValue(operands[0].node, moved)]
            case GatherOp() if is_plain and (found := self._lists.gathered(op, *operands)) is not None:
                return [found]
            case ShapeOfOp() if is_plain:
                return [self._lists.sizes(op, operands[0])]
            case ListedOp() if is_plain and (listed := self._lists.computation(op, operands)) is not None:
                return self._nodes.computed(listed, op)
            case NpuOp() if is_plain and is_sum and (steps := self._steps_of(op)) is not None:
                return [self._of_block(steps, operands)]
            case SteppedOp() if (noted := noted_steps(op)) is not None:
                return [self._of_block(noted, operands)]
            case ElementwiseOp() if self._nodes.is_uniform_result(op, operands):
                return [self._nodes.uniform_result(op, operands)]
            case OpaqueOp() if (steps := unpooled_in_steps(op)) is not None:
                return [self._of_block(steps, operands)]
            case VendorOp():
                return self._vendor(op, operands, scope)
            case SliceOp() if is_plain and (core := self._nodes.core_in_slice(op, operands[0])) is not None:
                return [core]
            case ConcatOp() | SplitOp() if is_plain and [each.type for each in op.operands] == [*op.result_types]:
                # A single part is the whole.
                return [*operands]
            case SliceOp() if is_plain and takes_all(op):
                return [*operands]
            case SliceOp() if is_plain and (found := self._lists.sliced(op, operands[0])) is not None:
                return [found]
            case BilinearOp() if is_plain and op.is_copy:
                return [*operands]
            case ConcatOp() | SplitOp() if (found := self._nodes.by_parts(op, operands)) is not None:
                return found
            case NpuOp() if (roles := self._nodes.roles_of(kind := self._nodes.kinds.of(op), op)) is not None:
                return self._nodes.by_roles(op, kind, roles, operands)
            case _:
                return self._nest(op, operands, scope) or self._foreign(op, operands, scope)

    def _steps_of(self, op: NpuOp) -> Block | None:
        """The steps that compute the same as an op, if it is defined by some."""
        kind = self._nodes.kinds.of(op)
        if kind not in self._steps:
            self._steps[kind] = in_steps(op)
        return self._steps[kind]

    def _of_block(self, block: Block, operands: Sequence[NumberedValue]) -> NumberedValue:
        """Number the ops of a block without effects, and return the result of the last one."""
        assert block.last_op is not None, "there is an op"
        return self._results_of_block(block, operands, block.last_op.results)[0]

    def _results_of_block(
        self, block: Block, operands: Sequence[NumberedValue], results: Sequence[SSAValue]
    ) -> list[NumberedValue]:
        """Number the ops of a block without effects, and return the values of these results."""
        inner = _Scope({}, Outcome(), is_called=True)
        self._block(block, operands, inner)
        return [inner.known[result] for result in results]

    def _vendor(self, op: VendorOp, operands: Sequence[NumberedValue], scope: _Scope) -> list[NumberedValue]:
        """Number an op of another system, whose statement about its axes is believed."""
        kind = self._nodes.kinds.of(op)
        roles = self._nodes.roles_of(kind, op)
        assert roles is not None, "a vendor op states them"
        computed, axes = self._nodes.computation(op, kind, roles, operands)
        types = tuple(element_type(result.type) for result in op.results)
        key: Hashable = computed, types, version_of(op), self._definitions.of(op)
        if may_have_effects(op):
            scope.outcome.effects.append(Effect(key, op))
            key = scope.depth, len(scope.outcome.effects), key
        return self._nodes.computed((key, axes), op)

    def _nest(self, op: Operation, operands: Sequence[NumberedValue], scope: _Scope) -> Sequence[NumberedValue] | None:
        """Number an op of linalg, tosa or tensor whose axes are known; None for all others."""
        if op.name.partition(".")[0] not in DIALECTS_OF_LOOPS:
            return None
        # Imported late: most programs have none.
        from .loops import constant_of, empty, nest_of, numbered, permutation_of, reshaped

        if (constant := constant_of(op)) is not None:
            return [NumberedValue(*self._constants.value(constant))]
        if (permutation := permutation_of(op)) is not None:
            return [transposed(operands[0], permutation)]
        if (found := empty(op, operands, self._nodes) or reshaped(op, operands, self._nodes)) is not None:
            return [found]
        if (nest := nest_of(op)) is None:
            return None
        values = [scope.known.get(value) or self._unknown(value) for value in nest.values]
        body = None if nest.body is None else self._body(nest.body, (), scope)
        return numbered(op, nest, values, body, self._nodes)

    def _foreign(self, op: Operation, operands: Sequence[NumberedValue], scope: _Scope) -> list[NumberedValue]:
        """Number an op that is known by its text and the code in it: its operands are compared as stored.

        What it carries through its code is compared in an order that does not depend on how it is stored.
        """
        # The steps of an op have no terminator, and no op around them.
        ends = op.next_op is None and not isinstance(op.parent_op(), ModuleOp | None)
        orders, key = self._in_orders(op, operands, scope)
        key = key, ends
        # A terminator determines the use of its operands.
        if ends or may_have_effects(op):
            scope.outcome.effects.append(Effect(key, op))
            key = (scope.depth, len(scope.outcome.effects), key)
        whole = self._nodes.number(key)
        results = [
            self._nodes.fresh(("result", whole, index), reordered(result.type, orders.get(result)))
            for index, result in enumerate(op.results)
        ]
        pairs = zip(results, map(orders.get, op.results), strict=True)
        return [transposed(each, order and invert(order)) for each, order in pairs]

    def _in_orders(self, op: Operation, operands: Sequence[NumberedValue], scope: _Scope) -> tuple[Orders, Hashable]:
        """The key of an op that is known by its code, and the orders in which it compares what that carries."""
        states = self._states(op, scope)
        if not states:
            return Orders(), self._text_of(op, operands, scope, Orders())
        found: tuple[Orders, Hashable] | None = None
        for orders in self._orders(op, states, operands, scope):
            key = self._text_of(op, operands, scope, orders)
            if self._nodes.is_known(("carried", key)):
                return orders, key
            found = found or (orders, key)
        assert found is not None, "there is an order"
        self._nodes.number(("carried", found[1]))
        return found

    def _states(self, op: Operation, scope: _Scope) -> list[CarriedState]:
        """The states that an op carries through its code, if that is numbered."""
        if op.regions:
            return states_of(op, {}) if self._is_numbered(op, scope) else []
        return states_of(op, self._functions(op, scope)) if isinstance(op, OpaqueOp) else []

    def _orders(
        self, op: Operation, states: Sequence[CarriedState], operands: Sequence[NumberedValue], scope: _Scope
    ) -> Iterator[Orders]:
        """The orders in which states are compared: those of the values with which they begin, or that code returns.

        The latter are added while the code is numbered. In deep code no others are tried, as each level would number
        all those in it as often.
        """
        begun = [state for state in states if state.operand is not None]
        rest = [state for state in states if state.operand is None]
        most = MOST_TRIED if scope.depth < DEEPEST_TRIED else 1
        for orders in orders_of([operands[state.operand or 0] for state in begun], most):
            known = {place: order for state, order in zip(begun, orders, strict=True) for place in state.places(op)}
            yield Orders.undecided_at(op, known, rest)
            if rest and most > 1:
                made = [scope.known[end.operands[place]] for state in rest for end, place in state.returned[:1]]
                for others in islice(orders_of(made, most), 1, None):
                    pairs = zip(rest, others, strict=True)
                    yield Orders({**known, **{place: order for state, order in pairs for place in state.places(op)}})

    def _text_of(self, op: Operation, operands: Sequence[NumberedValue], scope: _Scope, orders: Orders) -> Hashable:
        """The text of an op, its code and its operands, with what it carries in these orders."""
        bodies, regions = self._bodies(op, operands, scope, orders), self._regions(op, scope, orders)
        count = len(operands) - count_of_captures(op) if bodies else len(operands)
        read = [transposed(operands[place], orders.get((op, place))) for place in range(count)]
        attributes = {name: value for name, value in op.attributes.items() if name not in bodies}
        if bodies:
            attributes.pop(CAPTURES, None)
        version = version_of(op) if isinstance(op, OpaqueOp) else None
        if isinstance(op, OpaqueOp) and op.op_name.data == RESIZE and "" in (versions := opsets(op)):
            scales = self._constants.elements(op.operands[1], operands[1]) if len(op.operands) > 1 else None
            attributes, version = as_newer_resize(attributes, versions[""], scales)
        return (
            op.name,
            self._code_in(op, scope) if regions is None else regions,
            self._definitions.of_attributes(op, bodies),
            tuple(bodies.items()),
            version,
            present_properties(op.properties),
            meaningful(attributes),
            tuple(read),
            types_of(op, len(read), {**scope.orders.known, **orders.known}),
        )

    def _code_in(self, op: Operation, scope: _Scope) -> Hashable:
        """The text of the regions of an op, and the outer values and the symbols that it refers to."""
        nested = [each for each in op.walk() if each is not op]
        outside = [scope.known[operand] for each in nested for operand in each.operands if operand in scope.known]
        return self._definitions.text(op) if op.regions else "", tuple(outside), self._definitions.of(*nested)

    def _is_numbered(self, op: Operation, scope: _Scope) -> bool:
        """True for an op whose code is numbered: one that is known to execute it, in single blocks."""
        executes = op.has_trait(RecursiveMemoryEffect, value_if_unregistered=False)
        if not (executes or name_of(op).startswith(OF_TENSORS)) or scope.depth >= DEEPEST_BODY:
            return False
        return all(len(region.blocks) < 2 for region in op.regions)

    def _regions(self, op: Operation, scope: _Scope, orders: Orders) -> Hashable | None:
        """The code in an op, numbered; None if it is not."""
        if not self._is_numbered(op, scope):
            return None
        return tuple(self._body(region.block, (), scope, orders) if region.blocks else None for region in op.regions)

    def _functions(self, op: OpaqueOp, scope: _Scope) -> Mapping[str, FuncOp]:
        """The private functions that a node of an ONNX model has as subgraphs, by attribute; none if one is not."""
        if scope.depth >= DEEPEST_BODY:
            return {}
        symbols = {name: value for name, value in sorted(op.attributes.items()) if isinstance(value, SymbolRefAttr)}
        captured = op.operands[len(op.operands) - count_of_captures(op) :]
        functions: dict[str, FuncOp] = {}
        for name, symbol in symbols.items():
            function = self._numbered_function(op, symbol, scope)
            if function is None or not is_subgraph(function, op) or not takes(function, captured):
                return {}
            functions[name] = function
        return functions

    def _bodies(
        self, op: Operation, operands: Sequence[NumberedValue], scope: _Scope, orders: Orders
    ) -> dict[str, Hashable]:
        """The subgraphs of a node of ONNX, numbered; by attribute."""
        functions: Mapping[str, FuncOp] = self._functions(op, scope) if isinstance(op, OpaqueOp) else {}
        captured = operands[len(operands) - count_of_captures(op) :]
        bodies: dict[str, Hashable] = {}
        for name, function in functions.items():
            callers = (*scope.callers, function)
            inner = _Scope(scope.known, scope.outcome, callers, scope.depth, scope.is_called)
            bodies[name] = self._body(function.body.block, captured, inner, orders)
        return bodies

    def _body(
        self,
        block: Block,
        captured: Sequence[NumberedValue],
        scope: _Scope,
        orders: Orders | None = None,
    ) -> Hashable:
        """Number the code in an op; its last arguments are these outer values."""
        orders = orders or Orders()
        own = block.args[: len(block.args) - len(captured)]
        depth = scope.depth + 1
        arguments = [
            self._nodes.fresh(("inner argument", depth, index), reordered(arg.type, orders.get(arg)))
            for index, arg in enumerate(own)
        ]
        stored = [
            transposed(value, order and invert(order))
            for value, order in zip(arguments, map(orders.get, own), strict=True)
        ]
        outcome = Outcome(values=scope.outcome.values)
        inner = _Scope(scope.known, outcome, scope.callers, depth, scope.is_called, orders)
        returned = self._block(block, [*stored, *captured], inner)
        return depth, tuple(arguments), tuple(effect.key for effect in outcome.effects), returned

    def _unknown(self, value: SSAValue) -> NumberedValue:
        """A value that equals no other one: in a module, uses may precede definitions."""
        return self._nodes.fresh(object(), value.type)
