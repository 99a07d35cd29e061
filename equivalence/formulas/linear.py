"""Matrix products with a bias."""

from math import prod

from ...dialects.npu import linear as ops
from ...dialects.npu.values import shape_of
from .registry import formula
from .steps import Steps


@formula(ops.GemmOp)
def gemm(op: ops.GemmOp, steps: Steps) -> None:
    """A product and a sum, whose order is free."""
    if not steps.is_f32():
        return
    flags = {name: value for name, value in op.properties.items() if name in ("trans_a", "trans_b")}
    total = steps.add(ops.MatmulOp, [steps.operand(op.lhs), steps.operand(op.rhs)], None, flags)
    if op.bias is not None and not steps.is_zero(2):
        sizes, rank = shape_of(op.bias), len(steps.result)
        aligned = sizes if prod(sizes) == 1 else (*[1] * (rank - len(sizes)), *sizes)
        steps.plus(total, steps.reshape(steps.operand(op.bias), aligned))
