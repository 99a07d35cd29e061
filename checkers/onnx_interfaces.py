"""The inputs of ONNX models and of graphs in nodes, for check_equal.py: sizes, defaults, orders that notes state."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
import copy
import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import onnx
from onnx import numpy_helper

if TYPE_CHECKING or __package__:
    from .onnx_steps import OnnxValue
    from .positions import whole
else:
    from onnx_steps import OnnxValue
    from positions import whole


def order_in(note: str, rank: int) -> list[int]:
    """The axis of the model that came at each axis, as a note says: NHWC (was NCHW) is 0, 2, 3, 1."""

    def axes(layout: str) -> list[Any]:
        word, _, order = layout.partition(", ")
        return json.loads(order) if order else [*range(rank)] if "Tensor" in word else [*word]

    new, old = map(axes, note.removesuffix(")").split(" (was "))
    found = [old.index(each) for each in new]
    if sorted(found) != [*range(rank)]:
        raise ValueError(f"the note '{note}' is no order of {rank} axes")
    return found


def both_inputs(graphs: Sequence[onnx.GraphProto]) -> tuple[list[list[onnx.ValueInfoProto]], list[str]]:
    """The inputs of two models by name, since their order is no part of a model, and what they are taken to be.

    An input that has a default, and is no input of the other model, is a constant. One without a rank has that of the
    other model.
    """
    named = [{each.name: copy.deepcopy(each) for each in graph.input} for graph in graphs]
    fixed, noted = set[str](), list[str]()
    for graph, own, other in zip(graphs, named, named[::-1], strict=True):
        fixed |= {each.name for each in graph.initializer if each.name in own and each.name not in other}
    for own, other in (named, named[::-1]):
        for name in sorted(own.keys() & other.keys()):
            one, two = own[name].type.tensor_type, other[name].type.tensor_type
            if own[name].type.HasField("tensor_type") and two.HasField("shape") and not one.HasField("shape"):
                one.shape.CopyFrom(two.shape)
                noted.append(f"{name} of {len(two.shape.dim)} axes")
    noted += [f"the defaults of {', '.join(sorted(fixed))}"] if fixed else []
    return [[own[name] for name in sorted(own) if name not in fixed] for own in named], noted


def entered(
    inputs: Sequence[onnx.ValueInfoProto],
    graph: onnx.GraphProto,
    order: Callable[[str, int], list[int]],
    sizes: dict[str, int],
    twins: Sequence[OnnxValue],
) -> tuple[list[OnnxValue], list[str]]:
    """Some inputs of a graph as values, and what those of an equal graph must have in common with them.

    A size without a number or a name is that of the input that stands for it in the other graph.
    """
    found, ends = list[OnnxValue](), list[str]()
    for number, each in enumerate(inputs):
        value, texts = OnnxValue(each.name, copy.deepcopy(each.type)), list[str]()
        dims, twin = value.type.tensor_type.shape.dim, twins[number].came if number < len(twins) else []
        axes = order(each.name, len(dims))
        came = [dims[place] for place in np.argsort(axes)]
        for axis, dim in enumerate(came):
            is_open, name = dim.dim_value < 0 or not dim.HasField("dim_value"), dim.dim_param
            if is_open and not name and len(twin) == len(came):
                dim.dim_value = twin[axis]
            elif is_open:
                dim.dim_value = sizes[name or f"{each.name}:{axis}"]
            texts.append("any " * is_open + str(dim.dim_value))
        value.came = [dim.dim_value for dim in came]
        value.__post_init__()
        origin, *lines = whole(value.came)
        value.at = [origin, *(lines[axis] for axis in axes)] if value.is_known else []
        found.append(value)
        ends.append(f"{texts} of {value.type.tensor_type.elem_type}" if came else str(value.type))
    names = {each.name: number for number, each in enumerate(inputs)}
    given = [(names[each.name], each) for each in graph.initializer if each.name in names]
    defaults = [(number, each.data_type, numpy_helper.to_array(each).tobytes().hex()) for number, each in given]
    return found, [*ends, *map(str, sorted(defaults))]
