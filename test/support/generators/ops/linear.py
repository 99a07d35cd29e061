"""Samplers of matrix products."""

from collections.abc import Sequence

from npu_opt.dialects.npu import linear
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.values import element_type_of, layout_of, shape_of
from npu_opt.layout import Layout
from xdsl.dialects.builtin import TensorType, i32
from xdsl.ir import Attribute, SSAValue

from ..kernels import maybe, single
from ..sample_source import (
    F32,
    FLOATS,
    I32,
    POSITIVE,
    QUANTIZED,
    TENSOR_CLASSES,
    Elements,
    Range,
    SampleSource,
    Want,
    fits,
    typed,
)
from ..samplers import made, sampler

RANKS = (2, 2, 2, 3, 3, 4, 5)

MULTIPLIED = (*FLOATS, I32, I32)


class Product:
    """Two operands whose matrices can be multiplied, and the shape of their product."""

    def __init__(self, samples: SampleSource, elements: Elements, rhs_elements: Elements | None = None):
        self.samples = samples
        self.lhs = samples.some(Want(elements, RANKS, TENSOR_CLASSES, matrices=True))
        *batch, rows, inner = shape_of(self.lhs)
        self.trans_a, self.trans_b = samples.chance(0.4), samples.chance(0.4)
        if self.trans_a:
            rows, inner = inner, rows
        other = [1 if samples.chance(0.2) else samples.rng.randint(2, 3) if size == 1 else size for size in batch]
        columns = samples.rng.randint(1, 5)
        matrix = (columns, inner) if self.trans_b else (inner, columns)
        self.shape = (*(max(pair) if 0 not in pair else 0 for pair in zip(batch, other, strict=True)), rows, columns)
        self.suitable = fits(self.shape) and fits((*other, *matrix))
        element = element_type_of(self.lhs) if rhs_elements is None else samples.element(rhs_elements)
        if self.suitable:
            self.rhs: SSAValue = samples.given(typed(element, (*other, *matrix), self.layout()))

    def layout(self, straight: bool = False) -> Layout | None:
        """A layout compatible with that of lhs; `straight` keeps the last logical axis in the last position."""
        known = layout_of(self.lhs)
        if known is None:
            return None
        rank = len(self.shape)
        matrix = (rank - 2, rank - 1) if straight or self.samples.chance(0.6) else (rank - 1, rank - 2)
        return known.with_order((*known.order_for(rank)[:-2], *matrix))

    def result(self, further: Sequence[SSAValue | None], element: Attribute) -> TensorType:
        """The type of the result. Vectors lie along its last logical axis."""
        vectors = any(value is not None and len(shape_of(value)) == 1 and shape_of(value) != (1,) for value in further)
        return typed(element, self.shape, self.layout(straight=vectors))

    def bias(self, element: Attribute) -> tuple[SSAValue | None, TensorType | None]:
        """A bias of any form or none, and the type of the result if the bias has its rank and layout."""
        kind = self.samples.rng.random()
        if kind < 0.3:
            return None, None
        if kind < 0.5:
            return maybe(self.samples, element, self.shape[-1]), None
        if kind < 0.7:
            return single(self.samples, element), None
        layout = self.layout()
        repeated = tuple(1 if self.samples.chance(0.4) else size for size in self.shape)
        return self.samples.given(typed(element, repeated, layout)), typed(element, self.shape, layout)


@sampler(linear.MatmulOp)
def _matmul(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    product = Product(samples, MULTIPLIED)
    if not product.suitable:
        return None
    result = product.result((), element_type_of(product.lhs))
    return made(op, [product.lhs, product.rhs], [result], trans_a=product.trans_a, trans_b=product.trans_b)


@sampler(linear.GemmOp)
def _gemm(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    product = Product(samples, MULTIPLIED)
    if not product.suitable:
        return None
    element = element_type_of(product.lhs)
    bias, type_ = product.bias(element)
    result = type_ or product.result((bias,), element)
    return made(op, [product.lhs, product.rhs, bias], [result], trans_a=product.trans_a, trans_b=product.trans_b)


@sampler(linear.MatmulIntegerOp)
def _integer(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    product = Product(samples, QUANTIZED, QUANTIZED)
    if not product.suitable:
        return None
    rhs_element = element_type_of(product.rhs)
    points = [
        single(samples, element_type_of(product.lhs)),
        maybe(samples, rhs_element, product.shape[-1]) or single(samples, rhs_element),
    ]
    result = product.result(points, i32)
    return made(op, [product.lhs, product.rhs, *points], [result], trans_a=product.trans_a, trans_b=product.trans_b)


@sampler(linear.QuantMatmulOp, linear.QuantGemmOp)
def _quantized(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    product = Product(samples, QUANTIZED, QUANTIZED)
    if not product.suitable:
        return None
    rhs_element, element = element_type_of(product.rhs), samples.element(QUANTIZED)
    columns = product.shape[-1]
    further: list[SSAValue | None] = [
        single(samples, F32, POSITIVE),
        single(samples, element_type_of(product.lhs)),
        maybe(samples, F32, columns, POSITIVE) or single(samples, F32, POSITIVE),
        maybe(samples, rhs_element, columns) or single(samples, rhs_element),
        single(samples, F32, Range(64, 512)),
        single(samples, element),
    ]
    result = product.result(further, element)
    if op is linear.QuantGemmOp:
        bias = maybe(samples, I32, columns) if samples.chance(0.5) else single(samples, I32)
        further.append(bias)
        result = product.result(further, element)
    return made(op, [product.lhs, product.rhs, *further], [result], trans_a=product.trans_a, trans_b=product.trans_b)
