"""Facts for import and export of recurrent layers: the order of the parts of parameters, and the keys of these."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from xdsl.ir import Attribute, SSAValue

from ...dialects.npu.attrs import ReferenceAttr
from ...dialects.npu.recurrent import GruOp, LstmOp, RecurrentOp, RnnOp
from ...dialects.npu.source import ConstantOp

GATES: Mapping[type[RecurrentOp], tuple[int, ...]] = {RnnOp: (0,), GruOp: (1, 0, 2), LstmOp: (0, 3, 1, 2)}
"""The places of the parts of an op's parameters among those that PyTorch has."""
LAYERS = frozenset({"aten.gru.input", "aten.lstm.input", "aten.rnn_relu.input", "aten.rnn_tanh.input"})
ParametersKey: TypeAlias = tuple[Attribute | None, ...]


def parameters_key(*values: SSAValue | None) -> ParametersKey:
    """The numbers of constants, whatever the layouts of these are."""
    return tuple(None if value is None else _numbers(value) for value in values)


def _numbers(value: SSAValue) -> Attribute | None:
    if not isinstance(value.owner, ConstantOp):
        return None
    found = value.owner.value
    return found if isinstance(found, ReferenceAttr) else found.data
