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


@cache
def options_class(number: int) -> Any:
    """The class of the options with this number in the format; None if there is none."""
    name = _names(schema().BuiltinOptions).get(number)
    return None if name is None else getattr(schema(), f"{name}T", None)


@cache
def kinds() -> dict[int, str]:
    """The kinds of builtin ops by their number in the format."""
    return _names(schema().BuiltinOperator)


def element_name(number: int) -> str:
    """The name of an element type of the format."""
    return _names(schema().TensorType).get(number, str(number))


def _names(enumeration: Any) -> dict[int, str]:
    """The names of the numbers of an enumeration."""
    entries: dict[str, Any] = enumeration.__dict__
    return {number: name for name, number in entries.items() if not name.startswith("_")}


def packed(made: Any) -> bytes:
    """An object of the format as a flatbuffer of its own."""
    flatbuffers: Any = import_module("flatbuffers")
    builder = flatbuffers.Builder(64)
    builder.Finish(made.Pack(builder))
    return bytes(builder.Output())
