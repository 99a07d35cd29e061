"""Transposes left in modules of TOSA: by `layout-optimal`, and by MLIR's `tosa-reduce-transposes`.

    python benchmarks/tosa.py [--target opu] [--page docs/results/quality.md] [MODEL...]

Each network is imported as exported, in NCHW, and becomes a module of TOSA with two transposes around each convolution,
as from torch-mlir. Both start from the text of that module: MLIR's pass runs on the module; ours reads it (`-f tosa`),
places it for a target with TOSA's kernel order, and writes it again (`-t tosa`). MLIR's `canonicalize` and `cse` clean
up before and after both. All three modules are read, counted by one counter, and proved to compute the same. Weights
are arbitrary numbers, one for each tensor; the networks in RUN have random ones, and are compiled and run three times.
"""

import argparse
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from marked_page import add_page, write_between_markers
from models.weights import with_random_weights
from npu_opt.bridges.mlir.bindings import ir, passmanager
from npu_opt.bridges.mlir.engine import Compiled
from npu_opt.bridges.mlir.exporting.program import lowered, mlir_context, numbers_in, signature
from npu_opt.bridges.mlir.importing.importer import read_module
from npu_opt.dialects.npu.attrs import ReferenceAttr
from npu_opt.dialects.npu.source import ConstantOp
from npu_opt.dialects.npu.values import element_type_of, shape_of
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.interpreter import random_inputs
from npu_opt.interpreter.elements import store
from npu_opt.interpreter.ops.source import constant
from npu_opt.passes.common.moves.transpose_cost import Cost, cost_of_program
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.targets import available
from npu_opt.tools.driver.execution.file_constants import constants_of
from npu_opt.tools.driver.formats.program import Program, new_context, read_program
from npu_opt.tools.run import function_of
from onnx import ModelProto
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.transforms.canonicalize import CanonicalizePass
from xdsl.utils.exceptions import DiagnosticException

ROOT = Path(__file__).resolve().parent.parent
MODELS = ROOT / "benchmarks" / "models"
RUN = ("espcn", "mobilenet_v2", "shufflenet_v2", "squeezenet")
"""Networks that are small enough to be compiled and run in seconds."""
KERNELS = '["OWI", "OHWI", "ODHWI"]'
CLEANUP = "canonicalize,cse"
TOSA_REDUCE_TRANSPOSES = f"func.func(tosa-reduce-transposes),{CLEANUP}"

Array: TypeAlias = npt.NDArray[Any]
Numbers: TypeAlias = Callable[[ConstantOp], Array]


@dataclass
class Row:
    """One network: the transposes of its module, and those that each of the two leaves."""

    model: str
    ops: int
    before: Cost
    mlir: Cost
    ours: Cost
    is_proved: tuple[bool, bool]
    seconds: tuple[float, float]
    error: float | None = None
    """The largest difference between the results of the modules, relative to the largest number."""


@dataclass
class Table:
    """All measurements."""

    rows: list[Row] = field(default_factory=list[Row])
    refused: dict[str, str] = field(default_factory=dict[str, str])
    """Networks without a module of TOSA, with the reason."""

    def __str__(self) -> str:
        titles = ["network", "ops", "before", "`tosa-reduce-transposes`", "`layout-optimal`", "numbers"]
        lines = [_line(titles), _line(["---", *["---:"] * (len(titles) - 1)]), *map(_row, self.rows)]
        sums = [_total([getattr(row, name) for row in self.rows]) for name in ("before", "mlir", "ours")]
        lines.append(_line(["**together**", str(sum(row.ops for row in self.rows)), *sums, ""]))
        seconds = [f"{sum(row.seconds[index] for row in self.rows):.0f} s" for index in (0, 1)]
        lines.append(_line(["**time**", "", "", *seconds, ""]))
        return "\n".join([*lines, "", self._summary(), "", *self._not_exported()])

    def _summary(self) -> str:
        fewer, same, more = (
            sum(
                sign == (row.ours.transposes > row.mlir.transposes) - (row.ours.transposes < row.mlir.transposes)
                for row in self.rows
            )
            for sign in (-1, 0, 1)
        )
        return (
            f"`layout-optimal` leaves fewer transposes on {fewer} networks, as many on {same}, more on {more}."
            f" {sum(all(row.is_proved) for row in self.rows)} of {len(self.rows)} networks: both modules proved."
        )

    def _not_exported(self) -> list[str]:
        reasons = ", ".join(f"{name} ({reason})" for name, reason in self.refused.items())
        return [f"No module of TOSA: {reasons}."] if reasons else []


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _row(row: Row) -> str:
    proofs = ["" if proved else " ?" for proved in row.is_proved]
    error = "" if row.error is None else f"{row.error:.0e}" if row.error else "equal"
    left = [_cell(row.mlir) + proofs[0], _cell(row.ours) + proofs[1]]
    return _line([row.model, str(row.ops), _cell(row.before), *left, error])


def _cell(cost: Cost) -> str:
    return f"{cost.transposes} ({cost.bytes / 2**20:.1f} MiB)"


def _total(costs: Sequence[Cost]) -> str:
    return f"{sum(each.transposes for each in costs)} ({sum(each.bytes for each in costs) / 2**20:.1f} MiB)"


def with_kernels_of_tosa(target: str, folder: Path) -> str:
    """The file of a target with TOSA's kernel order, which any module has to have."""
    source = available().get(target, Path(target))
    name = f"{source.stem}_tosa"
    text, count = re.subn(r"(?m)^weight = \[.*\]$", f"weight = {KERNELS}", source.read_text())
    if count != 1:
        raise ValueError(f"{source} has not one order of weights")
    file = folder / f"{name}.toml"
    file.write_text(re.sub(r'(?m)^name = ".*"$', f'name = "{name}"', text))
    return str(file)


def made_up() -> Numbers:
    """A distinct number for each external constant, as all of its elements."""
    number = count(2)

    def numbers(op: ConstantOp) -> Array:
        if not isinstance(op.value, ReferenceAttr):
            return constant(op)
        return store(np.full(shape_of(op.result), 1 + 1 / next(number)), element_type_of(op.result))

    return numbers


def cleaned(text: str, passes: str) -> tuple[str, float]:
    """A module after some of MLIR's passes, and how long they took."""
    with mlir_context():
        module = ir.Module.parse(text)
        start = time.perf_counter()
        passmanager.PassManager.parse(f"builtin.module({passes})").run(module.operation)
        return str(module), time.perf_counter() - start


def placed(text: str, target: str) -> tuple[str, float]:
    """A module that was read, placed and written, and the time of the placement."""
    program = read_module(text, "module")
    start = time.perf_counter()
    for step in (LayoutOptimal(target=target), CanonicalizePass()):
        step.apply(Context(), program)
    seconds = time.perf_counter() - start
    with mlir_context():
        return cleaned(str(lowered(program)), CLEANUP)[0], seconds


def measured(model: str, target: str) -> Row:
    with ExitStack() as stack:
        program = program_of(model, Path(stack.enter_context(tempfile.TemporaryDirectory())))
        CanonicalizePass().apply(Context(), program.module)
        numbers = numbers_in(stack.enter_context(constants_of(program))) if model in RUN else made_up()
        with mlir_context():
            text = cleaned(str(lowered(program.module, numbers)), CLEANUP)[0]
    (theirs, their_time), (ours, our_time) = cleaned(text, TOSA_REDUCE_TRANSPOSES), placed(text, target)
    texts = [text, theirs, ours]
    read = [read_module(each, "module") for each in texts]
    return Row(
        model,
        ops=sum(1 for _ in read[0].walk()) - 2,
        before=cost_of_program(read[0]),
        mlir=cost_of_program(read[1]),
        ours=cost_of_program(read[2]),
        is_proved=(is_proved(read[0], read[1]), is_proved(read[0], read[2])),
        seconds=(their_time, our_time),
        error=error_of(texts, program) if model in RUN else None,
    )


def program_of(model: str, folder: Path) -> Program:
    """A network without its weights, or with random ones in a file of this folder."""
    file = MODELS / f"{model}.onnx"
    if model in RUN:
        stripped = ModelProto.FromString(file.read_bytes())
        file = folder / file.name
        file.write_bytes(with_random_weights(stripped).SerializeToString())
    return read_program(str(file), new_context())


def is_proved(first: ModuleOp, second: ModuleOp) -> bool:
    return compare(first, second).verdict is Verdict.PROVED


def error_of(texts: Sequence[str], program: Program) -> float:
    """The largest difference of modules' results from those of the first one."""
    function = function_of(program, "main")
    inputs = random_inputs(function, seed=0)
    results: list[list[Array]] = []
    for text in texts:
        with mlir_context():
            results.append(Compiled(ir.Module.parse(text), "main", signature(function)).run(inputs))
    return max(
        float(np.max(np.abs(left - right)) / np.max(np.abs(left)))
        for found in results[1:]
        for left, right in zip(results[0], found, strict=True)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", metavar="MODEL", help="names of networks (all)")
    parser.add_argument("--target", default="opu")
    add_page(parser)
    args = parser.parse_args()
    table = Table()
    with tempfile.TemporaryDirectory() as folder:
        target = with_kernels_of_tosa(args.target, Path(folder))
        for model in args.models or sorted(file.stem for file in MODELS.glob("*.onnx")):
            try:
                table.rows.append(measured(model, target))
                print(_row(table.rows[-1]), file=sys.stderr)
            except DiagnosticException as error:
                table.refused[model] = str(error).splitlines()[0]
                print(f"{model}: {error}", file=sys.stderr)
    print(table)
    if args.page is not None:
        write_between_markers(args.page, "transposes left", str(table))


if __name__ == "__main__":
    main()
