"""The target whose costs a run counts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from xdsl.passes import ModulePass

from ...passes import PASS_TABLE

if TYPE_CHECKING:
    from ...targets import Target


def priced_target(passes: Iterable[ModulePass], hardware: str | None) -> Target | None:
    """The target with costs that the last pass has, or an earlier one, or `--target`; None without such a target."""
    named = [getattr(each, "target", None) for each in passes if each.name in PASS_TABLE]
    names = [name for name in (hardware, *named) if isinstance(name, str)]
    if not names:
        return None
    # Imported late: many runs have no target.
    from ...targets import load

    found = (load(name) for name in dict.fromkeys(reversed(names)))
    return next((target for target in found if target.costs is not None), None)
