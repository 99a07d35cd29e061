"""Attribution of the transposes that a strategy leaves to its rules, by their reasons."""

import re
from collections import Counter

from npu_opt.dialects.npu.views import places_of
from npu_opt.passes.common.moves.transpose_cost import counted_transposes
from xdsl.dialects.builtin import LocationAttr, ModuleOp, NameLoc

STAYS = "stays"
DEMAND = "demand"
RULES: dict[str, tuple[str, str]] = {
    "wrapped": (r"wrapped alone", "each op is wrapped separately, and an op between two of them cannot join"),
    "points": (r"strategy=record", "data is converted at its producer and at its users, needed there or not"),
    "closed": (
        r"produces a Tensor that keeps its layout",
        "a region of class Tensor does not join the feature maps that it reads",
    ),
    "as-was": (
        r"in the program",
        "an op whose result is of class Tensor reads its feature map in the layout of the network",
    ),
    "region": (r"shares a region", "a region has one layout, also for those of its ops without a layout requirement"),
    "operands": (
        r"reads all of its operands in one layout",
        "operands of different layouts are converted at their user",
    ),
    DEMAND: (
        r"demands|keeps|takes",
        "an operand is converted to the layout that its op requires, right in front of the op",
    ),
    "other": (r"", "a foreign op, or one with a single form"),
}
"""For each rule a pattern of its reasons, and its description; the first match counts."""
STAYS_TEXT = "a transpose of the network keeps its operand and result, wherever else it could be"


def rules(placed: ModuleOp) -> dict[str, int]:
    """The number of transposes of a program that each rule causes; those of the network itself have no reason."""
    return dict(Counter(_rule(_reasons(op.location)) for op in counted_transposes(placed)))


def _reasons(location: LocationAttr) -> list[str]:
    names = (place.desc.data for place in places_of(location) if isinstance(place, NameLoc))
    return [name for name in names if re.match(r"layout-[a-z-]+: ", name)]


def _rule(reasons: list[str]) -> str:
    if not reasons:
        return STAYS
    return next(name for name, (pattern, _) in RULES.items() if any(re.search(pattern, reason) for reason in reasons))
