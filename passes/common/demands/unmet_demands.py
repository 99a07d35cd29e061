"""Demands of a target that no form of an op meets, as those that contradict each other."""

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ..words.reasons import Names
from .target_layouts import TargetLayouts


def unmet_demands(module: ModuleOp, target_layouts: TargetLayouts, names: Names) -> Iterator[str]:
    """The ops that stay as they are because of such demands, one text for each entry of the target.

    A pass has asked for the demands of all ops.
    """
    if target_layouts.are_all_met:
        return
    found: dict[str, list[Operation]] = {}
    for op in module.walk():
        if (wanted := target_layouts.unmet(op)) is not None:
            found.setdefault(wanted, []).append(op)
    yield from (f"{_stays(ops, names)}: no form of it meets {wanted}" for wanted, ops in found.items())


def _stays(ops: Sequence[Operation], names: Names) -> str:
    first, others = names.of(ops[0]), len(ops) - 1
    return f"{first} and {others} more stay as they are" if others else f"{first} stays as it is"
