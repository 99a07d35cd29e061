"""Ranks of values that have none in the model, as the nodes that read them demand."""

from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import NamedTuple

from onnx import ModelProto, NodeProto, TensorProto, TypeProto, ValueInfoProto, defs, helper, shape_inference

from .load import opset_of, with_shapes
from .order import DEFAULT_DOMAINS

KNOWN_DOMAINS = (*DEFAULT_DOMAINS, "com.microsoft")
HIGHEST = 8
"""The highest rank that is tried."""

Types = Mapping[str, TypeProto]
Numbers = Mapping[str, TensorProto]


class InputRanks(NamedTuple):
    """The inputs that have no rank in the model."""

    demanded: Mapping[str, int]
    """The inputs with the rank that a node demands."""
    vectors: Sequence[str]
    """Scales and zero points of an axis, for which a node takes a scalar as well."""


def with_ranks(model: ModelProto) -> tuple[ModelProto, InputRanks]:
    """The model with the ranks that its nodes demand, and the inputs among them.

    Only nodes outside of subgraphs count, which run whenever the model does. With a value of another rank they fail, or
    contradict what the model states of a result, but for a scalar for one of `vectors`.
    """
    inputs = {value.name for value in model.graph.input}
    demanded, vectors = dict[str, int](), list[str]()
    while _lacks_ranks(model):
        found = dict(_demanded(model))
        demanded |= {name: rank for name, rank in found.items() if name in inputs}
        if not found:
            found = {name: 1 for name in _of_axes(model) if name in inputs}
            vectors += found
        if not found:
            break
        stated = {value.name for value in (*model.graph.value_info, *model.graph.output)}
        model.graph.value_info.extend(_untyped(name) for name in found if name not in stated | inputs)
        for value in (*model.graph.input, *model.graph.value_info, *model.graph.output):
            if value.name in found and not _has_rank(value.type):
                _set_rank(value.type, found[value.name])
        model = with_shapes(model)
    return model, InputRanks(demanded, vectors)


def _has_rank(type_: TypeProto) -> bool:
    return not type_.HasField("tensor_type") or type_.tensor_type.HasField("shape")


def _untyped(name: str) -> ValueInfoProto:
    """A value of which only the name is known."""
    value = ValueInfoProto(name=name)
    value.type.tensor_type.SetInParent()
    return value


def _without_types(model: ModelProto) -> Iterator[ValueInfoProto]:
    """The values that nodes compute, and of which neither the model nor ONNX's shape inference says anything."""
    graph = model.graph
    stated = {value.name for value in (*graph.value_info, *graph.output) if value.type.WhichOneof("value")}
    yield from (_untyped(name) for node in graph.node for name in node.output if name and name not in stated)


def _lacks_ranks(model: ModelProto) -> bool:
    stated = (*model.graph.input, *model.graph.value_info)
    return not all(_has_rank(value.type) for value in stated) or any(True for _ in _without_types(model))


def _set_rank(type_: TypeProto, rank: int) -> None:
    type_.tensor_type.shape.SetInParent()
    for _ in range(rank):
        type_.tensor_type.shape.dim.add()


def _demanded(model: ModelProto) -> Iterator[tuple[str, int]]:
    """The values without a rank that a node reads which takes one rank only."""
    values = (*_without_types(model), *model.graph.value_info, *model.graph.output, *model.graph.input)
    types = {value.name: value.type for value in (*values, *map(_of_weight, model.graph.initializer))}
    # Axes and sizes, not weights.
    numbers = {name: tensor for name, tensor in _constants(model) if prod(tensor.dims) <= HIGHEST * 2}
    for node in model.graph.node:
        for index, name in enumerate(node.input):
            if name in types and not _has_rank(types[name]):
                rank = _by_attribute(node, index)
                if rank is None:
                    rank = _by_other_parameter(node, index, types)
                if rank is None:
                    rank = _by_result(node, name, types, numbers, opset_of(model, node.domain))
                if rank is not None:
                    yield name, rank


def _constants(model: ModelProto) -> Iterator[tuple[str, TensorProto]]:
    """The tensors that a model holds, by the names of their values."""
    yield from ((tensor.name, tensor) for tensor in model.graph.initializer)
    for node in model.graph.node:
        if node.op_type == "Constant" and node.domain in DEFAULT_DOMAINS:
            yield from ((node.output[0], each.t) for each in node.attribute if each.name == "value")


def _of_weight(tensor: TensorProto) -> ValueInfoProto:
    return helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims)


def _by_attribute(node: NodeProto, index: int) -> int | None:
    """The rank of an operand that an attribute tells, or None."""
    given = {attribute.name: attribute for attribute in node.attribute}
    if node.op_type == "Transpose" and "perm" in given and node.domain in DEFAULT_DOMAINS:
        return len(given["perm"].ints)
    # Windows slide along the axes behind the batch and the channels.
    if "kernel_shape" in given and index == 0 and node.domain in KNOWN_DOMAINS:
        return len(given["kernel_shape"].ints) + 2
    return None


def _is_quantisation(node: NodeProto) -> bool:
    return node.op_type in ("QuantizeLinear", "DequantizeLinear") and node.domain in KNOWN_DOMAINS


def _by_other_parameter(node: NodeProto, index: int, types: Types) -> int | None:
    """The rank of a scale or zero point, which have one shape."""
    if not _is_quantisation(node) or index == 0 or len(node.input) < 3:
        return None
    other = types.get(node.input[3 - index])
    return len(other.tensor_type.shape.dim) if other is not None and _has_rank(other) else None


def _of_axes(model: ModelProto) -> Iterator[str]:
    """The scales and zero points without a rank of nodes with an axis and no blocks."""
    lacking = {value.name for value in (*model.graph.input, *model.graph.value_info) if not _has_rank(value.type)}
    for node in filter(_is_quantisation, model.graph.node):
        given = {attribute.name: attribute.i for attribute in node.attribute}
        if "axis" in given and not given.get("block_size"):
            yield from (name for name in node.input[1:] if name in lacking)


def _by_result(node: NodeProto, name: str, types: Types, numbers: Numbers, opset: int) -> int | None:
    """The rank of an operand with which ONNX infers the known rank of the result, if there is only one."""
    known = types.get(node.output[0]) if node.output else None
    if known is None or not known.tensor_type.HasField("shape") or not defs.has(node.op_type, opset, node.domain):
        return None
    schema, wanted = defs.get_schema(node.op_type, opset, node.domain), len(known.tensor_type.shape.dim)
    operands = {each: types[each] for each in node.input if each in types}

    def inferred(rank: int) -> int | None:
        tried = TypeProto()
        tried.CopyFrom(operands[name])
        tried.tensor_type.elem_type = tried.tensor_type.elem_type or known.tensor_type.elem_type
        _set_rank(tried, rank)
        return _inferred_rank(schema, node, {**operands, name: tried}, numbers)

    fitting = [rank for rank in range(HIGHEST + 1) if inferred(rank) == wanted]
    return fitting[0] if len(fitting) == 1 else None


def _inferred_rank(schema: defs.OpSchema, node: NodeProto, operands: Types, numbers: Numbers) -> int | None:
    data = {name: numbers[name] for name in node.input if name in numbers}
    try:
        found = shape_inference.infer_node_outputs(schema, node, dict(operands), data)
    except Exception:  # The package onnx has no common exception class.
        return None
    result = found.get(node.output[0])
    return len(result.tensor_type.shape.dim) if result is not None and result.tensor_type.HasField("shape") else None
