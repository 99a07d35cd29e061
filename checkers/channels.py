"""The channels rule of check_equal.py: two nodes that make the same channels, in other orders, of the same channels.

A channel is a position along axis 1. Each channel of a value is one of its root, and those of a Concat along axis 1 are
those of its operands. An op computes a channel of its result
  - from the same channel of each operand, and its slice of each constant, if it is elementwise, a pool or a norm;
  - as a sum over the channels of its group, each with a slice of the weights, if it is a Conv with constant weights;
    those that are multiplied by zeros add nothing, if they are finite numbers, which is believed.
Channels that are computed from the same are the same, in whichever place of the result they are.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
import math
from collections import Counter
from collections.abc import Hashable
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING or __package__:
    from .onnx_ops import ELEMENTWISE
    from .onnx_steps import OnnxStep, OnnxValue
    from .positions import Array, Lines, whole
else:
    from onnx_ops import ELEMENTWISE
    from onnx_steps import OnnxStep, OnnxValue
    from positions import Array, Lines, whole

Channel: TypeAlias = tuple[OnnxValue, int]
"""A root, and the number of its channel."""
POOLS = {"AveragePool", "GlobalAveragePool", "GlobalMaxPool", "MaxPool"}
BY_CHANNEL = {*ELEMENTWISE, *POOLS, "BatchNormalization", "Conv"}


def channels_of(value: OnnxValue | None) -> list[Channel]:
    """The channels that a value shows; raises `ValueError` if it shows anything else than whole channels of a root."""
    if (
        value is None
        or value.array is not None
        or not value.is_known
        or len(value.shape) < 2
        or len(value.shape) != len(value.root.shape)
    ):
        raise ValueError("a value has no channels")
    root = value.root
    (origin, *lines), own, inner = value.at, whole(root.shape)[1:], math.prod(root.shape[2:])
    if any(axis != 1 and not np.array_equal(lines[axis], own[axis]) for axis in range(len(lines))):
        raise ValueError("a value shows parts of channels")
    numbers = (origin + lines[1]) // inner
    if not np.array_equal(numbers * inner, origin + lines[1]) or numbers.max() >= root.shape[1] or numbers.min() < 0:
        raise ValueError("a value shows parts of channels")
    node, made = root.node, [(root, number) for number in range(root.shape[1])]
    if node and node.op == "Concat" and node.version[0] == "" and node.attributes["axis"] in (1, 1 - len(root.shape)):
        made = [each for operand in node.inputs if operand for each in channels_of(operand)]
    return [made[number] for number in numbers]


def slices(array: Array, rank: int) -> list[Hashable]:
    """The parts of a constant for each channel of an elementwise op, or one if all have the same."""
    axis = array.ndim - rank + 1
    parts = np.moveaxis(array, axis, 0) if axis >= 0 else array[None]
    return [(str(each.dtype), each.shape, each.tobytes()) for each in parts]


def read_by(node: OnnxStep, has_zeros: bool) -> set[Channel]:
    """The channels that a Conv reads: less work than what it makes of them."""
    known, weights = channels_of(node.inputs[0]), node.inputs[1].array if node.inputs[1] else None
    if weights is None or has_zeros:
        return {*known}
    group, size = node.attributes["group"], weights.shape[1]
    used = weights.reshape(group, -1, size, math.prod(weights.shape[2:])).any(axis=(1, 3)).reshape(-1)
    return {channel for channel, is_used in zip(known, used, strict=True) if is_used}


def made_of(node: OnnxStep, has_zeros: bool = True) -> list[Hashable]:
    """The operands of each channel of the result of a node; raises `ValueError` if they are not known.

    Without zeros, channels that a Conv multiplies by weights of zero count as none.
    """
    result, (data, *rest) = node.outputs[0], node.inputs
    if node.version[0] or node.op not in BY_CHANNEL or not result.is_known or len(node.outputs) > 1 or data is None:
        raise ValueError(f"{node.op} has no channels")
    count, rank = result.shape[1] if len(result.shape) > 1 else 0, len(result.shape)
    if node.op == "Conv":
        weights, bias = (each.array if each else None for each in (*rest, None)[:2])
        known, group = channels_of(data), node.attributes["group"]
        if weights is None or (bias is None and len(rest) > 1):
            raise ValueError("the weights of a Conv are no constants")
        found, size = list[Hashable](), weights.shape[1]
        if group < 1 or count % group or len(known) != group * size:
            raise ValueError("the groups of a Conv do not fit its weights")
        for number, kernel in enumerate(weights):
            first = number // (count // group) * size
            parts = [*zip(known[first : first + size], kernel, strict=True)]
            pairs = Counter((channel, each.tobytes()) for channel, each in parts if has_zeros or each.any())
            found.append((frozenset(pairs.items()), b"" if bias is None else bias[number].tobytes()))
        return [(str(weights.dtype), weights.shape[2:], each) for each in found]
    columns = list[list[Hashable]]()
    for operand in node.inputs:
        if operand is None:
            column: list[Hashable] = [None]
        elif operand.array is None and len(operand.shape) == rank:
            column = [*channels_of(operand)]
        elif operand.array is None:
            raise ValueError(f"an operand of {node.op} has other axes")
        elif node.op == "BatchNormalization":
            column = [each.tobytes() for each in operand.array]
        else:
            column = slices(operand.array, rank)
        if len(column) not in (1, count) or (len(column) == 1 < count and operand and operand.array is None):
            raise ValueError(f"the operands of {node.op} have other channels")
        columns.append(column * (count // len(column)))
    return [*zip(*columns, strict=True)]


def by_channels(shown: OnnxValue, value: OnnxValue) -> Lines:
    """The positions that a result shows of the root of another one; raises `ValueError` if it does not show it."""
    p, q = shown.node, value.node
    assert p and q  # noqa: PT018
    derived = {"group", "kernel_shape"}
    kinds = [{name: each for name, each in node.stated.items() if name not in derived} for node in (p, q)]
    shapes = [(each.shape[:1], each.shape[2:], each.type.tensor_type.elem_type) for each in (shown, value)]
    if p.op != q.op or p.version != q.version or p.given != q.given or kinds[0] != kinds[1] or shapes[0] != shapes[1]:
        raise ValueError(f"{q.op} is another op than {p.op}")
    for has_zeros in (True, False):
        if p.op == "Conv" and read_by(p, has_zeros) != read_by(q, has_zeros):
            continue
        places = {each: number for number, each in reversed([*enumerate(made_of(p, has_zeros))])}
        order = [places.get(each, -1) for each in made_of(q, has_zeros)]
        if -1 in order:
            continue
        p.model.believed["numbers that a Conv multiplies by zeros are finite"] += not has_zeros
        origin, *lines = shown.at
        line = lines[1][order]
        return [origin + line[0], lines[0], line - line[0], *lines[2:]]
    raise ValueError(f"a channel of {q.op} is no channel of {p.op}")
