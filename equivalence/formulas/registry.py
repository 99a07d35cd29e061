"""The table of formulas: for an op, a block whose arguments are its operands, and whose last op has its result."""

from collections.abc import Callable
from typing import Any, TypeAlias

from numpy.typing import NDArray

from ...dialects.op_table import OpClass
from .steps import Steps

Known: TypeAlias = Callable[[int], NDArray[Any] | None]
"""The elements of an operand, if it is a constant that is written out."""
Formula: TypeAlias = Callable[[Any, Steps], object]
"""Adds the steps for an op. Without steps, the op has no formula."""

FORMULAS: dict[OpClass, Formula] = {}
FOREIGN: dict[str, Formula] = {}
"""Formulas of ops of other systems, by name."""


def formula(*ops: OpClass) -> Callable[[Formula], Formula]:
    """Register the formula of ops."""

    def enter(function: Formula) -> Formula:
        FORMULAS.update(dict.fromkeys(ops, function))
        return function

    return enter


def foreign_formula(*names: str) -> Callable[[Formula], Formula]:
    """Register the formula of ops of other systems."""

    def enter(function: Formula) -> Formula:
        FOREIGN.update(dict.fromkeys(names, function))
        return function

    return enter
