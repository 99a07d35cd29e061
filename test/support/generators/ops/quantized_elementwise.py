"""Samplers of elementwise ops on quantised numbers."""

from npu_opt.dialects.npu import binary, quantized_elementwise
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.values import element_type_of, tensor_type

from ..kernels import single
from ..sample_source import F32, QUANTIZED, Range, SampleSource, Want
from ..samplers import made, sampler
from .binary import binary_op


@sampler(quantized_elementwise.QuantAddOp, quantized_elementwise.QuantMulOp)
def _quantized_binary(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    plain = binary_op(binary.AddOp, samples, Want(QUANTIZED))
    if plain is None:
        return None
    values = Range(1 / 16, 1 / 4)
    operands = [*plain.operands]
    for value in (*plain.operands, *plain.results):
        operands += [single(samples, F32, values), single(samples, element_type_of(value))]
    sampled = made(op, operands, [tensor_type(plain.results[0])])
    plain.erase()
    return sampled
