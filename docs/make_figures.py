"""Draws the figures of the seeds by runs of npu-opt, on the programs of test/seeds.

python docs/make_figures.py            writes docs/results/seeds.md
python docs/make_figures.py --check    fails if the page is stale
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from npu_opt.tools.opt import run

PAGE = Path(__file__).parent / "results" / "seeds.md"
SEEDS = PAGE.parents[2] / "test" / "seeds"

HEAD = """\
# The figures of the seeds

The seeds are five design documents of an NPU compiler team. Their figures show a network before and after a step; here
the step is a run of npu-opt, and `-t mermaid` draws its result in the colours of the seeds: features and weights are
yellow, tensors grey, ops with known layouts turquoise, inserted transposes peach. The programs are those of the tests,
and each of their figures has a row in [test/seeds/README.md](../../test/seeds/README.md).
`python docs/make_figures.py` writes this page.
"""


@dataclass(frozen=True)
class Figure:
    """A program before and after a run."""

    title: str
    text: str
    file: str
    function: str
    runs: Sequence[str]
    """The flags of each picture."""


BEFORE = ""

FIGURES = (
    Figure(
        "layout-transmit: the graph of A to F",
        "The convolution is the only op that knows a layout. Its operands get it backward, the others forward.",
        "layout_transmit_graphs.mlir",
        "a_to_f",
        (BEFORE, "--layout-transmit"),
    ),
    Figure(
        "layout-transmit: several unknown nodes in a row",
        "Between two reshapes nothing says a layout. By default what comes before decides; with `resolve=next` the "
        "matrix product behind them does.",
        "layout_transmit_chain.mlir",
        "chain",
        ("--layout-transmit", "--layout-transmit=resolve=next"),
    ),
    Figure(
        "layout-preset: the simplest way",
        "A transpose in front of each node and behind it: 2n transposes.",
        "layout_preset_naive.mlir",
        "figure",
        (BEFORE, "--layout-preset=strategy=naive"),
    ),
    Figure(
        "layout-preset: one region",
        "Nodes of one class are one region, with transposes at its borders only.",
        "layout_preset_regions.mlir",
        "figure",
        (BEFORE, "--layout-preset=strategy=regions"),
    ),
    Figure(
        "layout-preset: a tensor between two features, and Plus",
        "Regions leave four transposes. The tensor joins the region that it reads under Plus, and two are left.",
        "layout_preset_plus.mlir",
        "figure",
        ("--layout-preset=strategy=regions", "--layout-preset=strategy=seed-plus"),
    ),
    Figure(
        "layout-preset: two branches",
        "The sum has an operand from a convolution and one from a tensor. Without the second transpose it would add "
        "data in different orders, which is a type error here.",
        "layout_preset_two_branches.mlir",
        "joined",
        (BEFORE, "--layout-preset"),
    ),
    Figure(
        "layout-preset-to-npu: recorded points",
        "Transposes are inserted at all inputs, at nodes that demand a layout, and at outputs. Greedily, op after op, "
        "no op here needs one.",
        "layout_preset_npu_record.mlir",
        "figure",
        ("--layout-preset-npu=strategy=record", "--layout-preset-npu=strategy=greedy"),
    ),
    Figure(
        "fuse_op_hw: a second pad",
        "Ops that one pass through the data-flow executes are a group, here a function. The data-flow has one pad, so "
        "the second one begins another group.",
        "fuse_op_hw_groups.mlir",
        "second_pad",
        (BEFORE, "--fuse-ops-hw"),
    ),
)


def page() -> str:
    return "\n".join([HEAD, *(line for figure in FIGURES for line in section(figure))])


def section(figure: Figure) -> Iterator[str]:
    yield f"## {figure.title}\n"
    link = f"[{figure.file}](../../test/seeds/{figure.file})"
    yield f"{figure.text} The program is case `@{figure.function}` of {link}.\n"
    for flags in figure.runs:
        yield f"`npu-opt {flags} -t mermaid`:\n" if flags else "`npu-opt -t mermaid`, before:\n"
        yield f"```mermaid\n{drawn(program(figure), flags)}```\n"


def program(figure: Figure) -> str:
    """The function of a figure in its file."""
    for piece in (SEEDS / figure.file).read_text().split("// -----"):
        lines = [line for line in piece.splitlines() if not line.startswith("//")]
        if any(line.startswith(f"func.func @{figure.function}(") for line in lines):
            return "\n".join(lines)
    raise LookupError(f"{figure.file} has no function @{figure.function}")


def drawn(text: str, flags: str) -> str:
    """The graph behind a run, as text of mermaid."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "in.mlir").write_text(text)
        code = run([str(folder / "in.mlir"), *flags.split(), "-t", "mermaid", "-o", str(folder / "out")])
        if code:
            raise RuntimeError(f"npu-opt {flags} has failed")
        return (folder / "out").read_text()


def main() -> int:
    text = page()
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(text)
    elif not PAGE.exists() or PAGE.read_text() != text:
        print(f"{PAGE.name}: stale, run `python docs/make_figures.py`", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
