"""Value numbering modulo views.

Every value is a *node* (the computed tensor, in any order of storage) and an arrangement (the stored axes in terms of
the node's axes). Transposes, relabels and reshapes that split and merge whole axes only change the arrangement. Any
other op makes a node, whose key is the op, its operands' nodes and its sorted axes; equal keys are equal nodes. Two
programs numbered with one table compute the same value if node and arrangement are equal.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp, SymbolRefAttr, TensorType
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.traits import RecursiveMemoryEffect

from ..dialects.notes.interfaces import arguments_of, results_of
from ..dialects.npu.axes import RoleMap
from ..dialects.npu.base import NpuOp
from ..dialects.npu.dynamic import ListedOp, ShapeOfOp
from ..dialects.npu.elementwise import ElementwiseOp
from ..dialects.npu.kinds import OpKinds
from ..dialects.npu.linear import LinearOp
from ..dialects.npu.movement import ConcatOp, GatherOp, PadOp, SliceOp, SplitOp
from ..dialects.npu.packing import PackingOp
from ..dialects.npu.same_layout import SameLayoutOp
from ..dialects.npu.shape import BroadcastOp, ReshapeOp, ViewOp
from ..dialects.npu.source import ConstantOp, OpaqueOp
from ..dialects.npu.values import shape_of
from ..dialects.npu.vendor import VendorOp
from ..layout import DYNAMIC, Arrangement, Extent, Piece, invert
from .attempts import Attempt
from .constants import Constants
from .cores import Core, core_of_pad, core_operands, roles_of_axes, sizes_of_axes, sliced
from .definitions import in_steps, unpooled_in_steps
from .evaluated import exactly
from .lists import Lists
from .merged import MergedAxes
from .narrowed import SUMS, Narrowed
from .notes import meaningful, of_function
from .onnx_versions import RESIZE, as_newer_resize, present_properties
from .outcome import Effect, Outcome, may_have_effects
from .parts import axes_by_parts, in_one
from .roles import Computation, OpAxes, axes_of, with_units
from .symbols import CAPTURES, Definitions, count_of_captures, ends_by_return, is_subgraph, opsets, version_of
from .values import (
    NumberedValue,
    element_type,
    known_shape,
    known_sizes,
    permuted_without_elements,
    sizes_of,
    stored_type,
    takes,
    tensor,
    transposed,
    types_of,
)

if TYPE_CHECKING:
    from .blocks import Blocks
    from .formulas.numbered import Formulas
    from .moved import MovedElements
    from .real_numbers import RealNumbers

DEEPEST_CALL = 100
"""The maximum depth of calls whose callees are numbered; deeper ones are compared by their callees."""
OF_CORE = -1
"""The kind of all elementwise ops on cores, whose roles follow from the operands."""
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

    def inside(self, op: Operation, results: Sequence[NumberedValue]) -> None:
        """Note the values of an op."""
        self.known.update(zip(op.results, results, strict=True))
        if not self.is_called:
            self.outcome.values[op] = tuple(results)


class Numbering:
    """The table of nodes that two programs share."""

    def __init__(self, definitions: Definitions, attempt: Attempt = Attempt()) -> None:
        self._numbers: dict[Hashable, int] = {}
        self._merged = MergedAxes(self.number)
        self._constants = Constants(self.number, self._merged)
        self._lists = Lists(self.number, self._constants, self._merged)
        self._calls: dict[tuple[FuncOp, int, tuple[NumberedValue, ...]], tuple[NumberedValue, ...]] = {}
        self._definitions = definitions
        self._kinds = OpKinds()
        self._roles: dict[int, RoleMap | None] = {}
        """The roles of ops, by their kind."""
        self._steps: dict[int, Block | None] = {}
        """The steps of ops, by their kind."""
        self._blocks: Blocks | None = None
        self._real = self._real_numbers(attempt) if attempt.rounds_once else None
        self._formulas = self._formula_table(attempt) if attempt.by_formulas else None
        self._moved = self._table_of_moved() if attempt.by_places else None
        self._narrowed = Narrowed(self.number, self._constants, self._results_of_block, self._of_op)
        self._cores: dict[int, Core] = {}
        """The cores of padded values, by their nodes."""
        self._axes: dict[Hashable, OpAxes] = {}
        """The axes of ops, by their kind, and by the arrangements and order of their operands."""

    def _real_numbers(self, attempt: Attempt) -> "RealNumbers":
        # Imported late: most programs have no quantised numbers.
        from .real_numbers import RealNumbers

        common = self.number, self._constants, self._of_block, self._of_op
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

        common = self.number, self._constants, self._results_of_block, self._of_op
        return Formulas(*common, moves_factors=attempt.moves_factors)

    def _table_of_moved(self) -> "MovedElements":
        # Imported late: most comparisons need none, and it evaluates ops.
        from .moved import MovedElements

        return MovedElements(self.number, self._constants)

    def _blocked(self) -> "Blocks":
        if self._blocks is None:
            # Imported late: most programs have no blocks.
            from .blocks import Blocks

            self._blocks = Blocks(self.number, self._constants, self._merged, self._results_of_block)
        return self._blocks

    def number(self, key: Hashable) -> int:
        """The number of a key, the same for equal keys."""
        return self._numbers.setdefault(key, len(self._numbers))

    def function(self, function: FuncOp, taken: Sequence[Attribute] | None = None) -> Outcome:
        """Number a function of one block; arguments and results are identified by position, in their original order.

        It is called with arguments of the types that are `taken`, by default its own.
        """
        block, ends = function.body.block, arguments_of(function)
        types = taken or [end.original_type for end in ends]
        arguments = [
            transposed(self._fresh(("argument", end.index), type_), end.permutation)
            for end, type_ in zip(ends, types, strict=True)
        ]
        outcome = Outcome(arguments=tuple(map(self._or_nothing, arguments, block.args)))
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
            if isinstance(op, ReturnOp):
                if notes := meaningful(op.attributes):
                    outcome.effects.append(Effect((op.name, notes, self._definitions.of(op)), op))
                return tuple(operands)
            if isinstance(op, CallOp) and (callee := self._called(op, scope)) is not None:
                effects_before = len(outcome.effects)
                results: Sequence[NumberedValue] = self._call(callee, operands, scope)
                if notes := meaningful(op.attributes):
                    results = [NumberedValue(self.number(("call", notes, each.node)), each.stored) for each in results]
                    noted = [Effect((notes, effect.key), effect.op) for effect in outcome.effects[effects_before:]]
                    outcome.effects[effects_before:] = noted
            else:
                results = self._op(op, operands, scope)
            if self._formulas is not None:
                self._formulas.note(op, operands, results)
            scope.inside(op, [self._or_nothing(*each) for each in zip(results, op.results, strict=True)])
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

    def _op(self, op: Operation, operands: Sequence[NumberedValue], scope: _Scope) -> Sequence[NumberedValue]:
        if isinstance(op, SameLayoutOp | LinearOp | ConstantOp) and op.has_blocks():
            if (in_blocks := self._blocked().of_op(op, operands)) is not None:
                return in_blocks
        if self._real is not None and isinstance(op, NpuOp) and (found := self._real.value(op, operands)) is not None:
            return [found]
        if self._formulas is not None and isinstance(op, NpuOp):
            if (by_formula := self._formulas.values(op, operands)) is not None:
                return by_formula
        is_plain = not meaningful(op.attributes)
        if is_plain and isinstance(op, NpuOp) and (known := exactly(op, operands, self._constants)) is not None:
            return [self._of_block(known, operands)]
        if isinstance(op, ElementwiseOp | SUMS) and not any(each.node in self._cores for each in operands):
            if (narrowed := self._narrowed.value(op, operands)) is not None:
                return [narrowed]
        if self._moved is not None and is_plain and isinstance(op, NpuOp):
            if (moved := self._moved.value(op, operands)) is not None:
                return [moved]
        match op:
            case ViewOp():
                viewed = self._view(op, operands[0])
                return [NumberedValue(*self._constants.viewed(op, viewed.node, tensor(viewed)))]
            case PackingOp():
                packed = self._blocked().of_pack(op, operands[0]) if is_plain else None
                key = op.name, meaningful(op.attributes), operands[0], *op.layouts()
                return packed or [self._fresh(key, op.result.type)]
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
                return self._computed(listed, op)
            case NpuOp() if is_plain and (steps := self._steps_of(op)) is not None:
                return [self._of_block(steps, operands)]
            case ElementwiseOp() if self._is_uniform_result(op, operands):
                return [self._uniform_result(op, operands)]
            case OpaqueOp() if (steps := unpooled_in_steps(op)) is not None:
                return [self._of_block(steps, operands)]
            case VendorOp():
                return self._vendor(op, operands, scope)
            case SliceOp() if is_plain and (core := self._core_in_slice(op, operands[0])) is not None:
                return [core]
            case ConcatOp() | SplitOp() if is_plain and [each.type for each in op.operands] == [*op.result_types]:
                # A single part is the whole.
                return [*operands]
            case ConcatOp() | SplitOp() if (found := self._by_parts(op, operands)) is not None:
                return found
            case NpuOp() if (roles := self._roles_of(kind := self._kinds.of(op), op)) is not None:
                return self._by_roles(op, kind, roles, operands)
            case _:
                return self._foreign(op, operands, scope)

    def _steps_of(self, op: NpuOp) -> Block | None:
        """The steps that compute the same as an op, if it is defined by some."""
        kind = self._kinds.of(op)
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

    def _of_op(self, op: NpuOp, operands: Sequence[NumberedValue]) -> NumberedValue:
        """Number an op with roles and one result, whatever it does to real numbers."""
        kind = self._kinds.of(op)
        roles = self._roles_of(kind, op)
        assert roles is not None, "the op has roles"
        return self._by_roles(op, kind, roles, operands)[0]

    def _by_roles(self, op: NpuOp, kind: int, roles: RoleMap, operands: Sequence[NumberedValue]) -> list[NumberedValue]:
        """Number an op by its roles, and note the core of a padded value."""
        computation = self._computation(op, kind, roles, operands)
        results = self._computed(computation, op)
        self._note_core(op, roles, computation, operands, results)
        return results

    def _is_uniform_result(self, op: ElementwiseOp, operands: Sequence[NumberedValue]) -> bool:
        is_known = DYNAMIC not in shape_of(op.result) and not meaningful(op.attributes)
        return is_known and all(tensor(operand).is_repeated for operand in operands)

    def _uniform_result(self, op: ElementwiseOp, operands: Sequence[NumberedValue]) -> NumberedValue:
        """Elements of the result are equal if those of each operand are."""
        nodes = [operand.node for operand in operands]
        if op.commutes():
            nodes.sort()
        properties = tuple(sorted((name, value) for name, value in op.properties.items()))
        node = self.number(("uniform", op.name, properties, tuple(nodes), element_type(op.result.type)))
        return NumberedValue(node, Arrangement.repeated(shape_of(op.result)))

    def _view(self, op: ViewOp, operand: NumberedValue) -> NumberedValue:
        if tensor(operand).is_repeated and (shape := known_shape(op, tensor(operand))) is not None:
            return NumberedValue(operand.node, Arrangement.repeated(shape))
        if isinstance(op, ReshapeOp):
            return self._reshaped(op, operand)
        viewed = op.view(tensor(operand))
        assert viewed is not None, "only a reshape can have no arrangement"
        return NumberedValue(operand.node, viewed)

    def _reshaped(self, op: ReshapeOp, operand: NumberedValue) -> NumberedValue:
        logical, sizes = op.logical(tensor(operand)), op.logical_extents(tensor(operand))
        known = [size for size in sizes if size is not None and size.factor]
        if len(known) == len(sizes) and all(size.factor for size in logical.shape):
            if (reshaped := self._merged.reshaped(logical, known)) is not None:
                return NumberedValue(operand.node, op.stored_result(reshaped))
        if (permuted := permuted_without_elements(logical, sizes)) is not None:
            return NumberedValue(operand.node, op.stored_result(permuted))
        node = self.number(("reshape", operand.node, logical, sizes))
        axes = [self._symbol(node, axis) if size is None else size for axis, size in enumerate(sizes)]
        return NumberedValue(node, op.stored_result(Arrangement.of(axes)))

    def _roles_of(self, kind: int, op: NpuOp) -> RoleMap | None:
        """The roles of an op, asked for once for its kind."""
        if kind not in self._roles:
            self._roles[kind] = op.roles()
        return self._roles[kind]

    def _computation(
        self, op: NpuOp, kind: int, roles: RoleMap, operands: Sequence[NumberedValue]
    ) -> tuple[Computation, OpAxes]:
        """The key of an op with known roles, and its axes."""
        sizes = list(map(sizes_of, op.results))
        if not isinstance(op, BroadcastOp | VendorOp):
            sizes = with_units(roles, list(map(tensor, operands)), sizes)
        operand_order, axes = self._operand_order_and_axes(op, kind, roles, operands, sizes)
        properties = tuple(
            sorted((name, value) for name, value in op.properties.items() if name not in roles.described)
        )
        nodes = tuple(operands[index].node for index in operand_order)
        return Computation(op.name, properties, meaningful(op.attributes), nodes, axes.axes), axes

    def _computed(self, computation: tuple[Hashable, OpAxes], op: NpuOp) -> list[NumberedValue]:
        """Number the results of an op with known roles."""
        key, axes = computation
        # A number for all results: the key is as long as there are operands and results.
        whole = self.number(key)
        return [self._result(whole, index, result, axes) for index, result in enumerate(op.results)]

    def _note_core(
        self,
        op: NpuOp,
        roles: RoleMap,
        computation: tuple[Computation, OpAxes],
        operands: Sequence[NumberedValue],
        results: Sequence[NumberedValue],
    ) -> None:
        """Note the core of a padded value."""
        if isinstance(op, PadOp):
            is_plain = not meaningful(op.attributes)
            core = core_of_pad(op, operands[0].node, *map(tensor, (operands[0], results[0]))) if is_plain else None
        elif self._cores and isinstance(op, ElementwiseOp) and not any(role.marks for role in roles.roles):
            core = self._core_of_elementwise(op, *computation)
        else:
            return
        if core is not None:
            self._cores.setdefault(results[0].node, core)

    def _core_in_slice(self, op: SliceOp, operand: NumberedValue) -> NumberedValue | None:
        """The core of a padded value, if that is what a slice leaves."""
        core = self._cores.get(operand.node)
        kept = None if core is None else sliced(op, core, tensor(operand))
        return None if core is None or kept is None else NumberedValue(core.node, kept)

    def _core_of_elementwise(self, op: ElementwiseOp, computation: Computation, axes: OpAxes) -> Core | None:
        """The core of an elementwise op, which is the op on the cores of the operands."""
        cores = [self._cores.get(node) for node in computation.nodes]
        sizes = [axis.size for axis in axes.axes if axis.size is not None]
        stored = core_operands(axes.axes, cores) if any(cores) and len(sizes) == len(axes.axes) else None
        if stored is None or all(each.is_repeated for each in stored):
            return None
        pairs = zip(cores, computation.nodes, stored, strict=True)
        given = [NumberedValue(core.node if core else node, each) for core, node, each in pairs]
        size = sizes_of_axes(stored)
        order, inner = self._operand_order_and_axes(op, OF_CORE, roles_of_axes(stored), given, [size])
        nodes = tuple(given[index].node for index in order)
        whole = self.number(computation._replace(nodes=nodes, axes=inner.axes))
        found = self._result(whole, 0, op.result, inner)
        return Core(found.node, tensor(found), tuple(sizes))

    def _by_parts(self, op: ConcatOp | SplitOp, operands: Sequence[NumberedValue]) -> list[NumberedValue] | None:
        """Number a concatenation or split in blocks of the axis; None if its parts have unknown sizes."""
        roles, stored = self._roles_of(self._kinds.of(op), op), [tensor(operand) for operand in operands]
        if roles is None or (found := axes_by_parts(op, roles, stored, self._merged)) is None:
            return None
        axes, parts = found
        key = op.name, meaningful(op.attributes), tuple(operand.node for operand in operands), axes.axes, parts
        results = self._computed((key, axes), op)
        return [NumberedValue(each.node, in_one(tensor(each), op.axis.value.data, self._merged)) for each in results]

    def _vendor(self, op: VendorOp, operands: Sequence[NumberedValue], scope: _Scope) -> list[NumberedValue]:
        """Number an op of another system, whose statement about its axes is believed."""
        kind = self._kinds.of(op)
        roles = self._roles_of(kind, op)
        assert roles is not None, "a vendor op states them"
        computed, axes = self._computation(op, kind, roles, operands)
        types = tuple(element_type(result.type) for result in op.results)
        key: Hashable = computed, types, version_of(op), self._definitions.of(op)
        if may_have_effects(op):
            scope.outcome.effects.append(Effect(key, op))
            key = scope.depth, len(scope.outcome.effects), key
        return self._computed((key, axes), op)

    def _operand_order_and_axes(
        self,
        op: NpuOp,
        kind: int,
        roles: RoleMap,
        operands: Sequence[NumberedValue],
        sizes: Sequence[Sequence[Extent | None]],
    ) -> tuple[tuple[int, ...], OpAxes]:
        """The order in which the operands are compared, and the axes; swappable operands are sorted by node.

        Of several ways, as for a constant that equals its own transpose, the one with the least axes.
        """
        orders = [tuple(range(len(operands)))]
        if (roles.swaps or op.commutes()) and operands[0].node >= operands[1].node:
            swapped = (1, 0, *orders[0][2:])
            orders = [swapped] if operands[0].node > operands[1].node else [*orders, swapped]
        ways = [
            (order, self._axes_of(kind, roles, stored, sizes, order))
            for stored in self._constants.ways(operands)
            for order in orders
        ]
        return ways[0] if len(ways) == 1 else min(ways, key=lambda way: [axis.sort_key() for axis in way[1].axes])

    def _axes_of(
        self,
        kind: int,
        roles: RoleMap,
        stored: tuple[Arrangement, ...],
        sizes: Sequence[Sequence[Extent | None]],
        order: tuple[int, ...],
    ) -> OpAxes:
        key = kind, stored, order
        if key not in self._axes:
            self._axes[key] = axes_of(roles, stored, sizes, order, self._merged)
        return self._axes[key]

    def _result(self, whole: int, index: int, result: SSAValue, axes: OpAxes) -> NumberedValue:
        node = self.number((whole, index, element_type(result.type)))
        stored = tuple(
            tuple(
                Piece(slot.axis, slot.inner, self._symbol(node, slot.axis) if slot.size is None else slot.size)
                for slot in slots
            )
            for slots in axes.stored[index]
        )
        return NumberedValue(node, self._merged.simplified(Arrangement.merged(stored)))

    def _foreign(self, op: Operation, operands: Sequence[NumberedValue], scope: _Scope) -> list[NumberedValue]:
        """Number an op that is known by its text and the code in it: its operands are compared as stored."""
        # The steps of an op have no terminator, and no op around them.
        ends = op.next_op is None and not isinstance(op.parent_op(), ModuleOp | None)
        bodies, regions = self._bodies(op, operands, scope), self._regions(op, scope)
        read = operands[: len(operands) - count_of_captures(op)] if bodies else operands
        attributes = {name: value for name, value in op.attributes.items() if name not in bodies}
        if bodies:
            attributes.pop(CAPTURES, None)
        version = version_of(op) if isinstance(op, OpaqueOp) else None
        if isinstance(op, OpaqueOp) and op.op_name.data == RESIZE and "" in (versions := opsets(op)):
            scales = self._constants.elements(op.operands[1], operands[1]) if len(op.operands) > 1 else None
            attributes, version = as_newer_resize(attributes, versions[""], scales)
        key: Hashable = (
            op.name,
            self._code_in(op, scope) if regions is None else regions,
            self._definitions.of_attributes(op, bodies),
            tuple(bodies.items()),
            version,
            present_properties(op.properties),
            meaningful(attributes),
            tuple(read),
            types_of(op, len(read)),
            ends,
        )
        # A terminator determines the use of its operands.
        if ends or may_have_effects(op):
            scope.outcome.effects.append(Effect(key, op))
            key = (scope.depth, len(scope.outcome.effects), key)
        whole = self.number(key)
        return [self._fresh(("result", whole, index), result.type) for index, result in enumerate(op.results)]

    def _code_in(self, op: Operation, scope: _Scope) -> Hashable:
        """The text of the regions of an op, and the outer values and the symbols that it refers to."""
        nested = [each for each in op.walk() if each is not op]
        outside = [scope.known[operand] for each in nested for operand in each.operands if operand in scope.known]
        return self._definitions.text(op) if op.regions else "", tuple(outside), self._definitions.of(*nested)

    def _regions(self, op: Operation, scope: _Scope) -> Hashable | None:
        """The code in an op that executes it, numbered; None if the op is not known to, or has several blocks."""
        if not op.has_trait(RecursiveMemoryEffect, value_if_unregistered=False) or scope.depth >= DEEPEST_BODY:
            return None
        if any(len(region.blocks) > 1 for region in op.regions):
            return None
        return tuple(self._body(region.block, (), scope) if region.blocks else None for region in op.regions)

    def _bodies(self, op: Operation, operands: Sequence[NumberedValue], scope: _Scope) -> dict[str, Hashable]:
        """The private functions that a node of an ONNX model has as subgraphs, numbered; by attribute."""
        if not isinstance(op, OpaqueOp) or scope.depth >= DEEPEST_BODY:
            return {}
        symbols = {name: value for name, value in sorted(op.attributes.items()) if isinstance(value, SymbolRefAttr)}
        functions = {name: self._numbered_function(op, symbol, scope) for name, symbol in symbols.items()}
        border = len(operands) - count_of_captures(op)
        captured = operands[border:]
        bodies: dict[str, Hashable] = {}
        for name, function in functions.items():
            if function is None or not is_subgraph(function, op) or not takes(function, op.operands[border:]):
                return {}
            callers = (*scope.callers, function)
            inner = _Scope(scope.known, scope.outcome, callers, scope.depth, scope.is_called)
            bodies[name] = self._body(function.body.block, captured, inner)
        return bodies

    def _body(self, block: Block, captured: Sequence[NumberedValue], scope: _Scope) -> Hashable:
        """Number the code in an op; its last arguments are these outer values."""
        own = block.args[: len(block.args) - len(captured)]
        depth = scope.depth + 1
        arguments = [self._fresh(("inner argument", depth, index), arg.type) for index, arg in enumerate(own)]
        outcome = Outcome(values=scope.outcome.values)
        inner = _Scope(scope.known, outcome, scope.callers, depth, scope.is_called)
        returned = self._block(block, [*arguments, *captured], inner)
        return depth, tuple(arguments), tuple(effect.key for effect in outcome.effects), returned

    def _fresh(self, key: Hashable, type_: Attribute) -> NumberedValue:
        """A value identified by its key, in row-major order."""
        node = self.number((key, stored_type(type_)))
        if not isinstance(type_, TensorType):
            return NumberedValue(node, None)
        sizes = [self._symbol(node, a) if size == DYNAMIC else Extent(size) for a, size in enumerate(type_.get_shape())]
        return NumberedValue(node, Arrangement.of(sizes))

    def _or_nothing(self, numbered: NumberedValue, value: SSAValue) -> NumberedValue:
        """The number of a value, which is one for all values without elements."""
        if numbered.stored is None or 0 not in (sizes := shape_of(value)) or DYNAMIC in sizes:
            return numbered
        return NumberedValue(self.number(("nothing", element_type(value.type))), Arrangement.repeated(sizes))

    def _unknown(self, value: SSAValue) -> NumberedValue:
        """A value that equals no other one: in a module, uses may precede definitions."""
        return self._fresh(object(), value.type)

    def _symbol(self, node: int, axis: int) -> Extent:
        """The dynamic size of an axis of a node."""
        return Extent(1, (self.number(("size", node, axis)),))
