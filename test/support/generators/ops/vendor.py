"""Samplers of ops of other systems whose axes are described; support/oracles/vendor_meanings.py computes them."""

from npu_opt.dialects.npu import vendor
from npu_opt.dialects.npu.attrs import LayoutAttr
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.values import shape_of

from ..features import activation
from ..sample_source import ANY, FLOATS, NUMBERS, SampleSource, Want
from ..samplers import like, made, sampler


@sampler(vendor.VendorElementwiseOp)
def _elementwise(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    full = samples.some(Want(ANY))
    operands = [full]
    for _ in range(samples.rng.randint(0, 2)):
        repeated = tuple(1 if samples.chance(0.3) else size for size in shape_of(full))
        operands.append(samples.given(like(full, repeated, samples.element(ANY))))
    samples.rng.shuffle(operands)
    result = like(full, element=samples.element(FLOATS))
    return made(op, [operands], [result], op_name="fuzz.elementwise", pure=samples.chance(0.7))


@sampler(vendor.VendorAnyOrderOp)
def _any_order(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    data = samples.some(Want(NUMBERS))
    parameters = [samples.some(Want(NUMBERS)) for _ in range(samples.rng.randint(0, 2))]
    more = [
        samples.given(like(data, element=samples.element(NUMBERS))) for _ in range(samples.rng.choice((0, 0, 1, 2)))
    ]
    first = len(parameters) + 1
    places = [0, *range(first, first + len(more))] if more or samples.chance(0.1) else None
    results = [like(data, element=samples.element(FLOATS)) for _ in range(samples.rng.randint(1, 2))]
    return made(
        op,
        [data, [*parameters, *more]],
        [results],
        op_name="fuzz.any_order",
        pure=samples.chance(0.7),
        data_operands=places,
    )


@sampler(vendor.VendorPoolOp)
def _pool(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    x = activation(samples, NUMBERS)
    parameters = [samples.some(Want(NUMBERS)) for _ in range(samples.rng.randint(0, 1))]
    sizes = [samples.rng.randint(1, 4) for _ in x.spatial]
    results = [x.typed((*x.logical[:2], *sizes), samples.element(FLOATS)) for _ in range(samples.rng.randint(1, 2))]
    written = LayoutAttr(x.layout.with_order(samples.order(len(x.logical))))
    return made(
        op,
        [x.value, parameters],
        [results],
        op_name="fuzz.pool",
        pure=samples.chance(0.7),
        written_in=written,
        data_layout=x.declared,
    )
