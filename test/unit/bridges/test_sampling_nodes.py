"""GridSample, AffineGrid, RoiAlign and DeformConv: the numbers of ONNX Runtime, and Transposes around them go."""

from itertools import product
from typing import Any

import npu_opt
import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install -e '.[dev]'")

from onnx import ModelProto, TensorProto, helper, numpy_helper
from support.ir_text import parse
from support.oracles.onnx_nodes import computes_the_same

RANDOM = np.random.default_rng(0)


def made(kind: str, inputs: dict[str, Any], opset: int, **attributes: Any) -> ModelProto:
    """A model of one node that knows the ranks of its inputs."""
    node = helper.make_node(kind, list(inputs), ["y"], "sampled", **attributes)
    infos = [
        helper.make_tensor_value_info(
            name,
            helper.np_dtype_to_tensor_dtype(array.dtype),
            array.shape
            if name in ("w", "r")
            else [f"{name}{axis}" for axis in range(array.ndim - 1)] + [array.shape[-1]],
        )
        for name, array in inputs.items()
    ]
    output = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    graph = helper.make_graph([node], "net", infos, [output])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


def floats(*shape: int) -> Any:
    return RANDOM.standard_normal(shape).astype(np.float32)


def check(model: ModelProto, inputs: dict[str, Any]) -> None:
    (node,), (came,) = computes_the_same(model, inputs).graph.node, model.graph.node
    assert (node.op_type, list(node.input), len(node.attribute)) == (
        came.op_type,
        list(came.input),
        len(came.attribute),
    )


@pytest.mark.parametrize("padding", ["zeros", "border", "reflection"])
@pytest.mark.parametrize("mode", ["linear", "nearest", "cubic"])
def test_places_of_a_grid(mode: str, padding: str):
    for rank, aligned, sizes in product((4, 5), (0, 1), ((1, 4, 3), (5, 2, 2))):
        if rank == 5 and mode == "cubic":
            continue
        inputs = {"x": floats(2, 3, *sizes[: rank - 2]), "g": 2 * floats(2, *(2, 3, 2)[: rank - 2], rank - 2)}
        check(made("GridSample", inputs, 20, mode=mode, padding_mode=padding, align_corners=aligned), inputs)


@pytest.mark.parametrize("sizes", [(2, 3, 4, 5), (1, 1, 2, 7), (2, 1, 3, 4, 5)])
def test_affine_grids(sizes: tuple[int, ...]):
    axes = len(sizes) - 2
    for aligned in (0, 1):
        inputs = {"w": floats(sizes[0], axes, axes + 1), "s": np.array(sizes)}
        model = made("AffineGrid", inputs, 20, align_corners=aligned)
        model.graph.initializer.append(numpy_helper.from_array(inputs.pop("s"), "s"))
        del model.graph.input[1:]
        check(model, inputs)


@pytest.mark.parametrize("mode", ["avg", "max"])
@pytest.mark.parametrize("ratio", [0, 2])
def test_regions(mode: str, ratio: int):
    corners = RANDOM.uniform(-3, 12, (5, 2))
    boxes = np.concatenate([corners, corners + RANDOM.uniform(0, 9, (5, 2))], 1).astype(np.float32)
    inputs = {"x": floats(2, 3, 6, 7), "r": boxes, "b": np.array([0, 1, 0, 1, 1])}
    options: dict[str, Any] = {"output_height": 3, "output_width": 2, "sampling_ratio": ratio, "spatial_scale": 0.5}
    check(made("RoiAlign", inputs, 10, mode=mode, **options), inputs)
    for moved in ("half_pixel", "output_half_pixel"):
        check(made("RoiAlign", inputs, 16, mode=mode, coordinate_transformation_mode=moved, **options), inputs)


@pytest.mark.parametrize(("groups", "parts"), [*product((1, 2), (1, 2))])
def test_windows_with_offsets(groups: int, parts: int):
    inputs = {"x": floats(2, 4, 6, 7), "w": floats(6, 4 // groups, 2, 3), "o": 2 * floats(2, 12 * parts, 4, 6)}
    inputs |= {"c": floats(6), "m": floats(2, 6 * parts, 4, 6)}
    options: dict[str, Any] = {"strides": [2, 1], "dilations": [1, 2], "pads": [1, 0, 1, 3]}
    check(made("DeformConv", inputs, 19, group=groups, offset_group=parts, **options), inputs)


@pytest.mark.parametrize("kind", ["GridSample", "RoiAlign", "DeformConv"])
def test_the_order_of_a_feature_map_is_free(kind: str):
    """The op has channels last in a program; a file of ONNX has it between two Transposes."""
    others = {
        "GridSample": ("npu.grid_sample %x, %p", "1x5x6x2xf32"),
        "RoiAlign": ("npu.roi_align %x, %p, %b sizes = [5, 6]", "1x4xf32"),
        "DeformConv": ("npu.deform_conv %x, %p, %k", "1x2x5x6xf32"),
    }
    call, shape = others[kind]
    types = f"tensor<1x5x6x3xf32, #npu.layout<NHWC>>, tensor<{shape}>"
    further = {"RoiAlign": ", tensor<1xi64>", "DeformConv": ", tensor<3x3x1x1xf32>"}.get(kind, "")
    text = f"""func.func @main(%x: tensor<1x5x6x3xf32, #npu.layout<NHWC>>, %p: tensor<{shape}>, %b: tensor<1xi64>,
        %k: tensor<3x3x1x1xf32>) -> tensor<1x5x6x3xf32, #npu.layout<NHWC>> {{
      %y = {call} : ({types}{further}) -> tensor<1x5x6x3xf32, #npu.layout<NHWC>>
      return %y : tensor<1x5x6x3xf32, #npu.layout<NHWC>>
    }}"""
    nodes = npu_opt.optimize(parse(text), target="onnx").to_onnx(opset=21).graph.node
    assert [node.op_type for node in nodes] == ["Transpose", kind, "Transpose"]
