"""Atomic writing of a model, with large weights in a file beside it."""

from pathlib import Path
from typing import BinaryIO

from onnx import GraphProto, ModelProto, TensorProto

from ...files import drafted, is_special, replaced
from ..errors import NotExportable
from ..wire import around, head
from .model import Model

INLINE_LIMIT = 256 << 20
"""Weights up to this total size in bytes are stored in the model. ONNX files cannot be larger than 2 GiB."""
SMALL = 1 << 10
"""Weights of fewer bytes stay in the model, because runtimes read shapes and axes from there."""
ALIGNMENT = 1 << 12
"""Weights begin at multiples of this, so that they can be mapped."""
LOCATION = "location"
"""ONNX's key for the file name of external data."""
LARGEST = (1 << 31) - 1

GRAPH = ModelProto.GRAPH_FIELD_NUMBER
INITIALIZER = GraphProto.INITIALIZER_FIELD_NUMBER
RAW_DATA = TensorProto.RAW_DATA_FIELD_NUMBER


def write_model(model: Model, path: Path, inline_limit: int = INLINE_LIMIT) -> None:
    """Write a model, and weights above the limit into a file `<path>.data` (or `<path>-<digest>.data`)."""
    total = sum(weights.size for weights in model.weights.values())
    if total <= inline_limit:
        with replaced(path) as file:
            _write_whole(model, file)
        return
    proto = ModelProto()
    proto.CopyFrom(model.proto)
    # A device has no neighbours.
    with drafted(path if is_special(path) else path.with_name(f"{path.name}.data")) as data:
        for tensor in proto.graph.initializer:
            _write_weights(model, tensor, data.stream)
        # A name that the existing model does not refer to, so that it stays valid until it is replaced.
        name = data.settle_name(path)
        for tensor in proto.graph.initializer:
            for entry in tensor.external_data:
                entry.value = name if entry.key == LOCATION else entry.value
        with replaced(path) as file:
            file.write(_serialized(proto))
            data.put_beside()


def whole(model: Model) -> ModelProto:
    """A copy of the model with its weights in memory."""
    proto = ModelProto()
    proto.CopyFrom(model.proto)
    for tensor in proto.graph.initializer:
        tensor.raw_data = model.weights[tensor.name].data()
    return proto


def _write_whole(model: Model, file: BinaryIO) -> None:
    """Write a model with its weights.

    protobuf would hold the whole model in memory, twice. Here the weights are copied into the place of their field.
    """
    heads = [_head(tensor, model.weights[tensor.name].size) for tensor in model.proto.graph.initializer]
    before, behind = around(model.proto, GRAPH)
    first, last = around(model.proto.graph, INITIALIZER)
    size = sum(weights.size for weights in model.weights.values()) + sum(map(len, (first, *heads, last)))
    _check_size(len(before) + len(head(GRAPH, size)) + size + len(behind))
    file.write(before + head(GRAPH, size) + first)
    for tensor, start in zip(model.proto.graph.initializer, heads, strict=True):
        file.write(start)
        for chunk in model.weights[tensor.name].chunks():
            file.write(chunk)
    file.write(last + behind)


def _head(tensor: TensorProto, size: int) -> bytes:
    """An initializer up to its data, which is its last field."""
    content = tensor.SerializeToString() + head(RAW_DATA, size)
    return head(INITIALIZER, len(content) + size) + content


def _serialized(proto: ModelProto) -> bytes:
    _check_size(proto.ByteSize())
    return proto.SerializeToString()


def _check_size(size: int) -> None:
    if size > LARGEST:
        raise NotExportable("the model is larger than 2 GiB, the limit of ONNX files: choose a smaller inline-limit")


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
