"""Reading a model file, and what can be said about it before any of its nodes is looked at."""

from pathlib import Path

import onnx
from google.protobuf.message import DecodeError
from onnx import ModelProto, inliner, shape_inference

from ..errors import OnnxError, brief
from .functions import inlined
from .order import DEFAULT_DOMAINS, is_dangerous
from .slim import UNREADABLE, read_slim
from .validity import check_model

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


def load(path: Path) -> ModelProto:
    """The model in a file, with what the shape inference of ONNX finds out; long data stays where it is.

    Functions, those of the model and some of ONNX itself, are replaced by what they are defined as.
    """
    model = ModelProto()
    try:
        model.ParseFromString(read_slim(path))
    except DecodeError:
        raise OnnxError(UNREADABLE) from None
    check_opset(model)
    check_model(model)
    return with_shapes(_expanded(with_shapes(inlined(model))))


def check_opset(model: ModelProto) -> None:
    """Check that the model is of a version of ONNX that is read."""
    version = opset_of(model)
    newest = onnx.defs.onnx_opset_version()
    if version > newest:
        raise OnnxError(f"the model is of opset {version}, and onnx {onnx.__version__} knows none after {newest}")
    if 0 < version < OLDEST_OPSET:
        raise OnnxError(
            f"the model is of opset {version}, and {OLDEST_OPSET} is the oldest that is read"
            " (onnx.version_converter makes newer ones)"
        )


def opset_of(model: ModelProto, domain: str = "") -> int:
    """The version of a domain; 0 if the model does not use it."""
    domains = DEFAULT_DOMAINS if domain in DEFAULT_DOMAINS else (domain,)
    return max((each.version for each in model.opset_import if each.domain in domains), default=0)


def with_shapes(model: ModelProto) -> ModelProto:
    """The model with the types and shapes of its values, as far as ONNX finds them out."""
    if is_dangerous(model.graph.node):
        return model
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
