"""The object API of LiteRT's file format, which comes with the package ai-edge-litert."""

from functools import cache
from importlib import import_module
from typing import Any

from ..extra import require


@cache
def schema() -> Any:
    """The module with a class for each table of the format. It carries no types."""
    require("litert")
    return import_module("ai_edge_litert.schema_py_generated")
