"""Matrix products.

`trans_a` and `trans_b` become transposes of the last two axes, or transA and transB of Gemm. Quantised products are
QLinearMatMul and MatMulInteger for the element types that ONNX Runtime supports.
"""

from xdsl.ir import Operation, SSAValue

from .....dialects.notes.node_kinds import ONNX_KIND, was
from .....dialects.npu import linear as ops
from .....dialects.npu.shape import ReshapeOp
from .....dialects.npu.values import has_one_element, shape_of
from .....layout import DYNAMIC, identity
from ....origins import node_of
from ..convolutions import empty_sum, summable
from ..elements import F16, F32, F64, I32, I64
from ..graph import OnnxGraph, OnnxTensor
from ..qlinear import DOMAIN
from ..quantized import TRIPLES, broadcast_parameters, flat, requantized, scalar
from ..registry import exports

GEMM_TYPES = F16, F32, F64


def matrices(graph: OnnxGraph, x: OnnxTensor, rank: int, transposed: object) -> OnnxTensor:
    """An operand with its last two axes swapped if `transposed` is set."""
    if not transposed:
        return x
    *batch, rows, columns = identity(rank)
    return graph.transpose(x, (*batch, columns, rows))


def operands(op: ops.LinearOp, graph: OnnxGraph, lhs: OnnxTensor, rhs: OnnxTensor) -> tuple[OnnxTensor, OnnxTensor]:
    """The matrices of the product.

    Batch axes that only the dialect needs are dropped, because ONNX Runtime is faster for matrices. Those of a node of
    its own stay, because some compilers refuse operands of different ranks, as do all of a product that came with equal
    ranks. If the target says so, those of a matrix on the right are the only ones that are dropped.
    """
    ranks, any_rank = [len(shape_of(op.lhs)), len(shape_of(op.rhs))], not graph.rules.equal_ranks
    below = 0 if rhs.lifted is None else ranks[1] - rhs.lifted.count
    may_drop = node_of(op) not in graph.came_with_equal_ranks
    may_drop_left = may_drop and not _is_own_node(op.lhs, op)
    may_drop_right = may_drop and (rhs.weights is not None or not _is_own_node(op.rhs, op))
    if may_drop_right and rhs.lifted is not None and (below == 2 or (any_rank and below > 2)):
        ranks[1] = below
        rhs = rhs.lifted.source
    elif may_drop_left and any_rank and lhs.lifted is not None and ranks[0] - lhs.lifted.count >= 2:
        ranks[0] -= lhs.lifted.count
        lhs = lhs.lifted.source
    return matrices(graph, lhs, ranks[0], op.trans_a), matrices(graph, rhs, ranks[1], op.trans_b)


def _is_own_node(value: SSAValue, product: Operation) -> bool:
    """True for the reshape of another node than the product, or of a pass, in a model that came."""
    reshape = value.owner
    return isinstance(reshape, ReshapeOp) and node_of(product) is not None and node_of(reshape) != node_of(product)


def multiplied(graph: OnnxGraph, lhs: OnnxTensor, rhs: OnnxTensor) -> OnnxTensor:
    """The product; small integers are accumulated in i64."""
    if lhs.element not in (F16, F32, F64):
        pair = graph.computable_pair("MatMul", lhs, rhs)
        lhs, rhs = (graph.cast(x, I64) for x in pair) if pair[0] is not lhs and pair[0].element != F32 else pair
    return graph.node("MatMul", lhs, rhs)


def has_no_elements(op: ops.LinearOp) -> bool:
    """True if an operand has no elements; ONNX Runtime's result is undefined then."""
    return 0 in (*shape_of(op.lhs), *shape_of(op.rhs))


def origins(op: ops.LinearOp, lhs: OnnxTensor, rhs: OnnxTensor) -> dict[int, tuple[OnnxTensor, int]]:
    """An operand, and its axis, for each axis of the result whose size is unknown."""
    found: dict[int, tuple[OnnxTensor, int]] = {}
    for role in op.matrix_roles().roles:
        for index, axis in role.operands:
            if index < 2 and shape_of(op.operands[index])[axis] == DYNAMIC:
                found |= {kept: ((lhs, rhs)[index], axis) for _, kept in role.results}
    return found


def total_of(op: ops.LinearOp, graph: OnnxGraph, lhs: OnnxTensor, rhs: OnnxTensor) -> OnnxTensor:
    """The matrix product of the operands."""
    if has_no_elements(op):
        return empty_sum(graph, op.name, summable(graph, lhs).element, shape_of(op.result), origins(op, lhs, rhs))
    if _needs_swap(graph, lhs, rhs):
        left = matrices(graph, rhs, len(shape_of(op.rhs)), not op.trans_b)
        right = matrices(graph, lhs, len(shape_of(op.lhs)), not op.trans_a)
        return matrices(graph, multiplied(graph, left, right), len(shape_of(op.result)), True)
    if reads_transposed(op, lhs, rhs):
        flags = {"transA": int(bool(op.trans_a)), "transB": int(bool(op.trans_b))}
        if is_gemm(op, lhs):
            return graph.node("Gemm", lhs, rhs, **flags)
        if DOMAIN in graph.domains and has_fused_form(op, lhs, rhs):
            return graph.foreign_node(DOMAIN, "FusedMatMul", [lhs, rhs], lhs.element, **flags)
    return multiplied(graph, *operands(op, graph, lhs, rhs))


def _needs_swap(graph: OnnxGraph, lhs: OnnxTensor, rhs: OnnxTensor) -> bool:
    """True for a constant left operand that the target refuses; the product of the transposed matrices has none."""
    return graph.rules.no_constant_lhs and lhs.weights is not None and rhs.weights is None


def reads_transposed(op: ops.LinearOp, lhs: OnnxTensor, rhs: OnnxTensor) -> bool:
    """True for a product of transposed matrices that are not constants, which are stored transposed."""
    return any(is_moved and x.weights is None for x, is_moved in ((lhs, op.trans_a), (rhs, op.trans_b)))


def is_gemm(op: ops.LinearOp, lhs: OnnxTensor) -> bool:
    """True for products that Gemm computes: of two matrices of floats."""
    return len(shape_of(op.lhs)) == 2 and lhs.element in GEMM_TYPES


def has_fused_form(op: ops.LinearOp, lhs: OnnxTensor, rhs: OnnxTensor) -> bool:
    """True for products that ONNX Runtime's own op computes, which reads batches of transposed matrices."""
    return lhs.element == rhs.element == F32 and len(shape_of(op.lhs)) == len(shape_of(op.rhs))


def with_bias(
    op: ops.LinearOp, graph: OnnxGraph, total: OnnxTensor, bias: OnnxTensor | None, value: SSAValue | None
) -> OnnxTensor:
    """Add a bias, which broadcasts to the product; a vector lies along the columns."""
    if bias is None or value is None:
        return total
    if has_one_element(value):
        bias = graph.reshape(bias, ())
    elif bias.lifted is not None:
        bias = bias.lifted.source
    return graph.node("Add", total, graph.cast(bias, total.element))


@exports(ops.MatmulOp)
def matmul(op: ops.MatmulOp, graph: OnnxGraph, lhs: OnnxTensor, rhs: OnnxTensor) -> OnnxTensor:
    return total_of(op, graph, lhs, rhs)


@exports(ops.GemmOp)
def gemm(op: ops.GemmOp, graph: OnnxGraph, lhs: OnnxTensor, rhs: OnnxTensor, bias: OnnxTensor | None) -> OnnxTensor:
    """Gemm for matrices of floats, or rows of several axes that were one; MatMul and Add for all others."""
    if was(op, "Gemm", ONNX_KIND) and _has_rows(op, graph, lhs, rhs):
        return _of_rows(op, graph, lhs, rhs, bias)
    if not is_gemm(op, lhs) or has_no_elements(op) or _needs_swap(graph, lhs, rhs):
        return with_bias(op, graph, total_of(op, graph, lhs, rhs), bias, op.bias)
    inputs = [lhs, rhs]
    if bias is not None and op.bias is not None:
        inputs.append(graph.reshape(bias, ()) if len(shape_of(op.bias)) > 2 else bias)
    return graph.node("Gemm", *inputs, transA=int(op.trans_a is not None), transB=int(op.trans_b is not None))


def _has_rows(op: ops.GemmOp, graph: OnnxGraph, lhs: OnnxTensor, rhs: OnnxTensor) -> bool:
    """True if one matrix is for all rows."""
    *batch, depth, width = shape_of(op.rhs)
    is_one = {*batch} == {1} and DYNAMIC not in (depth, width) and not op.trans_a and lhs.element in GEMM_TYPES
    has_vector = op.bias is None or {*shape_of(op.bias)[:-1]} <= {1}
    return is_one and has_vector and lhs.weights is None and not (has_no_elements(op) or _needs_swap(graph, lhs, rhs))


def _of_rows(op: ops.GemmOp, graph: OnnxGraph, lhs: OnnxTensor, rhs: OnnxTensor, bias: OnnxTensor | None) -> OnnxTensor:
    """A Gemm of all rows, and a Reshape to the sizes as they came."""
    inputs = [graph.reshape(lhs, (DYNAMIC, shape_of(op.lhs)[-1])), _without_units(graph, rhs, op.rhs, 2)]
    if bias is not None and op.bias is not None:
        inputs.append(_without_units(graph, bias, op.bias, 1))
    *rows, columns = shape_of(op.result)
    is_known = rows.count(DYNAMIC) == 1
    # The last node with an op of its own has the name of the node that came.
    sizes = [*rows, columns] if is_known else [graph.size(lhs, 0, len(rows)), columns]
    total = graph.node("Gemm", *inputs, transB=int(op.trans_b is not None))
    return graph.reshape(total, sizes) if is_known else graph.op("Reshape", total, graph.shape(sizes))


def _without_units(graph: OnnxGraph, x: OnnxTensor, value: SSAValue, rank: int) -> OnnxTensor:
    """An operand without its first axes, which have one element each."""
    dropped = len(shape_of(value)) - rank
    if dropped <= 0:
        return x
    is_lifted = x.lifted is not None and x.lifted.count == dropped
    return x.lifted.source if is_lifted and x.lifted is not None else graph.reshape(x, shape_of(value)[dropped:])


@exports(ops.MatmulIntegerOp)
def matmul_integer(
    op: ops.MatmulIntegerOp,
    graph: OnnxGraph,
    lhs: OnnxTensor,
    rhs: OnnxTensor,
    lhs_zero: OnnxTensor,
    rhs_zero: OnnxTensor,
) -> OnnxTensor:
    return _product(op, graph, lhs, rhs, lhs_zero, rhs_zero)


def _product(
    op: ops.MatmulIntegerOp | ops.QuantizedProductOp,
    graph: OnnxGraph,
    lhs: OnnxTensor,
    rhs: OnnxTensor,
    lhs_zero: OnnxTensor,
    rhs_zero: OnnxTensor,
) -> OnnxTensor:
    """The product of integers minus their zero points, in i32."""
    if has_no_elements(op):
        return empty_sum(graph, op.name, I32, shape_of(op.result), origins(op, lhs, rhs))
    first, second = operands(op, graph, lhs, rhs)
    points = scalar(graph, lhs_zero, op.lhs_zero_point), flat(graph, rhs_zero, op.rhs_zero_point)
    if len(shape_of(op.lhs)) == 2 or has_one_element(op.rhs_zero_point):
        return graph.node("MatMulInteger", first, second, *points, element=I32)
    pairs = (first, points[0]), (second, points[1])
    return graph.node("MatMul", *(graph.node("Sub", graph.cast(x, I32), graph.cast(p, I32)) for x, p in pairs))


@exports(ops.QuantMatmulOp, ops.QuantGemmOp)
def quantized_product(
    op: ops.QuantizedProductOp,
    graph: OnnxGraph,
    lhs: OnnxTensor,
    rhs: OnnxTensor,
    lhs_scale: OnnxTensor,
    lhs_zero: OnnxTensor,
    rhs_scale: OnnxTensor,
    rhs_zero: OnnxTensor,
    result_scale: OnnxTensor,
    result_zero: OnnxTensor,
    bias: OnnxTensor | None = None,
) -> OnnxTensor:
    scales = (
        scalar(graph, lhs_scale, op.lhs_scale),
        flat(graph, rhs_scale, op.rhs_scale),
        scalar(graph, result_scale, op.result_scale),
    )
    target = result_zero.element
    has_vectors = not (has_one_element(op.rhs_scale) and has_one_element(op.rhs_zero_point))
    has_kernel = (lhs.element, rhs.element, target) in TRIPLES and (len(shape_of(op.lhs)) == 2 or not has_vectors)
    if has_kernel and not has_no_elements(op):
        zero = flat(graph, rhs_zero, op.rhs_zero_point)
        left = scales[0], scalar(graph, lhs_zero, op.lhs_zero_point)
        right = broadcast_parameters(graph, scales[1], op.rhs_scale, zero, op.rhs_zero_point)
        of_result = scales[2], scalar(graph, result_zero, op.result_zero_point)
        if _is_qgemm(op, graph):
            inputs = lhs, *left, rhs, *right, bias, *of_result
            flags = {"transA": int(op.trans_a is not None), "transB": int(op.trans_b is not None)}
            return graph.foreign_node(DOMAIN, "QGemm", inputs, target, **flags)
        if bias is None:
            first, second = operands(op, graph, lhs, rhs)
            return graph.node("QLinearMatMul", first, *left, second, *right, *of_result, element=target)
    total = _product(op, graph, lhs, rhs, lhs_zero, rhs_zero)
    value = op.bias if isinstance(op, ops.QuantGemmOp) else None
    total = with_bias(op, graph, total, bias, value)
    return requantized(graph, total, scales, scalar(graph, result_zero, op.result_zero_point), op.result)


def _is_qgemm(op: ops.QuantizedProductOp, graph: OnnxGraph) -> bool:
    """True for a product of matrices, plus at most a vector, in a model that uses ONNX Runtime's domain."""
    if not isinstance(op, ops.QuantGemmOp) or DOMAIN not in graph.domains or len(shape_of(op.lhs)) != 2:
        return False
    return op.bias is None or shape_of(op.bias) == shape_of(op.result)[1:]
