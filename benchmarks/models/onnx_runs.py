"""Reads models without weights, checks models, and runs them in ONNX Runtime."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, checker, helper

Array = NDArray[Any]


def read_graph(file: Path) -> ModelProto:
    """The model of a file, without external data."""
    return ModelProto.FromString(file.read_bytes())


def check(model: ModelProto) -> None:
    """Fail unless this is a valid model with consistent shapes."""
    checker.check_model(model, full_check=True)  # pyright: ignore[reportUnknownMemberType]  # "PathLike" of nothing.


def run(model: ModelProto, inputs: Mapping[str, Array], *, is_optimized: bool = True) -> list[Array]:
    """The outputs of a model in ONNX Runtime, with its optimizations or without."""
    import onnxruntime  # pyright: ignore[reportMissingTypeStubs]  # It has none.

    runtime = cast("Any", onnxruntime)
    options = runtime.SessionOptions()
    # Its threads wait for work in busy loops, at the cost of all other processes.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    if not is_optimized:
        options.graph_optimization_level = runtime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = runtime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run(None, dict(inputs))


def random_inputs(model: ModelProto, seed: int = 0, **sizes: int) -> dict[str, Array]:
    """Random inputs of a model. `sizes` are those of its dynamic dimensions, by name; the others are 2.

    Floats are normal, around another mean in each channel. Integers are indices valid for every vocabulary, and a mask
    is all ones.
    """
    weights = {tensor.name for tensor in model.graph.initializer}
    random = np.random.default_rng(seed)
    inputs: dict[str, Array] = {}
    for value in (value for value in model.graph.input if value.name not in weights):
        tensor = value.type.tensor_type
        kind = helper.tensor_dtype_to_np_dtype(tensor.elem_type)
        shape = [sizes.get(dim.dim_param, 2) if dim.dim_param else dim.dim_value for dim in tensor.shape.dim]
        if "mask" in value.name:
            inputs[value.name] = np.ones(shape, kind)
        elif np.issubdtype(kind, np.integer):
            inputs[value.name] = random.integers(1, 100, shape, kind)
        else:
            offsets = random.standard_normal([*shape[:2], *(1 for _ in shape[2:])])
            inputs[value.name] = (random.standard_normal(shape) + offsets).astype(kind)
    return inputs
