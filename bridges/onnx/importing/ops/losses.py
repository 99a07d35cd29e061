"""Losses of classes, which are along axis 1."""

from xdsl.dialects.builtin import i1
from xdsl.ir import SSAValue

from .....dialects.npu import binary, reduction, unary
from .....dialects.npu.indexing import GatherElementsOp
from .....dialects.npu.movement import GatherOp
from .....dialects.npu.normalization import LogSoftmaxOp
from .....dialects.npu.values import element_type_of
from ..node import ImportedNode
from ..registry import Converted, converts
from .elementwise import cast, choose, combine

REDUCED = {"mean": reduction.ReduceMeanOp, "sum": reduction.ReduceSumOp}


@converts("NegativeLogLikelihoodLoss")
def likelihood_loss(node: ImportedNode) -> Converted:
    return _loss(node, node.operand(0))


@converts("SoftmaxCrossEntropyLoss")
def cross_entropy_loss(node: ImportedNode) -> Converted:
    scores = node.add(LogSoftmaxOp, [node.operand(0)], node.sizes(), axis=1)
    return _loss(node, scores), scores


def _loss(node: ImportedNode, scores: SSAValue) -> SSAValue:
    """The negative logarithms of the targets, with the weights of their classes; along their axis is one."""
    given = node.sizes(1)
    sizes, ignored = (*given[:1], 1, *given[1:]), None
    targets = node.reshape(node.operand(1), sizes)
    if node.has_attribute("ignore_index"):
        ignored = combine(node, binary.EqualOp, targets, node.scalar(node.integer("ignore_index"), targets), i1)
        targets = _kept(node, ignored, targets)
    loss = node.add(unary.NegOp, [node.add(GatherElementsOp, [scores, targets], sizes, axis=1)], sizes)
    weights = node.add(GatherOp, [node.operand(2), targets], sizes, axis=0) if node.has_input(2) else None
    if ignored is not None and weights is None:
        weights = cast(node, node.add(unary.NotOp, [ignored], sizes), element_type_of(loss))
        loss = _kept(node, ignored, loss)
    elif weights is not None:
        weights = weights if ignored is None else _kept(node, ignored, weights)
        loss = combine(node, binary.MulOp, loss, weights)
    chosen, axes = node.choice("reduction", "mean", "none", "sum"), range(len(sizes))
    if chosen == "none":
        return node.reshape(loss, given)
    if chosen == "sum" or weights is None:
        return node.add(REDUCED[chosen], [loss], (), axes=axes)
    total, count = (node.add(reduction.ReduceSumOp, [each], (), axes=axes) for each in (loss, weights))
    return combine(node, binary.DivOp, total, count)


def _kept(node: ImportedNode, ignored: SSAValue, value: SSAValue) -> SSAValue:
    """The elements that are not ignored, and zeros."""
    return choose(node, ignored, node.scalar(0, value), value)
