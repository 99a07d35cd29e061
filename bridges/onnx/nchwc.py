"""ONNX Runtime's ops on channels in blocks, and the note of the size of blocks in the metadata of a model."""

from importlib import import_module
from typing import Any, cast

from onnx import ModelProto, helper
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr
from xdsl.ir import Attribute

from ...compat.process import temporary_folder

DOMAIN = "com.microsoft.nchwc"
SIZES = (8, 16)
"""The sizes of blocks; a processor has one of them."""
KEY = "npu_opt.nchwc"
APPLIED = ("Relu", "Sigmoid", "Tanh", "LeakyRelu", "HardSigmoid", "HardSwish")
"""The activations that a convolution can run on its result, besides Clip."""


def note_block_size(model: ModelProto, size: int | None) -> None:
    """Replace the note of a model, whose ops do not say the size."""
    others = [entry for entry in model.metadata_props if entry.key != KEY]
    del model.metadata_props[:]
    model.metadata_props.extend(others)
    if size is not None:
        model.metadata_props.add(key=KEY, value=str(size))


def noted_block_size(model: ModelProto) -> int | None:
    """The size that a model notes."""
    noted = next((entry.value for entry in model.metadata_props if entry.key == KEY), None)
    return next((size for size in SIZES if str(size) == noted), None)


def noted_in(module: ModuleOp) -> int | None:
    """The size that the model noted from which a module was imported."""
    pairs = cast("ArrayAttr[ArrayAttr[StringAttr]]", module.attributes.get("onnx.metadata", ArrayAttr[Attribute]([])))
    noted = dict([text.data for text in pair] for pair in pairs).get(KEY)
    return next((size for size in SIZES if str(size) == noted), None)


def size_of_runtime() -> int | None:
    """The size that ONNX Runtime has on this machine: that of the kernel it makes of one with one output channel.

    None if it has no blocks.
    """
    runtime: Any = import_module("onnxruntime")
    data, result = (helper.make_tensor_value_info(name, 1, [1, 1, 1, 1]) for name in "xy")
    kernel = helper.make_tensor("w", 1, [1, 1, 1, 1], [1.0])
    graph = helper.make_graph([helper.make_node("Conv", ["x", "w"], ["y"])], "size", [data], [result], [kernel])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    with temporary_folder() as folder:
        options = runtime.SessionOptions()
        options.log_severity_level = 4
        options.optimized_model_filepath = str(folder / "optimised.onnx")
        runtime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        found = ModelProto.FromString((folder / "optimised.onnx").read_bytes())
    has_blocks = any(node.domain == DOMAIN for node in found.graph.node)
    return next(max(each.dims) for each in found.graph.initializer) if has_blocks else None
