"""A check of models before they are written, by ONNX's own checker."""

from re import sub
from typing import Any

import onnx
from onnx import ModelProto, NodeProto, ValueInfoProto, defs, helper

from ....dialects.file_rules import ANYTHING, FileRules
from ..errors import NotExportable
from ..file_rules import breaches
from ..importing.checking import version_of
from ..importing.load import with_shapes
from ..importing.order import all_nodes, is_dangerous
from .files import SMALL
from .model import Model

_checker: Any = onnx.checker  # It is typed in part.


def check_model(model: Model, opset: int) -> None:
    """Check a model without its large weights, which become inputs. Raises `NotExportable`.

    Ops that are deprecated in the opset of the imported model stay, and so do those that ONNX Runtime has before ONNX.
    """
    number = model.proto.opset_import[0].version
    nodes = [*all_nodes(model.proto.graph.node)]
    if opset == number and any(_is_deprecated(node, number) for node in nodes):
        return
    if any(version_of(node, number) != number for node in nodes):
        return
    proto = ModelProto()
    proto.CopyFrom(model.proto)
    del proto.graph.initializer[:]
    for tensor in model.proto.graph.initializer:
        weights = model.weights[tensor.name]
        if weights.size < SMALL:
            # Shape inference reads shapes and axes.
            proto.graph.initializer.add(raw_data=weights.data()).MergeFrom(tensor)
        else:
            proto.graph.input.append(_input(tensor.name, tensor.data_type, weights.shape))
    try:
        _checker.check_model(proto, full_check=not is_dangerous(proto.graph.node))
    except Exception as error:
        # The package onnx has no common exception class.
        raise NotExportable(f"the model would not be valid: {_in_one_line(error)}") from error


def check_rules(model: Model, rules: FileRules) -> None:
    """Check that a valid model is as the target says. Raises `NotExportable`."""
    if rules == ANYTHING:
        return
    proto = ModelProto()
    proto.CopyFrom(model.proto)
    for tensor in proto.graph.initializer:
        if (weights := model.weights[tensor.name]).size < SMALL:
            # Shape inference reads shapes and axes.
            tensor.raw_data = weights.data()
    if found := breaches(with_shapes(proto), rules).found:
        error = NotExportable(f"the target refuses the file: {found[0]}")
        for each in found[1:]:
            error.add_note(each)
        raise error


def _is_deprecated(node: NodeProto, opset: int) -> bool:
    return not node.domain and defs.has(node.op_type, opset) and defs.get_schema(node.op_type, opset).deprecated


def _input(name: str, element: int, shape: tuple[int, ...]) -> ValueInfoProto:
    return helper.make_tensor_value_info(name, element, shape)


def _in_one_line(error: Exception) -> str:
    """The message, which names the node in its last lines, without the prefixes of C++."""
    return sub(r"\[\w+Error\] |==> Context: ", "", " ".join(str(error).split()))
