"""Ops that are read as their definitions: functions of other ops."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import onnx
from onnx import FunctionProto, GraphProto, ModelProto, NodeProto, TensorProto, TypeProto, helper, inliner

from .order import all_nodes, node_name, subgraphs, used_names

EXPANDED = frozenset(
    {
        "Attention",
        "CausalConvWithState",
        "CenterCropPad",
        "LinearAttention",
        "Shrink",
        "SwiGLU",
    }
)
"""Ops without an npu equivalent that ONNX defines as functions of ops that have one."""
MAY_BE_WHOLE = EXPANDED | {"DynamicQuantizeMatMul", "Einsum", "MatMulIntegerToFloat", "RotaryEmbedding"}
"""Ops that a target may want to stay one node: these, products that are read as several ops, and turned queries."""
DEFINITIONS = "npu_opt.definitions"
"""The domain of functions that are inlined at once."""
MASKED = 2
"""The mode of an Attention in which its products behind the mask are a result."""
PAST, ALIGNED = 4, 25
"""The input of an Attention with its cache, and the version since which runtimes agree about what is behind that."""
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
    for graph in _graphs(model.graph):
        _state_types(graph)
    types = _types(model.graph)
    kept = {node.op_type for node in nodes if _is_ambiguous(node, floats) or _is_cut(node, floats)}
    kept |= {node.op_type for node in nodes if opset < ALIGNED and _may_look_ahead(node, types)}
    functions = [("", name) for name in sorted(ops - kept)]
    try:
        model = _with_functions(model, opset, ops - kept, types)
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


def _with_functions(model: ModelProto, opset: int, ops: Collection[str], types: Mapping[str, TypeProto]) -> ModelProto:
    """The model with those of the ops replaced that leave out an input in front of another one.

    The package onnx knows their definitions, and expands none of them itself: the input has no type.
    """
    found: list[tuple[NodeProto, FunctionProto]] = []
    for node in all_nodes(model.graph.node):
        given = [*node.input[: max((place for place, name in enumerate(node.input, 1) if name), default=0)]]
        if not node.domain and node.op_type in ops and not all(given):
            read = [types[name].SerializeToString() if name else b"" for name in given]
            schema: Any = onnx.defs.get_schema(node.op_type, opset)
            text = schema.get_context_dependent_function(node.SerializeToString(), read)
            found.append((node, FunctionProto.FromString(text)))
    if not found:
        return model
    for number, (node, function) in enumerate(found):
        function.domain = node.domain = DEFINITIONS
        function.name = node.op_type = f"{node.op_type}.{number}"
        del function.opset_import[:]
        function.opset_import.append(helper.make_opsetid("", opset))
    model.functions.extend(function for _, function in found)
    model.opset_import.append(helper.make_opsetid(DEFINITIONS, 1))
    model = inliner.inline_local_functions(model)
    kept = [each for each in model.opset_import if each.domain != DEFINITIONS]
    del model.opset_import[:]
    model.opset_import.extend(kept)
    return model


def _types(graph: GraphProto) -> Mapping[str, TypeProto]:
    """The types of the values of a graph, subgraphs included."""
    graphs = [*_graphs(graph)]
    return {each.name: each.type for one in graphs for each in (*one.input, *one.output, *one.value_info)}


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


def _is_ambiguous(node: NodeProto, floats: Collection[str]) -> bool:
    """True for a node that ONNX Runtime computes in another way than ONNX's definition says.

    It is an Attention whose products of matrices are a result behind the mask, in which ONNX Runtime has large numbers
    where nothing is to be seen, and not infinite ones, and a flag that is neither 0 nor 1.
    """
    given = {each.name: each.i for each in node.attribute}
    has_products = len(node.output) > 3 and bool(node.output[3]) and node.op_type == "Attention"
    if has_products and given.get("qk_matmul_output_mode", 0) == MASKED and not _is_added(node, given, floats):
        return True
    return not {given.get("interleaved", 0), given.get("is_causal", 0)} <= {0, 1}


def _may_look_ahead(node: NodeProto, types: Mapping[str, TypeProto]) -> bool:
    """True for a causal Attention with a cache that may have more new keys than queries.

    Before opset 25 ONNX Runtime lets the last query see the last key then, and ONNX the first one the first new key.
    """
    is_causal = any(each.name == "is_causal" and each.i for each in node.attribute)
    if node.op_type != "Attention" or not is_causal or not any(node.input[PAST : PAST + 1]):
        return False
    queries, keys = (types.get(name, TypeProto()).tensor_type.shape.dim[-2:-1] for name in node.input[:2])
    if not queries or not keys:
        return True
    is_same = bool(queries[0].dim_param) and queries[0].dim_param == keys[0].dim_param
    return not is_same and not queries[0].dim_value >= keys[0].dim_value > 0


def _is_added(node: NodeProto, given: Mapping[str, int], floats: Collection[str]) -> bool:
    """True if the mask of an Attention is floats that are added, and no key is hidden from a query."""
    hides = given.get("is_causal", 0) or max(given.get(f"{side}_window_size", -1) for side in ("left", "right")) >= 0
    optional = [*node.input[3:], "", "", "", ""]
    return not hides and not optional[3] and (not optional[0] or optional[0] in floats)


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
