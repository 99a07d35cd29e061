"""Models that are read and written again by no pass, and the verdict of the proof on the two files.

As a script it prints the verdicts on all files of some folders, or on the node tests of the package onnx.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from npu_opt.equivalence.compare import Verdict
from npu_opt.text.diagnostics import ReportedError
from npu_opt.tools.driver.comparison.comparison import compare_programs
from npu_opt.tools.driver.formats.output_format import exported_model
from npu_opt.tools.driver.formats.program import read_model_program
from onnx import ModelProto
from xdsl.utils.exceptions import DiagnosticException

from ..generators.backend_nodes import all_cases, bound_model, short_inputs

ENDINGS = {".onnx": "onnx", ".tflite": "litert"}


@dataclass(frozen=True)
class Export:
    """The outcome of an export."""

    verdict: Verdict | None
    """None if the model is not read, or not exported."""
    reason: str = ""


def plain_export(model: Path, ending: str, runs: bool = False) -> Export:
    """Read a model, write it, read the file, and compare; with a run `undecided` may be `different`."""
    format, read = ENDINGS[ending], ENDINGS[model.suffix]
    with TemporaryDirectory() as folder:
        file = Path(folder, f"written{ending}")
        try:
            # The exporter may not change what is compared.
            first, copy = (read_model_program(str(model), format=read) for _ in range(2))
            exported_model(copy.module, f'{format}{{path="{file}"}}', copy.imported).write()
        except (ReportedError, DiagnosticException) as error:
            return Export(None, str(error))
        second = read_model_program(str(file), format=format)
        result = compare_programs(first, second, range(runs), always_run=False, note=lambda _: None)
    return Export(result.answer.verdict, " | ".join(result.lines()[:3]))


def node_models(step: int = 1, start: int = 0) -> Iterator[tuple[str, ModelProto]]:
    """The models of the node tests of onnx, and those whose short inputs are constants."""
    for case in all_cases()[start::step]:
        yield case.name, case.model
        for first in (1, 0):
            bound = short_inputs(case, first)
            if bound and len(case.data_sets) == 1:
                yield f"{case.name} with constants from {first}", bound_model(case, bound)


def node_exports(ending: str, step: int = 1, start: int = 0, runs: bool = False) -> Iterator[tuple[str, Export]]:
    """The exports of the node tests of onnx."""
    with TemporaryDirectory() as folder:
        for name, model in node_models(step, start):
            file = Path(folder, "model.onnx")
            file.write_bytes(model.SerializeToString())
            yield name, plain_export(file, ending, runs)


def main() -> None:
    ending, *folders = sys.argv[1:]
    counts: Counter[Verdict | None] = Counter()
    files = [file for folder in folders for file in sorted(Path(folder).rglob("*")) if file.suffix in ENDINGS]
    exports = ((str(file), plain_export(file, ending, True)) for file in files)
    for name, found in exports if files else node_exports(ending):
        counts[found.verdict] += 1
        if found.verdict is not Verdict.PROVED:
            print(f"{found.verdict and found.verdict.name}: {name}: {found.reason}", flush=True)
    print({each and each.name: count for each, count in counts.items()})


if __name__ == "__main__":
    main()
