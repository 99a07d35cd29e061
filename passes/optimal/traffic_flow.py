"""The data that a choice of modes moves, by the flow of data that the program would have, without writing it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.traits import Commutative

from ...dialects.npu.shape import ReshapeOp, TransposeOp, ViewOp
from ...dialects.npu.values import element_type_of, encoding
from ...layout import permute
from ...targets import OperandForm, name_of
from ..common.common_pieces import common_pieces, tensor_of_pieces
from ..common.op_classes import order_of
from ..common.producers import Use, node_of
from ..common.storage import ByteOrder
from ..common.transpose_cost import Cost, cost_of
from ..fusion.cover import covered_flow
from ..fusion.cover_parts import CoveredFlow, KnownParts
from ..fusion.cover_problem import CoverProblem
from ..fusion.covered import CoveredModule
from ..fusion.fused_functions import can_be_fused
from ..fusion.graph import has_effects
from ..fusion.stage_match import Matching
from ..fusion.traffic import Traffic, TrafficStep
from .mode_choice import ModeTable
from .modes import Mode, uses_of
from .traffic_value import TrafficValue


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
    results: Sequence[int]
    moves_nothing: bool


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
        ops = [op for op in table.modes.of if isinstance(op, Operation) and op.parent is block]
        self.ops = {op: self._planned(op) for op in ops}
        self._forms: dict[str, AbstractSet[OperandForm | None]] = {}
        self._changing = [planned for planned in self.ops.values() if self._may_change_stages(planned)]
        """The ops that a stage may run in some of their modes only."""
        self.roots = list(self._sources)
        self.producers = [self.ops[root.op] if isinstance(root, OpResult) else None for root in self.roots]
        self.givers = [self._giver(root) for root in self.roots]
        """The byte order in which each storage is produced: that of a mode, or the one that it always has."""
        self.costs = [self._cost(root) for root in self.roots]
        """The cost of one transpose of each storage."""
        self._transposes: dict[tuple[int, ByteOrder, ByteOrder], Operation] = {}

    def _source(self, value: SSAValue) -> int:
        return self._sources.setdefault(value, len(self._sources))

    def _planned(self, op: Operation) -> _PlannedOp:
        reads = [self._read(use, place) for place, use in enumerate(uses_of(op))]
        results = [self._source(result) for result in op.results]
        return _PlannedOp(op, self._numbers[op], reads, results, self.matching.moves_nothing(op))

    def _read(self, use: Use, place: int) -> _Read | None:
        root = use.value if encoding(use.value.type) is None else self._table.storage.root(use.value)
        if self._table.storage.is_constant(root):
            return None
        chooser, place = (use, 0) if use in self._numbers else (use.op, place)
        return _Read(self._source(root), self._numbers[chooser], place)

    def _cost(self, root: SSAValue) -> Cost:
        if encoding(root.type) is None:
            return Cost()
        return cost_of(root, self._table.storage.origins, self._table.assumed_size)

    def value(self, choice: Sequence[int]) -> TrafficValue | None:
        """The data that a choice moves; None if the program has to be written to know it."""
        modes = [of_op[number] for of_op, number in zip(self._modes, choice, strict=True)]
        if not all(self._is_same_on_stages(each, modes) for each in self._changing):
            return None
        walk = _Walk(self, modes)
        found = covered_flow(CoverProblem(walk.flow(), self.matching, "bytes"), self._known)
        return self._value(walk, found) if found.is_best else None

    def _value(self, walk: _Walk, found: CoveredFlow) -> TrafficValue:
        conversions = [key for key in walk.converted if self.costs[key[0]].bytes]
        cost = sum((self.costs[source] for source, _ in conversions), Cost())
        absorbed = found.absorbed
        moved = CoveredModule(found.least, found.least, found.count, absorbed, walk.is_assumed)
        outside = [
            (self.roots[source], wanted) for (source, wanted), (op, _) in walk.converted.items() if op not in absorbed
        ]
        return TrafficValue.of(moved, cost)._replace(outside=outside)

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
            before, after = common_pieces(given, wanted)
            element_type = element_type_of(self.roots[source])
            value = Block(arg_types=[tensor_of_pieces(before, element_type)]).args[0]
            permutation = [*map(before.index, after)]
            self._transposes[key] = TransposeOp(value, permutation, tensor_of_pieces(after, element_type))
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
        self._done: set[Operation] = set()
        self.converted: dict[tuple[int, ByteOrder], tuple[Operation | None, tuple[int, ...]]] = {}
        """For each conversion its transpose, if it moves data, and the values that are read there."""
        self.is_assumed = False

    def flow(self) -> Traffic:
        leaving = set[int]()
        for argument in self._plan.arguments:
            self._behind[argument] = (self._numbered(argument),)
        ends = [planned for op, planned in self._plan.ops.items() if isinstance(op, ReturnOp)]
        for planned in (*ends, *self._plan.ops.values()):
            self._visit(planned)
        for planned in ends:
            leaving.update(self._read(planned))
        return Traffic(self._steps, self._bytes, leaving, self.is_assumed)

    def _visit(self, root: _PlannedOp) -> None:
        """Add the producers of an op's operands, from left to right, and then the op."""
        waiting = [(root, self._producers(root))] if root.op not in self._done else []
        while waiting:
            planned, before = waiting[-1]
            for producer in before:
                waiting.append((producer, self._producers(producer)))
                break
            else:
                waiting.pop()
                self._add(planned)

    def _producers(self, planned: _PlannedOp) -> Iterator[_PlannedOp]:
        """The ops that have to be added before an op. Each is added before the next one is asked for."""
        for read in self._reads(planned):
            producer = self._plan.producers[read.source]
            if producer is not None and producer.op not in self._done:
                yield producer
            self._convert(read)

    def _reads(self, planned: _PlannedOp) -> Iterator[_Read]:
        relayout = self._modes[planned.number].relayout
        moved = None if relayout is None else relayout.operand_permutation
        reads = planned.reads if moved is None else permute(planned.reads, moved)
        return (read for read in reads if read is not None)

    def _convert(self, read: _Read) -> None:
        wanted, given = self._wanted(read), self._given[read.source]
        if wanted is None or given is None or wanted == given:
            return
        key = read.source, wanted
        if key in self.converted:
            return
        behind = self._behind[read.source]
        if not self._plan.costs[read.source].bytes:
            self.converted[key] = None, behind
            return
        op, result = self._plan.transpose(read.source, given, wanted), self._numbered(read.source)
        self._steps.append(TrafficStep(op, behind, (result,)))
        self.converted[key] = op, (result,)

    def _wanted(self, read: _Read) -> ByteOrder | None:
        return self._modes[read.chooser].reads[read.place]

    def _add(self, planned: _PlannedOp) -> None:
        self._done.add(planned.op)
        if isinstance(planned.op, ReturnOp):
            return
        reads = self._read(planned)
        if planned.moves_nothing:
            self._behind |= dict.fromkeys(planned.results, reads)
            return
        results = tuple([self._numbered(source) for source in planned.results])
        self._behind |= {source: (number,) for source, number in zip(planned.results, results, strict=True)}
        self._steps.append(TrafficStep(planned.op, reads, results))

    def _read(self, planned: _PlannedOp) -> tuple[int, ...]:
        """The values behind the operands of an op, each once."""
        return tuple(dict.fromkeys(number for read in self._reads(planned) for number in self._values(read)))

    def _values(self, read: _Read) -> tuple[int, ...]:
        wanted = self._wanted(read)
        conversion = None if wanted is None else self.converted.get((read.source, wanted))
        return self._behind[read.source] if conversion is None else conversion[1]

    def _numbered(self, source: int) -> int:
        cost = self._plan.costs[source]
        self.is_assumed |= cost.is_assumed
        self._bytes.append(cost.bytes)
        return len(self._bytes) - 1


def _keeps_axes(mode: Mode) -> bool:
    return mode.form is None or mode.form.is_own


def planned_flow(table: ModeTable, matching: Matching, known: KnownParts) -> PlannedFlow | None:
    """The flow of data of a program of one function; None if it has ops with effects, or with code of their own.

    Where stages have prices, reshapes are no views, or data has padding, the written program is counted.
    """
    target = table.target_layouts.target
    if table.modes.have_blocks:
        return None
    functions = [op for op in table.module.walk() if isinstance(op, FuncOp)]
    if target.has_priced_stages or not target.is_free(ReshapeOp.name):
        return None
    if len(functions) != 1 or not can_be_fused(functions[0]):
        return None
    block = functions[0].body.block
    ops = [op for op in table.modes.of if isinstance(op, Operation) and not isinstance(op, FuncOp | ModuleOp)]
    is_plain = all(op.parent is block and not op.regions and not has_effects(op) for op in ops)
    return PlannedFlow(table, block, matching, known) if is_plain else None
