"""MLIR's bindings, from whichever package provides them.

The bindings are untyped: everything in them is `Any`, under aliases that name the actual type.
"""

from importlib import import_module
from typing import Any, TypeAlias

from ..extra import require

_PACKAGE = require("mlir")


def _module(name: str) -> Any:
    return import_module(f"{_PACKAGE}.{name}")


ir = _module("ir")
passmanager = _module("passmanager")
execution_engine = _module("execution_engine")
arith = _module("dialects.arith")
func = _module("dialects.func")
linalg = _module("dialects.linalg")
math = _module("dialects.math")
tensor = _module("dialects.tensor")
tosa = _module("dialects.tosa")

Module: TypeAlias = Any
Operation: TypeAlias = Any
Value: TypeAlias = Any
Type: TypeAlias = Any
Attribute: TypeAlias = Any
AffineExpr: TypeAlias = Any

__all__ = [
    "AffineExpr",
    "Attribute",
    "Module",
    "Operation",
    "Type",
    "Value",
    "arith",
    "execution_engine",
    "func",
    "ir",
    "linalg",
    "math",
    "passmanager",
    "tensor",
    "tosa",
]
