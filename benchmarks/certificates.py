"""The certificates of the minima of the networks of benchmarks/models: whether they are accepted, their size, and time.

    python benchmarks/certificates.py [--page docs/certificates.md] [MODEL...]

Each network is placed for three targets. A row is printed for each network: the ops with forms, the size of the three
certificates, compressed, and the processor time of the choice, of making the certificate and of checking it.
"""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from time import process_time
from typing import NamedTuple, TypeVar

from marked_page import parser_of_models, print_rows, write_rows
from models.catalogue import FOLDER
from npu_opt.bridges.onnx.importing.importer import Options, import_model
from npu_opt.checkers.check_minimum import verdict_of
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.passes.placement.layout_pass import colour
from xdsl.dialects.builtin import ModuleOp

TARGETS = ("opu", "onnx", "litert")
MARKER = "certificates"
HEADER = """\
| network | ops | branched | bytes | certificate | check |
| --- | ---: | ---: | ---: | ---: | ---: |"""
ResultT = TypeVar("ResultT")


class Certified(NamedTuple):
    """The certificate of a network on one target."""

    ops: int
    has_branches: bool
    size: int
    code: int
    """The exit code of the checker."""
    of_choice: float
    of_making: float
    of_checking: float


class Row(NamedTuple):
    """The certificates of a network."""

    network: str
    each: Sequence[Certified]

    @property
    def size(self) -> int:
        return sum(each.size for each in self.each)

    def count(self, code: int) -> int:
        """The certificates with a verdict."""
        return sum(each.code == code for each in self.each)

    @property
    def ratios(self) -> tuple[float, float]:
        """The time of making the certificates, and of checking them, in times of the choices."""
        choices = sum(each.of_choice for each in self.each)
        return sum(each.of_making for each in self.each) / choices, sum(
            each.of_checking for each in self.each
        ) / choices

    def __str__(self) -> str:
        ops, branched = max(each.ops for each in self.each), sum(each.has_branches for each in self.each)
        making, checking = self.ratios
        return f"| {self.network} | {ops} | {branched} | {self.size} | {making:.2f} | {checking:.2f} |"


def timed(run: Callable[[], ResultT]) -> tuple[ResultT, float]:
    start = process_time()
    return run(), process_time() - start


def certified(module: ModuleOp, target: str) -> Certified:
    """The certificate on a target; to make it takes a choice first."""
    layout_pass = LayoutOptimal(target=target)
    _, of_choice = timed(lambda: layout_pass.choose(module))
    certificate, of_both = timed(lambda: layout_pass.certificate(module))
    data = certificate.data(is_compressed=True)
    (code, _), of_checking = timed(lambda: verdict_of(data))
    parts = certificate.content["proof"]["parts"]
    has_branches = any(len(part["nodes"]) > 1 for part in parts)
    ops = len(certificate.content["problem"]["ops"])
    return Certified(ops, has_branches, len(data), code, of_choice, max(of_both - of_choice, 0.0), of_checking)


def measured(model: Path) -> Row:
    module = import_model(model, Options(needs_data=False)).module
    colour(module)
    return Row(model.stem, [certified(module, target) for target in TARGETS])


def table(rows: Sequence[Row]) -> str:
    accepted, refused, undecided = (sum(row.count(code) for row in rows) for code in range(3))
    most_making, most_checking = (max(row.ratios[place] for row in rows) for place in (0, 1))
    end = (
        f"Accepted: {accepted}; undecided, since the time limit ended the search: {undecided}; refused: {refused}. All"
        f" of them have {sum(row.size for row in rows)} bytes. In times of the choice, a certificate takes at most"
        f" {most_making:.1f}, and a check at most {most_checking:.1f}."
    )
    return "\n".join([HEADER, *map(str, rows), "", end])


def main() -> int:
    arguments = parser_of_models(__doc__).parse_args()
    rows = print_rows(HEADER, arguments.models or sorted(FOLDER.glob("*.onnx")), measured)
    write_rows(arguments.page, MARKER, rows, table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
