"""Elementwise ops of two operands."""

from .....dialects.notes.node_kinds import was
from .....dialects.npu import binary as ops
from .....dialects.npu.elementwise import BinaryOp
from .....dialects.npu.values import element_type_of, is_boolean, shape_of, shapes_agree
from ...counterparts import BINARY
from ...errors import NotExportable
from ..elements import LiteElement
from ..graph import LiteGraph, LiteTensor
from ..registry import exports, exports_rest
from .elementwise import aligned

KINDS = {row.op: row.kind for row in BINARY} | {ops.XorOp: "NOT_EQUAL"}


def combined(
    op: BinaryOp, graph: LiteGraph, kind: str, lhs: LiteTensor, rhs: LiteTensor, element: LiteElement | None = None
) -> LiteTensor:
    shape = shape_of(op.result)
    operands = [aligned(graph, x, len(shape)) for x in (lhs, rhs)]
    return graph.reshape(graph.elementwise(kind, operands, element), shape)


@exports(ops.MulOp)
def product(op: ops.MulOp, graph: LiteGraph, lhs: LiteTensor, rhs: LiteTensor) -> LiteTensor:
    square = _square(op, graph, lhs) if lhs is rhs else None
    return combined(op, graph, "MUL", lhs, rhs) if square is None else square


def _square(op: ops.MulOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor | None:
    """The one op that a product of a number with itself was in a file."""
    if x.element != LiteElement.F32:
        return None
    if was(op, "SQUARE"):
        return graph.unary("SQUARE", x)
    if was(op, "SQUARED_DIFFERENCE") and x.node is not None and x.node.kind == "SUB":
        lhs, rhs = x.node.inputs
        assert lhs is not None
        assert rhs is not None
        return graph.binary("SQUARED_DIFFERENCE", lhs, rhs)
    return None


@exports(ops.AndOp, ops.OrOp, ops.XorOp)
def logical(op: ops.LogicalOp, graph: LiteGraph, lhs: LiteTensor, rhs: LiteTensor) -> LiteTensor:
    if lhs.element != LiteElement.BOOL:
        raise NotExportable(f"'{op.name}' of integers has no counterpart in LiteRT")
    return combined(op, graph, KINDS[type(op)], lhs, rhs)


@exports(ops.DivOp)
def div(op: ops.DivOp, graph: LiteGraph, lhs: LiteTensor, rhs: LiteTensor) -> LiteTensor:
    """DIV; that of integers rounds towards 0, as the dialect's. Its kernel has no i64, but sizes fit in i32."""
    if lhs.element.is_float or lhs.element == LiteElement.I32:
        return combined(op, graph, "DIV", lhs, rhs)
    if not (is_a_size(lhs) and is_a_size(rhs)):
        raise NotExportable(f"'{op.name}' of {lhs.element.name} has no counterpart in LiteRT")
    result = combined(op, graph, "DIV", graph.cast(lhs, LiteElement.I32), graph.cast(rhs, LiteElement.I32))
    return graph.cast(result, lhs.element)


@exports(ops.ModOp)
def mod(op: ops.ModOp, graph: LiteGraph, lhs: LiteTensor, rhs: LiteTensor) -> LiteTensor:
    """FLOOR_MOD, whose result has the sign of the divisor."""
    if op.sign.data != "rhs":
        raise NotExportable(f"'{op.name}' with the sign of the dividend has no counterpart in LiteRT")
    return combined(op, graph, "FLOOR_MOD", lhs, rhs)


@exports(ops.PowOp)
def power(op: ops.PowOp, graph: LiteGraph, lhs: LiteTensor, rhs: LiteTensor) -> LiteTensor:
    exponent = graph.known(rhs)
    if exponent is not None and exponent.size == 1 and float(exponent.reshape(())) == 2 and not was(op, "POW"):
        return graph.reshape(graph.binary("MUL", lhs, lhs), shape_of(op.result))
    is_counted = was(op, "POW") or (exponent is not None and bool((exponent >= 0).all()))
    if not lhs.element.is_float and not is_counted:
        raise NotExportable(f"'{op.name}' of integers with exponents that may be negative has no counterpart in LiteRT")
    return combined(op, graph, "POW", lhs, rhs)


@exports(ops.PreluOp)
def prelu(op: ops.PreluOp, graph: LiteGraph, lhs: LiteTensor, rhs: LiteTensor) -> LiteTensor:
    """PRELU, whose slope broadcasts to the data; without the unit axes in front, as its kernel wants a vector."""
    shape = shape_of(op.result)
    slope = aligned(graph, rhs, len(shape))
    if graph.known(rhs) is None and not shapes_agree(lhs.shape, shape):
        raise NotExportable(f"'{op.name}' with a computed slope larger than the data has no counterpart in LiteRT")
    if slope.shape[:1] == (1,) and len(lhs.shape) == len(shape):
        slope = graph.reshape(slope, slope.shape[1:])
    return graph.node("PRELU", [lhs, slope], shape)


@exports_rest(KINDS)
def binary(op: BinaryOp, graph: LiteGraph, lhs: LiteTensor, rhs: LiteTensor) -> LiteTensor:
    element = LiteElement.BOOL if is_boolean(element_type_of(op.result)) else None
    return combined(op, graph, KINDS[type(op)], lhs, rhs, element)


KEEPS_SIZES = frozenset({"ADD", "CAST", "CONCATENATION", "DIV", "GATHER", "MUL", "RESHAPE", "SLICE", "SUB"})
"""The kinds of ops that make sizes and numbers of elements of sizes."""
LARGEST_SIZE = 2**30


def is_a_size(x: LiteTensor) -> bool:
    """True if the numbers of a tensor are sizes of tensors or numbers of elements, none of which reaches 2^31."""
    if x.data is not None:
        known = x.data.array()
        return not known.size or bool(abs(known.astype(float)).max() < LARGEST_SIZE)
    waiting, seen = [x], {x}
    while waiting:
        tensor = waiting.pop()
        if tensor.data is not None and not is_a_size(tensor):
            return False
        if tensor.data is not None or (tensor.node is not None and tensor.node.kind == "SHAPE"):
            continue
        if tensor.node is None or tensor.node.kind not in KEEPS_SIZES:
            return False
        given = [each for each in tensor.node.inputs if each is not None and each not in seen]
        seen.update(given)
        waiting += given
    return True
