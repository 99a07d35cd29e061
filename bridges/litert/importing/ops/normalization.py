"""Normalisations along the last axis."""

from decimal import Decimal

import numpy as np
from xdsl.dialects.builtin import FloatAttr, f64
from xdsl.ir import SSAValue

from .....dialects.npu import normalization as ops
from .....dialects.npu.attrs import i64_attr
from ....decimals import shortest_f32
from ..errors import NotReadable
from ..node import FileNode
from ..registry import reads
from .elementwise import require_plain


@reads("SOFTMAX", "LOG_SOFTMAX")
def softmax(node: FileNode) -> SSAValue:
    require_plain(node)
    node.require(node.kind == "LOG_SOFTMAX" or node.options.beta == 1, "a factor")
    op = ops.LogSoftmaxOp if node.kind == "LOG_SOFTMAX" else ops.SoftmaxOp
    return node.add(op, [node.value(0)], {"axis": i64_attr(len(node.shape()) - 1)})


@reads("LOCAL_RESPONSE_NORMALIZATION")
def lrn(node: FileNode) -> SSAValue:
    """The factor of the file is that of the dialect divided by the size, rounded to f32."""
    require_plain(node)
    options, size = node.options, 2 * node.options.radius + 1
    node.require(options.radius >= 0, "a negative radius")
    properties = {
        "axis": i64_attr(len(node.shape()) - 1),
        "size": i64_attr(size),
        "alpha": FloatAttr(_times(options.alpha, size), f64),
        "beta": FloatAttr(shortest_f32(options.beta), f64),
        "bias": FloatAttr(shortest_f32(options.bias), f64),
    }
    return node.add(ops.LrnOp, [node.value(0)], properties)


def _times(share: float, size: int) -> float:
    """The f32 with the fewest digits, one part of which, rounded, is this one."""
    product = np.float32(share) * np.float32(size)
    near = [product, *(np.nextafter(product, np.float32(end)) for end in (np.inf, -np.inf))]
    decimals = [shortest_f32(float(each)) for each in near]
    found = [each for each in decimals if np.float32(each / size) == np.float32(share)]
    if not found:
        raise NotReadable("a factor that is no part of an f32")
    return min(found, key=lambda each: len(Decimal(str(each)).as_tuple().digits))
