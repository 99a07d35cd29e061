"""Layout transforms that SmartMem (ASPLOS'24) reports, beside the transposes that `layout-optimal` leaves.

    python benchmarks/smartmem.py [--target opu] [--page docs/results/quality.md] [MODEL...]

The table has the networks that SmartMem reports on and the model set has as well. Its figures are those of the paper:
layout transforms that MNN executes, and operators of the original network, after DNNFusion and after SmartMem. The
paper prints no number of transforms left. Ours are counted in the exported model, and after the pass; every result is
proved to compute the same as the network.
"""

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from marked_page import add_page, write_between_markers
from models.catalogue import all_models
from models.onnx_runs import read_graph
from models.weights import graphs
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.passes.optimal.explain.account import collected_accounts
from npu_opt.tools.driver.formats.models import WeightsOptions, read_model
from quality import measured, prepared, with_free_matmul
from quality_rows import Left
from xdsl.dialects.builtin import ModuleOp


class Reported(NamedTuple):
    """Figures of the paper for a network; empty where none is known."""

    network: str
    transforms: str = ""
    """Layout transforms that MNN executes."""
    operators: str = ""
    """Operators of the original network, after DNNFusion, and after SmartMem."""


REPORTED = {
    "resnet50": Reported("ResNet50", "3"),
    "vit_b16": Reported("ViT", "", "444, 168, 112"),
    "swin_t": Reported("Swin", "242", "765, 207, 158"),
    "cswin_t": Reported("CSwin", "769"),
    "crossformer_s": Reported("CrossFormer", "208"),
    "autoformer_s": Reported("AutoFormer", "233"),
    "biformer_t": Reported("BiFormer"),
    "convnext_t": Reported("ConvNeXt", "", "292, 96, 81"),
    "yolo_v8_n": Reported("YOLOv8", "", "233, 75, 68"),
    "conformer_s": Reported("Conformer", "", "665, 219, 163"),
    "sd_unet": Reported("SD-UNet", "533", "1962, 436, 322"),
    "sd_vae_decoder": Reported("SD-VAE decoder"),
    "pythia_70m": Reported("Pythia, of size 1B", "385"),
}
"""The figures of the paper, by the name of the network in the model set."""

HEADER = """\
| network | SmartMem's name | MNN transforms | its operators | ops | Transpose + Reshape | left | left, free matmul |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |"""


class Row(NamedTuple):
    """Our figures for a network."""

    model: str
    ops: int
    """Nodes of the exported model, constants not counted."""
    moves: int
    """Its nodes that transpose or reshape."""
    left: str
    free: str
    """The transposes left for a target whose matmuls read their operands in any order."""

    def __str__(self) -> str:
        name, transforms, operators = REPORTED[self.model]
        cells = [self.model, name, transforms, operators, f"{self.ops:,}", str(self.moves)]
        return f"| {' | '.join([*cells, self.left, self.free])} |"


def cell(left: Left, bound: int | None) -> str:
    """A number of transposes; a `?` means that the results are not proved equal."""
    doubt = "" if left.is_proved else " ?"
    if bound == left.transposes:
        return f"{left.transposes}{doubt}"
    return f"{left.transposes}{doubt} ({'best found' if bound is None else f'at least {bound}'})"


def fewest(module: ModuleOp, target: str) -> str:
    """The fewest transposes, with the proved bound if that is lower."""
    with collected_accounts() as accounts:
        left, _, _ = measured(module, LayoutOptimal(target=target, cost="count"))
    return cell(left, accounts[-1].bound)


def rows(models: Iterable[tuple[Path, str]], target: str) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        free = with_free_matmul(target, Path(folder))
        for file, name in models:
            ops = Counter(node.op_type for graph in graphs(read_graph(file).graph) for node in graph.node)
            module = prepared(read_model(str(file), WeightsOptions()).module)
            moves = ops["Transpose"] + ops["Reshape"]
            yield Row(name, ops.total() - ops["Constant"], moves, fewest(module, target), fewest(module, free))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", metavar="MODEL", help="names of networks (all)")
    parser.add_argument("--target", default="opu")
    add_page(parser)
    arguments = parser.parse_args()
    if unknown := set(arguments.models) - set(REPORTED):
        parser.error(f"unknown: {', '.join(sorted(unknown))}; choose from {', '.join(REPORTED)}")
    files = {name: file for file, name in all_models()}
    chosen = [(files[name], name) for name in arguments.models or REPORTED]
    lines = [HEADER]
    for row in rows(chosen, arguments.target):
        lines.append(str(row))
        print(row, file=sys.stderr, flush=True)
    table = "\n".join(lines)
    print(table)
    if arguments.page is not None:
        write_between_markers(arguments.page, "beside smartmem", table)


if __name__ == "__main__":
    main()
