"""Checks of nodes against ONNX's definitions of their ops."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

import onnx
from onnx import AttributeProto, NodeProto
from onnx.defs import OpSchema

from ....dialects.npu.attrs import OpaqueType
from ..errors import OnnxError
from .node import kind_name
from .order import DEFAULT_DOMAINS, label
from .shaped import Shaped
from .types import ONNX_TYPES, type_name

ONNX_DOMAINS = (*DEFAULT_DOMAINS, "ai.onnx.ml", "ai.onnx.preview", "ai.onnx.preview.training")
"""The domains whose ops ONNX defines."""
KINDS = frozenset(AttributeProto.AttributeType.values()) - {AttributeProto.UNDEFINED}
HIGHEST_RANK = 1024
"""The largest rank of a tensor."""
AXES = frozenset({"axis", "axes", "perm"})
"""The attributes that are axes. For huge axes the shape inference of onnx (1.23) reads beyond the end of a shape."""
EARLY = {"LayerNormalization": 17}
"""Ops that ONNX Runtime runs in models of any version, and that ONNX has since this one."""
OF_RUNTIME = frozenset({"SimplifiedLayerNormalization"})
"""Ops that ONNX Runtime has in ONNX's domain, and ONNX does not."""
OTHER_MEANING: Mapping[str, int] = {
    "Attention": 25,
    "GridSample": 20,
    "GroupNormalization": 21,
    "Hardmax": 13,
    "LogSoftmax": 13,
    "OneHot": 11,
    "PRelu": 7,
    "Resize": 11,
    "RoiAlign": 16,
    "Scan": 9,
    "Softmax": 13,
}
"""Ops whose meaning changed in this opset without a change of their signature."""
FIELDS = {
    AttributeProto.FLOAT: "f",
    AttributeProto.INT: "i",
    AttributeProto.STRING: "s",
    AttributeProto.TENSOR: "t",
    AttributeProto.GRAPH: "g",
    AttributeProto.SPARSE_TENSOR: "sparse_tensor",
    AttributeProto.TYPE_PROTO: "tp",
}
"""The field of `AttributeProto` that holds a value that is not a list."""


@dataclass(frozen=True, slots=True)
class _InputDefinition:
    """An input in the definition of an op."""

    types: tuple[str, ...]
    type_name: str
    """Inputs with the same type name have the same type."""
    is_optional: bool
    is_variadic: bool
    is_homogeneous: bool

    @property
    def is_constrained(self) -> bool:
        """True if other inputs must have the same type."""
        return not self.type_name.startswith("tensor(") and (self.is_homogeneous or not self.is_variadic)


@dataclass(frozen=True, slots=True)
class _OpDefinition:
    """The definition of an op in ONNX, cached."""

    inputs: tuple[_InputDefinition, ...]
    input_counts: tuple[int, int]
    output_counts: tuple[int, int]
    attributes: Mapping[str, int]
    required: tuple[str, ...]

    def parameter(self, index: int) -> _InputDefinition | None:
        if index < len(self.inputs):
            return self.inputs[index]
        return self.inputs[-1] if self.inputs and self.inputs[-1].is_variadic else None


@cache
def _definition(name: str, opset: int, domain: str) -> _OpDefinition:
    schema = onnx.defs.get_schema(name, opset, domain)
    options = OpSchema.FormalParameterOption
    return _OpDefinition(
        tuple(
            _InputDefinition(
                tuple(sorted(each.types)),
                each.type_str,
                each.option == options.Optional,
                each.option == options.Variadic,
                each.is_homogeneous,
            )
            for each in schema.inputs
        ),
        (schema.min_input, schema.max_input),
        (schema.min_output, schema.max_output),
        {key: int(cast("Any", each.type).value) for key, each in schema.attributes.items()},
        tuple(key for key, each in schema.attributes.items() if each.required),
    )


def version_of(node: NodeProto, opset: int) -> int:
    """The version of ONNX whose definition of the op of a node counts in a model of this one."""
    return max(opset, EARLY.get(node.op_type, opset)) if node.domain in DEFAULT_DOMAINS and opset else opset


def is_of_onnx(node: NodeProto) -> bool:
    """True if ONNX should define the op of a node."""
    return node.domain in ONNX_DOMAINS and not (node.op_type in OF_RUNTIME and node.domain in DEFAULT_DOMAINS)


def check_node(node: NodeProto, opset: int, is_in_function: bool = False) -> None:
    """Check that the op of a node exists in the opset, and its attributes and the number of its inputs and outputs.

    Within a function, attributes may refer to those of the call.
    """
    _check_values(node, is_in_function)
    if not is_of_onnx(node):
        return
    if not opset:
        raise OnnxError(f"{label(node)}: the model does not state the version of '{node.domain}'")
    version = version_of(node, opset)
    if not onnx.defs.has(node.op_type, version, node.domain):
        raise OnnxError(f"{label(node)}: there is no such op in opset {opset}")
    definition = _definition(node.op_type, version, node.domain)
    _check_attributes(node, definition)
    _check_count(node, "input", node.input, definition.input_counts)
    _check_count(node, "output", node.output, definition.output_counts)
    for index, name in enumerate(node.input):
        parameter = definition.parameter(index)
        if not name and parameter is not None and not (parameter.is_optional or parameter.is_variadic):
            raise OnnxError(f"{label(node)}: input {index} is required, but left out")


def _check_values(node: NodeProto, is_in_function: bool) -> None:
    """Check that each attribute has a unique name and a value of its declared type."""
    check_word(node.domain, f"{label(node)}: the domain")
    names: set[str] = set()
    for attribute in node.attribute:
        name = attribute.name
        if not name:
            raise OnnxError(f"{label(node)}: an attribute has no name")
        check_word(name, f"{label(node)}: the name of an attribute")
        if name in names:
            raise OnnxError(f"{label(node)}: two attributes are called '{name}'")
        names.add(name)
        if attribute.ref_attr_name and is_in_function:
            continue
        if attribute.ref_attr_name:
            raise OnnxError(f"{label(node)}: attribute '{name}' refers to one of a function, but the node is in none")
        if attribute.type not in KINDS:
            raise OnnxError(f"{label(node)}: attribute '{name}' has no type")
        field = FIELDS.get(attribute.type)
        if field is not None and not attribute.HasField(field):
            raise OnnxError(f"{label(node)}: attribute '{name}' is {kind_name(attribute.type)}, but has no such value")
        if name in AXES and any(abs(axis) > HIGHEST_RANK for axis in (attribute.i, *attribute.ints)):
            raise OnnxError(f"{label(node)}: attribute '{name}' is an axis beyond rank {HIGHEST_RANK}")
        if name == "batch_dims" and not 0 <= attribute.i <= HIGHEST_RANK:
            # The shape inference of onnx (1.23) would read in front of a shape.
            raise OnnxError(f"{label(node)}: attribute '{name}' is {attribute.i}, which is no number of axes")


def check_word(text: str, name: str) -> None:
    """Check that a text, which ONNX requires to be a C identifier, is at least printable ASCII without quotes."""
    if not (text.isascii() and text.isprintable()) or '"' in text or "\\" in text:
        raise OnnxError(f"{name} is {text!r}, expected printable ASCII")


def _check_attributes(node: NodeProto, definition: _OpDefinition) -> None:
    given = {each.name: each.type for each in node.attribute}
    for name, kind in given.items():
        # Like ONNX's own checker: such attributes belong to a runtime.
        if name.startswith("__"):
            continue
        expected = definition.attributes.get(name)
        if expected is None:
            known = ", ".join(sorted(definition.attributes)) or "none"
            raise OnnxError(f"{label(node)}: there is no attribute '{name}' (its attributes: {known})")
        if kind != expected:
            raise OnnxError(f"{label(node)}: attribute '{name}' is {kind_name(kind)}, not {kind_name(expected)}")
    missing = [name for name in definition.required if name not in given]
    if missing:
        raise OnnxError(f"{label(node)}: attribute '{missing[0]}' is missing")


def _check_count(node: NodeProto, word: str, names: Sequence[str], counts: tuple[int, int]) -> None:
    least, most = counts
    if least <= len(names) <= most:
        return
    expected = f"{least}" if least == most else f"{least} or more" if most >= 1 << 16 else f"{least} to {most}"
    raise OnnxError(f"{label(node)}: {len(names)} {word}s, expected {expected}")


def check_types(node: NodeProto, inputs: Sequence[Shaped | None], opset: int) -> None:
    """Check the element types of the inputs; None is an input that is left out."""
    if not is_of_onnx(node):
        return
    definition = _definition(node.op_type, version_of(node, opset), node.domain)
    first: dict[str, tuple[int, str]] = {}
    for index, shaped in enumerate(inputs):
        parameter = definition.parameter(index)
        if shaped is None or parameter is None:
            continue
        found = _type_text(shaped)
        if found not in parameter.types:
            found, *known = map(_without_tensor, (found, *parameter.types))
            words = ", ".join(known)
            raise OnnxError(f"{label(node)}: input {index} is of type {found}, which is not one of {words}")
        if not parameter.is_constrained or opset < EARLY.get(node.op_type, opset):
            # Runtimes that had an op early took weights of other types than that of the data.
            continue
        other, expected = first.setdefault(parameter.type_name, (index, found))
        if found != expected:
            found, expected = _without_tensor(found), _without_tensor(expected)
            both = f"input {index} is of type {found}, and input {other} of type {expected}"
            raise OnnxError(f"{label(node)}: {both}; both must be of one type")


def _type_text(shaped: Shaped) -> str:
    """A type as the definitions of ops have it."""
    if shaped.whole is not None and isinstance(shaped.element, OpaqueType):
        return shaped.element.written.data
    return f"tensor({type_name(ONNX_TYPES[shaped.element]).lower()})"


def _without_tensor(text: str) -> str:
    return text.removeprefix("tensor(").removesuffix(")") if text.startswith("tensor(") else text
