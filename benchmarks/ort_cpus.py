"""Outputs of ONNX Runtime on other CPUs, compared with those on this one.

    python benchmarks/ort_cpus.py [--inputs 6] --cpu NAME=COMMAND... MODEL...
    python benchmarks/ort_cpus.py --cpu AVX2="qemu-x86_64 -cpu max" distilbert distilbert_int8

COMMAND runs a program as another CPU does: QEMU's user mode emulates the instructions that its option -cpu names, up to
AVX2. Each model gets random weights and fixed sizes. A line for each model and CPU has the largest difference on each
input, relative to the largest number of an output.
"""

import argparse
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from litert import chosen, with_fixed_sizes
from litert_speed import difference
from models.catalogue import Network
from models.onnx_runs import Array, random_inputs, read_graph, run

INPUTS = 6


def outputs(model: Path, inputs: int) -> list[dict[str, Array]]:
    """The outputs of a model on random inputs."""
    proto = read_graph(model)
    names = [output.name for output in proto.graph.output]
    return [dict(zip(names, run(proto, random_inputs(proto, seed)), strict=True)) for seed in range(inputs)]


def outputs_on(command: Sequence[str], model: Path, inputs: int) -> list[dict[str, Array]]:
    """The outputs of a model on random inputs, on the CPU of a command."""
    found = model.with_suffix(".npz")
    options = ["--inputs", str(inputs), "--outputs-to", str(found)]
    subprocess.run([*command, sys.executable, __file__, *options, str(model)], check=True)
    return read_outputs(found)


def write_outputs(file: Path, found: Sequence[Mapping[str, Array]]) -> None:
    arrays = {f"{seed}:{name}": array for seed, each in enumerate(found) for name, array in each.items()}
    np.savez(file, allow_pickle=False, **arrays)


def read_outputs(file: Path) -> list[dict[str, Array]]:
    found: dict[str, dict[str, Array]] = {}
    with np.load(file) as arrays:
        for key, array in arrays.items():
            seed, _, name = key.partition(":")
            found.setdefault(seed, {})[name] = array
    return list(found.values())


def compared(network: Network, cpus: Mapping[str, Sequence[str]], inputs: int) -> dict[str, list[float]]:
    """The largest differences on each input, by the name of a CPU."""
    with TemporaryDirectory() as folder:
        model = Path(folder, f"{network.name}.onnx")
        model.write_bytes(with_fixed_sizes(network).SerializeToString())
        expected = outputs(model, inputs)
        found = {name: outputs_on(command, model, inputs) for name, command in cpus.items()}
    return {
        name: [largest(one, other) for one, other in zip(each, expected, strict=True)] for name, each in found.items()
    }


def largest(found: Mapping[str, Array], expected: Mapping[str, Array]) -> float:
    return max(difference(found[name], each) for name, each in expected.items())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", metavar="MODEL", nargs="+", help="names of models")
    parser.add_argument("--cpu", action="append", default=[], metavar="NAME=COMMAND", help="a CPU to compare with")
    parser.add_argument("--inputs", type=int, default=INPUTS, help=f"the number of inputs (default: {INPUTS})")
    parser.add_argument("--outputs-to", type=Path, metavar="FILE", help="write the outputs of the file MODEL, only")
    arguments = parser.parse_args()
    if arguments.outputs_to is not None:
        write_outputs(arguments.outputs_to, outputs(Path(arguments.models[0]), arguments.inputs))
        return
    cpus = {name: shlex.split(command) for name, _, command in (text.partition("=") for text in arguments.cpu)}
    for network in chosen(arguments.models):
        for name, found in compared(network, cpus, arguments.inputs).items():
            print(f"{network.name} on {name}: {' '.join(f'{each:.0e}' for each in found)}", flush=True)


if __name__ == "__main__":
    main()
