"""The readers of tensors, and ops that are joined with their only one."""

from collections import Counter
from collections.abc import Sequence

from .graph import LiteNode, LiteTensor


def uses_of(nodes: Sequence[LiteNode], outputs: Sequence[LiteTensor]) -> Counter[LiteTensor]:
    """The number of uses of each tensor; an output is one."""
    uses = Counter(tensor for node in nodes for tensor in node.inputs if tensor is not None)
    uses.update(outputs)
    return uses


def take_result(before: LiteNode, node: LiteNode) -> None:
    """Let an op give the result of the op that reads it."""
    before.outputs, node.outputs = node.outputs, before.outputs
    before.outputs[0].node = before
    node.outputs[0].node = node
    node.inputs = [before.outputs[0]]
