"""Elementwise ops that pick elements or convert them."""

from collections.abc import Sequence

from .....dialects.npu.elementwise import CastOp, ElementwiseOp, SelectOp
from .....dialects.npu.values import element_type_of, shape_of
from ..elements import BOOL, FLOATS, I32, I64, carrier
from ..graph import OnnxGraph, OnnxTensor
from ..registry import exports


def aligned(op: ElementwiseOp, graph: OnnxGraph, tensors: Sequence[OnnxTensor]) -> list[OnnxTensor]:
    """The operands so that ONNX repeats them as the op does: those of a higher rank have one element."""
    rank = len(shape_of(op.result))
    ranks = [len(shape_of(operand)) for operand in op.operands]
    lower = [graph.reshape(x, ()) if found > rank else x for x, found in zip(tensors, ranks, strict=True)]
    if rank not in ranks:
        # All operands have one element, and so does the result.
        lower[0] = graph.reshape(lower[0], [1] * rank)
    return lower


@exports(SelectOp)
def select(
    op: SelectOp, graph: OnnxGraph, condition: OnnxTensor, on_true: OnnxTensor, on_false: OnnxTensor
) -> OnnxTensor:
    return graph.where(*aligned(op, graph, (condition, on_true, on_false)))


@exports(CastOp)
def cast(op: CastOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    """A float becomes a small integer by way of one of 64 bits: ONNX says only there what comes of large numbers.

    NaN, infinities and what is too large for integers of 32 and 64 bits become what ONNX Runtime makes of them.
    """
    is_small = carrier(element_type_of(op.result)) not in {*FLOATS, BOOL, I32}
    return graph.cast(x, I64) if x.element in FLOATS and is_small else x
