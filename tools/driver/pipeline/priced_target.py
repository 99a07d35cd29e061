"""The targets that a run places for and whose costs it counts, and the sizes that it assumes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from xdsl.passes import ModulePass

from ....passes import PASS_TABLE

if TYPE_CHECKING:
    from ....targets import Target


def assumed_size(passes: Sequence[ModulePass]) -> int:
    """The size that unknown dimensions count as: that of the last pass that says one."""
    # Imported late: --help does not load the dialects.
    from ....dialects.settings.assumed_sizes import ASSUMED_SIZE

    sizes = [size for each in passes if isinstance(size := getattr(each, "assume", None), int)]
    return sizes[-1] if sizes else ASSUMED_SIZE


def placed_targets(passes: Iterable[ModulePass]) -> set[str]:
    """The names of the targets that passes give a program its layouts for."""
    # Imported late: many runs have no passes.
    from ....passes.placement.layout_pass import LayoutPass

    named = (getattr(each, "target", None) for each in passes if isinstance(each, LayoutPass))
    return {name for name in named if isinstance(name, str)}


def priced_target(passes: Iterable[ModulePass], hardware: str | None) -> Target | None:
    """The target with costs that the last pass has, or an earlier one, or `--target`; None without such a target."""
    named = [getattr(each, "target", None) for each in passes if each.name in PASS_TABLE]
    names = [name for name in (hardware, *named) if isinstance(name, str)]
    if not names:
        return None
    # Imported late: many runs have no target.
    from ....targets import load

    found = (load(name) for name in dict.fromkeys(reversed(names)))
    return next((target for target in found if target.costs is not None), None)
