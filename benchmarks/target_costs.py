"""The costs of a target minimised by `layout-optimal`, against the bytes, on the networks of benchmarks/models.

    python benchmarks/target_costs.py [--page docs/results/speed.md] [--runs 3] [MODEL...]

The targets are `opu` and `plover` with a table of costs. A row is printed for each network: the cost of the program
with the fewest bytes and of the one with the least cost, what is proved of it, and the processor time of the choice in
times of that by bytes.
"""

import gc
import sys
from collections.abc import Sequence
from math import exp, log
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import NamedTuple

from marked_page import parser_of_models, print_rows, write_rows
from models.catalogue import FOLDER
from npu_opt.bridges.onnx.importing.importer import Options, import_model
from npu_opt.passes.common.demands.target_cost import TargetCost
from npu_opt.passes.common.moves.transpose_cost import units_text
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.passes.optimal.choice.mode_choice import ModeChoice
from npu_opt.passes.placement.layout_pass import colour
from npu_opt.targets import load
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

TARGETS = ("opu", "plover")
MARKER = "target costs"
COSTS = """
[costs]
unit = "cycles"
transpose = [
    { when = "keeps the last axis", per-byte = 0.2, per-call = 100 },
    { when = "swaps blocks", per-byte = 0.7 },
    { per-byte = 1.5, per-call = 300 },
]
matmul = { lhs = "0.3 x bytes of lhs" }
axes = { softmax = { axis = { other = "2 x bytes of input" } } }
"""
HEADER = """\
| network | `opu`: cycles by bytes | by cost | | time | `plover`: cycles by bytes | by cost | | time |
| --- | ---: | ---: | --- | ---: | ---: | ---: | --- | ---: |"""


class Compared(NamedTuple):
    """A network on a target."""

    by_bytes: int
    by_cost: int
    proof: str
    ratio: float
    """The time of the choice by cost, in times of that by bytes."""

    def __str__(self) -> str:
        return f"{_rounded(self.by_bytes)} | {_rounded(self.by_cost)} | {self.proof} | {self.ratio:.1f}"


class Row(NamedTuple):
    """A network on all targets."""

    network: str
    compared: tuple[Compared, ...]

    def __str__(self) -> str:
        return f"| {self.network} | {' | '.join(map(str, self.compared))} |"


def _rounded(ticks: int) -> str:
    return units_text(ticks).partition(".")[0]


def compared(module: ModuleOp, target: str, runs: int) -> Compared:
    by_cost, by_bytes = LayoutOptimal(target=target), LayoutOptimal(target=target, cost="bytes")
    times = [[seconds(each, module) for each in (by_bytes, by_cost)] for _ in range(runs)]
    of_bytes, of_cost = map(min, zip(*times, strict=True))
    choice, other = by_cost.choose(module), module.clone()
    by_bytes.apply(Context(), other)
    return Compared(
        TargetCost(load(target)).of_program(other).ticks, choice.cost.ticks, proof(choice), of_cost / of_bytes
    )


def seconds(layout_pass: LayoutOptimal, module: ModuleOp) -> float:
    copy = module.clone()
    # Garbage of the run before would be collected in this one.
    gc.collect()
    start = process_time()
    layout_pass.choose(copy)
    return process_time() - start


def proof(choice: ModeChoice) -> str:
    if not choice.is_proved:
        return f"gap {units_text(choice.solution.cost - choice.solution.bound)}"
    return "proved" if choice.has_every_order else "best of the layouts tried"


def measured(model: Path, targets: Sequence[str], runs: int) -> Row:
    module = import_model(model, Options(needs_data=False)).module
    colour(module)
    return Row(model.stem, tuple(compared(module, target, runs) for target in targets))


def table(rows: Sequence[Row]) -> str:
    lines = [HEADER, *map(str, rows), ""]
    for place, name in enumerate(TARGETS):
        ratios = [row.compared[place].ratio for row in rows]
        mean = exp(sum(map(log, ratios)) / len(ratios))
        lines.append(f"Geometric mean of the times on `{name}`: {mean:.2f}, at most {max(ratios):.1f}.")
    return "\n".join(lines)


def with_costs(folder: Path, name: str) -> str:
    """The file of a target with a table of costs."""
    made = folder / f"{name}.toml"
    made.write_text(f'name = "{name}"\ndescription = "With costs"\nextends = "{name}"\n{COSTS}')
    return str(made)


def main() -> int:
    parser = parser_of_models(__doc__)
    parser.add_argument("--runs", type=int, default=3, help="runs of each choice, of which the fastest counts")
    arguments = parser.parse_args()
    models = arguments.models or sorted(FOLDER.glob("*.onnx"))
    with TemporaryDirectory() as folder:
        targets = [with_costs(Path(folder), name) for name in TARGETS]
        rows = print_rows(HEADER, models, lambda model: measured(model, targets, arguments.runs))
    write_rows(arguments.page, MARKER, rows, table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
