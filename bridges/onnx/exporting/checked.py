"""A check of models before they are written, by ONNX's own checker."""

from re import sub
from typing import Any

import onnx
from onnx import ModelProto, NodeProto, ValueInfoProto, defs, helper

from ....dialects.settings.file_rules import ANYTHING, FileRules
from ..errors import NotExportable
from ..file_rules import breaches
from ..importing.checking import OF_RUNTIME, version_of
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
    if any(version_of(node, number) != number or node.op_type in OF_RUNTIME for node in nodes):
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
    for node in all_nodes(proto.graph.node):
        _write_defaults(node, number)
    infers = not is_dangerous(proto.graph.node) and not _replace_unranked(proto)
    # The package onnx (1.23) takes the sum of unknown numbers of keys for 0 there.
    infers = infers and not any(node.op_type == "Attention" and any(node.output[3:]) for node in nodes)
    try:
        _checker.check_model(proto, full_check=infers)
    except Exception as error:
        # The package onnx has no common exception class.
        raise NotExportable(f"the model would not be valid: {_in_one_line(error)}") from error


def _write_defaults(node: NodeProto, opset: int) -> None:
    """Write the defaults of an op that ONNX defines by others: its inference looks for them in the node alone."""
    schema: Any = defs.get_schema(node.op_type, opset) if not node.domain and defs.has(node.op_type, opset) else None
    if schema is None or not schema.has_function:
        return
    given = {attribute.name for attribute in node.attribute}
    for name, attribute in schema.attributes.items():
        if name not in given and attribute.default_value.name:
            node.attribute.append(attribute.default_value)


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
        error.add_note("change the model there, or the table [file] of the target")
        raise error


def _is_deprecated(node: NodeProto, opset: int) -> bool:
    return not node.domain and defs.has(node.op_type, opset) and defs.get_schema(node.op_type, opset).deprecated


def _replace_unranked(proto: ModelProto) -> bool:
    """Give inputs and outputs of unknown rank types that ONNX's checker takes; true if there are any.

    They are rightly without a shape, as runtimes know.
    """
    ends = (*proto.graph.input, *proto.graph.output)
    found = [each for each in ends if each.type.HasField("tensor_type") and not each.type.tensor_type.HasField("shape")]
    for each in found:
        each.type.sequence_type.elem_type.tensor_type.elem_type = each.type.tensor_type.elem_type
    return bool(found)


def _input(name: str, element: int, shape: tuple[int, ...]) -> ValueInfoProto:
    return helper.make_tensor_value_info(name, element, shape)


def _in_one_line(error: Exception) -> str:
    """The message, which names the node in its last lines, without the prefixes of C++."""
    return sub(r"\[\w+Error\] |==> Context: ", "", " ".join(str(error).split()))
