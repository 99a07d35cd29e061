"""npu-opt: layouts, few transposes and fusion for neural processing units, on xDSL.

docs/python.md describes the functions. The names below are imported when they are used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .version import __version__

if TYPE_CHECKING:
    from . import targets
    from .api.assigning import assign
    from .api.checking import Verdict, check
    from .api.errors import NpuOptError
    from .api.explaining import explain
    from .api.inputs import load
    from .api.optimizing import optimize
    from .api.results import InsertedTranspose, Result
    from .tools.assign.assignment import Assignment
    from .tools.driver.formats.program import Program

__all__ = [
    "Assignment",
    "InsertedTranspose",
    "NpuOptError",
    "Program",
    "Result",
    "Verdict",
    "__version__",
    "assign",
    "check",
    "explain",
    "load",
    "optimize",
    "targets",
]

_HOMES = {
    "Assignment": "tools.assign.assignment",
    "InsertedTranspose": "api.results",
    "NpuOptError": "api.errors",
    "Program": "tools.driver.formats.program",
    "Result": "api.results",
    "Verdict": "api.checking",
    "assign": "api.assigning",
    "check": "api.checking",
    "explain": "api.explaining",
    "load": "api.inputs",
    "optimize": "api.optimizing",
}
"""The module that defines each name."""


if not TYPE_CHECKING:
    # Not for type checkers, which report the names that do not exist.
    def __getattr__(name):
        from importlib import import_module

        if name == "targets":
            return import_module(f"{__name__}.{name}")
        if name not in _HOMES:
            raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
        found = globals()[name] = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
        return found


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
