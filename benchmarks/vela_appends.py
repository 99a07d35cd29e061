"""The cycles of a row appended to a cache on Arm's Ethos-U, by the estimates of Vela, for each place of the rows.

    python benchmarks/vela_appends.py --vela VELA [--accelerator NAME]...

VELA is the command of the package ethos-u-vela. A cache of 8 heads, 256 or 1,024 rows and 64 or 128 channels of int8
gets one row. The figures are cycles per byte of the cache. The price of `concat` in targets/ethos-u85.toml is the
difference of an outer axis to the last two, divided by four: programs are in f32.
"""

import argparse
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from itertools import product
from math import prod
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from onnx_checks import tool
from vela import ACCELERATORS
from vela_reports import estimated_cycles

ORDERS = ("BNHC", "BHNC", "BHCN")
"""Rows that are an outer axis, the last but one, and the last one."""
SIZES = tuple(product((256, 1024), (64, 128)))
"""Rows and channels."""
HEADS = 8


def main() -> int:
    parser = argparse.ArgumentParser(description="The cycles of an append by the place of the rows.")
    parser.add_argument("--vela", type=Path, required=True)
    parser.add_argument("--accelerator", action="append", choices=ACCELERATORS)
    options = parser.parse_args()
    print(f"{'accelerator':16}{'rows':>6}{'channels':>10}{''.join(f'{order:>8}' for order in ORDERS)}")
    for accelerator in options.accelerator or ACCELERATORS:
        for rows, channels in SIZES:
            found = [per_byte(order, rows, channels, accelerator, options.vela) for order in ORDERS]
            print(f"{accelerator:16}{rows:6}{channels:10}{''.join(f'{each:8.3f}' for each in found)}")
    return 0


def per_byte(order: str, rows: int, channels: int, accelerator: str, vela: Path) -> float:
    """The cycles of an append for each byte of the cache."""
    sizes = {"B": 1, "H": HEADS, "N": rows, "C": channels}
    cache = [sizes[letter] for letter in order]
    with TemporaryDirectory() as name:
        file = Path(name, "append.tflite")
        write(cache, order.index("N"), file)
        return estimated_cycles(vela, accelerator, file, Path(name)) / prod(cache)


def write(cache: Sequence[int], axis: int, file: Path) -> None:
    """A LiteRT file that appends one position along an axis of int8."""
    row, made = ([size if at != axis else new for at, size in enumerate(cache)] for new in (1, cache[axis] + 1))
    types = [f"tensor<{'x'.join(map(str, shape))}xi8>" for shape in (cache, row, made)]
    program = file.with_suffix(".mlir")
    program.write_text(
        f"func.func @f(%x: {types[0]}, %y: {types[1]}) -> {types[2]} {{\n"
        f"  %z = npu.concat %x, %y axis = {axis} : ({types[0]}, {types[1]}) -> {types[2]}\n"
        f"  return %z : {types[2]}\n}}\n"
    )
    subprocess.run([tool("npu-opt"), program, "-o", file], stderr=subprocess.DEVNULL, check=True)
    file.write_bytes(with_scales(file.read_bytes()))


def with_scales(content: bytes) -> bytes:
    """A file whose tensors are quantised alike: Vela leaves integers without a scale to the CPU."""
    formats: Any = import_module("ai_edge_litert.schema_py_generated")
    flatbuffers: Any = import_module("flatbuffers")
    model = formats.ModelT.InitFromObj(formats.Model.GetRootAs(content, 0))
    for tensor in (tensor for graph in model.subgraphs for tensor in graph.tensors):
        tensor.quantization = formats.QuantizationParametersT()
        tensor.quantization.scale, tensor.quantization.zeroPoint = [0.5], [0]
    builder = flatbuffers.Builder(len(content))
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output())


if __name__ == "__main__":
    sys.exit(main())
