"""What a target says about its hardware. Passes ask these classes and know no target by name."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from ..layout import Layout, LayoutClass


class Matmul(StrEnum):
    """How much of a re-ordering a matrix multiplication absorbs."""

    RIGID = "rigid"
    """None: its operands and its result stay as they are."""
    BATCH = "batch"
    """Its batch axes may stand in any order."""
    FREE = "free"
    """Batch axes, transposed operands and swapped operands: whatever is the same product."""


class Role(StrEnum):
    """A demand that names no order: the order is the target's preferred one, at the rank of the value."""

    FEATURE = "feature"
    """The preferred order of features, required of features only."""
    WEIGHT = "weight"
    """The preferred order of weights, required of weights only."""
    PREFERRED = "preferred"
    """The preferred order of the value's own class."""


class Form(StrEnum):
    """What the other operands of an op must be for a stage to run it.

    One operand carries the data: the first or, if the op is commutative, any of them. The form speaks of all others,
    seen through relabels, reshapes and transposes.
    """

    ANY = "any"
    """Whatever they are."""
    CONSTANT = "constant"
    """Constants."""
    CHANNEL_CONSTANT = "channel-constant"
    """Constants with one value, or with one value per channel of the data (for a Tensor: along one of its axes)."""
    SCALAR = "scalar"
    """Values of one element, constant or not."""
    TENSOR = "tensor"
    """Values that exist only at run time and have more than one element; so does the data."""


@dataclass(frozen=True)
class Rule:
    """One op that a stage runs, and when."""

    op: str
    """The op's full name, such as `npu.conv2d`."""
    form: Form = Form.ANY
    before: str | None = None
    """A stage that names the op which is the only user of this one's result."""


@dataclass(frozen=True)
class Stage:
    """One unit of the hardware's data-flow."""

    name: str
    rules: tuple[Rule, ...]
    successors: tuple[str, ...]
    """The stages that data can go to from here, in the order in which the file has the edges."""
    uses: int | None = None
    """How many ops of one group may run on it; None is any number."""

    def rules_for(self, op_name: str) -> tuple[Rule, ...]:
        """The ways in which this stage runs an op: any of them is enough."""
        return tuple(rule for rule in self.rules if rule.op == op_name)


@dataclass(frozen=True)
class Target:
    """A piece of hardware: the orders it wants and the data-flow it offers."""

    name: str
    description: str
    matmul: Matmul
    preferred_layouts: Mapping[tuple[LayoutClass, int], Layout]
    """By class and rank, for features and weights of rank 3 up to the class's limit."""
    max_ranks: Mapping[LayoutClass, int]
    """Values of a higher rank are never re-ordered."""
    demands: Mapping[str, Mapping[str, Role | Layout]] = field(default_factory=dict[str, Mapping[str, Role | Layout]])
    """By full op name, then by the name that the op's definition gives the operand or result."""
    stages: Mapping[str, Stage] = field(default_factory=dict[str, Stage])
    """By name, in the order of the file; empty if the target describes no data-flow."""
    root: Stage | None = None
    """Where a new group starts; None only if there are no stages."""
    free_ops: frozenset[str] = frozenset()
    """Full names of ops that cost nothing and join the group that uses them."""
    forbids_escaping: bool = False
    """Whether only the last op of a group may have users outside it."""

    def max_rank(self, cls: LayoutClass) -> int:
        """The highest rank at which a value of this class may be re-ordered."""
        return self.max_ranks[cls]

    def has_demand(self, op_name: str) -> bool:
        """Whether the target demands anything of this op's operands or results."""
        return op_name in self.demands

    def demand(self, op_name: str, value_name: str, layout: Layout) -> Layout | None:
        """The layout that a value must have as this operand or result of the op, or None if any will do.

        Only features and weights are subject to demands, and a demand never changes a class.
        """
        if not layout.cls.is_cnn or layout.rank is None:
            return None
        match wanted := self.demands.get(op_name, {}).get(value_name):
            case None:
                return None
            case Role.FEATURE:
                demanded = self.preferred_layouts.get((LayoutClass.FEATURE, layout.rank))
            case Role.WEIGHT:
                demanded = self.preferred_layouts.get((LayoutClass.WEIGHT, layout.rank))
            case Role.PREFERRED:
                demanded = self.preferred_layouts.get((layout.cls, layout.rank))
            case _:
                demanded = wanted
        fits = demanded is not None and demanded.cls is layout.cls and demanded.rank == layout.rank
        return demanded if fits else None

    def stage(self, name: str) -> Stage:
        return self.stages[name]

    def successors(self, stage: Stage) -> Iterator[Stage]:
        """Where data can go from a stage, in the order in which ties are broken."""
        return (self.stages[name] for name in stage.successors)

    def stages_running(self, op_name: str) -> tuple[Stage, ...]:
        """The stages that run an op in some form, in the order of the file."""
        return tuple(stage for stage in self.stages.values() if stage.rules_for(op_name))

    def is_free(self, op_name: str) -> bool:
        return op_name in self.free_ops
