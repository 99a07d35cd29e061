"""Prints what leaves of the ONNX models of a test file, each behind a pair of transposes that npu-opt removes.

usage: around_patterns.py FILE

The cases of a file, separated by `// -----`, are models in the text format of ONNX with an input `x`. What reads it
reads the sum of it and itself, behind a Relu between two Transposes that cancel out. Printed are the ops of the file
that npu-opt writes with -O, its note, and each node of the case that is not there as it came.
"""

import importlib
import os
import sys
import tempfile
from contextlib import redirect_stderr
from pathlib import Path
from typing import Any

import numpy as np
import onnx

INPUTS = Path(__file__).resolve().parent
sys.path += [str(INPUTS.parents[1] / "onnx" / "Inputs"), str(INPUTS.parents[2])]

from npu_opt.tools.opt import run  # noqa: E402  # found through the line above
from onnx import ModelProto, helper, numpy_helper  # noqa: E402
from support.oracles.same_nodes import differences  # noqa: E402

run_cases: Any = importlib.import_module("run_cases")

FLAGS = ["-O", "-o", "out.onnx"]


def with_pair(model: ModelProto) -> ModelProto:
    """The model with a removable pair of transposes behind the input x."""
    rank = len(model.graph.input[0].type.tensor_type.shape.dim)
    order = [0, *range(2, rank), 1]
    back = [order.index(axis) for axis in range(rank)]
    for node in model.graph.node:
        node.input[:] = ["twice" if name == "x" else name for name in node.input]
    pair = [
        helper.make_node("Transpose", ["x"], ["there"], perm=order),
        helper.make_node("Relu", ["there"], ["relu"]),
        helper.make_node("Transpose", ["relu"], ["back"], perm=back),
        helper.make_node("Add", ["back", "back"], ["twice"]),
    ]
    nodes = [*pair, *model.graph.node]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    return model


def with_weights(model: ModelProto) -> ModelProto:
    """The model with numbers for the constants that have a type only."""
    generator = np.random.default_rng(0)
    for value in model.graph.value_info:
        shape = [each.dim_value for each in value.type.tensor_type.shape.dim]
        numbers = generator.standard_normal(shape).astype(np.float32)
        model.graph.initializer.append(numpy_helper.from_array(numbers, value.name))
    model.graph.ClearField("value_info")
    return model


def main() -> None:
    for index, case in enumerate(Path(sys.argv[1]).read_text().split(run_cases.SEPARATOR)):
        if index:
            print(run_cases.SEPARATOR, flush=True)
        given = with_pair(with_weights(onnx.parser.parse_model(run_cases.model_text(case))))
        with tempfile.TemporaryDirectory() as folder, redirect_stderr(sys.stdout):
            os.chdir(folder)
            Path("model.onnx").write_bytes(given.SerializeToString())
            run(["model.onnx", *FLAGS])
            written = ModelProto.FromString(Path("out.onnx").read_bytes())
            os.chdir("/")
        print(*(node.op_type for node in written.graph.node))
        print(*([*differences(given, written)] or ["all others are as they came"]), sep="\n")


if __name__ == "__main__":
    main()
