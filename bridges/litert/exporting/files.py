"""Writing of a model: its tables first, large weights behind them, copied from file to file."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from struct import error as StructError
from struct import pack_into
from typing import Any

import numpy as np

from ...files import replaced
from ..data import LiteData
from ..errors import NotExportable
from ..schema import schema
from .model import LiteModel

IDENTIFIER = b"TFL3"
INLINE_LIMIT = 1 << 30
"""Weights up to this total size in bytes are vectors of the tables, which cannot be larger than 2 GiB."""
SMALL = 1 << 10
"""Constants up to this size in bytes are stored in the tables in any case, such as shapes that kernels read early."""
ALIGNMENT = 64
"""Weights behind the tables begin at multiples of this."""
LENGTH = 4
"""The bytes of the length before a vector, and of a reference."""
DATA_FIELD = 4
"""The field `data` of a buffer, as its table counts fields."""


def write_model(model: LiteModel, path: Path) -> None:
    """Write a model, whole or not at all."""
    total = sum(data.size for data in model.weights.values())
    with replaced(path) as file:
        for chunk in with_weights_inside(model) if total <= INLINE_LIMIT else with_weights_behind(model):
            file.write(chunk)


def packed(model: LiteModel) -> bytes:
    """The bytes of a model, with all weights in its tables."""
    return b"".join(with_weights_inside(model))


def with_weights_inside(model: LiteModel) -> Iterator[bytes]:
    """The bytes of a model in the usual file format. Large weights are its last vectors, copied in chunks."""
    small, large = _by_size(model)
    for number in large:
        model.proto.buffers[number].data = np.zeros(1, np.uint8)
    tables = bytearray(_packed(model, small))
    places = _places(large, len(tables) + LENGTH, LENGTH)
    for number, place in places.items():
        _refer(tables, number, place - LENGTH)
    yield bytes(tables)
    yield from _copied(large, places, len(tables), LENGTH)


def _refer(tables: bytearray, number: int, vector: int) -> None:
    """Let a buffer have the vector at this place. References count from their own place."""
    table: Any = schema().Model.GetRootAs(tables, 0).Buffers(number)._tab
    field = table.Pos + table.Offset(DATA_FIELD)
    pack_into("<I", tables, field, vector - field)


def with_weights_behind(model: LiteModel) -> Iterator[bytes]:
    """The bytes of a model whose large weights are behind the tables, copied in chunks."""
    small, behind = _by_size(model)
    # The tables have the same size whatever the places, as these are numbers of eight bytes.
    size = len(_with_places(model, small, dict.fromkeys(behind, ALIGNMENT)))
    places = _places(behind, size)
    yield _with_places(model, small, places)
    yield from _copied(behind, places, size)


def _by_size(model: LiteModel) -> tuple[dict[int, LiteData], dict[int, LiteData]]:
    """The small and the large weights."""
    large = {number: data for number, data in model.weights.items() if data.size > SMALL}
    return {number: data for number, data in model.weights.items() if number not in large}, large


def _places(weights: Mapping[int, LiteData], start: int, between: int = 0) -> dict[int, int]:
    """The places of weights that follow each other, with so many bytes at least between them."""
    places: dict[int, int] = {}
    for number, data in weights.items():
        places[number] = _aligned(start)
        start = places[number] + data.size + between
    return places


def _copied(
    weights: Mapping[int, LiteData], places: Mapping[int, int], written: int, length: int = 0
) -> Iterator[bytes]:
    """The weights, each behind its length in so many bytes."""
    for number, data in weights.items():
        yield bytes(places[number] - length - written)
        yield data.size.to_bytes(length, "little") if length else b""
        yield from data.chunks()
        written = places[number] + data.size


def _aligned(size: int) -> int:
    return -(-size // ALIGNMENT) * ALIGNMENT


def _with_places(model: LiteModel, small: Mapping[int, LiteData], places: Mapping[int, int]) -> bytes:
    """The tables of a model with the places of weights behind them."""
    for number, place in places.items():
        buffer = model.proto.buffers[number]
        buffer.offset, buffer.size = place, model.weights[number].size
    return _packed(model, small)


def _packed(model: LiteModel, weights: Mapping[int, LiteData]) -> bytes:
    flatbuffers: Any = import_module("flatbuffers")
    for number, data in weights.items():
        model.proto.buffers[number].data = np.frombuffer(b"".join(data.chunks()), np.uint8)
    builder = flatbuffers.Builder(1 << 20)
    try:
        builder.Finish(model.proto.Pack(builder), IDENTIFIER)
    except (OverflowError, TypeError, StructError) as error:
        raise NotExportable(f"a field of the file cannot have the number that the program says: {error}") from error
    return bytes(builder.Output())
