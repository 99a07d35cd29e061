"""The data that a program moves at least, whatever its layouts, and the transposes that groups may absorb."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation

from ....dialects.npu.shape import ReshapeOp
from ....dialects.npu.values import shape_of
from ....layout import DYNAMIC
from ...cover.best import covered_flow
from ...cover.module import ModuleGraphs
from ...cover.parts import KnownParts
from ...cover.problem import CoverProblem
from ...fusion.groups.traffic import traffic_of
from ..choice.mode_choice import ModeTable
from ..modes.modes import Decider
from .loose_match import MOVING, LooseMatching

MOST_READERS = 64
"""The pairs of the readers of some data are compared up to this number of readers."""


class TrafficBound:
    """A lower bound for all layouts of a program.

    Transposes are left out first: no groups of a placed program move less than the best groups without them. Each
    transpose in no group with the op that makes its data, or with one that reads it, reads and writes its data as well.
    """

    def __init__(self, table: ModeTable) -> None:
        target = table.target_layouts.target
        self.graphs = ModuleGraphs(table.module, target)
        reshaped = set(_reshaped(table))
        matching = LooseMatching(self.graphs.matching, table.live, reshaped)
        self._order = matching.order
        self._is_free = any(target.is_free(op.name) for op in MOVING)
        self._forbids_escaping = target.forbids_escaping
        self._reshape_is_free = target.is_free(ReshapeOp.name)
        turning = self._order.bits(matching.turning)
        self._turns = self._order.members(turning)
        self._behind_turns = _union(self._order.behind[stage] for stage in self._turns)
        """The stages to which one leads that may transpose, as a set of bits."""
        self._before_turns = sum(1 << stage for stage, behind in enumerate(self._order.behind) if behind & turning)
        """The stages that lead to one that may transpose."""
        self._has_prices = target.has_priced_stages and not self._is_free
        self._stages: dict[Operation, int] = {}
        """The stages that may run each op, as a set of bits."""
        self.parts: KnownParts = {}
        """The best groups of the parts that programs have in common."""
        self.fixed = 0
        """The data that is moved in any case, in all calls."""
        self._problems: list[CoverProblem] = []
        """The functions without transposes."""
        for nodes, calls in zip(self.graphs.each, self.graphs.calls, strict=True):
            flow = traffic_of(nodes, matching, table.assumed_size)
            problem = CoverProblem(flow, matching)
            self._problems.append(problem)
            for step, stages in zip(flow.steps, problem.stages, strict=True):
                self._stages[step.op] = sum(1 << stage for stage in stages)
            self.fixed += self._least(problem) * calls
        self.is_known = not any(map(_has_unknown_sizes, reshaped))
        """False if it rests on sizes that are assumed, and that other axes would change."""

    def _least(self, problem: CoverProblem) -> int:
        """The data that the ops of a function move without any transposes."""
        if self._reshape_is_free and not self._forks(problem):
            return covered_flow(problem, self.parts).least
        # Ops may be in one group because they read a transpose that is in it.
        return problem.measured(problem.fixed + sum(problem.sure_prices))

    def _forks(self, problem: CoverProblem) -> bool:
        """True if ops that do not depend on each other may be in one group with a transpose of what both read."""
        flow = problem.flow
        above: list[int] = []
        for step in flow.steps:
            producers = [flow.producer[value] for value in step.reads if value in flow.producer]
            above.append(_union([*(above[each] for each in producers), *(1 << each for each in producers)]))
        behind = self._behind_in_group(problem)
        stages = [self._stages[step.op] for step in flow.steps]
        able = ([each for each in readers if self._may_read_turned(stages[each])] for readers in flow.readers)
        return any(
            len(readers) > MOST_READERS
            or any(self._is_fork(*pair, stages, above, behind) for pair in combinations(readers, 2))
            for readers in able
        )

    def _is_fork(self, first: int, second: int, stages: list[int], above: list[int], behind: list[int]) -> bool:
        if above[second] >> first & 1 or not self._may_be_together(stages[first], stages[second]):
            return False
        return not self._forbids_escaping or bool(behind[first] & behind[second])

    def _behind_in_group(self, problem: CoverProblem) -> list[int]:
        """For each step the steps that may depend on it in its group if only the last value leaves that, as bits."""
        flow = problem.flow
        behind = [1 << place for place in range(len(flow.steps))]
        for place in reversed(range(len(flow.steps))):
            results = flow.steps[place].results
            if not any(problem.escapes[value] for value in results):
                behind[place] |= _union(behind[reader] for value in results for reader in flow.readers[value])
        return behind

    def _may_read_turned(self, stages: int) -> bool:
        """True if a group may have a transpose and then an op on one of these stages."""
        return bool(stages) and (self._is_free or bool(self._behind_turns & stages))

    def _may_be_together(self, first: int, second: int) -> bool:
        """True if one group may have ops on two sets of stages."""
        order = self._order
        return order.leads_to_any(order.members(first), second) or order.leads_to_any(order.members(second), first)

    def stages_of(self, decider: Decider) -> int:
        """The stages of an op, or of the op of the function that holds it; none of what is no op."""
        op = decider if isinstance(decider, Operation) else None
        while op is not None and op not in self._stages:
            op = op.parent_op()
        return 0 if op is None else self._stages[op]

    def price_alone(self, size: int) -> int:
        """The data that a transpose moves at least if no group absorbs it."""
        return size * (2 if self._reshape_is_free else 1)

    def least_price(self, size: int, is_absorbed: bool, made_by: int, read_by: Iterable[int]) -> int:
        """The data that a transpose moves at least, if a group may absorb it or not.

        `made_by` are the stages of the op that makes its data, `read_by` those of each op that may read it.
        """
        alone = self.price_alone(size)
        if not is_absorbed:
            return alone
        return min(alone, self._absorbed_price(size, made_by, read_by)) if self._has_prices else 0

    def may_be_absorbed(self, made_by: int, read_by: Iterable[int]) -> bool:
        """True if a group may absorb a transpose, by the stages of the ops that make its data and may read it."""
        return self._may_be_made_turned(made_by) or any(map(self._may_read_turned, read_by))

    def may_all_be_absorbed(self, made_by: int, read_by: Sequence[int], others: Iterable[int], is_shared: bool) -> bool:
        """True if groups may absorb a transpose for all its readers: some ops are known to read it, and others may.

        It is shared if other ops read the data as it is made, or transposed otherwise.
        """
        if self._may_be_made_turned(made_by) and not (is_shared and self._forbids_escaping):
            return True
        if not self._forbids_escaping and any(map(self._may_read_turned, (*read_by, *others))):
            return True
        # One group has all that reads it.
        if not all(map(self._may_read_turned, read_by)):
            return False
        return len(read_by) > MOST_READERS or all(self._may_be_together(*each) for each in combinations(read_by, 2))

    def _may_be_made_turned(self, stages: int) -> bool:
        """True if a group may have an op on one of these stages and then a transpose."""
        return bool(self._before_turns & stages)

    def _absorbed_price(self, size: int, made_by: int, read_by: Iterable[int]) -> int:
        """The price of a transpose on the cheapest stage that may do it in a group."""
        order, readers = self._order, _union(read_by)
        behind = _union(order.behind[stage] for stage in order.members(made_by))
        able = (stage for stage in self._turns if behind >> stage & 1 or order.behind[stage] & readers)
        return min((order.stages[stage].price_of(size) for stage in able), default=0)

    @cached_property
    def _groups(self) -> Mapping[Operation, tuple[int, int]]:
        """The number of each op's group in the best groups without transposes, and that of its function."""
        found: dict[Operation, tuple[int, int]] = {}
        for function, problem in enumerate(self._problems):
            for number, group in enumerate(covered_flow(problem, self.parts).groups):
                steps = (*group.carried, *(step for step, _ in group.staged))
                found |= {problem.flow.steps[step].op: (function, number) for step in steps}
        return found

    def are_together(self, producer: object, reader: object) -> bool:
        """True if two ops are in one of the best groups without transposes, where a transpose would part them."""
        group = self._groups.get(producer) if isinstance(producer, Operation) else None
        return group is not None and isinstance(reader, Operation) and self._groups.get(reader) == group


def _reshaped(table: ModeTable) -> Iterator[Operation]:
    """The ops that may be written over pieces of their axes."""
    for op, modes in table.modes.of.items():
        if isinstance(op, Operation) and any(mode.form is not None and not mode.form.is_own for mode in modes):
            yield op


def _has_unknown_sizes(op: Operation) -> bool:
    return any(isinstance(value.type, TensorType) and DYNAMIC in shape_of(value) for value in op.results)


def _union(sets: Iterable[int]) -> int:
    union = 0
    for each in sets:
        union |= each
    return union
