"""Bytes that travel between the groups of real networks: the default of fuse-ops-hw beside the best groups.

    python benchmarks/fusion_cover.py TARGET [MODEL...]

Every network of benchmarks/models gets its layouts by `layout-preset` and is canonicalized. The networks for which they
differ are in docs/results/fusion.md, the time of the groups in units of the default in docs/results/speed.md.
"""

import argparse
from math import inf
from pathlib import Path
from statistics import median
from time import process_time
from typing import NamedTuple

from npu_opt.passes.common.words.reasons import Names
from npu_opt.passes.fuse_ops_hw import FuseOpsHw
from npu_opt.passes.fusion.fusion_pass import Fusion
from npu_opt.passes.layout_preset import LayoutPreset
from npu_opt.tools.driver.formats.models import WeightsOptions, read_model
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.transforms.canonicalize import CanonicalizePass

RUNS = 3
MODELS = Path(__file__).resolve().parent / "models"


class Figures(NamedTuple):
    """The groups of a network."""

    groups: str
    travel: str
    """The bytes that travel, with the proof."""
    seconds: float


def figures(module: ModuleOp, module_pass: FuseOpsHw) -> Figures:
    """The groups and the bytes, as `dump=groups` prints them."""
    seconds, fusions = inf, list[Fusion]()
    for _ in range(RUNS):
        start = process_time()
        fusions = module_pass.fusions(module, Names(module))
        seconds = min(seconds, process_time() - start)
    lines = [line for fusion in fusions for line in fusion.lines]
    groups, travel = (
        next(each for each in lines if each.startswith(name)) for name in ("groups: ", "bytes that travel: ")
    )
    return Figures(groups.removeprefix("groups: ").split(",")[0], travel.removeprefix("bytes that travel: "), seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target")
    parser.add_argument("models", nargs="*", type=Path, default=sorted(MODELS.glob("*.onnx")))
    arguments = parser.parse_args()
    print(f"| network on {arguments.target} | groups | bytes that travel | groups, cover | bytes that travel, cover |")
    print("| --- | ---: | ---: | ---: | ---: |")
    ratios = list[float]()
    for path in arguments.models:
        module = read_model(str(path), WeightsOptions()).module
        LayoutPreset(target=arguments.target).apply(Context(), module)
        CanonicalizePass().apply(Context(), module)
        passes = (FuseOpsHw(target=arguments.target), FuseOpsHw(target=arguments.target, strategy="cover"))
        default, cover = (figures(module, each) for each in passes)
        ratios.append(cover.seconds / default.seconds)
        cells = (path.stem, default.groups, default.travel, cover.groups, cover.travel)
        print(f"| {' | '.join(cells)} |", flush=True)
    print(f"\nTime of cover in units of the default: {median(ratios):.2f} (median), {max(ratios):.2f} (at most)")


if __name__ == "__main__":
    main()
