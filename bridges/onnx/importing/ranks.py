"""Ranks of values that have none in the model, as the nodes that read them demand."""

from collections.abc import Iterator, Mapping
from math import prod

from onnx import ModelProto, NodeProto, TensorProto, TypeProto, ValueInfoProto, defs, helper, shape_inference

from .load import opset_of, with_shapes
from .order import DEFAULT_DOMAINS

HIGHEST = 8
"""The highest rank that is tried."""

Types = Mapping[str, TypeProto]
Numbers = Mapping[str, TensorProto]


def with_ranks(model: ModelProto) -> tuple[ModelProto, dict[str, int]]:
    """The model with the ranks that its nodes demand, and those of the inputs among them.

    Only nodes outside of subgraphs count, which run whenever the model does. With a value of another rank they fail, or
    contradict what the model states of a result.
    """
    inputs = {value.name for value in model.graph.input}
    of_inputs: dict[str, int] = {}
    while _lacks_ranks(model) and (found := dict(_demanded(model))):
        for value in (*model.graph.input, *model.graph.value_info, *model.graph.output):
            if value.name in found and not _has_rank(value.type):
                _set_rank(value.type, found[value.name])
        of_inputs |= {name: rank for name, rank in found.items() if name in inputs}
        model = with_shapes(model)
    return model, of_inputs


def _has_rank(type_: TypeProto) -> bool:
    return not type_.HasField("tensor_type") or type_.tensor_type.HasField("shape")


def _lacks_ranks(model: ModelProto) -> bool:
    return not all(_has_rank(value.type) for value in (*model.graph.input, *model.graph.value_info))


def _set_rank(type_: TypeProto, rank: int) -> None:
    type_.tensor_type.shape.SetInParent()
    for _ in range(rank):
        type_.tensor_type.shape.dim.add()


def _demanded(model: ModelProto) -> Iterator[tuple[str, int]]:
    """The values without a rank that a node reads which takes one rank only."""
    values = (*model.graph.value_info, *model.graph.output, *model.graph.input)
    types = {value.name: value.type for value in (*values, *map(_of_weight, model.graph.initializer))}
    # Axes and sizes, not weights.
    numbers = {tensor.name: tensor for tensor in model.graph.initializer if prod(tensor.dims) <= HIGHEST * 2}
    for node in model.graph.node:
        for index, name in enumerate(node.input):
            if name in types and not _has_rank(types[name]):
                rank = _by_attribute(node, index)
                if rank is None:
                    rank = _by_result(node, name, types, numbers, opset_of(model, node.domain))
                if rank is not None:
                    yield name, rank


def _of_weight(tensor: TensorProto) -> ValueInfoProto:
    return helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims)


def _by_attribute(node: NodeProto, index: int) -> int | None:
    """The rank of an operand that an attribute tells, or None."""
    given = {attribute.name: attribute for attribute in node.attribute}
    if node.op_type == "Transpose" and "perm" in given and node.domain in DEFAULT_DOMAINS:
        return len(given["perm"].ints)
    # Windows slide along the axes behind the batch and the channels.
    if "kernel_shape" in given and index == 0:
        return len(given["kernel_shape"].ints) + 2
    # With an axis and no blocks, there is a scale and a zero point for each position of the axis.
    if node.op_type in ("QuantizeLinear", "DequantizeLinear") and index > 0 and "axis" in given:
        return None if "block_size" in given and given["block_size"].i else 1
    return None


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
