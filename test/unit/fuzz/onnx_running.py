"""Running exported programs in ONNX Runtime, and comparing what they compute with the interpreter's results."""

import importlib
from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import onnx
from npu_opt.bridges.onnx.export import NEWEST_OPSET, to_onnx
from npu_opt.dialects.npu.base import NpuOp, element_type_of
from npu_opt.interpreter import evaluate
from onnx import ModelProto, TensorProto, helper
from xdsl.dialects.builtin import BFloat16Type, Float16Type, ModuleOp
from xdsl.ir import Attribute, SSAValue

Array = npt.NDArray[Any]

TOLERANCE = 1e-4
"""Of the largest number: the two add up in another sequence, and ONNX Runtime in f32."""
SMALLEST = 1e-7
"""What is lost at least where numbers near 1 stand in between, as in exp(x) - 1."""
COARSE: Mapping[type[Attribute], float] = {Float16Type: 2.0**-9, BFloat16Type: 2.0**-6}
"""Numbers of few bits differ by twice the last one of them, where they are rounded to different sides."""

VIA: dict[int, int] = {
    TensorProto.BFLOAT16: TensorProto.FLOAT,
    TensorProto.INT4: TensorProto.INT8,
    TensorProto.UINT4: TensorProto.UINT8,
}
"""Elements that numpy does not have, and those by way of which the tests hand them over."""

ort: Any = importlib.import_module("onnxruntime")  # It carries no types.
ort.set_default_logger_severity(4)


def exported(module: ModuleOp, opset: int = NEWEST_OPSET, check: bool = True) -> ModelProto:
    """The model of a program, with its weights inside; `check` has ONNX's own checker look at it."""
    model = to_onnx(module, opset)
    for tensor in model.proto.graph.initializer:
        tensor.raw_data = model.weights[tensor.name].data()
    if check:
        cast("Any", onnx).checker.check_model(model.proto, full_check=True)
    return model.proto


def executed(model: ModelProto, inputs: Sequence[Array]) -> list[Array]:
    """The outputs of a model in ONNX Runtime."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    session = ort.InferenceSession(_bridged(model).SerializeToString(), options, ["CPUExecutionProvider"])
    names: list[str] = [each.name for each in session.get_inputs()]
    return session.run(None, dict(zip(names, inputs, strict=True)))


def _bridged(model: ModelProto) -> ModelProto:
    """The model with conversions at its ends for elements that numpy does not have."""
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


def wobble(op: NpuOp, operands: Sequence[Array], expected: Sequence[Array]) -> list[float]:
    """How far each result moves with the last digits of the operands: closer no computation in f32 can come."""
    generator = np.random.default_rng(0)
    moved = [
        each
        if each.dtype.kind != "f"
        else each * (1 + 2.0**-22 * generator.choice([-1, 1], each.shape)).astype(each.dtype)
        for each in operands
    ]
    found = evaluate(op, moved)
    with np.errstate(all="ignore"):
        gaps = [
            np.abs(left.astype(np.float64) - right.astype(np.float64))
            for left, right in zip(found, expected, strict=True)
        ]
    return [float(np.max(gap[np.isfinite(gap)], initial=0)) for gap in gaps]


def difference(found: Array, expected: Array, value: SSAValue, steps: int = 0, room: float = 0) -> str | None:
    """How a result differs from what it should be. Integers may differ by so many `steps`, floats by some `room`."""
    if found.shape != expected.shape:
        return f"shape {found.shape} and not {expected.shape}"
    if expected.dtype.kind != "f":
        most = np.max(np.abs(found.astype(np.float64) - expected.astype(np.float64)), initial=0)
        return None if most <= steps else f"{most} apart"
    found, expected = found.astype(np.float64), expected.astype(np.float64)
    scale = np.max(np.abs(expected[np.isfinite(expected)]), initial=0)
    allowed = SMALLEST + 4 * room + COARSE.get(type(element_type_of(value)), TOLERANCE) * scale
    if np.allclose(found, expected, rtol=0, atol=allowed, equal_nan=True):
        return None
    with np.errstate(all="ignore"):
        return f"{np.max(np.abs(found - expected), initial=0)} apart, where {allowed} is allowed"
