"""The table of meanings."""

from npu_opt.dialects.npu import NPU
from npu_opt.dialects.npu.source import OpaqueOp
from npu_opt.interpreter.registry import MEANINGS


def test_every_op_has_a_meaning():
    assert set(MEANINGS) == set(NPU.operations) - {OpaqueOp}
