"""The plan of a result: the layout of each value, as a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..passes.layout_optimal import LayoutOptimal
from ..tools.driver.output import write_file
from ..tools.driver.plan_text import plan_text
from .errors import NpuOptError, raised_as_own
from .inputs import StrPath

if TYPE_CHECKING:
    from .results import Result


def save_plan(result: Result, path: StrPath) -> None:
    """Write the plan of the first run of `layout-optimal`, whole or not at all."""
    name = result.program.name
    with raised_as_own(name):
        texts = (plan_text(each, module, name) for each, module in result.choices if isinstance(each, LayoutOptimal))
        text = next(texts, None)
    if text is None:
        raise NpuOptError("argument result: expected the result of layout-optimal, found one of other passes only")
    try:
        write_file(str(path), text)
    except OSError as error:
        raise NpuOptError(f"cannot write '{path}': {error.strerror}") from error
