"""Elements or slices at positions along one axis."""

from xdsl.ir import SSAValue

from .....dialects.npu import indexing as ops
from .....dialects.npu.values import element_type_of, shape_of
from .....layout import DYNAMIC
from ...errors import NotExportable
from ..graph import CallBuilder
from ..registry import exports
from .movement import positions

REDUCTIONS = {"add": "sum", "mul": "prod", "max": "amax", "min": "amin"}


@exports(ops.GatherElementsOp)
def gather_elements(op: ops.GatherElementsOp, graph: CallBuilder, x: SSAValue, indices: SSAValue) -> SSAValue:
    operands = {"self": x, "index": positions(graph, indices)}
    return graph.call("aten.gather.default", operands, shape_of(op.result), dim=op.axis.value.data)


@exports(ops.ScatterElementsOp)
def scatter_elements(
    op: ops.ScatterElementsOp, graph: CallBuilder, x: SSAValue, indices: SSAValue, updates: SSAValue
) -> SSAValue:
    operands, way = {"self": x, "index": positions(graph, indices), "src": updates}, op.reduction.data
    axis, sizes = op.axis.value.data, shape_of(op.result)
    if way == "none":
        return graph.call("aten.scatter.src", operands, sizes, dim=axis)
    if way == "add":
        return graph.call("aten.scatter_add.default", operands, sizes, dim=axis)
    return graph.call("aten.scatter_reduce.two", operands, sizes, dim=axis, reduce=REDUCTIONS[way])


@exports(ops.ScatterOp)
def scatter(op: ops.ScatterOp, graph: CallBuilder, x: SSAValue, indices: SSAValue, updates: SSAValue) -> SSAValue:
    """Negative positions count from the end in `index_put` only."""
    way, axis = op.reduction.data, op.axis.value.data
    if way not in ("none", "add"):
        raise NotExportable(f"'{op.name}' with reduction \"{way}\" has no counterpart in PyTorch")
    operands = {"self": x, f"indices.{axis}": positions(graph, indices), "values": updates}
    return graph.call(
        "aten.index_put.default", operands, shape_of(op.result), accumulate=True if way == "add" else None
    )


@exports(ops.TopKOp)
def top_k(op: ops.TopKOp, graph: CallBuilder, x: SSAValue, count: SSAValue | None) -> tuple[SSAValue, ...]:
    axis = op.axis.value.data
    most = shape_of(op.found)[axis]
    if most == DYNAMIC or count is not None:
        raise NotExportable(f"'{op.name}' of an unknown count has no counterpart in PyTorch")
    largest = False if op.smallest is not None else None
    sizes = [shape_of(op.found), shape_of(op.places)]
    elements = [element_type_of(x), element_type_of(op.places)]
    found = graph.call_many("aten.topk.default", {"self": x}, sizes, elements, k=most, dim=axis, largest=largest)
    return found[0], found[1]
