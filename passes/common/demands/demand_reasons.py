"""The demands, prices and freedoms of a target as reasons, in words."""

from xdsl.ir import Operation

from ....dialects.npu.axes import MatmulFreedom
from ....dialects.npu.base import NpuOp
from ....layout import Layout, permute
from ....targets import name_of
from ..moves.transpose_cost import units_text
from ..words.reasons import Reason
from .target_layouts import TargetLayouts
from .target_rules import OpDemands, named_values


def demands_reason(targets: TargetLayouts, op: Operation, demands: OpDemands, operand: int | None = None) -> Reason:
    """The demand on an operand in words, or the first demand on the op."""
    return demand_reason(targets, op, *named_demand(op, demands, operand))


def demand_reason(targets: TargetLayouts, op: Operation, name: str, layout: Layout) -> Reason:
    return Reason(op, f"demands {demanded_text(op, name, layout)} of {name} ({targets.rules.place(op, name)})")


def demanded_text(op: Operation, name: str, layout: Layout) -> str:
    """A demanded layout in words: the letters that the op has for the axes, if it has some."""
    named = op.letters(name) if isinstance(op, NpuOp) else ""
    return "".join(permute(named, layout.order_for(len(named)))) if named else str(layout)


def choices_reason(targets: TargetLayouts, op: Operation, demands: OpDemands, operand: int | None = None) -> Reason:
    """The reason of a demand with all layouts that the target accepts there, and their prices."""
    wanted, _ = named_demand(op, demands, operand)
    prices: dict[Layout, int] = {}
    for alternative in targets.rules.alternatives(op):
        both = zip(named_values(op), (*alternative.demands.operands, *alternative.demands.results), strict=True)
        for layout in (layout for (name, _), layout in both if name == wanted and layout is not None):
            prices[layout] = min(alternative.price, prices.get(layout, alternative.price))
    unit = "" if targets.target.costs is None else f" {targets.target.costs.unit}"
    texts = {demanded_text(op, wanted, layout): price for layout, price in prices.items()}
    layouts = (f"{text} ({units_text(price)}{unit})" if price else text for text, price in texts.items())
    return Reason(op, f"demands {' or '.join(layouts)} of {wanted} ({targets.rules.place(op, wanted)})")


def axis_reason(targets: TargetLayouts, op: Operation) -> Reason | None:
    """The demand on the axes that an op names, in words."""
    for name, place in targets.rules.axis_places(op).items():
        where = f"at position {place}" if isinstance(place, int) else place
        return Reason(op, f"demands its {name} {where} ({targets.rules.place(op, name)})")
    return None


def price_reason(targets: TargetLayouts, op: Operation) -> Reason | None:
    """The price of the places of named axes, or of operands that are read transposed, in words."""
    costs = targets.target.costs
    if costs is None or not isinstance(op, NpuOp):
        return None
    for name in costs.axes.get(name_of(op), {}):
        last, other = targets.prices.at_places(op, name)
        if last != other:
            where = "last" if last < other else "elsewhere than last"
            return Reason(op, f"costs less with its {name} {where} ({costs.place(name_of(op))})")
    if op.IS_PRODUCT and costs.has_products:
        what = "not transposed or swapped" if costs.products else "not transposed"
        return Reason(op, f"costs less with operands that are {what} ({costs.place('matmul')})")
    return None


def matmul_reason(targets: TargetLayouts, op: Operation) -> Reason | None:
    """The entry of the target that keeps the operands of a product of matrices in their order, in words."""
    if not isinstance(op, NpuOp) or not op.IS_PRODUCT or (freedom := targets.rules.matmul(op)) == MatmulFreedom.FREE:
        return None
    return Reason(op, f"requires untransposed operands: matmul = {freedom.text} ({targets.target.matmul_place})")


def named_demand(op: Operation, demands: OpDemands, operand: int | None = None) -> tuple[str, Layout]:
    """The name of an operand and the layout demanded of it; without a demand on it, the first demand on the op."""
    named = [*zip((name for name, _ in named_values(op)), (*demands.operands, *demands.results), strict=True)]
    first = [] if operand is None else [named[operand]]
    return next((name, layout) for name, layout in (*first, *named) if layout is not None)
