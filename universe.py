"""The parts of this package that other xDSL tools can load (entry point `xdsl.universe`)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from xdsl.ir import Dialect
from xdsl.universe import Universe

from .passes import get_all_passes

if TYPE_CHECKING:
    from xdsl.utils.target import Target


def _get_npu() -> Dialect:
    # Imported late: tools that never use an npu op must not pay for the dialect.
    from .dialects.npu import NPU

    return NPU


def _get_loops() -> Dialect:
    # Imported late: most programs have no op of another dialect.
    from .dialects.loops import LOOPS

    return LOOPS


def _get_tfl() -> Dialect:
    from .bridges.litert.dialect import TFL

    return TFL


def _get_mermaid() -> type[Target]:
    from .text.mermaid import MermaidTarget

    return MermaidTarget


def _get_dot() -> type[Target]:
    from .text.dot import DotTarget

    return DotTarget


def _get_svg() -> type[Target]:
    from .text.dot import SvgTarget

    return SvgTarget


def _get_onnx() -> type[Target]:
    from .bridges.onnx.target import OnnxTarget

    return OnnxTarget


def _get_litert() -> type[Target]:
    from .bridges.litert.target import LiteRtTarget

    return LiteRtTarget


def _get_tfl_mlir() -> type[Target]:
    from .bridges.litert.target import LiteDialectTarget

    return LiteDialectTarget


def _get_torch() -> type[Target]:
    from .bridges.torch.target import TorchTarget

    return TorchTarget


def _get_tosa() -> type[Target]:
    from .bridges.mlir.target import TosaTarget

    return TosaTarget


NPU_UNIVERSE = Universe(
    all_dialects={"loops": _get_loops, "npu": _get_npu, "tfl": _get_tfl},
    all_passes=get_all_passes(),
    all_targets={
        "dot": _get_dot,
        "litert": _get_litert,
        "mermaid": _get_mermaid,
        "onnx": _get_onnx,
        "svg": _get_svg,
        "tfl-mlir": _get_tfl_mlir,
        "torch": _get_torch,
        "tosa": _get_tosa,
    },
)


@cache
def _universes() -> Sequence[Universe]:
    """The universes of all installed packages. Finding them is slow, so it is done once."""
    return [each.load() for each in sorted(entry_points(group="xdsl.universe"), key=lambda each: each.name)]


def installed() -> Universe:
    """The dialects, passes and targets of all installed packages, also those that were added since the first call."""
    each = _universes()
    found = Universe(
        all_dialects={name: load for one in each for name, load in one.all_dialects.items()},
        all_passes={name: load for one in each for name, load in one.all_passes.items()},
        all_targets={name: load for one in each for name, load in one.all_targets.items()},
    )
    if _entries(found) < sum(map(_entries, each)):
        Universe.get_multiverse()  # It raises an error that states which names clash.
    return found


def _entries(universe: Universe) -> int:
    return len(universe.all_dialects) + len(universe.all_passes) + len(universe.all_targets)
