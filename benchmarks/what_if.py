"""The time of `--what-if` on the networks of benchmarks/models, in times of `layout-optimal`.

    python benchmarks/what_if.py [--page docs/results/speed.md] [--target TARGET] [--runs 1] [MODEL...]

Both choose only and change nothing. A row is printed for each network: the number of answers, those that save
something, and the processor time of all answers in times of that of one choice.
"""

import sys
from collections.abc import Callable, Sequence
from math import exp, log
from pathlib import Path
from time import process_time
from typing import NamedTuple

from marked_page import parser_of_models, print_rows, write_rows
from models.catalogue import FOLDER
from npu_opt.bridges.onnx.importing.importer import Options, import_model
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.passes.placement.layout_pass import colour
from npu_opt.tools.observers.what_if import what_if

MARKER = "what if"
HEADER = """\
| network | answers | that save something | time |
| --- | ---: | ---: | ---: |"""


class Row(NamedTuple):
    """The answers about a network."""

    network: str
    answers: int
    saving: int
    ratio: float

    def __str__(self) -> str:
        return f"| {self.network} | {self.answers} | {self.saving} | {self.ratio:.1f} |"


def measured(model: Path, target: str, runs: int) -> Row:
    module = import_model(model, Options(needs_data=False)).module
    colour(module)
    layout_pass = LayoutOptimal(target=target)
    found = what_if(layout_pass, module)
    turns = [
        (seconds(lambda: layout_pass.choose(module)), seconds(lambda: what_if(layout_pass, module)))
        for _ in range(runs)
    ]
    of_choice, of_answers = map(min, zip(*turns, strict=True))
    saving = sum(each.cost.bytes < found.before.bytes for each in found.answers)
    return Row(model.stem, len(found.answers), saving, of_answers / of_choice)


def seconds(run: Callable[[], object]) -> float:
    start = process_time()
    run()
    return process_time() - start


def table(rows: Sequence[Row]) -> str:
    mean = exp(sum(log(row.ratio) for row in rows) / len(rows))
    end = f"Geometric mean of the times: {mean:.1f}, at most {max(row.ratio for row in rows):.1f}."
    return "\n".join([HEADER, *map(str, rows), "", end])


def main() -> int:
    parser = parser_of_models(__doc__)
    parser.add_argument("--target", default="opu")
    parser.add_argument("--runs", type=int, default=1, help="runs of each, of which the fastest counts")
    arguments = parser.parse_args()
    models = arguments.models or sorted(FOLDER.glob("*.onnx"))
    rows = print_rows(HEADER, models, lambda model: measured(model, arguments.target, arguments.runs))
    write_rows(arguments.page, MARKER, rows, table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
