"""Pooling."""

from math import inf

from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from .....dialects.npu import pooling as ops
from .....dialects.npu.values import element_type_of, is_float, logical_shape, shape_of
from .....layout import identity
from ...errors import NotExportable
from ..graph import CallBuilder
from ..registry import exports
from ..storage import to_logical, to_stored
from .convolution import symmetric


@exports(ops.MaxPoolOp)
def max_pool(op: ops.MaxPoolOp, graph: CallBuilder, x: SSAValue) -> SSAValue:
    """Pads of more than half a window, or different ones, are elements less than all others."""
    layout, extents = op.feature_layout("input", op.input), op.window.get_values()
    count = len(extents)
    window = op.sliding_window(count)
    data = to_logical(graph, x, layout, count + 2)
    data, pads = symmetric(graph, data, window, -inf)
    _check_pads(op, pads)
    sizes = logical_shape(op.result, layout)
    how: dict[str, object] = {"kernel_size": [*extents], "stride": [*window.strides], "padding": pads}
    how |= {"dilation": [*window.dilations], "ceil_mode": op.ceil is not None}
    if graph.is_core and count > 1:
        types = [element_type_of(x), i64]
        name = f"aten.max_pool{count}d_with_indices.default"
        found = graph.call_many(name, {"self": data}, [sizes, sizes], types, **how)[0]
    else:
        found = graph.call(f"aten.max_pool{count}d.default", {"self": data}, sizes, **how)
    return to_stored(graph, found, layout, count + 2)


def _check_pads(op: ops.PoolingOp, pads: list[int]) -> None:
    if any(2 * pad > extent for pad, extent in zip(pads, op.window.get_values(), strict=True)):
        raise NotExportable(f"'{op.name}' with pads of more than half a window has no counterpart in PyTorch")


@exports(ops.AvgPoolOp)
def avg_pool(op: ops.AvgPoolOp, graph: CallBuilder, x: SSAValue) -> SSAValue:
    layout, extents = op.feature_layout("input", op.input), op.window.get_values()
    count = len(extents)
    window = op.sliding_window(count)
    if window.pads_begin != window.pads_end or {*window.dilations} != {1}:
        raise NotExportable(f"'{op.name}' with these pads or dilations has no counterpart in PyTorch")
    _check_pads(op, [*window.pads_begin])
    data = to_logical(graph, x, layout, count + 2)
    how: dict[str, object] = {"kernel_size": [*extents], "stride": [*window.strides], "padding": [*window.pads_begin]}
    counts_pads = op.count_padding is not None or not any(window.pads_begin)
    how |= {"ceil_mode": op.ceil is not None, "count_include_pad": counts_pads}
    sizes = logical_shape(op.result, layout)
    found = graph.call(f"aten.avg_pool{count}d.default", {"self": data}, sizes, **how)
    return to_stored(graph, found, layout, count + 2)


@exports(ops.GlobalAvgPoolOp, ops.GlobalMaxPoolOp)
def whole(op: ops.GlobalPoolingOp, graph: CallBuilder, x: SSAValue) -> SSAValue:
    """A reduction, but for a mean with the channels second, which has an operator of its own."""
    order, rank = op.feature_layout("input", op.input).order_for(len(shape_of(x))), len(shape_of(x))
    sizes, is_mean = shape_of(op.result), isinstance(op, ops.GlobalAvgPoolOp)
    if is_mean and not is_float(element_type_of(x)):
        raise NotExportable(f"'{op.name}' of integers has no counterpart in PyTorch")
    if is_mean and order == identity(rank) and not graph.is_core:
        name = f"aten.adaptive_avg_pool{rank - 2}d.default"
        return graph.call(name, {"self": x}, sizes, output_size=[1] * (rank - 2))
    axes = [place for place, logical in enumerate(order) if logical >= 2]
    name = "aten.mean.dim" if is_mean else "aten.amax.default"
    return graph.call(name, {"self": x}, sizes, dim=axes, keepdim=True)
