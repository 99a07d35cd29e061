"""Every op has a sampler, whose instances are valid and computable."""

from random import Random

import pytest
from npu_opt.dialects.npu import NPU
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.source import OpaqueOp
from npu_opt.dialects.npu.values import layout_of, shape_of
from npu_opt.interpreter import evaluate
from support.campaign import seeds
from support.generators.samplers import SAMPLERS
from support.generators.samples import sample
from support.oracles.vendor_meanings import VENDOR

OPS: list[type[NpuOp]] = [op for op in NPU.operations if issubclass(op, NpuOp)]
IDS = [op.name for op in OPS]


def test_every_op_has_a_sampler():
    assert [op.name for op in OPS if op not in SAMPLERS] == []


@pytest.mark.parametrize("op", OPS, ids=IDS)
def test_samples_are_valid(op: type[NpuOp]):
    for seed in seeds(8, 300):
        made = sample(op, Random(seed), coloured=seed % 3 != 0)
        made.module.verify()
        assert type(made.op) is op
        if op is not OpaqueOp:
            evaluate(made.op, made.inputs(seed), VENDOR)


@pytest.mark.parametrize("op", OPS, ids=IDS)
def test_samples_differ(op: type[NpuOp]):
    assert len({str(sample(op, Random(seed)).module) for seed in range(8)}) > 4


@pytest.mark.parametrize("op", OPS, ids=IDS)
def test_facts_have_the_names_that_the_op_declares(op: type[NpuOp]):
    found = {name for seed in range(4) for name in sample(op, Random(seed), coloured=True).op.facts()}
    assert found == set(op.fact_names())


def test_samples_have_odd_unit_and_zero_sizes_and_all_element_types():
    sizes: set[int] = set()
    elements: set[str] = set()
    coloured: set[bool] = set()
    for op in OPS:
        for seed in range(4):
            for value in sample(op, Random(seed), coloured=seed % 2 == 0).op.operands:
                sizes.update(shape_of(value))
                elements.add(str(value.type).rsplit("x", 1)[-1].split(",")[0].strip("tensor<>"))
                coloured.add(layout_of(value) is not None)
    assert sizes >= {0, 1, 2, 3, 5, 7}
    assert elements >= {"f32", "f64", "f16", "bf16", "i1", "i4", "i8", "i16", "i32", "i64", "ui8"}
    assert coloured == {True, False}
