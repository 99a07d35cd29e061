"""Packs, unpacks and transposes that each strategy leaves on targets that store channels in blocks.

    python benchmarks/blocks.py [--page docs/results/blocks.md] [MODEL...]

The networks are those of benchmarks/models, for the targets `daven` and `brick`. `canonicalize` cleans up behind each
strategy, and the result is proved to compute the same as the network. A row is printed for each network, and written
into the page if the strategies differ.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from marked_page import parser_of_models, print_rows, write_rows
from models.catalogue import FOLDER
from npu_opt.bridges.onnx.importing.importer import Options, import_model
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.passes.common.demands.target_cost import cost_of_conversions
from npu_opt.passes.common.moves.transpose_cost import Cost
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.passes.layout_preset import LayoutPreset
from npu_opt.passes.placement.layout_pass import LayoutPass
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.transforms.canonicalize import CanonicalizePass

TARGETS = ("daven", "brick")
MARKER = "blocks"
STRATEGIES = ("naive", "regions-plus", "optimal")

HEADER = f"""\
| network | {" | ".join(f"`{target}`, {strategy}" for target in TARGETS for strategy in STRATEGIES)} |
| --- |{" ---: |" * (len(TARGETS) * len(STRATEGIES))}"""


class Found(NamedTuple):
    """The conversions that a strategy leaves."""

    cost: Cost
    is_proved: bool
    """True if the result is proved to compute the same."""

    def __str__(self) -> str:
        proved = "" if self.is_proved else ", not proved"
        return f"{self.cost.transposes} ({megabytes(self.cost)}{proved})"


class Row(NamedTuple):
    """The results of one network: for each target those of the strategies."""

    network: str
    found: tuple[Found, ...]

    @property
    def differs(self) -> bool:
        count = len(STRATEGIES)
        by_target = (self.found[place : place + count] for place in range(0, len(self.found), count))
        return any(len({each.cost for each in of_target}) > 1 for of_target in by_target)

    def __str__(self) -> str:
        return f"| {self.network} | {' | '.join(map(str, self.found))} |"


def megabytes(cost: Cost) -> str:
    return f"{'~' * cost.is_assumed}{cost.bytes / 1e6:.1f} MB"


def passes(target: str) -> dict[str, LayoutPass]:
    return {
        "naive": LayoutPreset(strategy="naive", target=target),
        "regions-plus": LayoutPreset(target=target),
        "optimal": LayoutOptimal(target=target, cost="bytes"),
    }


def placed(module: ModuleOp, layout_pass: LayoutPass) -> Found:
    made = module.clone()
    for each in (layout_pass, CanonicalizePass()):
        each.apply(Context(), made)
    made.verify()
    return Found(cost_of_conversions(made), compare(module, made).verdict is Verdict.PROVED)


def measured(model: Path) -> Row:
    module = import_model(model, Options(needs_data=False)).module
    return Row(model.stem, tuple(placed(module, each) for target in TARGETS for each in passes(target).values()))


def table(rows: Sequence[Row]) -> str:
    differing = [row for row in rows if row.differs]
    others = ", ".join(row.network for row in rows if not row.differs)
    return "\n".join(
        (HEADER, *map(str, differing), _total(rows), "", f"All strategies leave the same in {others or 'none'}.")
    )


def _total(rows: Sequence[Row]) -> str:
    columns = zip(*(row.found for row in rows), strict=True)
    sums = (sum((found.cost for found in column), Cost()) for column in columns)
    return f"| all | {' | '.join(f'{each.transposes} ({megabytes(each)})' for each in sums)} |"


def main() -> int:
    parser = parser_of_models(__doc__)
    arguments = parser.parse_args()
    models = arguments.models or sorted(FOLDER.glob("*.onnx"))
    rows = print_rows(HEADER, models, measured)
    write_rows(arguments.page, MARKER, rows, table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
