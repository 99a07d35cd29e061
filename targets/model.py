"""Hardware as seen by the passes, which know no target by name."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Literal, TypeAlias, TypeVar

from ..dialects.npu.axes import MatmulFreedom
from ..layout import Layout, LayoutClass


class PreferredOrder(StrEnum):
    """A demand without an order of its own: one of the target's preferred orders, at the rank of the value."""

    FEATURE = "feature"
    """The preferred order of features, required of features only."""
    WEIGHT = "weight"
    """The preferred order of weights, required of weights only."""
    OWN_CLASS = "preferred"
    """The preferred order of the value's own class."""


Demand: TypeAlias = PreferredOrder | Layout
"""The layout required of an operand or result: a preferred one or a given one."""

CostUnit: TypeAlias = Literal["bytes", "count"]
"""The cost of transposes: the bytes that they move, or their number."""

_Entry = TypeVar("_Entry")

LAST = "last"
AxisPlace: TypeAlias = int | Literal["last"]
"""The place of the stored axes that an attribute names: one position, or behind all other axes."""


class OperandForm(StrEnum):
    """Constraint on the other operands of an op for a stage to run it.

    One operand carries the data: the first or, if the op is commutative, any of them. The form constrains all others,
    seen through relabels, reshapes and transposes.
    """

    ANY = "any"
    """No constraint."""
    CONSTANT = "constant"
    """Constants."""
    CHANNEL_CONSTANT = "channel-constant"
    """Constants with one value, or with one value per channel of the data (for a Tensor: along one of its axes)."""
    SCALAR = "scalar"
    """Values of one element, constant or not."""
    TENSOR = "tensor"
    """Values known only at run time with more than one element; the same holds for the data."""


@dataclass(frozen=True)
class Rule:
    """One op that a stage runs, and the conditions."""

    op: str
    """The op's full name, such as `npu.conv2d`."""
    form: OperandForm = OperandForm.ANY
    before: str | None = None
    """A stage; it must have a rule for the op that is the only user of this op's result."""


@dataclass(frozen=True)
class Stage:
    """One unit of the hardware's data-flow."""

    name: str
    rules: tuple[Rule, ...]
    successors: tuple[str, ...]
    """The next stages on the data-flow, in the order of the file."""
    uses: int | None = None
    """Number of ops of one group that may run on it; None means no limit."""

    def rules_for(self, op_name: str) -> tuple[Rule, ...]:
        """The rules for an op; one of them has to match."""
        return self._rules_by_op.get(op_name, ())

    @cached_property
    def _rules_by_op(self) -> Mapping[str, tuple[Rule, ...]]:
        return {
            name: tuple(rule for rule in self.rules if rule.op == name) for name in {rule.op for rule in self.rules}
        }


@dataclass(frozen=True)
class Target:
    """A piece of hardware: its preferred and demanded layouts, and its data-flow."""

    name: str
    description: str
    matmul: MatmulFreedom
    preferred_layouts: Mapping[tuple[LayoutClass, int], Layout]
    """Keyed by class and rank, for features and weights of rank 3 up to the class's limit."""
    max_ranks: Mapping[LayoutClass, int]
    """Values of a higher rank keep their order."""
    demands: Mapping[str, Mapping[str, PreferredOrder | Layout]] = field(
        default_factory=dict[str, Mapping[str, PreferredOrder | Layout]]
    )
    """Keyed by full op name, then by the name of the operand or result in the op's definition."""
    axis_demands: Mapping[str, Mapping[str, AxisPlace]] = field(default_factory=dict[str, Mapping[str, AxisPlace]])
    """Keyed by full op name, then by the name of the attribute."""
    cost: CostUnit = "bytes"
    """The cost that `layout-optimal` minimises unless an option names another one."""
    stages: Mapping[str, Stage] = field(default_factory=dict[str, Stage])
    """Keyed by name, in the order of the file; empty if the target describes no data-flow."""
    root: Stage | None = None
    """The first stage of each group; None only if there are no stages."""
    free_ops: frozenset[str] = frozenset()
    """Full names of ops without cost, which join the group of their user."""
    matmul_place: str = ""
    """`file:line` of the entry `matmul`."""
    demand_places: Mapping[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    """`file:line` of each demand, keyed by full op name and the name of the operand, result or attribute."""
    forbids_escaping: bool = False
    """True if only the last op of a group may have users outside it."""

    def max_rank(self, cls: LayoutClass) -> int:
        """The highest rank at which a value of this class may have another order."""
        return self.max_ranks[cls]

    def has_demand(self, op_name: str) -> bool:
        """True if the target demands a layout of any operand or result of this op."""
        return op_name in self.demands

    def place_of_demand(self, op_name: str, name: str) -> str:
        """`file:line` of a demand; the target's name if it was not read from a file."""
        return self.demand_places.get((op_name, name), f"target {self.name}")

    def without_demand(self, op_name: str, name: str) -> "Target":
        """The same target without the demand on one operand, result or attribute of an op."""
        demands, axes = _without(self.demands, op_name, name), _without(self.axis_demands, op_name, name)
        return replace(self, demands=demands, axis_demands=axes)

    def demand(self, op_name: str, value_name: str, layout: Layout) -> Layout | None:
        """The layout required of this operand or result of the op, or None if any layout is accepted.

        Only features and weights are subject to demands, and a demand never changes a class.
        """
        if not layout.cls.is_cnn or layout.rank is None:
            return None
        match wanted := self.demands.get(op_name, {}).get(value_name):
            case None:
                return None
            case PreferredOrder.FEATURE:
                demanded = self.preferred_layouts.get((LayoutClass.FEATURE, layout.rank))
            case PreferredOrder.WEIGHT:
                demanded = self.preferred_layouts.get((LayoutClass.WEIGHT, layout.rank))
            case PreferredOrder.OWN_CLASS:
                demanded = self.preferred_layouts.get((layout.cls, layout.rank))
            case _:
                demanded = wanted
        fits = demanded is not None and demanded.cls is layout.cls and demanded.rank == layout.rank
        return demanded if fits else None

    def stage(self, name: str) -> Stage:
        return self.stages[name]

    def successors(self, stage: Stage) -> Iterator[Stage]:
        """The successors of a stage, in the order in which ties are broken."""
        return (self.stages[name] for name in stage.successors)

    def stages_running(self, op_name: str) -> tuple[Stage, ...]:
        """The stages with a rule for an op, in the order of the file."""
        return self._stages_by_op.get(op_name, ())

    @cached_property
    def _stages_by_op(self) -> Mapping[str, tuple[Stage, ...]]:
        names = dict.fromkeys(rule.op for stage in self.stages.values() for rule in stage.rules)
        return {name: tuple(each for each in self.stages.values() if each.rules_for(name)) for name in names}

    def is_free(self, op_name: str) -> bool:
        return op_name in self.free_ops


def _without(table: Mapping[str, Mapping[str, _Entry]], op_name: str, name: str) -> Mapping[str, Mapping[str, _Entry]]:
    """The table without one entry of an op, and without the op if that was its last one."""
    left = {key: entry for key, entry in table.get(op_name, {}).items() if key != name}
    rest = {op: entries for op, entries in table.items() if op != op_name}
    return rest | {op_name: left} if left else rest
