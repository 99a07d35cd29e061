"""The ops of ONNX's text for check_equal.py, and the constants that nodes compute."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np
import onnx
from onnx import defs, helper, numpy_helper
from onnx.reference import ReferenceEvaluator
from onnx.shape_inference import infer_node_outputs

if TYPE_CHECKING or __package__:
    from .onnx_ops import ELEMENTWISE, MOVES, SHAPED_LIKE_FIRST, VIEWS
    from .onnx_sizes import cut_short
    from .onnx_steps import OnnxStep, OnnxValue
    from .positions import Array
else:
    from onnx_ops import ELEMENTWISE, MOVES, SHAPED_LIKE_FIRST, VIEWS
    from onnx_sizes import cut_short
    from onnx_steps import OnnxStep, OnnxValue
    from positions import Array

MADE = ("Concat", "Constant", "ConstantOfShape", "Shape", "Size")
COMPUTED = {*ELEMENTWISE, *MADE, "CastLike", "Range", "ReduceProd"}
COMPUTED_LAST = {"DequantizeLinear"}


def schema_of(op: str, version: int, domain: str) -> defs.OpSchema | None:
    """The text of ONNX about an op; that of its first version for models that are older than the op."""
    if defs.has(op, version, domain):
        return defs.get_schema(op, version, domain)
    later = [each for each in defs.get_all_schemas_with_history() if (each.name, each.domain) == (op, domain)]
    known = [each for each in later if each.since_version > version]
    return min(known, key=lambda each: each.since_version, default=None)


def as_onnx(
    proto: onnx.NodeProto, opsets: Sequence[onnx.OperatorSetIdProto]
) -> tuple[onnx.NodeProto, Sequence[onnx.OperatorSetIdProto]]:
    """A node of another domain as the op of ONNX that its text describes, with its version."""
    if proto.domain != "com.microsoft" or proto.op_type not in ("DequantizeLinear", "QuantizeLinear"):
        return proto, opsets
    found = onnx.NodeProto.FromString(proto.SerializeToString())
    found.domain = ""
    return found, [helper.make_opsetid("", 21)]


def meaning(
    proto: onnx.NodeProto, opsets: Sequence[onnx.OperatorSetIdProto], given: Mapping[str, OnnxValue]
) -> tuple[tuple[str, int], dict[str, Any], dict[str, onnx.TypeProto]]:
    """The domain and version of a node, its attributes with their defaults, and the types of its results."""
    domain, types, attributes = proto.domain.replace("ai.onnx", ""), dict[str, onnx.TypeProto](), dict[str, Any]()
    version = {each.domain.replace("ai.onnx", ""): each.version for each in opsets}.get(domain, 1)
    if schema := schema_of(proto.op_type, version, domain):
        defaults = {name: each.default_value for name, each in schema.attributes.items()}
        attributes = {name: helper.get_attribute_value(each) for name, each in defaults.items() if each.type}
        version, known = schema.since_version, {name: each.type for name, each in given.items()}
        arrays = {name: each.array for name, each in given.items() if each.array is not None}
        data = {name: numpy_helper.from_array(each) for name, each in arrays.items() if each.size < 1000}
        imports = [helper.make_opsetid(domain, version)]
        with suppress(Exception):  # Else the results are of unknown size.
            types = infer_node_outputs(schema, proto, known, data, opset_imports=imports)
    named = [each for each in proto.attribute if schema is None or each.name in schema.attributes]
    attributes |= {each.name: helper.get_attribute_value(each) for each in named}
    if (domain, proto.op_type) in SHAPED_LIKE_FIRST and given:
        types[proto.output[0]] = given[proto.input[0]].type
    return (domain, version), attributes, types


def run(
    proto: onnx.NodeProto, node: OnnxStep, opsets: Sequence[onnx.OperatorSetIdProto], is_found: bool = True
) -> None:
    """Move positions, or compute a constant; of the ops in `COMPUTED_LAST` one that is found nowhere else."""
    op, result, found = node.op, node.outputs[0], list[Array]()
    inputs = [each for each in node.inputs if each]
    data, arrays = (*inputs, result)[0], {each.name: each.array for each in inputs if each.array is not None}
    shape = data.shape if data.array is None else data.array.shape
    if op == "Slice" and result.shape and (axes := cut_short(node, shape)):
        result.resize(dict.fromkeys(axes))
    elif op == "Shape" and data.is_known and inputs:
        found = [np.array(data.shape[node.attributes.get("start", 0) : node.attributes.get("end")], np.int64)]
    elif op in VIEWS and data.array is not None and result.is_sized:
        found = [data.array.reshape(result.shape)]
    elif len(arrays) == len({*proto.input} - {""}):
        known = COMPUTED if is_found else COMPUTED_LAST
        if op in MOVES or (op in known and result.is_sized and math.prod(result.shape) <= 1 << 16):
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
        value.is_open = (op in ("Shape", "Size") and bool(node.model.sizes)) or any(each.is_open for each in inputs)
