"""Constants that files hold in several orders: models as they came, and what npu-opt writes of them.

    python benchmarks/kept_constants.py [--price PER_BYTE] [MODEL...]

Each model gets random weights, and is written for `opu` and `onnx` as an ONNX file and for `litert` as a LiteRT file:
with the prices that each target has, and with one for each byte of a constant in an order beside its first. Two
constants of a file are one in two orders if they have the same numbers at other places, as random numbers do not by
chance. Without names, the models are those in which several nodes read a constant of two axes or more: others keep it
in one order.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from hashlib import sha256
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import onnx
from figures import parser_of
from models.catalogue import NETWORKS, Network
from models.onnx_runs import read_graph
from models.weights import graphs, with_random_weights
from npu_opt.bridges.litert.schema import schema
from numpy.typing import NDArray
from onnx import ModelProto, TensorProto, numpy_helper
from onnx_checks import tool

SMALLEST = 64
"""The fewest elements of a constant that is counted: smaller ones, such as permutations, may have the same numbers."""
PRINTED = re.compile(r": note: (\d+) (?:Transpose|TRANSPOSE)s? in the file")
FLAGS = {
    "opu": (["--layout-optimal=cost=prices", "--canonicalize"], "onnx"),
    "litert": (["-O"], "tflite"),
    "onnx": (["-O"], "onnx"),
}
"""The flags for each target, and the format."""


class Kept(NamedTuple):
    """The orders of constants beside the first of each."""

    orders: int
    bytes: int

    def __str__(self) -> str:
        return f"{self.orders} ({self.bytes / 2**20:.2f} MiB)"


def kept(constants: Iterable[NDArray[Any]]) -> Kept:
    """The constants that hold numbers which another one has in another order."""
    found: dict[tuple[int, str], dict[str, int]] = {}
    for each in constants:
        # Numbers are compared by their bits.
        flat = np.ascontiguousarray(each).reshape(-1).view(f"u{each.itemsize}")
        if flat.size >= SMALLEST:
            numbers, stored = (sha256(of.tobytes()).hexdigest() for of in (np.sort(flat), flat))
            found.setdefault((each.itemsize, numbers), {})[stored] = flat.nbytes
    further = [size for orders in found.values() for size in [*orders.values()][1:]]
    return Kept(len(further), sum(further))


def in_onnx(model: ModelProto) -> Iterator[NDArray[Any]]:
    """The constants of a model of ONNX."""
    for graph in graphs(model.graph):
        tensors: list[TensorProto] = [*graph.initializer]
        tensors += [each.t for node in graph.node if node.op_type == "Constant" for each in node.attribute]
        yield from (numpy_helper.to_array(each) for each in tensors if each.data_type != TensorProto.STRING)


def in_litert(content: bytes) -> Iterator[NDArray[Any]]:
    """The buffers of a LiteRT file, each as elements of the size that its first tensor has."""
    model: Any = schema().Model.GetRootAs(content, 0)
    seen: set[int] = set()
    for graph in map(model.Subgraphs, range(model.SubgraphsLength())):
        for tensor in map(graph.Tensors, range(graph.TensorsLength())):
            buffer = model.Buffers(tensor.Buffer())
            if tensor.Buffer() in seen or not buffer.DataLength():
                continue
            seen.add(tensor.Buffer())
            elements = prod(tensor.Shape(axis) for axis in range(tensor.ShapeLength()))
            size = buffer.DataLength() // max(elements, 1)
            if size in (1, 2, 4, 8):
                yield buffer.DataAsNumpy().view(f"u{size}")


def written(model: Path, target: Path | str, name: str) -> tuple[Kept, str]:
    """The constants of the file that npu-opt writes, and its transposes."""
    flags, suffix = FLAGS[name]
    output = model.with_name(f"out.{suffix}")
    command = [tool("npu-opt"), str(model), f"--target={target}", *flags, "-o", str(output)]
    text = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=True).stderr
    transposes = PRINTED.search(text)
    if suffix == "onnx":
        constants = in_onnx(onnx.load(output))  # pyright: ignore[reportUnknownMemberType]  # "PathLike" of nothing.
    else:
        constants = in_litert(output.read_bytes())
    return kept(constants), "?" if transposes is None else transposes[1]


def with_price(target: str, per_byte: float, folder: Path) -> Path:
    """A file of a shipped target in which each further byte of a constant has a price."""
    shipped = Path(__file__).parent.parent / "targets" / f"{target}.toml"
    text = re.sub(r"(?m)^name = .*", f'name = "{target}_kept"', shipped.read_text())
    file = folder / f"{target}_kept.toml"
    file.write_text(text.replace("[costs]\n", f'[costs]\nconstant = "{per_byte} x bytes"\n', 1))
    return file


def may_keep(network: Network) -> bool:
    """True if several operands of nodes read a constant of two axes or more."""
    read: dict[str, int] = {}
    model = read_graph(network.file)
    for graph in graphs(model.graph):
        for node in graph.node:
            for name in node.input:
                read[name] = read.get(name, 0) + 1
    shapes = {each.name: each.dims for graph in graphs(model.graph) for each in graph.initializer}
    wide = (name for name, dims in shapes.items() if sum(size > 1 for size in dims) > 1 and prod(dims) >= SMALLEST)
    return any(read.get(name, 0) > 1 for name in wide)


def main() -> int:
    parser = parser_of(__doc__)
    parser.add_argument("models", metavar="MODEL", nargs="*", help="names of models (default: those that could)")
    parser.add_argument("--price", type=float, default=1.0, help="the price of a byte (default: 1)")
    arguments = parser.parse_args()
    chosen = [each for each in NETWORKS if (each.name in arguments.models if arguments.models else may_keep(each))]
    print("| model | target | as it came | written | transposes | with a price | transposes |\n" + "| --- " * 7 + "|")
    for network in chosen:
        with tempfile.TemporaryDirectory() as name:
            model = Path(name, "model.onnx")
            original = with_random_weights(read_graph(network.file))
            model.write_bytes(original.SerializeToString())
            came = kept(in_onnx(original))
            del original
            for target in FLAGS:
                priced = with_price(target, arguments.price, Path(name))
                cells = [cell for each in (target, priced) for cell in written(model, each, target)]
                print(f"| {network.name} | {target} | {came} | {' | '.join(map(str, cells))} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
