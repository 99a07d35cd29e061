"""Bytes that travel on real networks: layouts and groups one after the other, and together.

    python benchmarks/fusion_together.py [--page docs/results/fusion.md] [--target TARGET] [MODEL...]

One after the other is `layout-optimal` with `cost=bytes`, together with `cost=traffic`, both followed by `fuse-ops-hw`
with `strategy=cover`. Every network of benchmarks/models is tried; the time is that of `cost=traffic` in units of the
other one, by the least times of three runs.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from textwrap import wrap
from time import process_time
from typing import Literal, NamedTuple

from marked_page import add_page, write_between_markers
from npu_opt.dialects.settings.assumed_sizes import ASSUMED_SIZE
from npu_opt.passes.common.moves.transpose_cost import cost_of_program
from npu_opt.passes.cover.module import CoveredModule, covered
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.passes.optimal.explain.account import Account, collected_accounts
from npu_opt.targets import load
from npu_opt.tools.driver.formats.models import WeightsOptions, read_model
from timing import as_in_npu_opt
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

MODELS = Path(__file__).resolve().parent / "models"
RUNS = 3
HEAD = """\
| network | transposes | absorbed | bytes that travel | groups | transposes, together | absorbed | bytes that travel | \
groups | less | above the bound | time |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"""


class Placed(NamedTuple):
    """A placed network."""

    transposes: int
    moved: CoveredModule
    bound: int
    is_proved: bool
    seconds: float

    @property
    def cells(self) -> str:
        return f"{self.transposes} | {len(self.moved.absorbed)} | {self.moved.bytes} | {self.moved.groups}"


def placed(module: ModuleOp, target: str, cost: Literal["bytes", "traffic"]) -> Placed:
    runs = [_run(module.clone(), LayoutOptimal(target=target, cost=cost)) for _ in range(RUNS)]
    copy, account, _ = runs[0]
    moved = covered(copy, load(target), ASSUMED_SIZE)
    seconds = min(seconds for _, _, seconds in runs)
    return Placed(cost_of_program(copy).transposes, moved, account.bound or 0, account.is_proved, seconds)


def _run(module: ModuleOp, layout_pass: LayoutOptimal) -> tuple[ModuleOp, Account, float]:
    """The module, changed by the pass, with what the pass says of it, and the processor time."""
    start = process_time()
    with collected_accounts() as accounts:
        layout_pass.apply(Context(), module)
    return module, accounts[-1], process_time() - start


def row(name: str, apart: Placed, together: Placed) -> str:
    less = 100 * (1 - together.moved.bytes / apart.moved.bytes)
    above = 100 * (together.moved.bytes / together.bound - 1)
    ends = f"{less:.1f} % | {above:.1f} % | {together.seconds / apart.seconds:.1f}"
    return f"| {name} | {apart.cells} | {together.cells} | {ends} |"


def table(paths: Sequence[Path], target: str) -> str:
    rows, others = [HEAD], list[str]()
    for path in paths:
        module = read_model(str(path), WeightsOptions()).module
        apart, together = placed(module, target, "bytes"), placed(module, target, "traffic")
        is_same = not apart.transposes and not together.transposes and together.is_proved
        (others if is_same else rows).append(path.stem if is_same else row(path.stem, apart, together))
        print(others[-1] if is_same else rows[-1], flush=True)
    text = f"Without any transposes and proved minimum either way: {', '.join(others)}."
    return "\n".join([*rows, "", *wrap(text, 120)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", type=Path, default=sorted(MODELS.glob("*.onnx")))
    parser.add_argument("--target", default="plover")
    add_page(parser)
    arguments = parser.parse_args()
    with as_in_npu_opt():
        found = table(arguments.models, arguments.target)
    if arguments.page:
        write_between_markers(arguments.page, "layouts and groups together", found)


if __name__ == "__main__":
    main()
