"""The LiteRT file of a network that quantises numbers at run time, compared with ONNX Runtime part by part.

    python benchmarks/litert_parts.py [--inputs 6] [--page docs/results/litert.md] [MODEL]

The network gets random weights and fixed sizes, and is cut at the operand of each DynamicQuantizeLinear. `npu-opt`
writes a file of the parts, which reads the numbers of ONNX Runtime there, and a file of the whole network. The integers
that differ from those of ONNX Runtime are counted: in the parts, in the whole network, and in ONNX Runtime without its
optimizations.
"""

import argparse
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from litert import QUANTISED, with_fixed_sizes
from litert_speed import difference
from marked_page import add_page, write_between_markers
from models.catalogue import NETWORKS
from models.onnx_runs import Array, random_inputs
from npu_opt.bridges.litert.engine import LiteEngine
from onnx import ModelProto
from onnx_checks import tool
from quantised import OUTSIDE, cut, run, with_outputs

MODEL = "distilbert_int8"
INPUTS = 6
PASSES = (*QUANTISED, "--layout-optimal", "--canonicalize")
Values = Mapping[str, Array]


@dataclass
class Place:
    """A value of integers, and how many of them differ from those of ONNX Runtime."""

    name: str
    elements: int = 0
    in_part: int = 0
    """In the file that reads the numbers of ONNX Runtime in front of each quantiser."""
    in_file: int = 0
    """In the file of the whole network."""
    in_own: int = 0
    """In ONNX Runtime without its optimizations."""


@dataclass
class Compared:
    places: list[Place]
    floats: float = 0
    """The largest difference of floats in the parts, relative to the largest number of the value."""
    outputs: float = 0
    """The largest relative difference of the outputs of the file of the whole network."""
    own: float = 0
    """The largest relative difference of ONNX Runtime without its optimizations."""


def quantisers(model: ModelProto) -> dict[str, str]:
    """The values of integers that a model computes at run time, and the floats that each is of."""
    nodes = (node for node in model.graph.node if node.op_type == "DynamicQuantizeLinear")
    return {node.output[0]: node.input[0] for node in nodes}


def compared(model: ModelProto, inputs: Iterable[Values], folder: Path) -> Compared:
    """Compare the file of a model, and that of its parts, with ONNX Runtime on some inputs."""
    floats_of = quantisers(model)
    outputs = [output.name for output in model.graph.output]
    watched = with_outputs(model, [*floats_of, *floats_of.values()])
    whole = engine_of(with_outputs(model, floats_of), folder / "whole")
    found, parts = Compared([Place(name) for name in floats_of]), None
    for given in inputs:
        expected = run(watched, given, optimised=True)
        own = run(watched, given, optimised=False)
        between = {name: expected[name] for name in floats_of.values()}
        parts = parts or engine_of(with_outputs(cut(model, between), floats_of), folder / "parts")
        in_part = ran(parts, {**given, **{OUTSIDE + name: value for name, value in between.items()}})
        in_file = ran(whole, given)
        for place in found.places:
            place.elements += expected[place.name].size
            place.in_part += unlike(in_part, expected, place.name)
            place.in_file += unlike(in_file, expected, place.name)
            place.in_own += unlike(own, expected, place.name)
        found.floats = max(found.floats, largest(in_part, expected, {*between, *outputs}))
        found.outputs = max(found.outputs, largest(in_file, expected, outputs))
        found.own = max(found.own, largest(own, expected, outputs))
    return found


def engine_of(model: ModelProto, name: Path) -> LiteEngine:
    before, after = name.with_suffix(".onnx"), name.with_suffix(".tflite")
    before.write_bytes(model.SerializeToString())
    subprocess.run([tool("npu-opt"), before, *PASSES, "-o", after], check=True)
    return LiteEngine(after)


def ran(engine: LiteEngine, inputs: Values) -> Values:
    names = [end.name for end in engine.outputs]
    return dict(zip(names, engine.run([inputs[end.name] for end in engine.inputs]), strict=True))


def unlike(found: Values, expected: Values, name: str) -> int:
    return int(np.count_nonzero(found[name] != expected[name]))


def largest(found: Values, expected: Values, names: Iterable[str]) -> float:
    return max(difference(found[name], expected[name]) for name in names)


def report(found: Compared) -> str:
    """The table."""
    head = "| integers | elements | file, part by part | file | ONNX Runtime itself |"
    rows = [_row(place) for place in (*found.places, _sum(found.places))]
    last = f"| largest difference of floats |  | {found.floats:.0e} | {found.outputs:.0e} | {found.own:.0e} |"
    return "\n".join([head, "| --- | ---: | ---: | ---: | ---: |", *rows, last])


def _sum(places: Sequence[Place]) -> Place:
    counts = [(each.elements, each.in_part, each.in_file, each.in_own) for each in places]
    return Place("all", *(sum(column) for column in zip(*counts, strict=True)))


def _row(place: Place) -> str:
    shares = (_share(count, place.elements) for count in (place.in_part, place.in_file, place.in_own))
    return f"| {place.name} | {place.elements:,} | {' | '.join(shares)} |"


def _share(count: int, elements: int) -> str:
    return f"{100 * count / elements:.2g} %" if count else "0"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", metavar="MODEL", nargs="?", default=MODEL)
    parser.add_argument("--inputs", type=int, default=INPUTS, help=f"the number of inputs (default: {INPUTS})")
    add_page(parser)
    arguments = parser.parse_args()
    (network,) = (each for each in NETWORKS if each.name == arguments.model)
    model = with_fixed_sizes(network)
    with TemporaryDirectory() as folder:
        inputs = (random_inputs(model, seed) for seed in range(arguments.inputs))
        table = report(compared(model, inputs, Path(folder)))
    print(table)
    if arguments.page is not None:
        write_between_markers(arguments.page, "litert parts", table)


if __name__ == "__main__":
    main()
