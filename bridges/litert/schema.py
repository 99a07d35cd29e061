"""The object API of LiteRT's file format, which comes with the package ai-edge-litert."""

from functools import cache
from importlib import import_module
from typing import Any

from ..extra import require

OTHER_OPTIONS = {
    **dict.fromkeys(("AVERAGE_POOL_2D", "MAX_POOL_2D"), "Pool2D"),
    **dict.fromkeys(("MAXIMUM", "MINIMUM"), "MaximumMinimum"),
    **dict.fromkeys(("MEAN", "REDUCE_MAX", "REDUCE_MIN", "REDUCE_PROD", "SUM"), "Reducer"),
    "BATCH_MATMUL": "BatchMatMul",
    "PADV2": "PadV2",
    "TOPK_V2": "TopKV2",
}
"""The tables of options that have not the names of their ops."""


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
def options_of(kind: str) -> str | None:
    """The name of the table of options of a kind of ops, without its ending; None if there is none."""
    name = OTHER_OPTIONS.get(kind) or "".join(word.title() for word in kind.split("_"))
    return name if hasattr(schema(), f"{name}OptionsT") else None


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
