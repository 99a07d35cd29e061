"""Activation functions."""

from xdsl.ir import SSAValue

from .....dialects.npu import activations as ops
from .....dialects.npu.elementwise import UnaryOp
from .....dialects.npu.values import element_type_of, is_float, shape_of
from ...counterparts import ACTIVATIONS
from ..graph import CallBuilder
from ..registry import exports, exports_rest
from .quantization import narrowed

_NAMES = {row.op: row.name for row in ACTIVATIONS}


def _of(graph: CallBuilder, name: str, x: SSAValue, **values: object) -> SSAValue:
    return graph.call(f"aten.{name}", {"self": x}, shape_of(x), **values)


@exports(ops.LeakyReluOp)
def leaky_relu(op: ops.LeakyReluOp, graph: CallBuilder, x: SSAValue) -> SSAValue:
    return _of(graph, "leaky_relu.default", x, negative_slope=op.alpha.value.data)


@exports(ops.EluOp)
def elu(op: ops.EluOp, graph: CallBuilder, x: SSAValue) -> SSAValue:
    return _of(graph, "elu.default", x, alpha=op.alpha.value.data)


@exports(ops.GeluOp)
def gelu(op: ops.GeluOp, graph: CallBuilder, x: SSAValue) -> SSAValue:
    how = op.approximate.data
    return _of(graph, "gelu.default", x, approximate=None if how == "none" else how)


@exports(ops.SoftplusOp)
def softplus(op: ops.SoftplusOp, graph: CallBuilder, x: SSAValue) -> SSAValue:
    return _of(graph, "softplus.default", x)


@exports(ops.SoftsignOp)
def softsign(op: ops.SoftsignOp, graph: CallBuilder, x: SSAValue) -> SSAValue:
    below = _of(graph, "add.Scalar", _of(graph, "abs.default", x), other=1)
    return graph.call("aten.div.Tensor", {"self": x, "other": below}, shape_of(x))


@exports(ops.HardSigmoidOp)
def hard_sigmoid(op: ops.HardSigmoidOp, graph: CallBuilder, x: SSAValue) -> SSAValue:
    alpha, beta = op.alpha.value.data, op.beta.value.data
    if (alpha, beta) == (1 / 6, 0.5):
        return _of(graph, "hardsigmoid.default", x)
    line = _of(graph, "add.Scalar", _of(graph, "mul.Scalar", x, other=alpha), other=beta)
    return _of(graph, "clamp.default", line, min=0.0, max=1.0)


@exports(ops.ClipOp)
def clip(op: ops.ClipOp, graph: CallBuilder, x: SSAValue) -> SSAValue:
    bounds = [bound if bound is None or is_float(element_type_of(x)) else int(bound) for bound in op.bounds]
    if isinstance(bounds[0], int) and isinstance(bounds[1], int):
        found = narrowed(graph, x, bounds[0], bounds[1])
        if found is not None:
            return found
    return _of(graph, "clamp.default", x, min=bounds[0], max=bounds[1])


@exports_rest(_NAMES)
def activation(op: UnaryOp, graph: CallBuilder, x: SSAValue) -> SSAValue:
    return _of(graph, _NAMES[type(op)].removeprefix("aten."), x)
