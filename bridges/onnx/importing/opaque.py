"""Nodes without an npu equivalent, kept as `npu.opaque` with all attributes. README.md describes them."""

from collections.abc import Mapping
from math import isfinite

from onnx import AttributeProto, NodeProto
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    f32,
    i64,
)
from xdsl.ir import Attribute, SSAValue

from ....dialects.npu.source import HIDDEN, OpaqueOp
from ....dialects.npu.vendor import RESERVED
from .bodies import hidden_ops
from .checking import ONNX_DOMAINS
from .node import ImportedNode
from .order import DEFAULT_DOMAINS, all_nodes, captures, label
from .types import ELEMENT_TYPES, bytes_attribute, dense

RANDOM = frozenset(
    {"Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike"}
)
"""Ops whose results do not depend on their operands alone; Dropout in training is another one."""


def opaque(node: ImportedNode) -> list[SSAValue | None]:
    """Build an `npu.opaque` for a node."""
    proto = node.proto
    inputs = [index for index in range(node.input_count) if node.has_input(index)]
    outputs = [index for index, name in enumerate(proto.output) if name]
    bodies = node.graph.bodies.get(tuple(proto.output))
    taken = captures(proto) if bodies is None else bodies.arguments
    symbols: Mapping[str, str] = {} if bodies is None else bodies.symbols
    attributes = {
        legal_key(each.name): SymbolRefAttr(symbols[each.name]) if each.name in symbols else _attribute(node, each)
        for each in proto.attribute
    }
    if inputs != list(range(len(inputs))):
        attributes["onnx.operands"] = DenseArrayBase.from_list(i64, inputs)
    if outputs != list(range(len(outputs))):
        attributes["onnx.results"] = DenseArrayBase.from_list(i64, outputs)
    if taken:
        attributes["onnx.captures"] = ArrayAttr(map(StringAttr, taken))
    if bodies is None and (hidden := hidden_ops(proto)) is not None:
        attributes[HIDDEN] = hidden
    op = OpaqueOp.build(
        operands=[[*(node.operand(index) for index in inputs), *map(node.graph.value, taken)]],
        result_types=[[node.graph.type_of(node.output(index)) for index in outputs]],
        properties={"op_name": StringAttr(op_name(proto)), "pure": UnitAttr() if is_pure(proto, node.opset) else None},
        attributes=attributes,
    )
    made = node.insert(op, [node.output(index) for index in outputs])
    places = dict(zip(outputs, made, strict=True))
    return [places.get(index) for index in range(len(proto.output))]


def _attribute(node: ImportedNode, proto: AttributeProto) -> Attribute:
    """The attribute of a node in MLIR, which the exporter can convert back."""
    if proto.type == AttributeProto.TENSOR and proto.t.data_type in ELEMENT_TYPES:
        tensor = node.graph.read(proto.t, f"{label(node.proto)}: {proto.name}")
        if tensor.has_data:
            return dense(tensor.array(), tensor.number)
    readable = _readable(proto)
    # Not `or`: an attribute of 0 is falsy.
    return DictionaryAttr({"onnx.proto": bytes_attribute(proto.SerializeToString())}) if readable is None else readable


def op_name(node: NodeProto) -> str:
    """The name of an opaque op: domain, dot, op type."""
    domain = "onnx" if node.domain in DEFAULT_DOMAINS else node.domain
    return f"{domain}.{node.op_type}"


def is_pure(node: NodeProto, opset: int) -> bool:
    """True if a node, subgraphs included, has no effects and is deterministic."""
    return all(
        each.domain in ONNX_DOMAINS and each.op_type not in RANDOM and not _trains(each, opset)
        for each in all_nodes([node])
    )


def _trains(node: NodeProto, opset: int) -> bool:
    """True if the node is a Dropout that may be in training mode."""
    return node.op_type == "Dropout" and opset >= 12 and len(node.input) > 2 and bool(node.input[2])


def legal_key(name: str) -> str:
    """The key of an attribute in the program; reserved names get a prefix."""
    if name in RESERVED or name.startswith("onnx."):
        return f"onnx.attribute.{name}"
    return name


def _readable(proto: AttributeProto) -> Attribute | None:
    match proto.type:
        case AttributeProto.INT:
            return IntegerAttr(proto.i, i64)
        case AttributeProto.INTS:
            return DenseArrayBase.from_list(i64, list(proto.ints))
        case AttributeProto.FLOAT if isfinite(proto.f):
            return FloatAttr(proto.f, f32)
        case AttributeProto.FLOATS if all(map(isfinite, proto.floats)):
            return DenseArrayBase.from_list(f32, list(proto.floats))
        case AttributeProto.STRING if (text := _text(proto.s)) is not None:
            return StringAttr(text)
        case AttributeProto.STRINGS:
            texts = [_text(each) for each in proto.strings]
            return None if None in texts else ArrayAttr(StringAttr(text or "") for text in texts)
        case _:
            return None


def _text(data: bytes) -> str | None:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    return text if text.isprintable() else None
