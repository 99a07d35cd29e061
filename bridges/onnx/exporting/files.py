"""Writing a model: whole or not at all, and large weights into a file beside it."""

import os
import tempfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from onnx import ModelProto, TensorProto

from ..errors import NotExportable
from .model import Model

INLINE_LIMIT = 256 << 20
"""Up to how many bytes of weights a model holds by itself. ONNX files cannot be larger than 2 GiB."""
SMALL = 1 << 10
"""Weights of fewer bytes stay in the model: runtimes read shapes and axes from there."""
ALIGNMENT = 1 << 12
"""Weights begin at multiples of this, so that they can be mapped."""
LARGEST = (1 << 31) - 1


def write_model(model: Model, path: Path, inline_limit: int = INLINE_LIMIT) -> None:
    """Write a model, and if its weights are larger than the limit, `<path>.data` for them."""
    total = sum(weights.size for weights in model.weights.values())
    proto = ModelProto()
    proto.CopyFrom(model.proto)
    if total <= inline_limit:
        for tensor in proto.graph.initializer:
            tensor.raw_data = model.weights[tensor.name].data()
        with _replaced(path) as file:
            file.write(_serialized(proto))
        return
    data_path = path.with_name(f"{path.name}.data")
    with _replaced(data_path) as data:
        for tensor in proto.graph.initializer:
            _write_weights(model, tensor, data, data_path.name)
        # Inside, so that nothing is left behind where the model cannot be written.
        with _replaced(path) as file:
            file.write(_serialized(proto))


def _serialized(proto: ModelProto) -> bytes:
    if proto.ByteSize() > LARGEST:
        raise NotExportable("the model is larger than the 2 GiB of an ONNX file: choose a smaller inline-limit")
    return proto.SerializeToString()


def _write_weights(model: Model, tensor: TensorProto, data: BinaryIO, name: str) -> None:
    weights = model.weights[tensor.name]
    if weights.size < SMALL:
        tensor.raw_data = weights.data()
        return
    data.write(b"\0" * (-data.tell() % ALIGNMENT))
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in (("location", name), ("offset", data.tell()), ("length", weights.size)):
        tensor.external_data.add(key=key, value=str(value))
    for chunk in weights.chunks():
        data.write(chunk)


@contextmanager
def _replaced(path: Path) -> Generator[BinaryIO]:
    """A file that takes the place of another one when all of it is written; any failure leaves the old one there."""
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        # A device or a pipe cannot be replaced, only written to.
        with target.open("wb") as stream:
            yield stream
        return
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
        os.chmod(temporary, _mode_for(target))
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _mode_for(target: Path) -> int:
    """The mode of the file that is replaced, or that of any new file (mkstemp's own is private)."""
    with suppress(FileNotFoundError):
        return target.stat().st_mode & 0o7777
    # The mask can only be read by setting it.
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
