"""The output formats of this package: those that other xDSL tools load too, and one that only this driver has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ....universe import NPU_UNIVERSE

if TYPE_CHECKING:
    from xdsl.utils.target import Target


def _model_explorer() -> type[Target]:
    from ...report.model_explorer import ModelExplorerTarget

    return ModelExplorerTarget


OWN_FORMATS: Mapping[str, Callable[[], type[Target]]] = {
    **NPU_UNIVERSE.all_targets,
    "model-explorer": _model_explorer,
}
