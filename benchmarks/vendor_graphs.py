"""Digests of the graphs of ONNX files: a vendor's compiler says the same of two files with one graph."""

from hashlib import sha256
from pathlib import Path

from models.onnx_runs import read_graph
from onnx import AttributeProto, NodeProto, TensorProto, ValueInfoProto, numpy_helper


def graph_digest(file: Path) -> str:
    """A digest of what a file computes, node by node with all names.

    It leaves out who wrote the file, notes, shapes of values inside, whether a constant is a node, how a constant's
    bytes are kept, and the orders of constants and of attributes.
    """
    model = read_graph(file)
    graph, digest = model.graph, sha256()
    constants = {tensor.name: tensor for tensor in graph.initializer}
    nodes: list[NodeProto] = []
    for node in graph.node:
        if (constant := _constant(node)) is None:
            nodes.append(node)
        else:
            constants[node.output[0]] = constant
    for name in sorted(constants):
        array = numpy_helper.to_array(constants[name], str(file.parent))
        digest.update(repr((name, str(array.dtype), array.shape)).encode())
        digest.update(array.tobytes())
    opsets = sorted((entry.domain, entry.version) for entry in model.opset_import)
    digest.update(repr((model.ir_version, opsets)).encode())
    for value in (*graph.input, *graph.output):
        digest.update(_bytes(value))
    for function in model.functions:
        digest.update(function.SerializeToString(deterministic=True))
    for node in nodes:
        attributes = sorted(map(_bytes, node.attribute))
        named = (node.domain, node.op_type, node.name, [*node.input], [*node.output], attributes)
        digest.update(repr(named).encode())
    return digest.hexdigest()


def _constant(node: NodeProto) -> TensorProto | None:
    """The tensor that a node `Constant` holds as such."""
    found = node.attribute[0] if node.op_type == "Constant" and len(node.attribute) == 1 else None
    return found.t if found is not None and found.name == "value" else None


def _bytes(part: AttributeProto | ValueInfoProto) -> bytes:
    """A part of a model without its note."""
    part.ClearField("doc_string")
    return part.SerializeToString(deterministic=True)
