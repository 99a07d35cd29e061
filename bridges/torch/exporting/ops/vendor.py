"""Unknown functions of elements: the calls that they came from."""

from xdsl.ir import SSAValue

from .....dialects.npu.values import element_type_of, shape_of
from .....dialects.npu.vendor import VendorElementwiseOp
from ...calls import Call
from ...errors import NotExportable
from ..graph import CallBuilder
from ..registry import exports


@exports(VendorElementwiseOp)
def elementwise(op: VendorElementwiseOp, graph: CallBuilder, inputs: tuple[SSAValue, ...]) -> SSAValue:
    call = Call.of(op)
    if call is None:
        raise NotExportable(f"'{op.op_name.data}' is no operator of PyTorch")
    rank = len(shape_of(op.result))
    given = [graph.reshape(x, ()) if len(shape_of(x)) > rank else graph.unlifted(x) for x in inputs]
    if all(len(shape_of(x)) < rank for x in given):
        given[0] = inputs[0]
    operands = dict(zip(call.operands, given, strict=True))
    return graph.call(call.name, operands, shape_of(op.result), element_type_of(op.result), **call.values)
