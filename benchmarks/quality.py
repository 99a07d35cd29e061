"""How many transposes and bytes each strategy leaves on real networks, against the proved minimum.

    python benchmarks/quality.py [--target opu] [--json FILE] [--page docs/quality.md] [MODEL...]

Every network of benchmarks/models is imported, each strategy places its transposes, and `canonicalize` cleans up behind
it. What each leaves is counted by `npu_opt.passes.transposes`; every result is proved to compute what the network
computes. Times are those of the passes in one process, without the import and without the proof.
"""

import argparse
import json
import math
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.passes.layout_preset import LayoutPreset
from npu_opt.passes.layout_preset_npu import LayoutPresetNpu
from npu_opt.passes.planned_pass import LayoutPass
from npu_opt.passes.transposes import cost_of_program
from npu_opt.tools.models import Weights, read_model
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.transforms.canonicalize import CanonicalizePass

ROOT = Path(__file__).resolve().parent.parent
MODELS = ROOT / "benchmarks" / "models"


@dataclass(frozen=True)
class Left:
    """What a strategy leaves of a network."""

    transposes: int
    bytes: int
    seconds: float
    is_proved: bool


@dataclass(frozen=True)
class Row:
    """A network and what each strategy leaves of it."""

    model: str
    ops: int
    left: dict[str, Left] = field(default_factory=dict[str, Left])


def strategies(target: str) -> dict[str, LayoutPass]:
    """The strategies, the last two being the minimum of bytes and that of transposes."""
    return {
        "naive": LayoutPreset(strategy="naive", target=target),
        "regions": LayoutPreset(strategy="regions", target=target),
        "regions-plus": LayoutPreset(strategy="regions-plus", target=target),
        "greedy": LayoutPresetNpu(strategy="greedy", target=target),
        "record": LayoutPresetNpu(strategy="record", target=target),
        "optimal (bytes)": LayoutOptimal(target=target, cost="bytes"),
        "optimal (count)": LayoutOptimal(target=target, cost="count"),
    }


def measured(module: ModuleOp, layout_pass: LayoutPass) -> Left:
    """What a strategy leaves of a program."""
    placed = module.clone()
    start = time.perf_counter()
    layout_pass.apply(Context(), placed)
    seconds = time.perf_counter() - start
    CanonicalizePass().apply(Context(), placed)
    placed.verify()
    cost = cost_of_program(placed)
    return Left(cost.transposes, cost.bytes, seconds, compare(module, placed).verdict is Verdict.PROVED)


def rows(models: Iterable[Path], target: str) -> Iterable[Row]:
    for model in models:
        module = read_model(str(model), Weights(), lambda *_: None).module
        row = Row(model.stem, sum(1 for _ in module.walk()) - 2)
        for name, layout_pass in strategies(target).items():
            row.left[name] = measured(module, layout_pass)
        yield row


def table(found: Sequence[Row]) -> str:
    """The rows as a table, with totals and geometric means of the ratios to the minimum."""
    names = list(found[0].left)
    lines = [f"| network | ops | {' | '.join(names)} |", f"| --- | ---: |{' ---: |' * len(names)}"]
    for row in found:
        lines.append(f"| {row.model} | {row.ops} | {' | '.join(map(_cell, row.left.values()))} |")
    totals = [_total([row.left[name] for row in found]) for name in names]
    lines.append(f"| **together** | {sum(row.ops for row in found)} | {' | '.join(totals)} |")
    means = [
        _mean_ratio([(row.left[name].bytes, row.left["optimal (bytes)"].bytes) for row in found]) for name in names
    ]
    lines.append(f"| **bytes, against the minimum** | | {' | '.join(means)} |")
    seconds = [f"{sum(row.left[name].seconds for row in found):.1f} s" for name in names]
    lines.append(f"| **time of the pass** | | {' | '.join(seconds)} |")
    return "\n".join(lines)


def _cell(left: Left) -> str:
    return f"{left.transposes} ({_size(left.bytes)}){'' if left.is_proved else ' ?'}"


def _size(count: int) -> str:
    return f"{count / 2**20:.1f} MiB"


def _total(left: Sequence[Left]) -> str:
    return f"{sum(each.transposes for each in left)} ({_size(sum(each.bytes for each in left))})"


def _mean_ratio(pairs: Sequence[tuple[int, int]]) -> str:
    """The geometric mean over the networks that move anything at all."""
    ratios = [math.log(found / least) for found, least in pairs if found and least]
    return f"{math.exp(sum(ratios) / len(ratios)):.2f}" if ratios else "-"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", metavar="MODEL", help="names of networks (all)")
    parser.add_argument("--target", default="opu")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--page", type=Path)
    args = parser.parse_args()
    files = [MODELS / f"{name}.onnx" for name in args.models] or sorted(MODELS.glob("*.onnx"))
    found: list[Row] = []
    for row in rows(files, args.target):
        found.append(row)
        print(f"{row.model}: {', '.join(f'{name} {_cell(left)}' for name, left in row.left.items())}", file=sys.stderr)
    text = table(found)
    if args.json:
        args.json.write_text(json.dumps([asdict(row) for row in found], indent=1) + "\n")
    if args.page:
        args.page.write_text(PAGE.format(target=args.target, table=text))
    print(text)
    return 0


PAGE = """# Transposes left on real networks

Written by `python benchmarks/quality.py --target {target} --page docs/quality.md`. The networks are those of
[models.md](models.md). Each cell says how many transposes a strategy leaves after `canonicalize`, and how many bytes
they move, on the target `{target}`. Transposes of constants and of axes of one element are not counted. Every result
was proved to compute what the network computes (a `?` would say that the proof did not succeed).

{table}
"""

if __name__ == "__main__":
    sys.exit(main())
