"""Ops of ONNX Runtime's training graphs: gradients, in the domain `com.microsoft`."""

from collections.abc import Sequence

from xdsl.ir import SSAValue
from xdsl.irdl import IRDLOperation

from .....dialects.npu import convolution, reduction
from ...errors import UnsupportedNode
from ..node import ImportedNode
from ..registry import Converted, converts, types
from ..shaped import Shaped
from ..windows import moves_of, numbers
from .convolution import layouts

DOMAIN = "com.microsoft"


@types(f"{DOMAIN}.ConvGrad")
def conv_grad_types(node: ImportedNode) -> Sequence[Shaped]:
    """The gradients of the data, the kernel and the bias have the types of these."""
    data, kernel = node.shaped(1), node.shaped(2)
    return data, kernel, Shaped(kernel.element, kernel.sizes[:1])


@converts(f"{DOMAIN}.ConvGrad")
def conv_grad(node: ImportedNode) -> Converted:
    """The gradients of a convolution with respect to its data, its kernel and its bias, as far as they are used."""
    if node.rank(1) != 4 or node.output_count > 3:
        raise UnsupportedNode(f"{node.output_count} gradients of a convolution of rank {node.rank(1)}")
    moves = moves_of(node, numbers(node.sizes(2)[2:]), node.sizes(1)[2:])
    properties = {**moves.properties(), **layouts(node, 1)}
    grad, data, kernel = (node.operand(index) for index in range(3))
    return [
        _gradient(node, 0, convolution.Conv2dBpaOp, [grad, kernel], properties),
        _gradient(node, 1, convolution.Conv2dBpwOp, [data, grad], properties),
        _gradient(node, 2, reduction.ReduceSumOp, [grad], {"axes": [0, 2, 3]}),
    ][: node.output_count]


def _gradient(
    node: ImportedNode,
    output: int,
    op: type[IRDLOperation],
    operands: Sequence[SSAValue],
    properties: dict[str, object],
) -> SSAValue | None:
    """The op that computes an output; None if nothing uses it."""
    return node.add(op, operands, node.output(output).sizes, **properties) if node.has_output(output) else None
