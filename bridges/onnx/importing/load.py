"""Loading a model file: parsing, checks, inlining, shape inference."""

from collections.abc import Sequence
from pathlib import Path

import onnx
from google.protobuf.message import DecodeError
from onnx import ModelProto, helper, shape_inference

from ...fixed_sizes import FixedSizes
from ..errors import OnnxError, brief
from ..wire import UNREADABLE
from .checking import version_of
from .expanded import EXPANDED, Expanded, expanded
from .fixed import fix_sizes
from .functions import inlined
from .order import DEFAULT_DOMAINS, all_nodes, is_dangerous
from .pools import has_gaps, rewrite_a_window
from .slim import read_slim
from .validity import check_model

AVERAGES_SHIFTED = 19
"""The opset from which on ONNX Runtime takes negative pads of an AveragePool."""
OLDEST_OPSET = 7
"""The first version of the default domain with numpy broadcasting."""


def load(
    path: Path,
    given: ModelProto | None = None,
    fixed: FixedSizes | None = None,
    whole: frozenset[str] = frozenset(),
) -> tuple[ModelProto, Sequence[Expanded]]:
    """The model in a file, or a copy of the given one, with inferred shapes. Large data stays in the file.

    Inputs have the sizes that are fixed.

    Functions of the model are inlined. Ops that ONNX defines as functions are expanded, and listed, but for whole ones.
    """
    model = ModelProto()
    if given is not None:
        model.CopyFrom(given)
    else:
        try:
            model.ParseFromString(read_slim(path))
        except DecodeError:
            raise OnnxError(UNREADABLE) from None
    check_opset(model)
    _drop_ignored_attributes(model)
    _state_sides(model)
    check_model(model)
    if fixed:
        fix_sizes(model, fixed)
    model = inlined(model)
    model, nodes = expanded(_with_sizes_of_windows(model), opset_of(model), EXPANDED - whole)
    return with_shapes(model), nodes


def _drop_ignored_attributes(model: ModelProto) -> None:
    """Drop the attributes that ONNX Runtime ignores: of its ops in ONNX's domain it knows some, and checks none."""
    opset = opset_of(model)
    for node in all_nodes(model.graph.node):
        if opset < version_of(node, opset):
            known = onnx.defs.get_schema(node.op_type, version_of(node, opset)).attributes
            kept = [attribute for attribute in node.attribute if attribute.name in known]
            del node.attribute[:]
            node.attribute.extend(kept)


def _state_sides(model: ModelProto) -> None:
    """State that spectra are one-sided by default, which the inference of the package onnx does not know."""
    for node in all_nodes(model.graph.node):
        if (node.op_type, node.domain) == ("STFT", "") and all(each.name != "onesided" for each in node.attribute):
            node.attribute.append(helper.make_attribute("onesided", 1))


def check_opset(model: ModelProto) -> None:
    """Check that the opset of the model is supported."""
    version = opset_of(model)
    newest = onnx.defs.onnx_opset_version()
    if version > newest:
        raise OnnxError(
            f"the model is of opset {version}; the newest that onnx {onnx.__version__} supports is {newest}"
        )
    if version and version < OLDEST_OPSET:
        raise OnnxError(
            f"the model is of opset {version}; the oldest supported is {OLDEST_OPSET}"
            " (onnx.version_converter converts models)"
        )


def opset_of(model: ModelProto, domain: str = "") -> int:
    """The version of a domain; 0 if the model does not use it."""
    domains = DEFAULT_DOMAINS if domain in DEFAULT_DOMAINS else (domain,)
    return max((each.version for each in model.opset_import if each.domain in domains), default=0)


def with_shapes(model: ModelProto) -> ModelProto:
    """The model with the types and shapes that ONNX infers."""
    if is_dangerous(model.graph.node):
        return model
    try:
        return shape_inference.infer_shapes(model, check_type=False, strict_mode=False)
    except shape_inference.InferenceError as error:
        raise OnnxError(f"the shapes do not match: {brief(error)}") from error
    except Exception:
        # The package onnx has no common exception class.
        # Without inferred shapes, each node is inferred again when it is converted.
        return model


def _with_sizes_of_windows(model: ModelProto) -> ModelProto:
    """The model with inferred shapes, in which windows slide as in ONNX Runtime."""
    narrow: set[str] = set()
    opset = max((each.version for each in model.opset_import if each.domain in DEFAULT_DOMAINS), default=0)
    never_shifted = ("MaxPool", "AveragePool") if opset < AVERAGES_SHIFTED else ("MaxPool",)
    for node in all_nodes(model.graph.node):
        values = {attribute.name: attribute for attribute in node.attribute if node.domain in DEFAULT_DOMAINS}
        is_same = "auto_pad" in values and values["auto_pad"].s.startswith(b"SAME")
        # Sizes are rounded up by the pads already, and ONNX's shape inference would round twice.
        if is_same and "ceil_mode" in values and max(values["dilations"].ints if "dilations" in values else [1]) == 1:
            node.attribute.remove(values["ceil_mode"])
            # ONNX Runtime refuses negative pads of these, unless it rounds up.
            narrow.update(node.output[:1] if node.op_type in never_shifted and has_gaps(node) else ())
    shaped = with_shapes(model)
    while rewrite_a_window(model, shaped, narrow):
        shaped = with_shapes(model)
    return shaped
