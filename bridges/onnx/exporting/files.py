"""Writing a model: whole or not at all, and large weights into a file beside it."""

from pathlib import Path
from typing import BinaryIO

from onnx import ModelProto, TensorProto

from ...files import drafted, is_special, replaced
from ..errors import NotExportable
from .model import Model

INLINE_LIMIT = 256 << 20
"""Up to how many bytes of weights a model holds by itself. ONNX files cannot be larger than 2 GiB."""
SMALL = 1 << 10
"""Weights of fewer bytes stay in the model: runtimes read shapes and axes from there."""
ALIGNMENT = 1 << 12
"""Weights begin at multiples of this, so that they can be mapped."""
LOCATION = "location"
"""What ONNX calls the name of the file that weights are in."""
LARGEST = (1 << 31) - 1


def write_model(model: Model, path: Path, inline_limit: int = INLINE_LIMIT) -> None:
    """Write a model, and if its weights are larger than the limit, a file `<path>.data` or nearly so for them."""
    total = sum(weights.size for weights in model.weights.values())
    proto = ModelProto()
    proto.CopyFrom(model.proto)
    if total <= inline_limit:
        for tensor in proto.graph.initializer:
            tensor.raw_data = model.weights[tensor.name].data()
        with replaced(path) as file:
            file.write(_serialized(proto))
        return
    # Nothing is beside a device.
    with drafted(path if is_special(path) else path.with_name(f"{path.name}.data")) as data:
        for tensor in proto.graph.initializer:
            _write_weights(model, tensor, data.stream)
        # A name that the model which is there now does not know: it stays whole until it is replaced.
        name = data.settle_name(path)
        for tensor in proto.graph.initializer:
            for entry in tensor.external_data:
                entry.value = name if entry.key == LOCATION else entry.value
        with replaced(path) as file:
            file.write(_serialized(proto))
            data.put_beside()


def _serialized(proto: ModelProto) -> bytes:
    if proto.ByteSize() > LARGEST:
        raise NotExportable("the model is larger than the 2 GiB of an ONNX file: choose a smaller inline-limit")
    return proto.SerializeToString()


def _write_weights(model: Model, tensor: TensorProto, data: BinaryIO) -> None:
    weights = model.weights[tensor.name]
    if weights.size < SMALL:
        tensor.raw_data = weights.data()
        return
    data.write(b"\0" * (-data.tell() % ALIGNMENT))
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in ((LOCATION, ""), ("offset", data.tell()), ("length", weights.size)):
        tensor.external_data.add(key=key, value=str(value))
    for chunk in weights.chunks():
        data.write(chunk)
