"""Ops that are read as their definitions: functions of other ops."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import onnx
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, helper, inliner

from .order import all_nodes, node_name, subgraphs, used_names

EXPANDED = frozenset(
    {
        "Attention",
        "CausalConvWithState",
        "CenterCropPad",
        "RotaryEmbedding",
        "Shrink",
        "SwiGLU",
    }
)
"""Ops without an npu equivalent that ONNX defines as functions of ops that have one."""
MAY_BE_WHOLE = EXPANDED | {"DynamicQuantizeMatMul", "Einsum", "MatMulIntegerToFloat"}
"""Ops that a target may want to stay one node: these, and products that are read as several ops."""
FLOATS = (TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.DOUBLE, TensorProto.BFLOAT16)


@dataclass(frozen=True, slots=True, eq=False)
class Expanded:
    """A node of a model, and the names of the nodes that it was replaced with."""

    proto: NodeProto
    parts: frozenset[str]


def expanded(model: ModelProto, opset: int, ops: frozenset[str]) -> tuple[ModelProto, Sequence[Expanded]]:
    """The model with these ops replaced by their definitions, and the nodes that were such ops."""
    nodes = [node for node in all_nodes(model.graph.node) if node.op_type in ops and not node.domain]
    if not nodes:
        return model, ()
    before = {name for node in all_nodes(model.graph.node) for name in (*node.output, *used_names(node))}
    came = [NodeProto.FromString(node.SerializeToString()) for node in nodes]
    for node in nodes:
        _write_defaults(node, opset)
    stated = {*chain.from_iterable(map(_stated, _graphs(model.graph)))}
    floats = {name for name, element in stated if element in FLOATS} - {
        name for name, element in stated if element not in FLOATS
    }
    kept = {node.op_type for node in nodes if _is_ambiguous(node) or _is_cut(node, floats)}
    functions = [("", name) for name in sorted(ops - kept)]
    _state_types(model.graph)
    for node in all_nodes(model.graph.node):
        for graph in subgraphs(node):
            _state_types(graph)
    try:
        model = inliner.inline_selected_functions(model, functions, inline_schema_functions=True)
    except Exception:
        # The package onnx has no common exception class. The ops then become opaque.
        kept.update(ops)
    attributes = {tuple(node.output): node.attribute for node in came if node.op_type in kept}
    for node in all_nodes(model.graph.node):
        if node.op_type in kept and tuple(node.output) in attributes:
            del node.attribute[:]
            node.attribute.extend(attributes[tuple(node.output)])
    return model, list(_noted([node for node in came if node.op_type not in kept], model, before))


def _state_types(graph: GraphProto) -> None:
    """State the types of constants, without which the package onnx expands no node that depends on its context."""
    stated = {each.name for each in (*graph.input, *graph.value_info)}
    for each in graph.initializer:
        if each.name not in stated:
            graph.value_info.append(helper.make_tensor_value_info(each.name, each.data_type, each.dims))


def _noted(came: Sequence[NodeProto], model: ModelProto, before: set[str]) -> Iterator[Expanded]:
    """The nodes with those that compute their results now, from values that were there before."""
    producers = {name: node for node in all_nodes(model.graph.node) for name in node.output if name}
    counts = Counter(name for node in all_nodes(model.graph.node) for name in node.output)
    for proto in came:
        parts: set[str] = set()
        waiting = [name for name in proto.output if name in producers]
        # Subgraphs may have values of one name.
        is_clear = all(counts[name] == 1 for name in waiting)
        seen = before | {*waiting}
        while waiting and is_clear:
            node = producers[waiting.pop()]
            parts.add(node_name(node))
            more = [name for name in used_names(node) if name in producers and name not in seen]
            seen.update(more)
            waiting += more
        if parts:
            yield Expanded(proto, frozenset(parts))


def _is_ambiguous(node: NodeProto) -> bool:
    """True for a node that ONNX Runtime computes in another way than ONNX's definition says.

    It is an Attention whose products of matrices are a result after the mask or the cap, and a flag that is neither 0
    nor 1.
    """
    given = {each.name: each.i for each in node.attribute}
    has_products = len(node.output) > 3 and bool(node.output[3]) and node.op_type == "Attention"
    if has_products and given.get("qk_matmul_output_mode", 0) in (1, 2):
        return True
    return not {given.get("interleaved", 0), given.get("is_causal", 0)} <= {0, 1}


def _is_cut(node: NodeProto, floats: Collection[str]) -> bool:
    """True for a Shrink of integers by fractions, which ONNX Runtime cuts behind the sum, and ONNX's definition before.

    Integers are all that is not known to be floats.
    """
    numbers = [each.f for each in node.attribute if each.name in ("bias", "lambd")]
    return node.op_type == "Shrink" and node.input[0] not in floats and any(number % 1 for number in numbers)


def _graphs(graph: GraphProto) -> Iterator[GraphProto]:
    """A graph and all in its nodes."""
    yield graph
    for node in all_nodes(graph.node):
        yield from subgraphs(node)


def _stated(graph: GraphProto) -> Iterator[tuple[str, int]]:
    """The values of a graph whose element types it states."""
    for each in (*graph.input, *graph.value_info, *graph.output):
        yield each.name, each.type.tensor_type.elem_type
    yield from ((each.name, each.data_type) for each in graph.initializer)


def _write_defaults(node: NodeProto, opset: int) -> None:
    """Give a node the attributes that it leaves out: the package onnx expands it without their default values."""
    if not onnx.defs.has(node.op_type, opset):
        return
    given = {attribute.name for attribute in node.attribute}
    for name, attribute in onnx.defs.get_schema(node.op_type, opset).attributes.items():
        if name not in given and attribute.default_value.type:
            node.attribute.append(attribute.default_value)
