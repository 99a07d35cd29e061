"""Quantised numbers from floats and back."""

from xdsl.ir import Attribute, BlockArgument, SSAValue

from .....dialects.npu.attrs import i64_attr
from .....dialects.npu.elementwise import CastOp
from .....dialects.npu.quantization import DequantizeOp, QuantizeOp
from .....dialects.npu.shape import ViewOp
from ...exporting.elements import LiteElement
from ..file import FileTensor
from ..node import FileNode
from ..quantities import NARROW, parameters
from ..registry import reads
from ..types import tensor_type


@reads("QUANTIZE")
def quantize(node: FileNode) -> SSAValue:
    """Floats to integers, or integers to those with another scale, by way of the numbers they represent.

    Between integers the kernel knows one scale on either side, and makes zeros where there are several.
    """
    x, given = node.value(0), node.input(0)
    node.require(node.result.element in NARROW, "integers of 16 or 32 bits")
    if given.element in NARROW:
        scales = [node.quantization(each).scale for each in (given, node.result)]
        node.require(all(len(each) == 1 for each in scales), "integers with several scales")
        x = node.marked(_dequantised(node, given))
    node.require(x.type == tensor_type(LiteElement.F32, given.shape), "numbers other than f32")
    result = node.add(QuantizeOp, [x, *parameters(node, node.result)], _properties(node, node.result))
    return node.marked(result) if _is_given(x) or given.element in NARROW else node.marked_unsigned(result)


def _is_given(x: SSAValue) -> bool:
    """True for numbers that a model is given, which the exporter would divide by the scale."""
    while isinstance(x.owner, ViewOp):
        x = x.owner.operands[0]
    return isinstance(x, BlockArgument)


def _properties(node: FileNode, tensor: FileTensor) -> dict[str, Attribute]:
    """The axis with several scales."""
    found = node.quantization(tensor)
    return {"axis": i64_attr(found.axis)} if len(found.scale) > 1 else {}


@reads("DEQUANTIZE")
def dequantize(node: FileNode) -> SSAValue:
    node.require(node.result.element == LiteElement.F32, "another element type")
    if node.input(0).element == LiteElement.F16:
        return node.marked(node.add(CastOp, [node.value(0)]))
    return _dequantised(node, node.input(0))


def _dequantised(node: FileNode, given: FileTensor) -> SSAValue:
    node.require(given.element in (*NARROW, LiteElement.I32), "integers of 16 bits")
    type_ = tensor_type(LiteElement.F32, given.shape)
    return node.add(DequantizeOp, [node.value(0), *parameters(node, given)], _properties(node, given), type_)
