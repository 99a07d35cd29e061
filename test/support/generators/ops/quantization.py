"""Makers of ops between numbers and the integers that stand for them."""

from npu_opt.dialects.npu import quantization
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.values import element_type_of, is_float, shape_of

from ..kernels import single
from ..makers import like, made, maker
from ..supply import F32, FLOATS, QUANTIZED, SOME_RANK, Range, Supply, Want, typed


@maker(quantization.QuantizeOp, quantization.DequantizeOp)
def _quantization(op: type[NpuOp], supply: Supply) -> NpuOp:
    numbers = op is quantization.QuantizeOp
    x = supply.some(Want(FLOATS if numbers else QUANTIZED, SOME_RANK, steady=numbers))
    quantized = supply.element(QUANTIZED) if numbers else element_type_of(x)
    scales = element_type_of(x) if is_float(element_type_of(x)) else F32
    result = like(x, element=quantized if numbers else scales)
    values = Range(1 / 16, 1 / 4)
    if supply.chance(0.4):
        operands = [x, single(supply, scales, values), single(supply, quantized)]
        return made(op, operands, [result])
    axis = supply.rng.randrange(len(shape_of(x)))
    size = (shape_of(x)[axis],)
    scale = supply.given(typed(scales, size, supply.tensor_layout(1)), values)
    zero_point = supply.given(typed(quantized, size, supply.tensor_layout(1)))
    return made(op, [x, scale, zero_point], [result], axis=axis)
