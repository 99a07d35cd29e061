"""Checks before the shape inference of the package onnx, which is written in C++ and relies on them."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from onnx import (
    AttributeProto,
    GraphProto,
    ModelProto,
    NodeProto,
    OperatorSetIdProto,
    TensorProto,
    TypeProto,
    ValueInfoProto,
    defs,
    helper,
)

from ..errors import OnnxError
from .checking import HIGHEST_RANK, NEWEST_OPSET, check_node, check_word
from .order import DEFAULT_DOMAINS, all_nodes, label, subgraphs
from .tensors import check_tensor
from .types import tensors_of, type_name

LARGEST_VERSION = (1 << 31) - 1
"""The largest version of a domain that the package onnx accepts."""


def check_model(model: ModelProto) -> None:
    """Check the parts of a model that do not depend on the types of values."""
    _check_texts(model)
    if not model.HasField("graph") or not model.ir_version:
        raise OnnxError("not an ONNX model: it has no graph")
    if not model.opset_import:
        raise OnnxError("the model has no opset_import")
    _name_default_domain(model)
    _import_domains(model)
    own = {(function.domain, function.name) for function in model.functions}
    _check_nodes(model.graph.node, _versions(model.opset_import), own)
    for function in model.functions:
        call = NodeProto(domain=function.domain, op_type=function.name, attribute=function.attribute_proto)
        _check_nodes([call, *function.node], _versions(function.opset_import), own, is_function=True)
    bodies = [node for function in model.functions for node in function.node]
    for graph in _all_graphs(model.graph, bodies):
        _check_graph(graph)


def _check_texts(model: ModelProto) -> None:
    """Check that all strings are UTF-8. protobuf leaves others as bytes."""
    waiting: list[Message] = [model]
    while waiting:
        message = waiting.pop()
        for field, value in message.ListFields():
            values = value if field.is_repeated else (value,)
            if field.type == FieldDescriptor.TYPE_MESSAGE:
                waiting.extend(values)
            elif field.type == FieldDescriptor.TYPE_STRING:
                for each in values:
                    _check_text(each, f"{message.DESCRIPTOR.name}.{field.name}")


def _check_text(text: str | bytes, place: str) -> None:
    if isinstance(text, bytes):
        raise OnnxError(f"{place} is not UTF-8: {text[:40]!r}")
    if "\0" in text:
        raise OnnxError(f"{place} contains a null character: {text[:40]!r}")


def _name_default_domain(model: ModelProto) -> None:
    """Replace `ai.onnx` by the empty name of the default domain, and drop version 0 of a domain that has another."""
    for holder in (model, *model.functions):
        for each in holder.opset_import:
            each.domain = "" if each.domain in DEFAULT_DOMAINS else each.domain
        stated = {each.domain for each in holder.opset_import if each.version}
        kept = [each for each in holder.opset_import if each.version or each.domain not in stated]
        del holder.opset_import[:]
        holder.opset_import.extend(kept)
    for function in model.functions:
        function.domain = "" if function.domain in DEFAULT_DOMAINS else function.domain
    for node in all_nodes([*model.graph.node, *(node for function in model.functions for node in function.node)]):
        if node.domain and node.domain in DEFAULT_DOMAINS:
            node.domain = ""


def _import_domains(model: ModelProto) -> None:
    """Import the domains that a model uses and does not import: ONNX Runtime takes their newest version."""
    known = {each.domain for each in model.opset_import}
    used = {node.domain for node in all_nodes(model.graph.node)} - known
    newest = {"": NEWEST_OPSET, "ai.onnx.ml": defs.onnx_ml_opset_version()}
    model.opset_import.extend(helper.make_opsetid(domain, newest.get(domain, 1)) for domain in sorted(used))


def _versions(imports: Iterable[OperatorSetIdProto]) -> Mapping[str, int]:
    versions: dict[str, int] = {}
    for each in imports:
        domain, version = each.domain, each.version
        check_word(domain, "a domain")
        if not 0 < version <= LARGEST_VERSION:
            raise OnnxError(f"the domain '{domain}' has the invalid version {version}")
        if versions.setdefault(domain, version) != version:
            raise OnnxError(f"the domain '{domain}' has two versions: {versions[domain]} and {version}")
    return versions


def _check_nodes(
    nodes: Iterable[NodeProto],
    versions: Mapping[str, int],
    own: Collection[tuple[str, str]],
    is_function: bool = False,
) -> None:
    for node in all_nodes(nodes):
        if (node.domain, node.op_type) not in own:
            check_node(node, versions.get(node.domain, 0), is_function)
        for attribute in node.attribute:
            _check_attribute(node, attribute)


def _check_attribute(node: NodeProto, attribute: AttributeProto) -> None:
    name = f"{label(node)}: {attribute.name}"
    for tensor in (attribute.t, *attribute.tensors):
        if attribute.type in (AttributeProto.TENSOR, AttributeProto.TENSORS):
            check_tensor(tensor, name)
    for type_ in (attribute.tp, *attribute.type_protos):
        _check_type(type_, name)


def _all_graphs(graph: GraphProto, more: Iterable[NodeProto]) -> Iterator[GraphProto]:
    yield graph
    for node in all_nodes([*graph.node, *more]):
        yield from subgraphs(node)


def _check_graph(graph: GraphProto) -> None:
    for tensor in graph.initializer:
        check_tensor(tensor, tensor.name)
    for sparse in graph.sparse_initializer:
        check_tensor(sparse.values, sparse.values.name)
        check_tensor(sparse.indices, sparse.values.name)
    _check_names(graph)
    for value in (*graph.input, *graph.output, *graph.value_info):
        _check_type(value.type, value.name)


def _check_names(graph: GraphProto) -> None:
    ends: tuple[ValueInfoProto | TensorProto, ...] = (*graph.input, *graph.output, *graph.initializer)
    if not all(each.name for each in ends):
        raise OnnxError("an input, an output or an initializer has no name")


def _check_type(type_: TypeProto, name: str) -> None:
    for tensor in tensors_of(type_):
        _check_tensor_type(tensor, name)
        _forget_negative_sizes(tensor)


def _forget_negative_sizes(tensor: TypeProto.Tensor | TypeProto.SparseTensor) -> None:
    """Some tools write -1 for an unknown size. The shape inference of onnx (1.23) ends the process for such sizes."""
    for dim in tensor.shape.dim:
        if dim.dim_value < 0:
            dim.ClearField("dim_value")


def _check_tensor_type(tensor: TypeProto.Tensor | TypeProto.SparseTensor, name: str) -> None:
    if tensor.elem_type not in TensorProto.DataType.values():
        raise OnnxError(f"'{name}' is of element type {type_name(tensor.elem_type)}, which ONNX does not define")
    if len(tensor.shape.dim) > HIGHEST_RANK:
        raise OnnxError(f"'{name}' has {len(tensor.shape.dim)} dimensions; the limit is {HIGHEST_RANK}")
