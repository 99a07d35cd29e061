"""Transposes that `layout-optimal` leaves with the interface of each network, and with a free one.

    python benchmarks/interfaces.py [--page docs/results/quality.md] [MODEL...]

The networks are those of benchmarks/models, for the targets `opu` and `onnx`. A row is printed for each, and written
into the page if a free interface saves something.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from marked_page import parser_of_models, print_rows, write_rows
from models.catalogue import FOLDER
from npu_opt.bridges.onnx.importing.importer import Options, import_model
from npu_opt.passes.common.plans.interface_choice import EVERYTHING_FREE, FIXED_INTERFACE, Interface, chosen_interface
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.passes.placement.layout_pass import colour
from xdsl.dialects.builtin import ModuleOp

TARGETS = ("opu", "onnx")
MARKER = "interfaces"

HEADER = """\
| network | `opu`, keep | `opu`, free | `onnx`, keep | `onnx`, free |
| --- | ---: | ---: | ---: | ---: |"""


class Row(NamedTuple):
    """The minima of one network."""

    network: str
    minima: tuple[str, ...]
    """For each target the transposes and bytes with its own interface, then with a free one."""

    @property
    def saves(self) -> bool:
        return self.minima[0::2] != self.minima[1::2]

    def __str__(self) -> str:
        return f"| {self.network} | {' | '.join(self.minima)} |"


def minimum(module: ModuleOp, target: str, interface: Interface) -> str:
    choice = LayoutOptimal(target=target).choose(module, interface)
    proved = "" if choice.is_proved else " (not proved)"
    return f"{choice.cost.transposes} ({choice.cost.bytes_text} bytes){proved}"


def measured(model: Path) -> Row:
    module = import_model(model, Options(needs_data=False)).module
    names = colour(module)
    free = chosen_interface(module, EVERYTHING_FREE, names)
    return Row(
        model.stem,
        tuple(minimum(module, target, interface) for target in TARGETS for interface in (FIXED_INTERFACE, free)),
    )


def table(rows: Sequence[Row]) -> str:
    saving = [row for row in rows if row.saves]
    others = ", ".join(row.network for row in rows if not row.saves)
    return "\n".join((HEADER, *map(str, saving), "", f"Nothing is saved in {others or 'none'}."))


def main() -> int:
    parser = parser_of_models(__doc__)
    arguments = parser.parse_args()
    models = arguments.models or sorted([*FOLDER.glob("*.onnx"), *FOLDER.glob("tf/*.onnx")])
    rows = print_rows(HEADER, models, measured)
    write_rows(arguments.page, MARKER, rows, table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
