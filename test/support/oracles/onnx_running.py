"""Runs of exported programs in ONNX Runtime, compared with the interpreter's results."""

import importlib
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import onnx
from npu_opt.bridges.onnx.element_types import NARROW_FLOATS
from npu_opt.bridges.onnx.exporting import NEWEST_OPSET, to_onnx
from npu_opt.dialects.npu.quantized import QuantizedOp
from onnx import ModelProto, TensorProto, helper
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

Array = npt.NDArray[Any]

VIA: dict[int, int] = {
    TensorProto.BFLOAT16: TensorProto.FLOAT,
    TensorProto.INT4: TensorProto.INT8,
    TensorProto.UINT4: TensorProto.UINT8,
    **dict.fromkeys(NARROW_FLOATS, TensorProto.FLOAT),
}
"""Element types that numpy does not have, each with the type through which tests pass its elements."""

ort: Any = importlib.import_module("onnxruntime")  # It carries no types.
ort.set_default_logger_severity(4)


def exported(module: ModuleOp, opset: int | None = NEWEST_OPSET, check: bool = True) -> ModelProto:
    """The model of a program, with its weights inside; `check` runs ONNX's own checker. None is the program's opset."""
    model = to_onnx(module, opset)
    for tensor in model.proto.graph.initializer:
        tensor.raw_data = model.weights[tensor.name].data()
    if check:
        cast("Any", onnx).checker.check_model(model.proto, full_check=True)
    return model.proto


def unoptimised(model: ModelProto) -> Any:
    """A session without optimisations: ONNX Runtime's own rewrites would hide differences."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    return ort.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"])


def executed(model: ModelProto, inputs: Sequence[Array]) -> list[Array]:
    """The outputs of a model in ONNX Runtime."""
    bridged = _bridged(model)
    if any(end.type.tensor_type.elem_type in NARROW_FLOATS for end in (*model.graph.input, *model.graph.output)):
        # The optimisations drop casts to and fro, which round.
        return _run(unoptimised(bridged), inputs)
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    try:
        session = ort.InferenceSession(bridged.SerializeToString(), options, ["CPUExecutionProvider"])
    except Exception as error:
        # Around the transpose of an integer between a signed type and an unsigned one, ONNX Runtime's optimisations put
        # a QuantizeLinear of their own, which they then refuse.
        if "output_dtype" not in str(error) or not _is_of_no_node(model, str(error)):
            raise
        session = unoptimised(bridged)
    return _run(session, inputs)


def _run(session: Any, inputs: Sequence[Array]) -> list[Array]:
    names: list[str] = [each.name for each in session.get_inputs()]
    return session.run(None, dict(zip(names, inputs, strict=True)))


def _is_of_no_node(model: ModelProto, error: str) -> bool:
    """True if an error names a node that the model does not have."""
    return not any(f"Node ({node.name})" in error for node in model.graph.node)


def may_saturate(op: Operation, operands: Sequence[Array]) -> bool:
    """True if ONNX Runtime may compute other numbers than ONNX says.

    Processors without VNNI add the products of uint8 and int8 in pairs, in 16 bits, which saturate.
    """
    if not isinstance(op, QuantizedOp):
        return False
    unsigned, signed = (
        max((int(np.abs(each.astype(np.int64)).max(initial=0)) for each in operands if each.dtype == dtype), default=0)
        for dtype in (np.uint8, np.int8)
    )
    return 2 * unsigned * signed > np.iinfo(np.int16).max


def _bridged(model: ModelProto) -> ModelProto:
    """The model with conversions at its ends for element types that numpy does not have."""
    result = ModelProto()
    result.CopyFrom(model)
    graph = result.graph
    before: list[onnx.NodeProto] = []
    behind: list[onnx.NodeProto] = []
    for ends, casts, is_input in ((graph.input, before, True), (graph.output, behind, False)):
        for end in ends:
            type_ = end.type.tensor_type
            if type_.elem_type not in VIA:
                continue
            outside, inside = f"{end.name}_outside", end.name
            names = [outside, inside] if is_input else [inside, outside]
            number = type_.elem_type if is_input else VIA[type_.elem_type]
            casts.append(helper.make_node("Cast", names[:1], names[1:], to=number))
            end.name, type_.elem_type = outside, VIA[type_.elem_type]
    nodes = [*before, *graph.node, *behind]
    del graph.node[:]
    graph.node.extend(nodes)
    return result
