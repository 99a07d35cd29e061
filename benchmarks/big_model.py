"""Memory needed for a model with 2 GB of weights, in a separate file or in the model, to MLIR, ONNX and LiteRT.

usage: python benchmarks/big_model.py [--gigabytes 2] [--folder FOLDER]

Prints for each of the six the size of input and output, the seconds, and the peak memory of
`npu-opt model.onnx --layout-optimal -o OUTPUT`, also as a multiple of the weights.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from onnx import ModelProto, TensorProto, helper

OUTPUTS = ("out.mlir", "out.onnx", "out.tflite")
STARTER = Path(__file__).with_name("measured_child.py")
WIDTH = 4096
LAYER_BYTES = WIDTH * WIDTH * 4
MOST_MEMORY = 1.3
"""The project's aim for the peak memory, as a multiple of the weights."""


def model(layers: int) -> ModelProto:
    """A chain of products with square matrices without data."""
    nodes = [helper.make_node("MatMul", [f"x{i}", f"w{i}"], [f"x{i + 1}"], name=f"layer{i}") for i in range(layers)]
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, WIDTH]) for name in ("x0", f"x{layers}")]
    graph = helper.make_graph(nodes, "chain", ends[:1], ends[1:])
    for i in range(layers):
        graph.initializer.add(name=f"w{i}", data_type=TensorProto.FLOAT, dims=[WIDTH, WIDTH])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def write_beside(path: Path, layers: int) -> None:
    """The model, with the data in a file beside it."""
    made = model(layers)
    data = np.random.default_rng(0).standard_normal((WIDTH, WIDTH), dtype=np.float32).tobytes()
    with path.with_suffix(".bin").open("wb") as file:
        for i, tensor in enumerate(made.graph.initializer):
            tensor.data_location = TensorProto.EXTERNAL
            place = {"location": f"{path.stem}.bin", "offset": i * LAYER_BYTES, "length": LAYER_BYTES}
            for key, value in place.items():
                tensor.external_data.add(key=key, value=str(value))
            file.write(data)
    path.write_bytes(made.SerializeToString())


def write_inside(path: Path, layers: int) -> None:
    """The model, with the data in it."""
    made = model(layers)
    data = np.random.default_rng(0).standard_normal((WIDTH, WIDTH), dtype=np.float32).tobytes()
    for tensor in made.graph.initializer:
        tensor.raw_data = data
    path.write_bytes(made.SerializeToString())


def measured(model: Path, output: Path) -> bool:
    """Print the cost of one run; True if its memory is within the bound."""
    size = _size(model.parent)
    start = time.perf_counter()
    npu_opt = Path(sys.executable).with_name("npu-opt")
    command = [sys.executable, "-S", STARTER, npu_opt, model, "--layout-optimal", "-o", output]
    code, _, memory = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    seconds = time.perf_counter() - start
    if code:
        sys.exit(f"npu-opt failed with {code}")
    ratio = memory / size
    print(
        f"data {model.stem} the model, to {output.name}:"
        f" {size / 2**30:.2f} GB in, {_size(output.parent) / 2**30:.2f} GB out, {seconds:.1f} s,"
        f" {memory / 2**20:.0f} MB of memory, {ratio:.2f} of the weights (at most {MOST_MEMORY})",
        flush=True,
    )
    return ratio <= MOST_MEMORY


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.iterdir())


def measured_in(folder: Path | None, name: str, write: Callable[[Path], object]) -> list[bool]:
    """Measure the outputs of a model that is written for it."""
    with tempfile.TemporaryDirectory(dir=folder) as inputs:
        model = Path(inputs, f"{name}.onnx")
        write(model)
        within: list[bool] = []
        for output in OUTPUTS:
            with tempfile.TemporaryDirectory(dir=folder) as outputs:
                within.append(measured(model, Path(outputs, output)))
        return within


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gigabytes", type=float, default=2.0)
    parser.add_argument("--folder", type=Path)
    arguments = parser.parse_args()
    layers = max(int(arguments.gigabytes * 2**30) // LAYER_BYTES, 1)
    # A file of protobuf has less than 2 GB.
    inside = [sys.executable, __file__, "--write-inside", str(min(layers, 31))]
    within = [
        *measured_in(arguments.folder, "beside", lambda path: write_beside(path, layers)),
        *measured_in(arguments.folder, "inside", lambda path: subprocess.run([*inside, str(path)], check=True)),
    ]
    return 0 if all(within) else 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["--write-inside"]:
        # A separate process returns its memory.
        write_inside(Path(sys.argv[3]), int(sys.argv[2]))
    else:
        sys.exit(main())
