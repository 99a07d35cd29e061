"""Memory needed to import a model with 2 GB of weights, in a separate file or in the model.

usage: python benchmarks/big_model.py [--gigabytes 2] [--folder FOLDER]

Prints for each of the two the size of the model, the seconds, and the peak memory of npu-opt.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from onnx import ModelProto, TensorProto, helper

WIDTH = 4096
LAYER_BYTES = WIDTH * WIDTH * 4


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


def measured(path: Path) -> str:
    """The cost of an import."""
    output = path.with_suffix(".mlir")
    start = time.perf_counter()
    npu_opt = Path(sys.executable).with_name("npu-opt")
    child = subprocess.Popen([npu_opt, path, "-o", output])
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - start
    if child.returncode:
        sys.exit(f"npu-opt failed with {child.returncode}")
    size = sum(file.stat().st_size for file in path.parent.glob(f"{path.stem}.*") if file.suffix in (".onnx", ".bin"))
    written = output.with_suffix(".safetensors").stat().st_size
    memory = f"{usage.ru_maxrss / 2**10:.0f} MB of memory"
    return f"{size / 2**30:.2f} GB in, {written / 2**30:.2f} GB out, {seconds:.1f} s, {memory}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gigabytes", type=float, default=2.0)
    parser.add_argument("--folder", type=Path)
    arguments = parser.parse_args()
    layers = max(int(arguments.gigabytes * 2**30) // LAYER_BYTES, 1)
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        beside = Path(folder, "beside.onnx")
        write_beside(beside, layers)
        print(f"data beside the model: {measured(beside)}", flush=True)
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        # A file of protobuf has less than 2 GB.
        inside = Path(folder, "inside.onnx")
        subprocess.run([sys.executable, __file__, "--write-inside", str(inside), str(min(layers, 31))], check=True)
        print(f"data in the model: {measured(inside)}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--write-inside"]:
        # A separate process returns its memory.
        write_inside(Path(sys.argv[2]), int(sys.argv[3]))
    else:
        main()
