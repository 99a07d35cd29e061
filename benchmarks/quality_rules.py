"""Which rule of a strategy is behind each transpose that it leaves, by the reason that it gives."""

import re
from collections import Counter

from npu_opt.dialects.npu.views import places_of
from npu_opt.passes.common.transpose_cost import counted_transposes
from xdsl.dialects.builtin import LocationAttr, ModuleOp, NameLoc

STAYS = "stays"
DEMAND = "demand"
RULES: dict[str, tuple[str, str]] = {
    "wrapped": (r"wrapped alone", "each op is wrapped alone, and what stands between two of them cannot join"),
    "points": (r"strategy=record", "data is converted where it comes from or goes to, needed there or not"),
    "closed": (
        r"produces a Tensor that keeps its order",
        "a region of tensors does not join the features that it reads",
    ),
    "as-was": (r"in the program", "what gives a tensor reads its feature in the order of the network"),
    "region": (r"shares a region", "a region has one order, also for those of its ops on which no demand lies"),
    "operands": (r"reads all of its operands in one order", "operands that disagree are converted where they meet"),
    DEMAND: (r"demands|keeps|takes", "an op demands its order and gets it right there"),
    "other": (r"", "an op of which nothing is known, or that can be written in one way only"),
}
"""For each rule what its reasons say, and what the rule is; the first one that fits counts."""
STAYS_TEXT = "a transpose of the network keeps what it reads and gives, wherever else it could stand"


def rules(placed: ModuleOp) -> dict[str, int]:
    """How many of the transposes of a program each rule is behind; those of the network itself have no reason."""
    return dict(Counter(_rule(_reasons(op.location)) for op in counted_transposes(placed)))


def _reasons(location: LocationAttr) -> list[str]:
    names = (place.desc.data for place in places_of(location) if isinstance(place, NameLoc))
    return [name for name in names if re.match(r"layout-[a-z-]+: ", name)]


def _rule(reasons: list[str]) -> str:
    if not reasons:
        return STAYS
    return next(name for name, (pattern, _) in RULES.items() if any(re.search(pattern, reason) for reason in reasons))
