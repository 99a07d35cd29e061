"""Samplers of ops on numbers of few bits."""

from npu_opt.dialects.npu import low_precision
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.values import element_type_of, is_float, layout_of, shape_of
from xdsl.dialects.builtin import IntegerType, Signedness

from ..sample_source import F16, F32, FLOATS, I8, SOME_RANK, UI8, Range, SampleSource, Want, typed
from ..samplers import like, made, replaced, sampler

FEW_BITS = (IntegerType(4), IntegerType(4, Signedness.UNSIGNED), I8)
"""Integers that ONNX Runtime quantises in blocks."""


@sampler(low_precision.BlockQuantizeOp, low_precision.BlockDequantizeOp)
def _in_blocks(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    numbers = op is low_precision.BlockQuantizeOp
    wanted = (F32, F16) if numbers else FEW_BITS if samples.IS_OF_ONE_OP else (I8,)
    x = samples.some(Want(FLOATS if numbers else wanted, SOME_RANK, steady=numbers))
    given = element_type_of(x)
    if given not in wanted:
        # The program has floats of another type.
        return None
    scales = given if is_float(given) else F32
    quantized = samples.one(FEW_BITS if samples.IS_OF_ONE_OP else (I8,)) if numbers else given
    axis, size = samples.rng.randrange(len(shape_of(x))), samples.rng.randint(1, 4)
    blocks = replaced(shape_of(x), {axis: -(-shape_of(x)[axis] // size)})
    scale = samples.given(like(x, blocks, scales), Range(1 / 16, 1 / 4))
    zero_point = samples.given(like(x, blocks, quantized)) if samples.chance(0.5) else None
    result = like(x, element=quantized if numbers else scales)
    return made(op, [x, scale, zero_point], [result], axis=axis, block_size=size)


@sampler(low_precision.MatmulNBitsOp)
def _product(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    x = samples.some(Want((F32,), SOME_RANK))
    if not samples.IS_OF_ONE_OP or element_type_of(x) != F32 or not shape_of(x) or 0 in shape_of(x):
        return None
    axis, bits, columns = samples.rng.randrange(len(shape_of(x))), samples.one((2, 4, 8)), samples.rng.randint(1, 5)
    rows = shape_of(x)[axis]
    blocks = -(-rows // 16)
    matrix, vector = samples.tensor_layout(2), samples.tensor_layout(1)
    weights = samples.given(typed(UI8, (columns, blocks, 2 * bits), samples.tensor_layout(3)))
    few = Range(1 / 16, 1 / 4)
    scale = samples.given(typed(F32, (columns, blocks), matrix), few)
    zero_point = None
    if samples.chance(0.5):
        zero_point = samples.given(typed(UI8, (columns, -(-blocks * bits // 8)), matrix))
    bias = samples.given(typed(F32, (columns,), vector)) if samples.chance(0.5) else None
    operands = [x, weights, scale, zero_point, None, bias]
    result = typed(F32, replaced(shape_of(x), {axis: columns}), layout_of(x))
    return made(op, operands, [result], axis=axis, bits=bits, block_size=16)
