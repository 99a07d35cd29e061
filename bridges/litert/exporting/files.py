"""Writing of a model: its tables first, large weights behind them, copied from file to file."""

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from ...files import replaced
from ..errors import NotExportable
from .model import LiteModel

IDENTIFIER = b"TFL3"
INLINE_LIMIT = 1 << 30
"""Weights up to this total size in bytes are stored in the tables, which cannot be larger than 2 GiB."""


def write_model(model: LiteModel, path: Path) -> None:
    """Write a model, whole or not at all."""
    total = sum(data.size for data in model.weights.values())
    if total > INLINE_LIMIT:
        raise NotExportable(f"the weights have {total} bytes, more than {INLINE_LIMIT}")
    with replaced(path) as file:
        file.write(packed(model))


def packed(model: LiteModel) -> bytes:
    """The bytes of a model."""
    flatbuffers: Any = import_module("flatbuffers")
    for number, data in model.weights.items():
        model.proto.buffers[number].data = np.frombuffer(b"".join(data.chunks()), np.uint8)
    builder = flatbuffers.Builder(1 << 20)
    builder.Finish(model.proto.Pack(builder), IDENTIFIER)
    return bytes(builder.Output())
