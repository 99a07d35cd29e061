"""Products of matrices."""

from collections.abc import Sequence
from math import prod

from xdsl.ir import SSAValue

from .....dialects.npu import linear as ops
from .....dialects.npu.values import has_one_element, shape_of
from .....layout import DYNAMIC, identity
from ...errors import NotExportable
from ..graph import CallBuilder
from ..registry import exports


@exports(ops.MatmulOp)
def matmul(op: ops.MatmulOp, graph: CallBuilder, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    return _product(op, graph, lhs, rhs, None)


@exports(ops.GemmOp)
def gemm(op: ops.GemmOp, graph: CallBuilder, lhs: SSAValue, rhs: SSAValue, bias: SSAValue | None) -> SSAValue:
    """A bias that `linear` or `addmm` takes, or a sum."""
    result = shape_of(op.result)
    if bias is None:
        return _product(op, graph, lhs, rhs, None)
    if has_one_element(bias) and len(shape_of(bias)) > len(result):
        bias = graph.reshape(bias, ())
    if shape_of(bias) == result[-1:] and _is_linear(op, graph, rhs):
        return _product(op, graph, lhs, rhs, bias)
    if len(result) == 2:
        pair = _turned(graph, lhs, op.trans_a), _turned(graph, rhs, op.trans_b)
        return graph.call("aten.addmm.default", {"self": bias, "mat1": pair[0], "mat2": pair[1]}, result)
    total = _product(op, graph, lhs, rhs, None)
    return graph.call("aten.add.Tensor", {"self": total, "other": bias}, result)


def _turned(graph: CallBuilder, x: SSAValue, is_turned: object) -> SSAValue:
    """An operand with its matrices transposed if the flag is set."""
    if not is_turned:
        return x
    *batch, rows, columns = identity(len(shape_of(x)))
    return graph.transpose(x, (*batch, columns, rows))


def _matrix(graph: CallBuilder, x: SSAValue) -> SSAValue | None:
    """An operand of one matrix, as such."""
    if len(shape_of(x)) == 2:
        return x
    if {*shape_of(x)[:-2]} != {1}:
        return None
    found = graph.unlifted(x)
    return found if len(shape_of(found)) == 2 else graph.reshape(x, shape_of(x)[-2:])


def _is_linear(op: ops.ProductOp, graph: CallBuilder, rhs: SSAValue) -> bool:
    """True for rows of data times rows of weights, which `linear` computes."""
    is_one = {*shape_of(rhs)[:-2]} <= {1} and DYNAMIC not in shape_of(rhs)[-2:]
    return not graph.is_core and op.trans_a is None and op.trans_b is not None and is_one


def _product(op: ops.ProductOp, graph: CallBuilder, lhs: SSAValue, rhs: SSAValue, bias: SSAValue | None) -> SSAValue:
    result = shape_of(op.result)
    matrix = _matrix(graph, rhs) if _is_linear(op, graph, rhs) else None
    if matrix is not None:
        return graph.call("aten.linear.default", {"input": lhs, "weight": matrix, "bias": bias}, result)
    lhs, rhs = _turned(graph, lhs, op.trans_a), _turned(graph, rhs, op.trans_b)
    if len(result) == 2:
        return graph.call("aten.mm.default", {"self": lhs, "mat2": rhs}, result)
    if not graph.is_core:
        other = _matrix(graph, rhs)
        return graph.call("aten.matmul.default", {"self": lhs, "other": rhs if other is None else other}, result)
    return _of_batches(op, graph, lhs, rhs)


def _of_batches(op: ops.ProductOp, graph: CallBuilder, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    """A product of batches of one axis, or of all rows with one matrix."""
    result, name = shape_of(op.result), "aten.bmm.default"
    *batch, rows, columns = result
    depth, one = shape_of(lhs)[-1], _matrix(graph, rhs)
    if one is not None and DYNAMIC not in (depth, columns) and (*batch, rows).count(DYNAMIC) <= 1:
        flat = graph.reshape(lhs, (_joined((*batch, rows)), depth))
        found = graph.call("aten.mm.default", {"self": flat, "mat2": one}, (shape_of(flat)[0], columns))
        return graph.reshape(found, result)
    if len(result) == 3 and shape_of(lhs)[0] == shape_of(rhs)[0]:
        return graph.call(name, {"self": lhs, "mat2": rhs}, result)
    if result.count(DYNAMIC) + (depth == DYNAMIC) > 1:
        raise NotExportable(f"'{op.name}' of unknown sizes has no counterpart in core ATen")
    pair: list[SSAValue] = []
    for x in (lhs, rhs):
        inner = shape_of(x)[-2:]
        wide = (*batch, *inner)
        if shape_of(x) != wide:
            x = graph.call("aten.expand.default", {"self": x}, wide, size=[-1 if s == DYNAMIC else s for s in wide])
        pair.append(graph.reshape(x, (_joined(batch), *inner)))
    found = graph.call(name, {"self": pair[0], "mat2": pair[1]}, (_joined(batch), rows, columns))
    return graph.reshape(found, result)


def _joined(sizes: Sequence[int]) -> int:
    return DYNAMIC if DYNAMIC in sizes else prod(sizes)
