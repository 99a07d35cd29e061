"""The constants of a graph: tensors of supported types, and nodes that hold the others as they are."""

from collections.abc import Iterator
from typing import Any

from onnx import GraphProto, NodeProto, TensorProto, helper

from ..errors import OnnxError
from .tensors import check_tensor
from .types import ELEMENT_TYPES, type_name

OLDEST_SPARSE = 11
"""The opset since which a Constant may be sparse."""


def names_of_constants(graph: GraphProto) -> Iterator[str]:
    """The names of the initializers."""
    yield from (tensor.name for tensor in graph.initializer)
    yield from (sparse.values.name for sparse in graph.sparse_initializer)


def is_supported(tensor: TensorProto) -> bool:
    """True for a tensor that is a constant of the program."""
    return tensor.data_type in ELEMENT_TYPES


def nodes_of_others(graph: GraphProto, opset: int) -> Iterator[NodeProto]:
    """A node for each initializer that the program has no constant for: a sparse one, texts, complex numbers..."""
    for tensor in graph.initializer:
        if not is_supported(tensor):
            check_tensor(tensor, tensor.name)
            _check_is_inside(tensor, tensor.name)
            yield _node(tensor.name, value=tensor)
    for sparse in graph.sparse_initializer:
        name = sparse.values.name
        if opset < OLDEST_SPARSE:
            raise OnnxError(f"'{name}' is a sparse initializer in a model of opset {opset}; onnx can make it dense")
        _check_is_inside(sparse.values, name)
        _check_is_inside(sparse.indices, name)
        yield _node(name, sparse_value=sparse)


def _node(name: str, **value: Any) -> NodeProto:
    return helper.make_node("Constant", [], [name], **value)


def _check_is_inside(tensor: TensorProto, name: str) -> None:
    """Check that a tensor which only a node can hold is in the model."""
    if tensor.data_location == TensorProto.EXTERNAL:
        kind = type_name(tensor.data_type)
        raise OnnxError(f"'{name}' is of element type {kind}, whose data the npu dialect does not support in a file")
