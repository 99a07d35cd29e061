"""Recurrent ops, which are those of ONNX."""

from typing import Any

from .....dialects.npu import recurrent as ops
from .....dialects.npu.values import shape_of
from .....layout import DYNAMIC
from ...errors import NotExportable
from ..elements import I32
from ..graph import OnnxGraph, OnnxTensor
from ..registry import exports


@exports(ops.RnnOp, ops.GruOp, ops.LstmOp)
def recurrent(op: ops.RecurrentOp, graph: OnnxGraph, *inputs: OnnxTensor | None) -> tuple[OnnxTensor, ...]:
    kind, size = op.name.removeprefix("npu.").upper(), shape_of(op.recurrence)[2]
    if size == DYNAMIC:
        raise NotExportable(f"'{op.name}' with a state of unknown size has no counterpart in ONNX")
    given = list(inputs)
    places = [place for place, x in enumerate(given) if x is not None]
    given = given[: places[-1] + 1]
    lengths = given[4] if len(given) > 4 else None
    if lengths is not None:
        given[4] = graph.cast(lengths, I32)
    attributes: dict[str, Any] = {"hidden_size": size}
    if op.direction.data != ops.FORWARD:
        attributes["direction"] = op.direction.data
    if op.activations is not None:
        attributes["activations"] = [name.data.capitalize() for name in op.activations]
    if isinstance(op, ops.GruOp) and op.linear_before_reset is not None:
        attributes["linear_before_reset"] = 1
    return graph.split_node(kind, graph.computable(kind, given), len(op.results), **attributes)
