"""Hardware as data: a target is a TOML file; docs/reference/targets.md describes every key."""

from .axis_places import IMAGE, INCREASING, LAST, NEXT_TO_LAST, OTHER, AxisPlace
from .errors import TargetError
from .loader import available, load
from .model import (
    AxisOrder,
    CostUnit,
    Demand,
    DemandChoice,
    DemandRule,
    MatmulRule,
    OperandKind,
    PreferredOrder,
    Rule,
    Stage,
    Target,
)
from .vendor_ops import DescribedOp, Likeness
from .vocabulary import name_of, operand_names, result_names

__all__ = [
    "IMAGE",
    "INCREASING",
    "LAST",
    "NEXT_TO_LAST",
    "OTHER",
    "AxisOrder",
    "AxisPlace",
    "CostUnit",
    "Demand",
    "DemandChoice",
    "DemandRule",
    "DescribedOp",
    "Likeness",
    "MatmulRule",
    "OperandKind",
    "PreferredOrder",
    "Rule",
    "Stage",
    "Target",
    "TargetError",
    "available",
    "load",
    "name_of",
    "operand_names",
    "result_names",
]
