"""Samplers of quantised convolutions."""

from npu_opt.dialects.npu import quantized_convolution
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.values import element_type_of
from xdsl.dialects.builtin import i32

from ..features import activation
from ..kernels import Forward, maybe, single
from ..sample_source import F32, POSITIVE, QUANTIZED, Range, SampleSource, fits
from ..samplers import made, sampler


@sampler(quantized_convolution.Conv2dIntegerOp)
def _integer_convolution(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    x = activation(samples, QUANTIZED, (4,))
    kernel_element = samples.element(QUANTIZED)
    forward = Forward(samples, x, kernel_element)
    if not fits(forward.result):
        return None
    operands = [
        x.value,
        samples.given(forward.kernel.type),
        single(samples, element_type_of(x.value)),
        maybe(samples, kernel_element, forward.result[1]) or single(samples, kernel_element),
    ]
    return made(op, operands, [x.typed(forward.result, i32)], **forward.properties)


@sampler(quantized_convolution.QuantConv2dOp)
def _quantized_convolution(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    x = activation(samples, QUANTIZED, (4,))
    kernel_element, result_element = samples.element(QUANTIZED), samples.element(QUANTIZED)
    forward = Forward(samples, x, kernel_element)
    if not fits(forward.result):
        return None
    outputs = forward.result[1]
    operands = [
        x.value,
        samples.given(forward.kernel.type),
        single(samples, F32, POSITIVE),
        single(samples, element_type_of(x.value)),
        maybe(samples, F32, outputs, POSITIVE) or single(samples, F32, POSITIVE),
        maybe(samples, kernel_element, outputs) or single(samples, kernel_element),
        single(samples, F32, Range(64, 512)),
        single(samples, result_element),
        maybe(samples, i32, outputs),
    ]
    return made(op, operands, [x.typed(forward.result, result_element)], **forward.properties)
