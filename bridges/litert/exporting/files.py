"""Writing of a model: its tables first, large weights behind them, copied from file to file."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from ...files import replaced
from .data import LiteData
from .model import LiteModel

IDENTIFIER = b"TFL3"
INLINE_LIMIT = 1 << 30
"""Weights up to this total size in bytes are stored in the tables, which cannot be larger than 2 GiB."""
SMALL = 1 << 10
"""Constants up to this size in bytes are stored in the tables in any case, such as shapes that kernels read early."""
ALIGNMENT = 64
"""Weights behind the tables begin at multiples of this."""


def write_model(model: LiteModel, path: Path) -> None:
    """Write a model, whole or not at all."""
    total = sum(data.size for data in model.weights.values())
    with replaced(path) as file:
        if total <= INLINE_LIMIT:
            file.write(packed(model))
            return
        for chunk in with_weights_behind(model):
            file.write(chunk)


def packed(model: LiteModel) -> bytes:
    """The bytes of a model, with all weights in its tables."""
    return _packed(model, model.weights)


def with_weights_behind(model: LiteModel) -> Iterator[bytes]:
    """The bytes of a model whose large weights are behind the tables, copied in chunks."""
    behind = {number: data for number, data in model.weights.items() if data.size > SMALL}
    small = {number: data for number, data in model.weights.items() if number not in behind}
    # The tables have the same size whatever the places, as these are numbers of eight bytes.
    place = _aligned(len(_with_places(model, small, dict.fromkeys(behind, ALIGNMENT))))
    places: dict[int, int] = {}
    for number, data in behind.items():
        places[number] = place
        place = _aligned(place + data.size)
    tables = _with_places(model, small, places)
    yield tables
    written = len(tables)
    for number, data in behind.items():
        yield bytes(places[number] - written)
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
    builder.Finish(model.proto.Pack(builder), IDENTIFIER)
    return bytes(builder.Output())
