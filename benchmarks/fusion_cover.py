"""Bytes that travel between the groups of real networks: the default of fuse-ops-hw beside the best groups.

    python benchmarks/fusion_cover.py TARGET [MODEL...]

Every network of benchmarks/models gets its layouts by `layout-preset` and is canonicalized. The networks for which they
differ are in docs/fusion.md.
"""

import argparse
from pathlib import Path

from npu_opt.passes.common.reasons import Names
from npu_opt.passes.fuse_ops_hw import FuseOpsHw
from npu_opt.passes.layout_preset import LayoutPreset
from npu_opt.tools.driver.models import WeightsOptions, read_model
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.transforms.canonicalize import CanonicalizePass

MODELS = Path(__file__).resolve().parent / "models"


def figures(module: ModuleOp, module_pass: FuseOpsHw) -> tuple[str, str]:
    """The groups, and the bytes that travel with the proof, as `dump=groups` prints them."""
    lines = [line for fusion in module_pass.fusions(module, Names(module)) for line in fusion.lines]
    groups, travel = (
        next(each for each in lines if each.startswith(name)) for name in ("groups: ", "bytes that travel: ")
    )
    return groups.removeprefix("groups: ").split(",")[0], travel.removeprefix("bytes that travel: ")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target")
    parser.add_argument("models", nargs="*", type=Path, default=sorted(MODELS.glob("*.onnx")))
    arguments = parser.parse_args()
    print(f"| network on {arguments.target} | groups | bytes that travel | groups, cover | bytes that travel, cover |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for path in arguments.models:
        module = read_model(str(path), WeightsOptions()).module
        LayoutPreset(target=arguments.target).apply(Context(), module)
        CanonicalizePass().apply(Context(), module)
        passes = (FuseOpsHw(target=arguments.target), FuseOpsHw(target=arguments.target, strategy="cover"))
        cells = [cell for each in passes for cell in figures(module, each)]
        print(f"| {path.stem} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
