"""The plan of a result: the layout of each value, as a file."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp

from ..passes.layout_optimal import LayoutOptimal
from ..passes.placement.layout_pass import LayoutPass
from ..tools.driver.console.output import write_file
from ..tools.driver.pipeline.plan_text import plan_text
from .errors import NpuOptError, raised_as_own
from .paths import StrPath


def save_plan(name: str, choices: Sequence[tuple[LayoutPass, ModuleOp]], path: StrPath) -> None:
    """Write the plan of the first run of `layout-optimal` among the passes that ran, whole or not at all."""
    with raised_as_own(name):
        texts = (plan_text(each, module, name) for each, module in choices if isinstance(each, LayoutOptimal))
        text = next(texts, None)
    if text is None:
        raise NpuOptError("argument result: expected the result of layout-optimal, found one of other passes only")
    try:
        write_file(str(path), text)
    except OSError as error:
        raise NpuOptError(f"cannot write '{path}': {error.strerror}") from error
