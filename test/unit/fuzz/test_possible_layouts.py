"""The classes and ranks that an op states of its values, and its facts, against random valid instances."""

from random import Random

import pytest
from npu_opt.dialects.npu import NPU
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.values import encoding, logical_shape
from npu_opt.targets.vocabulary import dialect_vocabulary, short_name
from support.campaign import amount
from support.generators.samples import sample

SAMPLES = amount(30, 300)
OPS = [op for op in NPU.operations if issubclass(op, NpuOp) and op.possible_layouts()]
SPATIAL = ("kernel", "stride", "dilation")


@pytest.mark.parametrize("op_class", [pytest.param(op, id=op.name) for op in OPS])
def test_values_have_the_layouts_that_their_op_states(op_class: type[NpuOp]):
    rng, seen = Random(op_class.name), set[str]()
    names = dialect_vocabulary()[short_name(op_class.name)]
    for _ in range(SAMPLES):
        op = sample(op_class, rng).op
        for name, value in (*zip(op.operand_fields(), op.operands), *zip(op.result_fields(), op.results)):
            layout, possible = encoding(value.type), names.layouts.get(name)
            if layout is not None and possible is not None:
                assert layout.cls in possible.classes, name
                assert len(logical_shape(value, layout)) in possible.ranks, name
                seen.add(name)
        counts = {len(fact) for name in SPATIAL if isinstance(fact := op.facts().get(name), tuple)}
        assert counts <= {*names.spatial_ranks}
    assert seen
