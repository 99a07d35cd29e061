"""Products of quantised numbers that a model computes in floats."""

from collections.abc import Sequence

from xdsl.ir import SSAValue

from ..dialect import LiteNode, LiteTensor
from .kernels import DATA, MOVES
from .kinds import ACTIVATIONS

PRODUCTS = frozenset({"BATCH_MATMUL", "CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED"})
"""The convolutions and products that `recognise-quantised` makes of integers."""
PASSED = MOVES | {*ACTIVATIONS}
"""The kinds of ops that may be between a product and the quantisation of its operand or result."""


def note_of(nodes: Sequence[LiteNode]) -> str:
    """The note on convolutions and products between quantised tensors that compute in floats; empty without any."""
    products = [node for node in nodes if node.kind in PRODUCTS and any(map(_is_dequantised, node.inputs))]
    count = sum(_is_quantised(node.results[0]) for node in products)
    if not count:
        return ""
    what = "convolution or product computes" if count == 1 else "convolutions and products compute"
    return f"{count} {what} in floats between quantised tensors (--recognise-quantised makes ops on integers)"


def _is_dequantised(tensor: LiteTensor | None) -> bool:
    """True for computed floats that represent quantised numbers."""
    while tensor is not None and tensor.node is not None and tensor.node.kind in PASSED:
        tensor = tensor.node.inputs[DATA.get(tensor.node.kind, 0)]
    if tensor is None or tensor.node is None or tensor.node.kind != "DEQUANTIZE":
        return False
    integers = tensor.node.inputs[0]
    return integers is not None and integers.data is None


def _is_quantised(value: SSAValue) -> bool:
    """True if a value is read as quantised numbers only."""
    while (use := value.get_user_of_unique_use()) is not None and isinstance(use, LiteNode) and use.kind in PASSED:
        value = use.results[0]
    kinds = {use.operation.kind if isinstance(use.operation, LiteNode) else None for use in value.uses}
    return kinds == {"QUANTIZE"}
