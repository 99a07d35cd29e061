"""The ops of ONNX's text for check_equal.py, and the constants that nodes compute."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import onnx
from onnx import defs
from onnx.reference import ReferenceEvaluator

if TYPE_CHECKING or __package__:
    from .onnx_steps import ELEMENTWISE, MOVES, VIEWS, Array, OnnxStep
else:
    from onnx_steps import ELEMENTWISE, MOVES, VIEWS, Array, OnnxStep

MADE = ("Concat", "Constant", "ConstantOfShape", "Shape", "Size")
COMPUTED = {*ELEMENTWISE, *MADE, "CastLike", "Range", "ReduceProd"}


def schema_of(op: str, version: int, domain: str) -> defs.OpSchema | None:
    """The text of ONNX about an op; that of its first version for models that are older than the op."""
    if defs.has(op, version, domain):
        return defs.get_schema(op, version, domain)
    later = [each for each in defs.get_all_schemas_with_history() if (each.name, each.domain) == (op, domain)]
    known = [each for each in later if each.since_version > version]
    return min(known, key=lambda each: each.since_version, default=None)


def run(proto: onnx.NodeProto, node: OnnxStep, opsets: Sequence[onnx.OperatorSetIdProto]) -> None:
    """Move positions, or compute a constant."""
    op, result, found = node.op, node.outputs[0], list[Array]()
    inputs = [each for each in node.inputs if each]
    data, arrays = (*inputs, result)[0], {each.name: each.array for each in inputs if each.array is not None}
    if op == "Shape" and data.is_known and inputs:
        found = [np.array(data.shape[node.attributes.get("start", 0) : node.attributes.get("end")], np.int64)]
    elif op in VIEWS and data.array is not None and result.is_sized:
        found = [data.array.reshape(result.shape)]
    elif len(arrays) == len({*proto.input} - {""}):
        if op in MOVES or (op in COMPUTED and result.is_sized and math.prod(result.shape) <= 1 << 16):
            versions = {each.domain: each.version for each in opsets}
            found = map(np.asarray, ReferenceEvaluator(proto, opsets=versions).run(None, arrays))
    elif data.array is None and op == "Identity" and not data.at:
        result.root, result.at = data.root, data.at
    elif data.array is None and data.is_known and result.is_known:
        for value, at in zip(node.outputs, node.moved(data), strict=False):
            value.root, value.at = data.root, at
    for value, array in zip(node.outputs, found, strict=False):
        is_rounded = op not in {*MOVES, *MADE} and array.dtype.kind not in "biu"
        value.array, value.is_computed = array, is_rounded or any(each.is_computed for each in inputs)
