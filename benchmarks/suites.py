"""Models that others wrote, one folder for each suite: what npu-opt leaves, beside what their authors say is left.

    python benchmarks/suites.py DIR... [--target T] [--sample N] [--jobs N] [--limit SECONDS] [--json FILE]
        [--table] [--page docs/results/quality.md]

A folder without models is a folder of suites. The files of a suite are `.onnx`, `.tflite`, or `.mlir` of TOSA; inputs
are beside a model as `NAME.npz`. The authors' figures are in a table of tab-separated columns, `expected.tsv` or
`manifest.tsv`: `name`, and the Transposes that are left in a column of FIGURES, or their cost in ONNX Runtime's unit
in `expected_cost`. `npu-opt --layout-optimal=cost=count --canonicalize` writes each file again, for the target of the
suite; Transposes of constants do not count. npu-check and ONNX Runtime, without optimisations, compare both files.
`changed` are nodes that no transpose which goes or comes gives a reason to be others (same_nodes.py of the tests).

Each file has a process of its own. The exit code is 1 if a number is wrong, a written file is unreadable or npu-opt has
a bug; what it refuses and leaves is for people to read.
"""

import argparse
import csv
import json
import multiprocessing
import os
import random
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from multiprocessing.connection import wait
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from figures import parser_of
from marked_page import write_between_markers
from suite_case import Case, Row, measure

ENDINGS = (".onnx", ".tflite", ".mlir")
FIGURES = ("expected_transposes", "ort_basic", "pr_final_permutes")
"""The columns that say how many Transposes are left: the first one that a table has counts."""
ROUNDING = 1e-3
"""The largest difference of numbers that only round differently, relative to the largest one."""
KEPT, TOSA, FREE = ("onnx", "keep", ".onnx"), ("litert", "keep", ".mlir"), ("opu", "free", ".mlir")
"""Target, interface and ending of the written file: as the suite's authors have it."""
SEED = 0
HERE = str(Path(__file__).resolve().parent)


@dataclass
class Suite:
    """A folder, and what is known about its files."""

    folder: Path
    cases: list[Case]
    rows: list[Row] = field(default_factory=list[Row])


def suites_in(folders: Iterable[Path], target: str | None) -> list[Suite]:
    found: list[Suite] = []
    for folder in folders:
        inside = sorted(each for each in folder.iterdir() if each.is_dir())
        here = [each for each in (folder, *inside) if _models(each)]
        if not here:
            raise SystemExit(f"error: {folder}: expected models ({', '.join(ENDINGS)}), or folders of models")
        found += [Suite(each, cases_in(each, target)) for each in here]
    return found


def _models(folder: Path) -> list[Path]:
    return sorted(file for file in folder.iterdir() if file.suffix in ENDINGS)


def cases_in(folder: Path, target: str | None) -> list[Case]:
    """The models of a folder with their figures."""
    figures = figures_in(folder)
    columns = {column for row in figures.values() for column in row}
    setting = FREE if "pr_final_permutes" in columns else TOSA if _models(folder)[0].suffix == ".mlir" else KEPT
    if target is not None:
        setting = (target, "keep", setting[2] if setting == TOSA else ".onnx")
    return [Case(str(file), *setting, *_figure(figures.get(file.stem, {}))) for file in _models(folder)]


def figures_in(folder: Path) -> dict[str, dict[str, str]]:
    """The rows of the authors' table, by the name of the model without its ending."""
    tables = [folder / name for name in ("expected.tsv", "manifest.tsv") if (folder / name).exists()]
    if not tables:
        return {}
    with tables[0].open() as stream:
        rows = [*csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)]
    return {row["name"].removesuffix(".onnx"): row for row in rows}


def _figure(row: dict[str, str]) -> tuple[int | None, bool]:
    """The figure of a row, and if it is a cost."""
    if row.get("expected_cost"):
        # An upper bound is what the authors demand as well.
        return int(row["expected_cost"].removeprefix("<=")), True
    column = next((name for name in FIGURES if name in row), "")
    return (int(row[column]) if row.get(column, "").isdigit() else None), False


@dataclass
class Running:
    """The process of a case."""

    suite: Suite
    process: ForkServerProcess
    notes: Path
    end: float

    def row(self, limit: float) -> Row:
        """The notes of the process, once it has ended or its time is over."""
        row = Row(**json.loads(self.notes.read_text())) if self.notes.exists() else Row(self.notes.stem)
        if self.process.is_alive():
            self.process.kill()
            row.failed = f"{row.doing}: more than {limit:g} seconds"
        elif row.doing is not None:
            row.failed = f"{row.doing}: the process ended with {self.process.exitcode}"
        self.process.join()
        return row


def run(case: Case, folder: str, notes: str) -> None:
    """Measure a case; the body of a process."""

    def note(row: Row) -> None:
        draft = Path(f"{notes}.draft")
        draft.write_text(json.dumps(asdict(row)))
        draft.replace(notes)

    silence = os.open(os.devnull, os.O_WRONLY)
    for descriptor in (1, 2):
        os.dup2(silence, descriptor)
    measure(case, Path(folder), note)


def measured(suites: Sequence[Suite], jobs: int, limit: float) -> Iterator[tuple[Suite, Row]]:
    """The rows of all cases, in the order in which they end."""
    # Up to Python 3.13 the process that forks looks for the module here only if this variable says so.
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (HERE, os.environ.get("PYTHONPATH"))))
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["suite_warm"])
    waiting = deque((suite, case) for suite in suites for case in suite.cases)
    running: list[Running] = []
    with tempfile.TemporaryDirectory() as folder:
        while waiting or running:
            while waiting and len(running) < jobs:
                suite, case = waiting.popleft()
                place = Path(tempfile.mkdtemp(dir=folder))
                notes = place / f"{Path(case.file).stem}.json"
                process = context.Process(target=run, args=(case, str(place), str(notes)))
                process.start()
                running.append(Running(suite, process, notes, time.monotonic() + limit))
            nearest = min(each.end for each in running)
            wait([each.process.sentinel for each in running], max(0.0, nearest - time.monotonic()))
            ended = [each for each in running if not each.process.is_alive() or each.end <= time.monotonic()]
            for each in ended:
                running.remove(each)
                yield each.suite, each.row(limit)


def comparison(row: Row) -> str:
    """The Transposes of a written file against the authors' figure."""
    if row.refused or row.left is None:
        return "failed" if not row.refused else "no model" if row.not_run else "refused"
    if row.figure is None:
        return "no figure"
    return "equal" if row.left == row.figure else "fewer" if row.left < row.figure else "more"


def is_wrong(row: Row) -> bool:
    return (row.error is not None and not row.error <= ROUNDING) or row.verdict == "different"


COLUMNS = ("equal", "fewer", "more", "no figure", "refused", "no model", "failed")
"""The words of `comparison`; a file that ONNX Runtime does not load either is no model."""


def table(suites: Sequence[Suite]) -> str:
    """The figures of all suites, as a table of Markdown."""
    words = ["wrong", "unreadable", "changed", "proved", "undecided", "came", "left", "figure"]
    heads = ["suite", "files", *COLUMNS, *words]
    return "\n".join([_line(heads), _line(["---", *["--:"] * (len(heads) - 1)]), *map(_suite_line, suites)])


def _suite_line(suite: Suite) -> str:
    rows = suite.rows
    found, verdicts = Counter(map(comparison, rows)), Counter(row.verdict for row in rows)
    counted = [row for row in rows if row.figure is not None and row.left is not None]
    sums = [sum(getattr(row, name) for row in counted) for name in ("came", "left", "figure")]
    wrong, unreadable = sum(map(is_wrong, rows)), sum(bool(row.unreadable) for row in rows)
    proofs, changed = [verdicts[word] for word in ("proved", "undecided")], sum(len(row.changed) for row in rows)
    numbers = [len(rows), *(found[name] for name in COLUMNS), wrong, unreadable, changed, *proofs]
    return _line([suite.folder.name, *map(str, [*numbers, *sums])])


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def details(suite: Suite) -> str:
    """The files that are not as they should be, grouped by reason."""
    groups: dict[str, list[str]] = {}
    for row in suite.rows:
        for heading in headings(row):
            groups.setdefault(heading, []).append(row.name)
    lines = [f"- {heading} ({len(names)}): {', '.join(names)}" for heading, names in sorted(groups.items())]
    return "\n".join(["", f"{suite.folder.name}:", "", *lines]) if lines else ""


def headings(row: Row) -> Iterator[str]:
    if row.refused:
        yield f"{comparison(row)}: {_general(row.refused)}"
    if row.failed:
        yield f"failed: {_general(row.failed)}"
    if comparison(row) == "more":
        yield f"more than the figure: {row.left} instead of {row.figure}, {row.minimum}"
    if row.left is not None and row.came is not None and row.left > row.came:
        yield f"more than came: {row.left} instead of {row.came}"
    if is_wrong(row):
        yield f"wrong: {row.verdict}, difference {row.error}"
    if row.unreadable:
        yield f"unreadable: {_general(row.unreadable)}"
    if row.changed:
        yield f"changed without need: {_general(', '.join(sorted({text.split()[0] for text in row.changed})))}"
    if row.verdict not in ("proved", ""):
        yield f"{row.verdict}: {_general(row.undecided)}"
    if row.not_compared:
        yield f"not compared: {_general(row.not_compared)}"


def _general(reason: str) -> str:
    """A reason without the names in it, which differ from file to file."""
    quoted = reason.split("'")
    return "'...'".join(quoted[::2]) if len(quoted) % 2 else reason


def parsed() -> argparse.Namespace:
    parser = parser_of(__doc__)
    parser.add_argument("folders", metavar="DIR", nargs="*", type=Path, help="a suite, or a folder of suites")
    parser.add_argument("--target", help="the target of all files (default: that of each suite)")
    parser.add_argument("--sample", type=int, metavar="N", help="so many files of each suite, always the same")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="processes at once")
    parser.add_argument("--limit", type=float, default=120, metavar="SECONDS", help="the time of one file")
    parser.add_argument("--table", action="store_true", help="the table only, without the names of files")
    return parser.parse_args()


def main() -> int:
    arguments = parsed()
    suites = suites_in(arguments.folders, arguments.target)
    for suite in suites:
        if arguments.sample is not None and arguments.sample < len(suite.cases):
            suite.cases = random.Random(SEED).sample(suite.cases, arguments.sample)
    for suite, row in measured(suites, arguments.jobs, arguments.limit):
        suite.rows.append(row)
    for suite in suites:
        suite.rows.sort(key=lambda row: row.name)
    print(table(suites))
    if not arguments.table:
        print("\n".join(filter(None, map(details, suites))))
    if arguments.json is not None:
        found = {suite.folder.name: [asdict(row) for row in suite.rows] for suite in suites}
        arguments.json.write_text(json.dumps(found, indent=1) + "\n")
    if arguments.page is not None:
        write_between_markers(arguments.page, "suites", table(suites))
    rows = [row for suite in suites for row in suite.rows]
    return int(any(row.unreadable or row.failed or is_wrong(row) for row in rows))


if __name__ == "__main__":
    sys.exit(main())
