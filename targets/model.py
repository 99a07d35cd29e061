"""Hardware as seen by the passes, which know no target by name."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Literal, TypeAlias

from ..dialects.npu.axes import MatmulFreedom
from ..dialects.settings.file_rules import FileRules
from ..layout import Layout, LayoutClass
from .axis_places import AxisPlace
from .vendor_ops import DescribedOp

if TYPE_CHECKING:
    from .conditions import Condition
    from .costs import Costs
    from .prices import Price


class PreferredOrder(StrEnum):
    """A demand without an order of its own: one of the target's preferred orders, at the rank of the value."""

    FEATURE = "feature"
    """The preferred order of features, required of features only."""
    WEIGHT = "weight"
    """The preferred order of weights, required of weights only."""
    OWN_CLASS = "preferred"
    """The preferred order of the value's own class."""

    @property
    def cls(self) -> LayoutClass | None:
        """The only class of which it demands anything; None for the value's own."""
        return {"feature": LayoutClass.FEATURE, "weight": LayoutClass.WEIGHT}.get(self.value)


@dataclass(frozen=True)
class AxisOrder:
    """A demand for the axes of a value in an order of the letters that its op has for them."""

    letters: str

    def __str__(self) -> str:
        return self.letters


Demand: TypeAlias = PreferredOrder | Layout | AxisOrder
"""The layout required of an operand or result: a preferred one, a given one, or one of the axes of its op."""

CostUnit: TypeAlias = Literal["bytes", "count", "target", "traffic"]
"""The cost of transposes: the bytes that they move, their number, or what the target's costs say."""


@dataclass(frozen=True)
class DemandChoice:
    """Demands that an op may meet together, as one of several ways to run it."""

    demands: Mapping[str, Demand]
    """Keyed by the name of the operand or result in the op's definition."""
    price: "Price | None" = None
    """None if it costs nothing beside the op itself."""


@dataclass(frozen=True)
class DemandRule:
    """The demands on an op under a condition."""

    choices: tuple[DemandChoice, ...] = ()
    """One of them has to be met, the first one if nothing else decides; without any, only axes have demands."""
    axes: Mapping[str, AxisPlace] = field(default_factory=dict[str, AxisPlace])
    """Keyed by the name of the attribute."""
    when: "Condition | None" = None
    """None holds for every op."""
    places: Mapping[str, str] = field(default_factory=dict[str, str])
    """`file:line` of each demand, keyed by the name of the operand, result or attribute."""

    @property
    def demands_nothing(self) -> bool:
        return not self.axes and not any(choice.demands for choice in self.choices)

    def without(self, name: str) -> "DemandRule":
        """The rule without the demand on one operand, result or attribute."""
        choices = [
            replace(choice, demands={key: demand for key, demand in choice.demands.items() if key != name})
            for choice in self.choices
        ]
        axes = {key: place for key, place in self.axes.items() if key != name}
        return replace(self, choices=tuple(choices) if any(each.demands for each in choices) else (), axes=axes)

    def instead(self, name: str, layouts: Sequence[Layout]) -> "DemandRule":
        """The rule with a demand on one operand for layouts, one of each rank."""
        choices = [
            replace(choice, demands={**choice.demands, name: layout}) for choice in self.choices for layout in layouts
        ]
        return replace(self, choices=tuple(choices))


@dataclass(frozen=True)
class MatmulRule:
    """The relayouts that the hardware can run of products of matrices under a condition."""

    freedom: MatmulFreedom
    when: "Condition | None" = None
    """None holds for every product."""


class OperandKind(StrEnum):
    """Constraint on the other operands of an op for a stage to run it.

    One operand carries the data: the first or, if the op is commutative, any of them. The kind constrains all others,
    seen through relabels, reshapes and transposes.
    """

    ANY = "any"
    """No constraint."""
    CONSTANT = "constant"
    """Constants."""
    CHANNEL_CONSTANT = "channel-constant"
    """Constants with one value, or with one value per channel of the data (for a Tensor: along one of its axes)."""
    CHANNEL_VALUES = "channel-values"
    """Values with one element, or with one per channel of the data, constant or not: the gates of channels."""
    SCALAR = "scalar"
    """Values of one element, constant or not."""
    TENSOR = "tensor"
    """Values with more than one element: known only at run time, as the data is, or constants of the result's size."""
    OWN = "own"
    """Results of ops of the same group, as the data is."""


@dataclass(frozen=True)
class Rule:
    """One op that a stage runs, and the conditions."""

    op: str
    """The op's full name, such as `npu.conv2d`."""
    operand_kind: OperandKind = OperandKind.ANY
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
    absorbs: "Condition | bool" = False
    """The transposes that cost no use while their data passes through the stage."""
    holds: bool = False
    """True if it keeps data until the results of the group that an op reads beside it are complete."""
    price: "Price | None" = None
    """The price of each transpose that it does in a group with other ops, in bytes that travel; None costs nothing."""
    most_bytes: int | None = None
    """The largest value of its group that an op on it reads, as the chip holds it whole; None means no limit."""

    def takes(self, size: int) -> bool:
        """True if an op on it may read a value of its group of some bytes."""
        return self.most_bytes is None or size <= self.most_bytes

    def price_of(self, moved: int) -> int:
        """The price of a transpose of some bytes."""
        return 0 if self.price is None else self.price.of_bytes(moved)

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
    matmul: tuple[MatmulRule, ...]
    """The first rule that holds counts; a product without one keeps its order."""
    preferred_layouts: Mapping[tuple[LayoutClass, int], Layout]
    """Keyed by class and number of logical axes, for features and weights of rank 3 up to the class's limit."""
    max_ranks: Mapping[LayoutClass, int]
    """Values of a higher rank keep their order."""
    most_transposed_axes: int | None = None
    """The most axes that one transpose moves, without those of one element and with neighbours joined."""
    demands: Mapping[str, tuple[DemandRule, ...]] = field(default_factory=dict[str, tuple[DemandRule, ...]])
    """Keyed by full op name; the first rule that holds counts."""
    cost: CostUnit = "bytes"
    """The cost that `layout-optimal` minimises unless an option names another one."""
    costs: "Costs | None" = None
    further_costs: "Costs | None" = None
    """The prices of a file whose `cost` is the number of transposes, or bytes: they count where an option asks."""
    stages: Mapping[str, Stage] = field(default_factory=dict[str, Stage])
    """Keyed by name, in the order of the file; empty if the target describes no data-flow."""
    root: Stage | None = None
    """The first stage of each group; None only if there are no stages."""
    free_ops: frozenset[str] = frozenset()
    """Full names of ops without cost, which join the group of their user."""
    vendor_ops: Mapping[str, DescribedOp] = field(default_factory=dict[str, DescribedOp])
    """Ops of other systems that the target describes, by name."""
    matmul_place: str = ""
    """`file:line` of the entry `matmul`."""
    forbids_escaping: bool = False
    """True if only the last op of a group may have users outside it."""
    integers_only: bool = False
    """True if the hardware computes with integers only."""
    nchwc: bool = False
    """True if a file of ONNX for it has ops on blocks of channels as those of com.microsoft.nchwc."""
    whole: frozenset[str] = frozenset()
    """Ops of ONNX that are not read as their definitions if a file of ONNX is written."""
    optimize: str = ""
    """The flags that `-O` stands for; empty if the file does not say."""
    rules: FileRules = field(default_factory=FileRules)
    """The rules of the table `file`."""

    @property
    def with_prices(self) -> "Target":
        """The target whose prices are minimised; the same if it has none."""
        if self.further_costs is None:
            return self if self.costs is None else replace(self, cost="target")
        return replace(self, cost="target", costs=self.further_costs, further_costs=None)

    def with_dearer_transposes(self, surcharge: int) -> "Target":
        """The target with a further price, in ticks, of each transpose."""
        return self if self.costs is None else replace(self, costs=replace(self.costs, surcharge=surcharge))

    @property
    def file_rules(self) -> FileRules:
        """The rules for files of ONNX, which are written with the transposes that passes count."""
        return replace(self.rules, transposed=self.most_transposed_axes)

    def max_rank(self, cls: LayoutClass) -> int:
        """The highest rank at which a value of this class may have another order."""
        return self.max_ranks[cls]

    @cached_property
    def blocks(self) -> Sequence[Layout]:
        """The layouts with blocks that the target demands or prefers."""
        demands = (demand for choice in self._choices() for demand in choice.demands.values())
        demanded = (layout for demand in demands for layout in self._layouts_of(demand))
        return [layout for layout in (*demanded, *self.preferred_layouts.values()) if layout.tiles]

    @cached_property
    def demands_whole_operands(self) -> bool:
        """True if the target demands feature maps with and without blocks of one op."""
        return any(map(self._has_whole_features, self._choices()))

    def _choices(self) -> Iterator[DemandChoice]:
        return (choice for rules in self.demands.values() for rule in rules for choice in rule.choices)

    def _layouts_of(self, demand: Demand) -> Sequence[Layout]:
        """The layouts of all classes and ranks that a demand may ask for."""
        if isinstance(demand, AxisOrder):
            return []
        if isinstance(demand, Layout):
            return [demand]
        return [layout for (cls, _), layout in self.preferred_layouts.items() if demand.cls in (None, cls)]

    def _has_whole_features(self, choice: DemandChoice) -> bool:
        layouts = (layout for demand in choice.demands.values() for layout in self._layouts_of(demand))
        kinds = {
            (layout.logical_rank(layout.rank or 0), not layout.tiles)
            for layout in layouts
            if layout.cls is LayoutClass.FEATURE
        }
        return any((rank, not is_whole) in kinds for rank, is_whole in kinds)

    def has_demand(self, op_name: str) -> bool:
        """True if the target demands anything of this op, under some condition."""
        return op_name in self.demands

    def with_rule(self, op_name: str, place: int, change: Callable[[DemandRule], DemandRule]) -> "Target":
        """The target with a change of one rule for an op."""
        if op_name not in self.demands:
            return self
        rules = tuple(change(each) if place == at else each for at, each in enumerate(self.demands[op_name]))
        rest = {op: entries for op, entries in self.demands.items() if op != op_name}
        is_needed = not all(each.demands_nothing for each in rules)
        return replace(self, demands=rest | {op_name: rules} if is_needed else rest)

    def demand(self, wanted: Demand | None, layout: Layout) -> Layout | None:
        """The layout that a demand requires of a value with this layout, or None if it does not apply.

        Only features and weights are subject to demands, and a demand never changes a class.
        """
        if wanted is None or isinstance(wanted, AxisOrder) or not layout.cls.is_cnn or layout.rank is None:
            return None
        rank = layout.logical_rank(layout.rank)
        demanded = wanted if isinstance(wanted, Layout) else self.preferred(wanted.cls or layout.cls, rank)
        if demanded is None or demanded.rank is None or demanded.cls is not layout.cls:
            return None
        return demanded if demanded.logical_rank(demanded.rank) == rank else None

    def preferred(self, cls: LayoutClass, rank: int) -> Layout | None:
        """The preferred layout of values of this class with this number of logical axes."""
        return self.preferred_layouts.get((cls, rank))

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

    @cached_property
    def absorbing_stages(self) -> tuple[Stage, ...]:
        """The stages that absorb transposes, in the order of the file."""
        return tuple(stage for stage in self.stages.values() if stage.absorbs is not False)

    @cached_property
    def has_own_rules(self) -> bool:
        """True if some stage has a rule for ops on results of their group alone."""
        rules = (rule for stage in self.stages.values() for rule in stage.rules)
        return any(rule.operand_kind is OperandKind.OWN for rule in rules)

    @cached_property
    def has_priced_stages(self) -> bool:
        """True if some stage has a price for the transposes that it does."""
        return any(stage.price is not None for stage in self.stages.values())
