"""The reason why an op has no form for the requested orders, found without asking the op."""

from collections.abc import Sequence
from itertools import permutations
from math import prod

import numpy as np
from npu_opt.dialects.npu.attention import HeadsOp
from npu_opt.dialects.npu.axes import MatmulFreedom, Orders, agree
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.linear import LinearOp, ProductOp
from npu_opt.dialects.npu.low_precision import MatmulNBitsOp
from npu_opt.dialects.npu.movement import GatherOp
from npu_opt.dialects.npu.recurrent import RecurrentOp
from npu_opt.dialects.npu.sampling import SamplingOp
from npu_opt.dialects.npu.selection import SelectionOp
from npu_opt.dialects.npu.shape import ReshapeOp
from npu_opt.dialects.npu.source import ConstantOp, OpaqueOp
from npu_opt.dialects.npu.values import has_one_element, order_of_value, shape_of
from npu_opt.dialects.npu.vendor import VendorDataOp
from npu_opt.layout import MAX_RANK, Order, unpermute
from xdsl.dialects.builtin import StringAttr

HEADS = "heads and rows change places in all values or in none"
KEPT = "what is beside the heads keeps its order"
WITH_HEADS = ("query", "key", "value", "input", "result")


def reason(op: NpuOp, operands: Orders, results: Orders, matmul: MatmulFreedom) -> str | None:
    """The reason why there is no relayout for a request, or None if there should be one."""
    if any(order is not None and len(order) > MAX_RANK for order in (*operands, *results)):
        return "tensors of more than 6 axes are never re-ordered"
    match op:
        case OpaqueOp():
            return "nothing is known of the axes of a foreign op"
        case SelectionOp():
            return "a search takes its data in the order in which they are"
        case VendorDataOp() if not agree(operands[1:], [order_of_value(value) for value in op.parameters]):
            return "the parameters of a foreign op keep their orders"
        case MatmulNBitsOp() if not agree(operands[1:], [order_of_value(value) for value in op.operands[1:]]):
            return "packed numbers and what belongs to them keep their orders"
        case SamplingOp() if not agree(operands[1:], [order_of_value(value) for value in op.operands[1:]]):
            return "places have axes in the order of ONNX"
        case RecurrentOp():
            return "the steps of a recurrent op are in front"
        case ConstantOp():
            return "a constant is written down in one order"
        case LinearOp():
            return _product(op, operands, results, matmul)
        case ReshapeOp():
            return _reshape(op, operands[0], results[0])
        case GatherOp():
            return _gather(op, results[0])
        case HeadsOp():
            return _heads(op, operands, results, matmul)
        case _:
            return None


def _reshape(op: ReshapeOp, operand: Order | None, result: Order | None) -> str | None:
    """Try all orders of the two sides."""
    sides = op.input, op.result
    old = [order_of_value(side) for side in sides]
    shapes = [unpermute(shape_of(side), order) for side, order in zip(sides, old, strict=True)]
    data = np.arange(prod(shapes[0]))
    # An operand without a requested order may keep its order or follow the result.
    candidates = [operand] if operand is not None else permutations(range(len(old[0])))
    for one in candidates:
        before = data.reshape(shapes[0]).transpose(one).ravel()
        for other in [result] if result is not None else permutations(range(len(old[1]))):
            if np.array_equal(before, data.reshape(shapes[1]).transpose(other).ravel()):
                return None
    return "the reshape tears axes apart that this order joins"


def _heads(op: HeadsOp, operands: Orders, results: Orders, matmul: MatmulFreedom) -> str | None:
    """Each value is asked for as it is, or with the heads and the rows exchanged, and all that have both are alike.

    With all freedom those that have both may be in any order.
    """
    found: set[bool] = set()
    values = [*zip(op.operand_names(), op.operands, operands, strict=True), ("result", op.result, results[0])]
    for name, value, order in values:
        old = order_of_value(value)
        if order is None or (order == old and name not in WITH_HEADS):
            continue
        if name not in WITH_HEADS:
            return KEPT
        if matmul == MatmulFreedom.FREE:
            continue
        stated = op.properties.get(f"{name}_axes")
        axes = stated.data if isinstance(stated, StringAttr) else "BHNC"
        places = {axes.index("H"): axes.index("N"), axes.index("N"): axes.index("H")}
        exchanged = tuple(old[places.get(place, place)] for place in range(len(old)))
        if order not in (old, exchanged):
            return HEADS
        found.add(order == exchanged)
    return HEADS if len(found) > 1 else None


def _gather(op: GatherOp, result: Order | None) -> str | None:
    """The axes of the indices have to stay together in the result."""
    rank = len(shape_of(op.indices))
    if result is None or rank < 2:
        return None
    axis = order_of_value(op.input)[op.axis.value.data]
    places = sorted(result.index(axis + each) for each in range(rank))
    return None if places[-1] - places[0] == rank - 1 else "the order tears the axes of the indices apart"


def _product(op: LinearOp, operands: Orders, results: Orders, matmul: MatmulFreedom) -> str | None:
    old = order_of_value(op.result)
    rank = len(old)
    asked = [order for order in (*operands[:2], results[0]) if order is not None]
    further = _aligned(op)
    asked += [order for index in further if (order := operands[index]) is not None]
    if any(set(order[-2:]) != {rank - 2, rank - 1} for order in asked):
        return "the matrices of a product are the last two axes"
    if any(order[:-2] != asked[0][:-2] for order in asked):
        return "the batch axes of a product go together"
    if matmul == MatmulFreedom.RIGID and any(order[:-2] != old[:-2] for order in asked):
        return "rigid hardware moves no batch axes"
    values = (op.lhs, op.rhs, op.result)
    pairs = zip((*operands[:2], results[0]), values, strict=True)
    flips = [order is not None and order[-2:] != order_of_value(value)[-2:] for order, value in pairs]
    flips[2] = flips[2] or any((order := operands[i]) is not None and order[-2:] != old[-2:] for i in further)
    if matmul != MatmulFreedom.FREE and any(flips):
        return "only free hardware transposes matrices"
    if flips[2] and not isinstance(op, ProductOp):
        return "operands of different meaning cannot change places"
    if flips[2] and _vectors(op):
        return "a vector lies along the columns of the result"
    return None


def _aligned(op: LinearOp) -> Sequence[int]:
    """Further operands of the result's rank, which have its order."""
    rank = len(shape_of(op.result))
    return [i for i, v in enumerate(op.operands) if i > 1 and not has_one_element(v) and len(shape_of(v)) == rank]


def _vectors(op: LinearOp) -> Sequence[int]:
    rank = len(shape_of(op.result))
    return [i for i, v in enumerate(op.operands) if i > 1 and not has_one_element(v) and len(shape_of(v)) != rank]
