"""Texts and versions of an imported model, from the attributes of the module (bridges/onnx/README.md)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

from google.protobuf.internal.containers import RepeatedCompositeFieldContainer
from onnx import GraphProto, ModelProto, NodeProto, StringStringEntryProto, TypeProto, ValueInfoProto
from xdsl.dialects.builtin import (
    ArrayAttr,
    BytesAttr,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
)
from xdsl.ir import Attribute

from ..producer import SOURCE_PRODUCER

Entries = RepeatedCompositeFieldContainer[StringStringEntryProto]


def describe_model(proto: ModelProto, module: ModuleOp) -> None:
    """Set the texts and versions of a model and its graph."""
    notes = module.attributes
    proto.doc_string, proto.domain = _text(notes.get("onnx.doc")), _text(notes.get("onnx.domain"))
    proto.graph.doc_string = _text(notes.get("onnx.graph_doc"))
    version = notes.get("onnx.model_version")
    if isinstance(version, IntegerAttr):
        proto.model_version = version.value.data
    metadata = dict(_pairs(notes.get("onnx.metadata")))
    producers = [metadata.get(SOURCE_PRODUCER, ""), _text(notes.get("onnx.producer"))]
    if any(producers):
        metadata[SOURCE_PRODUCER] = ", ".join(filter(None, producers))
    _add(proto.metadata_props, metadata.items())
    _add(proto.graph.metadata_props, _pairs(notes.get("onnx.graph_metadata")))


def describe_nodes(nodes: Iterable[NodeProto], module: ModuleOp) -> None:
    """Set the texts of the nodes that have the names of imported ones."""
    if "onnx.nodes" not in module.attributes:
        return
    notes = {_text(each.data.get("name")): each.data for each in _dictionaries(module.attributes.get("onnx.nodes"))}
    for node in nodes:
        if (found := notes.get(node.name)) is not None:
            node.doc_string = node.doc_string or _text(found.get("doc"))
            _add(node.metadata_props, _pairs(found.get("metadata")))


def describe_value(info: ValueInfoProto, notes: Mapping[str, Attribute]) -> None:
    """Set the texts of an input or output."""
    info.doc_string = _text(notes.get("onnx.doc"))
    _add(info.metadata_props, _pairs(notes.get("onnx.metadata")))


def type_of_value(notes: Mapping[str, Attribute]) -> TypeProto | None:
    """The type of an input or output that is no tensor, with the sizes of the tensors in it; None if none is noted."""
    noted = notes.get("onnx.type")
    return TypeProto.FromString(noted.data.data) if isinstance(noted, DenseIntOrFPElementsAttr) else None


def drop_metadata(graph: GraphProto) -> None:
    """Drop the entries of a graph, and of all that is in it. Those of the model say how the file is read."""
    for each in (graph, *graph.node, *graph.input, *graph.output, *graph.value_info, *graph.initializer):
        each.ClearField("metadata_props")
    for node in graph.node:
        for attribute in node.attribute:
            for inner in (attribute.g, *attribute.graphs) if attribute.HasField("g") else attribute.graphs:
                drop_metadata(inner)


def _add(entries: Entries, pairs: Iterable[tuple[str, str]]) -> None:
    for key, value in pairs:
        entries.add(key=key, value=value)


def _pairs(attribute: Attribute | None) -> Iterator[tuple[str, str]]:
    for pair in map(_parts, _parts(attribute)):
        if len(pair) == 2:
            yield _text(pair[0]), _text(pair[1])


def _dictionaries(attribute: Attribute | None) -> Iterator[DictionaryAttr]:
    return (each for each in _parts(attribute) if isinstance(each, DictionaryAttr))


def _parts(attribute: Attribute | None) -> Sequence[Attribute]:
    return tuple(cast("ArrayAttr[Attribute]", attribute)) if isinstance(attribute, ArrayAttr) else ()


def _text(attribute: Attribute | None) -> str:
    match attribute:
        case StringAttr():
            return attribute.data
        case BytesAttr():
            # xDSL reads a string with characters beyond ASCII as bytes.
            return attribute.data.decode(errors="replace")
        case _:
            return ""
