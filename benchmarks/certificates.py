"""The certificates of the minima of the networks of benchmarks/models: whether they are accepted, their size, and time.

    python benchmarks/certificates.py [--page docs/results/certificates.md] [MODEL...]
    python benchmarks/certificates.py --suite FOLDER [--target NAME] [MODEL...]

Each network is placed for three targets. A row is printed for each network: the ops with forms, the size of the three
certificates, compressed, and the processor time of the choice, of making the certificate and of checking it.

With a suite, each of its files is placed once for each cost, and written once with -O. A row is printed for each cost:
the files, those that are proved, and the verdicts. Of each proved minimum the certificate has to be accepted, with the
bound of the message. The exit code is 1 if one is not, or if a certificate is refused or missing.
"""

import gzip
import json
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, NamedTuple, TypeVar, cast

from marked_page import parser_of_models, print_rows, write_rows
from models.catalogue import FOLDER
from npu_opt import NpuOptError, load
from npu_opt.bridges.onnx.importing.importer import Options, import_model
from npu_opt.checkers.check_minimum import verdict_of
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.passes.optimal.certificates.of_choice import collected_certificates
from npu_opt.passes.optimal.explain.account import collected_accounts
from npu_opt.passes.placement.layout_pass import colour
from npu_opt.tools.opt import run
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import PassFailedException

TARGETS = ("opu", "onnx", "litert")
MARKER = "certificates"
HEADER = """\
| network | ops | branched | bytes | certificate | check |
| --- | ---: | ---: | ---: | ---: | ---: |"""
COSTS = ("bytes", "count", "prices", "traffic")
WITH_FLAG = "-O"
SUFFIXES = (".onnx", ".mlir", ".tflite")
SUITE_HEADER = """\
| cost | files | proved | accepted | undecided | refused | largest |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |"""
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


@dataclass
class Tally:
    """The certificates of the files of a suite by one cost."""

    files: int = 0
    proved: int = 0
    codes: Counter[int] = field(default_factory=Counter[int])
    """The exit codes of the checker."""
    largest: int = 0
    """The bytes of the largest certificate, compressed."""
    problems: list[str] = field(default_factory=list[str])

    def add(self, file: Path, data: bytes, proved: int | None) -> None:
        """Count the certificate of a file, by the minimum that the pass has proved, if any."""
        code, verdict = verdict_of(data)
        self.proved += proved is not None
        self.codes[code] += 1
        self.largest = max(self.largest, len(data))
        if code == 1 or (proved is not None and not verdict.startswith(f"accepted: minimum {proved} ")):
            self.problems.append(f"{file}: {verdict}" + ("" if proved is None else f"; the pass proves {proved}"))

    def row(self, cost: str) -> str:
        accepted, refused, undecided = (self.codes[code] for code in range(3))
        counts = f"{self.files} | {self.proved} | {accepted} | {undecided} | {refused} | {self.largest}"
        return "\n".join([f"| {cost} | {counts} |", *self.problems])


def tallied(folder: Path, models: Sequence[Path], target: str) -> int:
    """Place all files of a suite by each cost, print the verdicts, and return the exit code."""
    tallies = {cost: Tally() for cost in (*COSTS, WITH_FLAG)}
    for file in models or sorted(each for each in folder.rglob("*") if each.suffix in SUFFIXES):
        try:
            module = load(file).module
        except NpuOptError:
            continue
        for cost, tally in tallies.items():
            tally.files += 1
            try:
                tally.add(file, *(with_flag(file) if cost == WITH_FLAG else placed(module.clone(), target, cost)))
            except (NpuOptError, PassFailedException) as error:
                tally.problems.append(f"{file}: {error}")
    print(SUITE_HEADER)
    for cost, tally in tallies.items():
        print(tally.row(cost))
    return int(any(tally.problems for tally in tallies.values()))


def placed(module: ModuleOp, target: str, cost: str) -> tuple[bytes, int | None]:
    """The certificate of a program that is placed by a cost, and the minimum that the pass has proved, if any."""
    with collected_accounts() as accounts, collected_certificates() as certificates, redirect_stderr(StringIO()):
        LayoutOptimal(target=target, cost=cast("Any", cost)).apply(Context(), module)
    # A program that stays as it came has no account.
    proved = accounts[0].bound if accounts and accounts[0].is_proved else None
    return certificates[0].data(is_compressed=True), proved


def with_flag(file: Path) -> tuple[bytes, int | None]:
    """The certificate of a file that is written with `-O`, and its cost if the pass has proved it."""
    with TemporaryDirectory() as folder, redirect_stderr(StringIO()) as said:
        certificate, output = Path(folder, "proof.json.gz"), Path(folder, f"written{file.suffix}")
        code = run([str(file), "-O", "--stats", "--certificate", str(certificate), "-o", str(output)])
        if code == 1:
            raise NpuOptError(said.getvalue().strip())
        data = certificate.read_bytes()
        is_proved = "proved minimum" in said.getvalue()
        return data, json.loads(gzip.decompress(data))["plan"]["cost"] if is_proved else None


def main() -> int:
    parser = parser_of_models(__doc__)
    parser.add_argument("--suite", type=Path, metavar="FOLDER", help="place each file of a folder by each cost")
    parser.add_argument("--target", default="onnx", help="the target of --suite (default onnx)")
    arguments = parser.parse_args()
    if arguments.suite is not None:
        return tallied(arguments.suite, arguments.models, arguments.target)
    rows = print_rows(HEADER, arguments.models or sorted(FOLDER.glob("*.onnx")), measured)
    write_rows(arguments.page, MARKER, rows, table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
