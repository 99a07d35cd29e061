"""The data that a choice of modes moves, by the flow of data that the program would have, without writing it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue
from xdsl.traits import Commutative

from ....dialects.npu.shape import ReshapeOp, TransposeOp, ViewOp
from ....dialects.npu.source import ConstantOp
from ....dialects.npu.values import element_type_of, encoding
from ....layout import permute
from ....targets import OperandForm, name_of
from ...common.graph.op_classes import order_of
from ...common.graph.producers import Use, node_of
from ...common.moves.transpose_cost import Cost, bytes_of
from ...common.storages.common_pieces import common_pieces, tensor_of_pieces
from ...common.storages.storage import ByteOrder
from ...cover.best import covered_flow
from ...cover.module import CoveredModule, ModuleGraphs
from ...cover.parts import CoveredFlow, KnownParts
from ...cover.problem import CoverProblem
from ...cover.traffic_value import TrafficValue
from ...fusion.functions.fused_functions import can_be_fused
from ...fusion.graph.graph import has_effects
from ...fusion.groups.traffic import Traffic, TrafficStep
from ...fusion.stages.stage_match import Matching, factors_of, values_beside
from ..choice.mode_choice import ModeTable
from ..modes.modes import Chooser, Mode


class _Read(NamedTuple):
    """An operand of an op."""

    source: int
    """The number of the storage, or of the value if that has no layout."""
    chooser: int
    """The number of the op, or free result, whose mode decides."""
    place: int
    """Its place among what that reads."""


class _Result(NamedTuple):
    """A value that is produced as a mode says."""

    chooser: int
    place: int


class _PlannedOp(NamedTuple):
    op: Operation
    number: int
    """The number of its modes."""
    reads: Sequence[_Read | None]
    """Its operands; None for constants."""
    beside: Sequence[_Read]
    """The operands that are not its data."""
    factors: Sequence[_Read]
    """The operands of which one may flow through it."""
    results: Sequence[int]
    moves_nothing: bool
    is_end: bool
    """True for the return of the function."""


class PlannedFlow:
    """The flow of data of a function, for any modes of its ops.

    Views and constants move nothing, and a stage that runs an op in one form mostly runs it in the others as well, so
    modes differ in the transposes that they need.
    """

    def __init__(self, table: ModeTable, block: Block, matching: Matching, known: KnownParts) -> None:
        self._table = table
        self._known = known
        self._target = table.target_layouts.target
        self.matching = matching
        self._modes = list(table.modes.of.values())
        self._numbers = {chooser: number for number, chooser in enumerate(table.modes.of)}
        self._sources: dict[SSAValue, int] = {}
        self.arguments = [self._source(argument) for argument in block.args]
        ops = (op for op in table.modes.of if isinstance(op, Operation) and op.parent is block)
        self.ops = {op: self._planned(op) for op in ops if not isinstance(op, ConstantOp)}
        self.ends = [planned for planned in self.ops.values() if planned.is_end]
        self._forms: dict[str, AbstractSet[OperandForm | None]] = {}
        self._changing = [planned for planned in self.ops.values() if self._may_change_stages(planned)]
        """The ops that a stage may run in some of their modes only."""
        self.roots = list(self._sources)
        self.producers = [self.ops[root.op] if isinstance(root, OpResult) else None for root in self.roots]
        self.givers = [self._giver(root) for root in self.roots]
        """The byte order in which each storage is produced: that of a mode, or the one that it always has."""
        self.sizes = [self._size(root) for root in self.roots]
        """The bytes of each storage, and true if one of its sizes is assumed."""
        self._transposes: dict[tuple[int, ByteOrder, ByteOrder], Operation] = {}

    def _source(self, value: SSAValue) -> int:
        return self._sources.setdefault(value, len(self._sources))

    def _planned(self, op: Operation) -> _PlannedOp:
        number, is_end = self._numbers[op], isinstance(op, ReturnOp)
        reads = [self._read(value, place, number) for place, value in enumerate(op.operands)]
        if is_end:
            reads = [self._returned(read, Use(op, place)) for place, read in enumerate(reads)]
        results = [self._source(result) for result in op.results]
        beside = [read for read, value in zip(reads, op.operands, strict=True) if read and value in values_beside(op)]
        factors = [read for read, value in zip(reads, op.operands, strict=True) if read and value in factors_of(op)]
        return _PlannedOp(op, number, reads, beside, factors, results, self.matching.moves_nothing(op), is_end)

    def _read(self, value: SSAValue, place: int, chooser: int) -> _Read | None:
        root = value if encoding(value.type) is None else self._table.storage.root(value)
        return None if self._table.storage.is_constant(root) else _Read(self._source(root), chooser, place)

    def _returned(self, read: _Read | None, use: Use) -> _Read | None:
        """An operand of a return; where a result is free, its own mode decides."""
        return read if read is None or use not in self._numbers else _Read(read.source, self._numbers[use], 0)

    def _size(self, root: SSAValue) -> tuple[int, bool]:
        if encoding(root.type) is None:
            return 0, False
        return bytes_of(root, self._table.storage.origins, self._table.assumed_size)

    def value(self, choice: Sequence[int]) -> TrafficValue | None:
        """The data that a choice moves; None if the program has to be written to know it."""
        modes = [of_op[number] for of_op, number in zip(self._modes, choice, strict=True)]
        if not all(self._is_same_on_stages(each, modes) for each in self._changing):
            return None
        walk = _Walk(self, modes)
        found = covered_flow(CoverProblem(walk.flow(), self.matching), self._known)
        return self._value(walk, found) if found.is_best else None

    def _value(self, walk: _Walk, found: CoveredFlow) -> TrafficValue:
        sizes = [self.sizes[source] for source, _ in walk.converted]
        moved = [(size, is_assumed) for size, is_assumed in sizes if size]
        cost = Cost(len(moved), sum(size for size, _ in moved), any(is_assumed for _, is_assumed in moved))
        absorbed = found.absorbed
        covered = CoveredModule(found.least, found.least, found.count, absorbed, walk.is_assumed)
        outside = [
            (self.roots[source], wanted) for (source, wanted), (op, _) in walk.converted.items() if op not in absorbed
        ]
        return TrafficValue.of(covered, cost)._replace(outside=outside)

    def _giver(self, root: SSAValue) -> _Result | ByteOrder | None:
        """None for a storage without a layout."""
        if encoding(root.type) is None:
            return None
        node = node_of(root)
        if node in self._numbers:
            return _Result(self._numbers[node], root.index if isinstance(root, OpResult) else 0)
        order = order_of(root)
        assert order is not None
        return self._table.storage.byte_order(root, order)

    def transpose(self, source: int, given: ByteOrder, wanted: ByteOrder) -> Operation:
        """A transpose as the program would have it, of a value that nothing produces."""
        key = source, given, wanted
        if key not in self._transposes:
            before, after, permutation = _transposed(given, wanted, element_type_of(self.roots[source]))
            self._transposes[key] = TransposeOp(Block(arg_types=[before]).args[0], permutation, after)
        return self._transposes[key]

    def _may_change_stages(self, planned: _PlannedOp) -> bool:
        if self._forms_on_stages(name_of(planned.op)):
            return True
        return any(mode.relayout is not None and mode.relayout.becomes for mode in self._modes[planned.number])

    def _is_same_on_stages(self, planned: _PlannedOp, modes: Sequence[Mode]) -> bool:
        """True if the stages that run an op as it is are those that run it in its mode."""
        op, mode = planned.op, modes[planned.number]
        if mode.relayout is not None and mode.relayout.becomes is not None:
            return False
        forms = self._forms_on_stages(name_of(op))
        if None in forms:
            return self._is_followed_as_before(planned, modes)
        if not forms or mode.relayout is None:
            return True
        if OperandForm.CHANNEL_CONSTANT in forms and not _keeps_axes(mode):
            return False
        return mode.relayout.operand_permutation is None or op.has_trait(Commutative)

    def _forms_on_stages(self, name: str) -> AbstractSet[OperandForm | None]:
        """The forms of operands that stages ask of an op; None stands for the op behind it."""
        if name not in self._forms:
            rules = [rule for stage in self._target.stages_running(name) for rule in stage.rules_for(name)]
            forms = {rule.form for rule in rules} - {OperandForm.ANY}
            self._forms[name] = {*forms, *(None for rule in rules if rule.before is not None)}
        return self._forms[name]

    def _is_followed_as_before(self, planned: _PlannedOp, modes: Sequence[Mode]) -> bool:
        """True if the only user of an op reads its result without a view or transpose in between, as it does now."""
        uses = [use for result in planned.op.results for use in result.uses]
        user = self.ops.get(uses[0].operation) if len(uses) == 1 else None
        if user is None or user.moves_nothing or isinstance(user.op, ViewOp) or user.reads[uses[0].index] is None:
            return False
        first, second = modes[planned.number], modes[user.number]
        if not _keeps_axes(first) or not _keeps_axes(second):
            return False
        value, place = planned.op.results[0], uses[0].index
        given = order_of(value) if first.relayout is None else first.relayout.results[0]
        relayout = second.relayout
        return given == (order_of(value) if relayout is None else relayout.operands[relayout.place_of(place)])


class _Walk:
    """The ops in the order in which `forward_graph` visits those of the written program, with the transposes."""

    def __init__(self, plan: PlannedFlow, modes: Sequence[Mode]) -> None:
        self._plan = plan
        self._modes = modes
        self._given = [
            modes[giver.chooser].produces[giver.place] if isinstance(giver, _Result) else giver for giver in plan.givers
        ]
        self._behind: dict[int, tuple[int, ...]] = {}
        """The values that are read where a storage is used."""
        self._steps: list[TrafficStep] = []
        self._bytes: list[int] = []
        self._leaving = set[int]()
        self._done: set[Operation] = set()
        self.converted: dict[tuple[int, ByteOrder], tuple[Operation | None, tuple[int, ...]]] = {}
        """For each conversion its transpose, if it moves data, and the values that are read there."""
        self.is_assumed = False

    def flow(self) -> Traffic:
        for argument in self._plan.arguments:
            self._behind[argument] = (self._numbered(argument),)
        for planned in (*self._plan.ends, *self._plan.ops.values()):
            if planned.op not in self._done:
                self._visit(planned)
        return Traffic(self._steps, self._bytes, self._leaving, self.is_assumed)

    def _visit(self, root: _PlannedOp) -> None:
        """Add the producers of an op's operands, from left to right, and then the op."""
        waiting = [self._begun(root)]
        while waiting:
            planned, reads, before = waiting[-1]
            if (producer := next(before, None)) is not None:
                waiting.append(self._begun(producer))
                continue
            waiting.pop()
            self._add(planned, tuple(reads))

    def _begun(self, planned: _PlannedOp) -> tuple[_PlannedOp, dict[int, None], Iterator[_PlannedOp]]:
        """An op with the values behind its operands, each once, and the ops that have to be added before."""
        reads = dict[int, None]()
        return planned, reads, self._producers(planned, reads)

    def _producers(self, planned: _PlannedOp, reads: dict[int, None]) -> Iterator[_PlannedOp]:
        """The ops that have to be added before an op. Each is added before the next one is asked for."""
        relayout = self._modes[planned.number].relayout
        moved = None if relayout is None else relayout.operand_permutation
        for read in planned.reads if moved is None else permute(planned.reads, moved):
            if read is None:
                continue
            producer = self._plan.producers[read.source]
            if producer is not None and producer.op not in self._done:
                yield producer
            for number in self._values(read):
                reads[number] = None

    def _values(self, read: _Read) -> tuple[int, ...]:
        """The values that are read where an op reads a storage, behind a transpose if it needs one."""
        wanted, given = self._modes[read.chooser].reads[read.place], self._given[read.source]
        if wanted is None or given is None or wanted == given:
            return self._behind[read.source]
        key = read.source, wanted
        if key not in self.converted:
            self.converted[key] = self._conversion(read.source, given, wanted)
        return self.converted[key][1]

    def _conversion(self, source: int, given: ByteOrder, wanted: ByteOrder) -> tuple[Operation | None, tuple[int, ...]]:
        behind = self._behind[source]
        if not self._plan.sizes[source][0]:
            return None, behind
        op, result = self._plan.transpose(source, given, wanted), self._numbered(source)
        self._steps.append(TrafficStep(op, behind, (result,)))
        return op, (result,)

    def _add(self, planned: _PlannedOp, reads: tuple[int, ...]) -> None:
        self._done.add(planned.op)
        if planned.is_end:
            self._leaving.update(reads)
            return
        if planned.moves_nothing:
            for source in planned.results:
                self._behind[source] = reads
            return
        results = tuple([self._numbered(source) for source in planned.results])
        for source, number in zip(planned.results, results, strict=True):
            self._behind[source] = (number,)
        beside = dict.fromkeys(number for read in planned.beside for number in self._values(read))
        factors = tuple(tuple(self._values(read)) for read in planned.factors)
        self._steps.append(TrafficStep(planned.op, reads, results, beside=tuple(beside), factors=factors))

    def _numbered(self, source: int) -> int:
        size, is_assumed = self._plan.sizes[source]
        self.is_assumed |= is_assumed
        self._bytes.append(size)
        return len(self._bytes) - 1


@lru_cache(maxsize=4096)
def _transposed(
    given: ByteOrder, wanted: ByteOrder, element_type: Attribute
) -> tuple[TensorType, TensorType, Sequence[int]]:
    """The types of operand and result of a conversion, and its permutation."""
    before, after = common_pieces(given, wanted)
    types = [tensor_of_pieces(pieces, element_type) for pieces in (before, after)]
    return types[0], types[1], [*map(before.index, after)]


def _keeps_axes(mode: Mode) -> bool:
    return mode.form is None or mode.form.is_own


def planned_flow(table: ModeTable, graphs: ModuleGraphs, known: KnownParts) -> PlannedFlow | None:
    """The flow of data of a program of one function; None if it has ops with effects, or with code of their own.

    The written program is counted where stages have prices, or run transposes before another stage only, where reshapes
    are no views, or data has padding.
    """
    target = table.target_layouts.target
    if table.modes.have_blocks or target.has_priced_stages or not target.is_free(ReshapeOp.name):
        return None
    turning = (rule for stage in target.stages.values() for rule in stage.rules_for(TransposeOp.name))
    if any(rule.before is not None for rule in turning):
        return None
    if len(graphs.functions) != 1 or not can_be_fused(graphs.functions[0]):
        return None
    block = graphs.functions[0].body.block
    if not all(_is_plain(chooser, block) for chooser in table.modes.of):
        return None
    return PlannedFlow(table, block, graphs.matching, known)


def _is_plain(chooser: Chooser, block: Block) -> bool:
    """True for an op of a block without effects and code of its own, and for all that holds or ends the block."""
    if not isinstance(chooser, Operation) or isinstance(chooser, FuncOp | ModuleOp):
        return True
    return chooser.parent is block and not chooser.regions and not has_effects(chooser)
