"""Inputs of a model whose sizes a user has fixed."""

from collections.abc import Sequence

from onnx import ModelProto, TypeProto, ValueInfoProto

from ...fixed_sizes import Dim, FixedSizes, Shapes, WrongSizes
from ..errors import OnnxError


def fix_sizes(model: ModelProto, fixed: FixedSizes) -> None:
    """Give the inputs of a model their fixed sizes. Those of other values are inferred again."""
    try:
        settled = fixed.settled(shapes_of_inputs(model))
    except WrongSizes as error:
        raise OnnxError(str(error)) from error
    for value in _tensors(model):
        dims = settled.shape_of(value.name, dims_of(value.type))
        if dims is not None:
            set_dims(value.type, dims)
    for value in (*model.graph.value_info, *model.graph.output):
        _forget_fixed(value, settled)


def shapes_of_inputs(model: ModelProto) -> Shapes:
    """The sizes of the inputs as the model states them."""
    return {value.name: dims_of(value.type) for value in _tensors(model)}


def _tensors(model: ModelProto) -> list[ValueInfoProto]:
    constants = {tensor.name for tensor in model.graph.initializer}
    return [each for each in model.graph.input if each.name not in constants and each.type.HasField("tensor_type")]


def dims_of(type_: TypeProto) -> Sequence[Dim] | None:
    """The sizes of a tensor as the model states them; None without a rank."""
    if not type_.tensor_type.HasField("shape"):
        return None
    return [
        dim.dim_value if dim.HasField("dim_value") and dim.dim_value >= 0 else dim.dim_param or None
        for dim in type_.tensor_type.shape.dim
    ]


def set_dims(type_: TypeProto, dims: Sequence[Dim]) -> None:
    """Give a type these sizes and names; None is an unknown size without a name."""
    shape = type_.tensor_type.shape
    shape.ClearField("dim")
    shape.SetInParent()
    for size in dims:
        dim = shape.dim.add()
        if isinstance(size, int):
            dim.dim_value = size
        elif size is not None:
            dim.dim_param = size


def _forget_fixed(value: ValueInfoProto, fixed: FixedSizes) -> None:
    """Drop the names that follow from fixed sizes: exporters give them to sizes that are none of these, too."""
    if not value.type.HasField("tensor_type"):
        return
    for dim in value.type.tensor_type.shape.dim:
        if dim.dim_param and isinstance(fixed.size_of(dim.dim_param), int):
            dim.Clear()
