"""Makers of convolutions of quantised numbers."""

from npu_opt.dialects.npu import quantized_convolution
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.values import element_type_of
from xdsl.dialects.builtin import i32

from ..features import activation
from ..kernels import Forward, maybe, single
from ..makers import made, maker
from ..supply import F32, POSITIVE, QUANTIZED, Range, Supply, fits


@maker(quantized_convolution.Conv2dIntegerOp)
def _integer_convolution(op: type[NpuOp], supply: Supply) -> NpuOp | None:
    x = activation(supply, QUANTIZED, (4,))
    kernel_element = supply.element(QUANTIZED)
    forward = Forward(supply, x, kernel_element)
    if not fits(forward.result):
        return None
    operands = [
        x.value,
        supply.given(forward.kernel.type),
        single(supply, element_type_of(x.value)),
        maybe(supply, kernel_element, forward.result[1]) or single(supply, kernel_element),
    ]
    return made(op, operands, [x.typed(forward.result, i32)], **forward.properties)


@maker(quantized_convolution.QuantConv2dOp)
def _quantized_convolution(op: type[NpuOp], supply: Supply) -> NpuOp | None:
    x = activation(supply, QUANTIZED, (4,))
    kernel_element, result_element = supply.element(QUANTIZED), supply.element(QUANTIZED)
    forward = Forward(supply, x, kernel_element)
    if not fits(forward.result):
        return None
    outputs = forward.result[1]
    operands = [
        x.value,
        supply.given(forward.kernel.type),
        single(supply, F32, POSITIVE),
        single(supply, element_type_of(x.value)),
        maybe(supply, F32, outputs, POSITIVE) or single(supply, F32, POSITIVE),
        maybe(supply, kernel_element, outputs) or single(supply, kernel_element),
        single(supply, F32, Range(64, 512)),
        single(supply, result_element),
        maybe(supply, i32, outputs),
    ]
    return made(op, operands, [x.typed(forward.result, result_element)], **forward.properties)
