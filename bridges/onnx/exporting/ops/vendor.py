"""Ops of other systems whose axes are described: the nodes that they came from."""

from .....dialects.npu import vendor as ops
from .....dialects.npu.values import logical_shape, rank_of
from .....layout import permute
from ..graph import OnnxGraph, OnnxTensor
from ..registry import exports
from ..storage import to_logical, to_stored
from .source import foreign_node


@exports(ops.VendorElementwiseOp)
def elementwise(op: ops.VendorElementwiseOp, graph: OnnxGraph, inputs: tuple[OnnxTensor, ...]) -> OnnxTensor:
    return foreign_node(op, graph, inputs)[0]


@exports(ops.VendorAnyOrderOp)
def any_order(
    op: ops.VendorAnyOrderOp, graph: OnnxGraph, data: OnnxTensor, parameters: tuple[OnnxTensor, ...]
) -> tuple[OnnxTensor, ...]:
    return foreign_node(op, graph, (data, *parameters))


@exports(ops.VendorPoolOp)
def pool(
    op: ops.VendorPoolOp, graph: OnnxGraph, data: OnnxTensor, parameters: tuple[OnnxTensor, ...]
) -> tuple[OnnxTensor, ...]:
    """The node in the layout that it was written in: ONNX has no other word for the order of its data."""
    layout, written, rank = op.feature_layout("data", op.data), op.written_in.data, rank_of(op.data)
    given = to_stored(graph, to_logical(graph, data, layout, rank), written, rank)
    results = foreign_node(op, graph, (given, *parameters))
    for value, result in zip(op.results, results, strict=True):
        # Without them the file could not be read again.
        result.sizes = permute(logical_shape(value, layout), written.order_for(rank))
    return tuple(to_stored(graph, to_logical(graph, each, written, rank), layout, rank) for each in results)
