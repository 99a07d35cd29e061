"""Reading a model file, and what can be said about it before any of its nodes is looked at."""

from pathlib import Path

import onnx
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import DecodeError, Message
from onnx import ModelProto, inliner, shape_inference

from .errors import OnnxError, brief
from .functions import inlined
from .order import DEFAULT_DOMAINS, all_nodes
from .slim import UNREADABLE, read_slim

OLDEST_OPSET = 7
"""The version of the default domain since which shapes are broadcast as in numpy."""
EXPANDED = frozenset(
    {
        "Attention",
        "CausalConvWithState",
        "CenterCropPad",
        "RotaryEmbedding",
        "Shrink",
        "SwiGLU",
    }
)
"""The ops that have no equivalent, but that ONNX defines by ops that do."""
LARGEST_VERSION = (1 << 31) - 1
"""The largest version of a domain that the package onnx takes."""


def load(path: Path) -> ModelProto:
    """The model in a file, with what the shape inference of ONNX finds out; long data stays where it is.

    Functions, those of the model and some of ONNX itself, are replaced by what they are defined as.
    """
    model = ModelProto()
    try:
        model.ParseFromString(read_slim(path))
    except DecodeError:
        raise OnnxError(UNREADABLE) from None
    check_texts(model)
    check(model)
    _name_default_domain(model)
    return with_shapes(_expanded(with_shapes(inlined(model))))


def check_texts(model: ModelProto) -> None:
    """Check that all names are text. protobuf leaves those that are not UTF-8 as bytes."""
    waiting: list[Message] = [model]
    while waiting:
        message = waiting.pop()
        for field, value in message.ListFields():
            values = value if field.is_repeated else (value,)
            if field.type == FieldDescriptor.TYPE_MESSAGE:
                waiting.extend(values)
            elif field.type == FieldDescriptor.TYPE_STRING:
                for each in values:
                    _check_text(each, f"{message.DESCRIPTOR.name}.{field.name}")


def _name_default_domain(model: ModelProto) -> None:
    """Have one name for the domain of ONNX itself, which has two."""
    for holder in (model, *model.functions):
        for each in holder.opset_import:
            each.domain = "" if each.domain in DEFAULT_DOMAINS else each.domain
    for function in model.functions:
        function.domain = "" if function.domain in DEFAULT_DOMAINS else function.domain
    for node in all_nodes([*model.graph.node, *(node for function in model.functions for node in function.node)]):
        if node.domain in DEFAULT_DOMAINS:
            node.ClearField("domain")


def _check_text(text: str | bytes, place: str) -> None:
    if isinstance(text, bytes):
        raise OnnxError(f"{place} is not text in UTF-8: {text[:40]!r}")
    if "\0" in text:
        raise OnnxError(f"{place} has a character of code 0: {text[:40]!r}")


def check(model: ModelProto) -> None:
    """Check what concerns the model as a whole."""
    if not model.HasField("graph") or not model.ir_version:
        raise OnnxError("not an ONNX model: it has no graph")
    if not model.opset_import:
        raise OnnxError("the model does not say which version of ONNX its ops are of")
    _check_versions(model)
    version = opset_of(model)
    newest = onnx.defs.onnx_opset_version()
    if version > newest:
        raise OnnxError(f"the model is of opset {version}, and onnx {onnx.__version__} knows none after {newest}")
    if 0 < version < OLDEST_OPSET:
        raise OnnxError(
            f"the model is of opset {version}, and {OLDEST_OPSET} is the oldest that is read"
            " (onnx.version_converter makes newer ones)"
        )


def _check_versions(model: ModelProto) -> None:
    versions: dict[str, int] = {}
    for each in model.opset_import:
        domain = "" if each.domain in DEFAULT_DOMAINS else each.domain
        if not 0 < each.version <= LARGEST_VERSION:
            raise OnnxError(f"the domain '{domain}' is of version {each.version}, which no domain has")
        if versions.setdefault(domain, each.version) != each.version:
            raise OnnxError(f"the domain '{domain}' is of two versions: {versions[domain]} and {each.version}")
    for function in model.functions:
        if any(not 0 < each.version <= LARGEST_VERSION for each in function.opset_import):
            raise OnnxError(f"the function '{function.name}' is of versions that no domain has")


def opset_of(model: ModelProto, domain: str = "") -> int:
    """The version of a domain; 0 if the model does not use it."""
    domains = DEFAULT_DOMAINS if domain in DEFAULT_DOMAINS else (domain,)
    return max((each.version for each in model.opset_import if each.domain in domains), default=0)


def with_shapes(model: ModelProto) -> ModelProto:
    """The model with the types and shapes of its values, as far as ONNX finds them out."""
    try:
        return shape_inference.infer_shapes(model, check_type=False, strict_mode=False)
    except shape_inference.InferenceError as error:
        raise OnnxError(f"the shapes do not go together: {brief(error)}") from error
    except Exception:
        # The package onnx has no superclass of what it raises.
        # Nothing is known then but what the model says itself; each node is asked again when it is its turn.
        return model


def _expanded(model: ModelProto) -> ModelProto:
    """The model with the definitions of ops that stand for several others in their places."""
    if not any(node.op_type in EXPANDED and not node.domain for node in model.graph.node):
        return model
    functions = [("", name) for name in sorted(EXPANDED)]
    try:
        return inliner.inline_selected_functions(model, functions, inline_schema_functions=True)
    except Exception:
        # The package onnx has no superclass of what it raises. They stay what they are: ops without an equivalent.
        return model
