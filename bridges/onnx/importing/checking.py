"""Whether a node is one that ONNX knows, and its inputs are of types that it takes."""

from collections.abc import Sequence

import onnx
from onnx import NodeProto
from onnx.defs import OpSchema

from ..errors import OnnxError
from .load import DEFAULT_DOMAINS
from .node import Shaped
from .order import label
from .types import ONNX_TYPES, type_name

ONNX_DOMAINS = (*DEFAULT_DOMAINS, "ai.onnx.ml", "ai.onnx.preview", "ai.onnx.preview.training")
"""The domains whose ops ONNX defines."""


def check_known(node: NodeProto, opset: int) -> None:
    """Check that a node of ONNX's own domains is an op of the model's version."""
    if node.domain not in ONNX_DOMAINS or onnx.defs.has(node.op_type, max(opset, 1), node.domain):
        return
    if not opset:
        raise OnnxError(f"{label(node)}: the model does not say which version of '{node.domain}' it uses")
    raise OnnxError(f"{label(node)}: there is no such op in opset {opset}")


def check_types(node: NodeProto, inputs: Sequence[Shaped | None], opset: int) -> None:
    """Check the element types of the inputs; None is one that is left out."""
    if node.domain not in ONNX_DOMAINS:
        return
    schema = onnx.defs.get_schema(node.op_type, opset, node.domain)
    first: dict[str, tuple[int, str]] = {}
    for index, shaped in enumerate(inputs):
        parameter = _parameter(schema, index)
        if shaped is None or parameter is None:
            continue
        found = type_name(ONNX_TYPES[shaped.element]).lower()
        taken = sorted(parameter.types)
        if f"tensor({found})" not in taken:
            words = ", ".join(text.removeprefix("tensor(").removesuffix(")") for text in taken)
            raise OnnxError(f"{label(node)}: input {index} is of type {found}, which is not one of {words}")
        is_constrained = not parameter.type_str.startswith("tensor(")
        if not is_constrained or (parameter.option == _VARIADIC and not parameter.is_homogeneous):
            continue
        other, expected = first.setdefault(parameter.type_str, (index, found))
        if found != expected:
            both = f"input {index} is of type {found}, and input {other} of type {expected}"
            raise OnnxError(f"{label(node)}: {both}; both must be of one type")


_VARIADIC = OpSchema.FormalParameterOption.Variadic


def _parameter(schema: OpSchema, index: int) -> OpSchema.FormalParameter | None:
    """What the definition of an op says of an input."""
    if index < len(schema.inputs):
        return schema.inputs[index]
    last = schema.inputs[-1] if schema.inputs else None
    return last if last is not None and last.option == _VARIADIC else None
