"""Nodes on positions and windows compute what ONNX Runtime does: as a program, as its file, and as they came."""

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install -e '.[dev]'")

import npu_opt
from npu_opt.bridges.onnx.importing.importer import Options, import_model
from npu_opt.dialects.npu.source import OpaqueOp
from npu_opt.interpreter import run
from numpy.typing import NDArray
from onnx import ModelProto, helper
from support.campaign import amount
from support.closeness import SUMS, assert_close
from support.oracles.onnx_running import exported, unoptimised

Array = NDArray[Any]
Made = tuple[str, dict[str, Any], Sequence[Array], int]
"""The op, its attributes, its inputs and the number of its outputs."""
SCATTERS = "none", "none", "add", "mul", "max", "min"


def floats(rng: Random, shape: Sequence[int]) -> Array:
    return np.random.default_rng(rng.randrange(1 << 30)).standard_normal(shape).astype(np.float32)


def places(rng: Random, shape: Sequence[int], size: int) -> Array:
    return np.random.default_rng(rng.randrange(1 << 30)).integers(-size, size, shape)


def sizes(rng: Random, least: int, most: int) -> list[int]:
    return [rng.randint(1, 5) for _ in range(rng.randint(least, most))]


def along(rng: Random, kind: str) -> Made:
    """One index for each element, of no more than the data has along any axis."""
    shape = sizes(rng, 1, 4)
    axis = rng.randrange(len(shape))
    given = [size if rng.random() < 0.6 else rng.randint(1, size) for size in shape]
    given[axis] = rng.randint(1, 6)
    inputs = [floats(rng, shape), places(rng, given, shape[axis])]
    attributes: dict[str, Any] = {"axis": axis - len(shape) * rng.randrange(2)}
    if kind == "ScatterElements":
        inputs.append(floats(rng, given))
        attributes["reduction"] = rng.choice(SCATTERS)
    return kind, attributes, inputs, 1


def tuples(rng: Random, kind: str) -> Made:
    """One index for each of the first axes, behind those of the batch."""
    shape = sizes(rng, 1, 4)
    batch = rng.randrange(len(shape)) if kind == "GatherND" else 0
    depth = rng.randint(1, len(shape) - batch)
    given = [*shape[:batch], *sizes(rng, 0, 2)]
    limits = shape[batch : batch + depth]
    index = np.stack([places(rng, given, size) for size in limits], -1)
    if kind == "GatherND":
        return kind, {"batch_dims": batch}, [floats(rng, shape), index], 1
    updates = floats(rng, [*given, *shape[depth:]])
    return kind, {"reduction": rng.choice(SCATTERS)}, [floats(rng, shape), index, updates], 1


def largest(rng: Random, kind: str) -> Made:
    shape = sizes(rng, 1, 4)
    axis = rng.randrange(len(shape))
    count = np.array([rng.randint(0, shape[axis])])
    attributes = {"axis": axis, "largest": rng.randrange(2)}
    return kind, attributes, [np.round(floats(rng, shape)), count], 2


def chosen(rng: Random, kind: str) -> Made:
    shape = sizes(rng, 1, 4)
    axis = rng.choice((None, rng.randrange(len(shape))))
    most = int(np.prod(shape)) if axis is None else shape[axis]
    condition = floats(rng, [rng.randint(1, most)]) > 0
    return kind, {} if axis is None else {"axis": axis}, [floats(rng, shape), condition], 1


def turned(rng: Random, kind: str) -> Made:
    shape, time = sizes(rng, 2, 4), rng.randrange(2)
    lengths = np.array([rng.randint(1, shape[time]) for _ in range(shape[1 - time])])
    return kind, {"time_axis": time, "batch_axis": 1 - time}, [floats(rng, shape), lengths], 1


def lost(rng: Random, kind: str) -> Made:
    """A loss of classes along axis 1."""
    shape, classes = sizes(rng, 1, 3), rng.randint(2, 5)
    scores = floats(rng, [shape[0], classes, *shape[1:]])
    targets = np.random.default_rng(rng.randrange(1 << 30)).integers(0, classes, shape)
    inputs = [scores, targets, *([np.abs(floats(rng, [classes])) + 0.1] if rng.random() < 0.5 else [])]
    attributes: dict[str, Any] = {"reduction": rng.choice(("none", "sum", "mean"))}
    if rng.random() < 0.4:
        attributes["ignore_index"] = int(rng.choice((0, 1, -1)))
        if attributes["ignore_index"] == -1:
            targets[rng.choice((..., 0))] = -1
            targets.reshape(-1)[-1] = 0
    return kind, attributes, inputs, 1 + (kind == "SoftmaxCrossEntropyLoss" and rng.randrange(2))


def counted(rng: Random, kind: str) -> Made:
    kind_of = rng.choice((np.float32, np.int64, np.int32))
    start, step = rng.randint(-4, 4), rng.choice((1, 2, -3))
    numbers = start, start + rng.randint(-1, 6) * step, step
    return kind, {}, [np.array(each, kind_of) for each in numbers], 1


def searched(rng: Random, kind: str) -> Made:
    x = np.round(floats(rng, sizes(rng, 1, 3)))
    if kind == "NonZero":
        return kind, {}, [x], 1
    axis = rng.choice((None, rng.randrange(x.ndim)))
    return kind, {"sorted": rng.randrange(2), **({} if axis is None else {"axis": axis})}, [x], 4


def boxes(rng: Random, kind: str) -> Made:
    images, classes, count = (rng.randint(1, end) for end in (2, 3, 9))
    corners = floats(rng, [images, count, 4])
    limits = [np.array([rng.randint(1, 4)]), np.array([rng.random() / 2], np.float32), np.array([-0.5], np.float32)]
    inputs = [corners, floats(rng, [images, classes, count]), *limits[: rng.randint(1, 3)]]
    return kind, {"center_point_box": rng.randrange(2)}, inputs, 1


def summed(rng: Random, kind: str) -> Made:
    """Windows of an image, with strides, dilations and padding."""
    rank = rng.choice((1, 2, 2, 3))
    block, steps, apart = ([rng.randint(1, 3) for _ in range(rank)] for _ in range(3))
    if rank != 2 and rng.random() < 0.8:
        apart = [1] * rank
    pads = [rng.randrange(3) for _ in range(2 * rank)]
    image = [rng.randint(1, 3) + width * gap for width, gap in zip(block, apart, strict=True)]
    counts = [
        (image[axis] + pads[axis] + pads[axis + rank] - apart[axis] * (block[axis] - 1) - 1) // steps[axis] + 1
        for axis in range(rank)
    ]
    shape = [rng.randint(1, 2), rng.randint(1, 3) * int(np.prod(block)), int(np.prod(counts))]
    attributes = {"strides": steps, "dilations": apart, "pads": pads}
    return kind, attributes, [floats(rng, shape), np.array(image), np.array(block)], 1


def squares(rng: Random, kind: str) -> Made:
    size = rng.randint(1, 3)
    return kind, {}, [floats(rng, [*sizes(rng, 0, 2), size, size])], 1


KINDS: dict[str, Callable[[Random, str], Made]] = {
    "Col2Im": summed,
    "Compress": chosen,
    "Det": squares,
    "GatherElements": along,
    "GatherND": tuples,
    "NegativeLogLikelihoodLoss": lost,
    "NonMaxSuppression": boxes,
    "NonZero": searched,
    "Range": counted,
    "ReverseSequence": turned,
    "ScatterElements": along,
    "ScatterND": tuples,
    "SoftmaxCrossEntropyLoss": lost,
    "TopK": largest,
    "Unique": searched,
}


def model_of(made: Made, rng: Random) -> tuple[ModelProto, dict[str, Array]]:
    """A model of the node; some sizes are unknown, and some inputs behind the first one are constants."""
    kind, attributes, inputs, count = made
    unknown, constant = rng.choice((0.0, 0.0, 0.4)), rng.choice((0.0, 0.5))
    given: dict[str, Array] = {}
    constants: dict[str, Array] = {}
    for place, array in enumerate(inputs):
        is_constant = place and (rng.random() < constant or kind == "Col2Im")
        (constants if is_constant else given)[f"x{place}"] = array
    info, element = helper.make_tensor_value_info, helper.np_dtype_to_tensor_dtype
    arguments = [
        info(name, element(array.dtype), [None if rng.random() < unknown else size for size in array.shape])
        for name, array in given.items()
    ]
    names, results = [f"x{place}" for place in range(len(inputs))], [f"y{place}" for place in range(count)]
    node = helper.make_node(kind, names, results, **attributes)
    first = np.int64 if kind in ("NonMaxSuppression", "NonZero") else inputs[0].dtype
    others = np.float32 if kind == "SoftmaxCrossEntropyLoss" else np.int64
    elements = [element(np.dtype(each)) for each in (first, *[others] * (count - 1))]
    outputs = [info(name, each, None) for name, each in zip(results, elements, strict=True)]
    tensors = [helper.make_tensor(name, element(x.dtype), x.shape, x.reshape(-1)) for name, x in constants.items()]
    graph = helper.make_graph([node], "g", arguments, outputs, tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8), given


@pytest.mark.parametrize("kind", KINDS)
def test_positions_count_as_in_onnx_runtime(kind: str):
    mapped = 0
    for seed in range(amount(16, 800)):
        rng = Random(seed)
        proto, inputs = model_of(KINDS[kind](rng, kind), rng)
        expected = unoptimised(proto).run(None, inputs)
        placed = npu_opt.optimize(proto, target="onnx")
        came = placed.to_onnx()
        assert npu_opt.check(proto, placed).word == "proved", seed
        assert {node.op_type for node in came.graph.node} == {kind}, seed
        module = import_model(Path("model.onnx"), Options(inline_limit=None), model=proto).module
        found = {"came": unoptimised(came).run(None, inputs)}
        if not any(isinstance(op, OpaqueOp) for op in module.walk()):
            mapped += 1
            found["program"] = run(module, "main", list(inputs.values()))
            found["file"] = unoptimised(exported(module, 18)).run(None, inputs)
        for name, results in found.items():
            for one, other in zip(results, expected, strict=True):
                assert one.shape == other.shape, (seed, name)
                assert_close(one, other, SUMS)
    assert mapped > amount(16, 800) / 3
