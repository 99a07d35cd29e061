"""Samplers of quantisation and dequantisation."""

from npu_opt.dialects.npu import quantization
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.values import element_type_of, is_float, shape_of

from ..kernels import single
from ..sample_source import F32, FLOATS, I32, QUANTIZED, SOME_RANK, Range, SampleSource, Want, typed
from ..samplers import like, made, sampler


@sampler(quantization.QuantizeOp, quantization.DequantizeOp)
def _quantization(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    numbers = op is quantization.QuantizeOp
    x = samples.some(Want(FLOATS if numbers else QUANTIZED, SOME_RANK, steady=numbers))
    quantized = samples.element(QUANTIZED) if numbers else element_type_of(x)
    scales = element_type_of(x) if is_float(element_type_of(x)) else F32
    result = like(x, element=quantized if numbers else scales)
    values = Range(1 / 16, 1 / 4)
    if samples.chance(0.4):
        operands = [x, single(samples, scales, values), single(samples, quantized)]
        return made(op, operands, [result])
    axis = samples.rng.randrange(len(shape_of(x)))
    size = (shape_of(x)[axis],)
    scale = samples.given(typed(scales, size, samples.tensor_layout(1)), values)
    zero_point = samples.given(typed(quantized, size, samples.tensor_layout(1)))
    return made(op, [x, scale, zero_point], [result], axis=axis)


@sampler(quantization.RequantizeOp)
def _requantization(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    x = samples.some(Want((I32,), SOME_RANK))
    quantized, axis, values = samples.element(QUANTIZED), None, Range(1 / 16, 1 / 4)
    scale = single(samples, F32, values)
    if samples.chance(0.6):
        axis = samples.rng.randrange(len(shape_of(x)))
        scale = samples.given(typed(F32, (shape_of(x)[axis],), samples.tensor_layout(1)), values)
    operands = [x, single(samples, F32, values), scale, single(samples, F32, values), single(samples, quantized)]
    return made(op, operands, [like(x, element=quantized)], axis=axis)


@sampler(quantization.DynamicQuantizeOp)
def _dynamic_quantization(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    x = samples.some(Want((F32,), SOME_RANK, steady=True))
    if element_type_of(x) != F32:
        # The program has floats of another type.
        return None
    single_layout = samples.tensor_layout(0)
    scale, zero_point = (typed(element, (), single_layout) for element in (F32, quantization.BYTE))
    return made(op, [x], [like(x, element=quantization.BYTE), scale, zero_point])
