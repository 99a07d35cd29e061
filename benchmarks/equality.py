"""Proofs of equality that leave as traces: how many of them checkers/check_equal.py follows.

    python benchmarks/equality.py FILE_OR_DIR... [--limit SECONDS] [--json FILE] [--keep DIR]

`npu-opt -O` writes each model again, npu-check proves both files equal and leaves a trace, and the checker reads it. A
folder is a row of the table; the reasons of what is rejected, and what is believed, follow it with the models' names.
Each model has a process of its own. The exit code is 1 if a proof has no trace that the checker accepts. With --keep,
the files and traces stay in a folder, and those that are there are only checked again.
"""

import argparse
import gzip
import io
import json
import multiprocessing
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from npu_opt.checkers import check_equal
from npu_opt.tools import check, opt
from onnx import parser, save  # pyright: ignore[reportUnknownVariableType] - its first argument has half a type
from timing import timed

COLUMNS = ("models", "written", "proved", "accepted", "rejected", "failed")
HEADER = f"| models of | {' | '.join(COLUMNS)} |\n| --- {'| --: ' * len(COLUMNS)}|"


@dataclass
class Row:
    """A model, and how far its proof came."""

    file: str
    doing: str = "npu-opt"
    """The step that ended it; `accepted` and `rejected` are the words of the checker."""
    reason: str = ""
    believed: dict[str, int] = field(default_factory=dict[str, int])
    of_proof: float = 0.0
    of_checker: float = 0.0
    """Processor seconds."""

    @property
    def counts(self) -> Iterator[str]:
        """The columns in which the model counts."""
        yield "models"
        steps = ("npu-opt", "npu-check", "check_equal")
        found = steps.index(self.doing) if self.doing in steps else len(steps)
        yield from ("written", "proved")[:found]
        if self.doing in COLUMNS:
            yield self.doing


def measure(row: Row, folder: Path) -> None:
    """Fill a row, step by step; a trace that is in the folder is only followed."""
    written, trace = folder / "written.onnx", folder / "trace.json.gz"
    if not trace.exists():
        prove(row, written, trace)
    if trace.exists():
        follow(row, written, trace)


def prove(row: Row, written: Path, trace: Path) -> None:
    code, row.reason = said(opt.run, [row.file, "-O", "-o", str(written)])
    if code:
        return
    row.doing = "npu-check"
    row.of_proof, (code, row.reason) = timed(lambda: said(check.run, [row.file, str(written), "--trace", str(trace)]))
    if not code:
        row.doing = "check_equal"


def follow(row: Row, written: Path, trace: Path) -> None:
    row.doing = "check_equal"
    claims = json.loads(gzip.decompress(trace.read_bytes()))
    try:
        row.of_checker, (_, believed) = timed(lambda: check_equal.check(row.file, str(written), claims, {}))
    except (LookupError, ValueError) as error:
        row.doing, row.reason = "rejected", str(error)
    else:
        row.doing, row.reason, row.believed = "accepted", "", dict(believed)


def said(tool: Callable[[Sequence[str]], int], arguments: Sequence[str]) -> tuple[int, str]:
    """The exit code of a command, and the last line that it prints."""
    text = io.StringIO()
    with redirect_stdout(text), redirect_stderr(text):
        code = tool(arguments)
    return code, text.getvalue().strip().rpartition("\n")[2]


def run(file: Path, kept: Path | None, connection: Any) -> None:
    """Measure one model and send its row; the body of a process."""
    row = Row(str(file))
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) if kept is None else kept / file.parent.name / file.stem
        folder.mkdir(parents=True, exist_ok=True)
        try:
            measure(row, folder)
        except Exception as error:  # A bug of a step is a result.
            row.doing, row.reason = "failed", f"{row.doing}: {type(error).__name__}: {error}"
    connection.send(row)


def warm_up() -> None:
    """Import what the steps need: a process that has it starts in no time."""
    net = "net (float[2] x) => (float[2] y) { a = Transpose (x) y = Neg (a) }"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "warm.onnx"
        save(parser.parse_model(f'<ir_version: 8, opset_import: ["": 21]> {net}'), file)
        measure(Row(str(file)), Path(folder))


def measured(file: Path, limit: float, kept: Path | None) -> Row:
    """The row of a model, whatever its process does."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=run, args=(file, kept, there))
    process.start()
    there.close()
    row = Row(str(file), "failed", f"more than {limit:g} seconds")
    try:
        row = here.recv() if here.poll(limit) else row
    except EOFError:
        row.reason = "the process ended"
    process.kill()
    process.join()
    return row


def table(rows: Sequence[Row]) -> str:
    lines, by_folder = [HEADER], defaultdict[str, Counter[str]](Counter)
    for row in rows:
        by_folder[Path(row.file).parent.name].update(row.counts)
    lines += [f"| {name} | {' | '.join(str(found[each]) for each in COLUMNS)} |" for name, found in by_folder.items()]
    return "\n".join(lines)


def details(rows: Sequence[Row]) -> str:
    """The reasons of what is believed, rejected or failed, with the names of the models."""
    groups = defaultdict[str, list[str]](list)
    for row in rows:
        name = Path(row.file).stem
        if row.doing in ("rejected", "failed", "check_equal"):
            groups[f"{row.doing}: {row.reason}"].append(name)
        for each in row.believed:
            groups[f"believed: {each}"].append(name)
    return "\n".join(f"- {reason} ({len(names)}): {', '.join(names)}" for reason, names in sorted(groups.items()))


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("models", metavar="FILE_OR_DIR", nargs="+", type=Path, help="models, or folders of models")
    options.add_argument("--limit", type=float, default=300, metavar="SECONDS", help="the time of one model")
    options.add_argument("--keep", type=Path, metavar="DIR", help="a folder in which files and traces stay")
    options.add_argument("--json", type=Path, metavar="FILE", help="a file for all that was found")
    arguments = options.parse_args()
    files = [file for each in arguments.models for file in (sorted(each.glob("*.onnx")) if each.is_dir() else [each])]
    warm_up()
    rows = [measured(file, arguments.limit, arguments.keep) for file in files]
    if arguments.json is not None:
        arguments.json.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n")
    print(table(rows))
    print(details(rows))
    return int(any(row.doing in ("rejected", "failed", "check_equal") for row in rows))


if __name__ == "__main__":
    sys.exit(main())
