"""Texts and versions of a model, which do not change its meaning, as attributes of the module (see README.md)."""

from collections.abc import Iterable

from onnx import ModelProto, NodeProto, StringStringEntryProto, ValueInfoProto
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, StringAttr, i64
from xdsl.ir import Attribute

from ..producer import PRODUCER
from .order import node_name
from .types import bytes_attribute


def notes_of_model(model: ModelProto) -> dict[str, Attribute]:
    """The attributes of the module of a model."""
    texts = {
        "onnx.doc": model.doc_string,
        "onnx.domain": model.domain,
        "onnx.graph_doc": model.graph.doc_string,
        "onnx.producer": "" if model.producer_name == PRODUCER else _producer(model),
    }
    notes: dict[str, Attribute] = {name: StringAttr(text) for name, text in texts.items() if text}
    notes |= _metadata("onnx.metadata", model.metadata_props)
    notes |= _metadata("onnx.graph_metadata", model.graph.metadata_props)
    if model.model_version:
        notes["onnx.model_version"] = IntegerAttr(model.model_version, i64)
    if nodes := [_of_node(node) for node in model.graph.node if node.doc_string or node.metadata_props]:
        notes["onnx.nodes"] = ArrayAttr(nodes)
    return notes


def notes_of_value(value: ValueInfoProto) -> dict[str, Attribute]:
    """The attributes of an argument or result for an input or output."""
    notes: dict[str, Attribute] = {"onnx.doc": StringAttr(value.doc_string)} if value.doc_string else {}
    if value.type.WhichOneof("value") not in (None, "tensor_type"):
        notes["onnx.type"] = bytes_attribute(value.type.SerializeToString())
    return notes | _metadata("onnx.metadata", value.metadata_props)


def _producer(model: ModelProto) -> str:
    return f"{model.producer_name} {model.producer_version}".strip()


def _of_node(node: NodeProto) -> DictionaryAttr:
    found: dict[str, Attribute] = {"name": StringAttr(node_name(node))}
    if node.doc_string:
        found["doc"] = StringAttr(node.doc_string)
    return DictionaryAttr(found | _metadata("metadata", node.metadata_props))


def _metadata(name: str, entries: Iterable[StringStringEntryProto]) -> dict[str, Attribute]:
    """Pairs, because not every text is a key in MLIR."""
    pairs = [ArrayAttr([StringAttr(entry.key), StringAttr(entry.value)]) for entry in entries]
    return {name: ArrayAttr(pairs)} if pairs else {}
