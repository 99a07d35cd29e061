"""Networks in blocks of channels, compiled by MLIR and LLVM, beside ONNX Runtime.

    python benchmarks/blocks_compiled.py [--page docs/results/blocks.md] [MODEL...]

Each network gets random weights, is placed by `layout-optimal` for the targets `daven` and `brick`, compiled, and run
on random inputs. A cell says how far the results are from those of ONNX Runtime on the original model, relative to
their largest number. A result that is wrong ends the run.
"""

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from blocks import TARGETS
from marked_page import parser_of_models, print_rows, write_rows
from models.catalogue import FOLDER
from models.weights import with_random_weights
from npu_opt.interpreter import random_inputs
from npu_opt.passes.common.demands.target_cost import cost_of_conversions
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.tools.driver.execution.file_constants import runner_of
from npu_opt.tools.driver.formats.program import new_context, read_program
from npu_opt.tools.run import Array, function_of
from onnx import ModelProto
from run_time import check, compiled, placed
from xdsl.transforms.canonicalize import CanonicalizePass

MARKER = "compiled blocks"
CHOSEN = (
    "squeezenet",
    "mobilenet_v2",
    "mobilenet_v3",
    "shufflenet_v1",
    "shufflenet_v2",
    "googlenet",
    "efficientnet_b0",
    "espcn",
    "levit_128",
    "segformer_b0",
)

HEADER = f"""\
| network | {" | ".join(f"`{target}`: conversions | difference" for target in TARGETS)} |
| --- |{" ---: | ---: |" * len(TARGETS)}"""


class Found(NamedTuple):
    """A network on a target: its conversions, and how far the results are from those of ONNX Runtime."""

    conversions: int
    difference: float

    def __str__(self) -> str:
        return f"{self.conversions} | {self.difference:.0e}"


class Row(NamedTuple):
    """The results of one network, for each target."""

    network: str
    found: tuple[Found, ...]

    def __str__(self) -> str:
        return f"| {self.network} | {' | '.join(map(str, self.found))} |"


def measured(model: Path) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, model.name)
        file.write_bytes(with_random_weights(ModelProto.FromString(model.read_bytes())).SerializeToString())
        original = read_program(str(file), new_context())
        inputs = random_inputs(function_of(original, "main"), seed=0)
        with runner_of(original) as run:
            expected = [np.asarray(each) for each in run("main", inputs)]
        return Row(model.stem, tuple(_found(file, target, inputs, expected) for target in TARGETS))


def _found(file: Path, target: str, inputs: Sequence[Array], expected: Sequence[Array]) -> Found:
    program = placed(file, [LayoutOptimal(target=target), CanonicalizePass()])
    results = compiled(program).run(inputs)
    check(results, expected)
    return Found(cost_of_conversions(program.module).transposes, max(map(_apart, results, expected)))


def _apart(found: Array, expected: Array) -> float:
    return float(np.abs(found - expected).max() / np.abs(expected).max())


def table(rows: Sequence[Row]) -> str:
    return "\n".join((HEADER, *map(str, rows)))


def main() -> int:
    arguments = parser_of_models(__doc__).parse_args()
    models = arguments.models or [FOLDER / f"{name}.onnx" for name in CHOSEN]
    write_rows(arguments.page, MARKER, print_rows(HEADER, models, measured), table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
