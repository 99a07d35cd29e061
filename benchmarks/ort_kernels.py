"""The tables of prices in targets/onnx.toml, as measured in ONNX Runtime on one thread.

    python benchmarks/ort_kernels.py [--turns 5] [--quick] [--write]

Transposes, products and ops along axes are measured as by litert_kernels.py, in the files that npu-opt writes. A
transpose that keeps the last axis takes the longer the shorter the runs of elements are that stay side by side; forms
that the measurements do not tell apart from the cheapest one share a price, so that none is written as another. A
product of batches with few rows each is compared with one product of all rows, per multiplication: its right operands
are packed for each batch. A gather of single elements takes longer for each line along the last axis. `--write`
replaces the tables in targets/onnx.toml, its end.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from calibrate import FORMS, Fit, Form, fitted, fitted_difference, number, parser_of_measurements, table, with_costs
from calibrate_engines import Numbers, OnnxRuntimeEngine, Run, TextEngine, data, program, session_of, tensor
from npu_opt.bridges.onnx.exporting import to_onnx, whole
from ort_nchwc_kernels import drop_outer_reshapes
from target_kernels import REDUCTIONS, SEARCHES, TargetKernels, place_table, second_runs, sharing

TARGET = Path(__file__).parents[1] / "targets" / "onnx.toml"
BEGIN = "# Measured: python benchmarks/ort_kernels.py --write\n"
OPSET = 17
KEEPS = "keeps the last axis"
RUNS = {
    4: f"{KEEPS} and run <= 5",
    8: f"{KEEPS} and run <= 11",
    16: f"{KEEPS} and run <= 22",
    32: KEEPS,
    64: KEEPS,
}
"""The lengths of runs that are measured, and the conditions of their prices."""
BY_RUNS = [
    Form(when, outer, run, rank, permutation)
    for run, when in RUNS.items()
    for outer, rank, permutation in ((0, 3, (1, 0, 2)), (8, 4, (0, 2, 1, 3)), (8, 5, (0, 3, 1, 2, 4)))
]
OPS = ("softmax", "log_softmax", *REDUCTIONS, *SEARCHES, "cumsum", "concat", "split")
QUICK_OPS = ("softmax", "reduce_sum", "split")
DEPTH = 16
"""The positions along the axis of which elements are gathered."""
GATHERED = 1 << 18
LINES = (512, 64, 32, 16, 8, 4, 2)
"""The elements of each line behind that axis, the fastest first."""
BEHIND = (0, 1)
"""The axes behind the one along which is gathered."""
QUICK_GATHERED, QUICK_LINES = 1 << 12, (64, 2)


class FilesEngine(TextEngine):
    """Programs in files for the target, which ONNX Runtime loads as it does for its users."""

    def version(self) -> str:
        return OnnxRuntimeEngine().version()

    def loaded(self, lines: Sequence[str], given: Sequence[str], made: Sequence[str], inputs: Sequence[Numbers]) -> Run:
        model = whole(to_onnx(program(lines, given, made), OPSET))
        drop_outer_reshapes(model)
        session = session_of(model.SerializeToString(), "ORT_ENABLE_ALL")
        arrays = {
            each.name: array.reshape(each.shape) for each, array in zip(session.get_inputs(), inputs, strict=True)
        }
        return lambda: session.run(None, arrays)

    def gather(self, elements: int, line: int, behind: int) -> Run:
        """A run of a gather of so many elements at positions of their own, along an axis with so many behind it."""
        shape = (elements // (DEPTH * line), DEPTH, line)
        given, made = [tensor(shape), tensor(shape, "i64")], tensor(shape)
        axis = len(shape) - 1 - behind
        text = f"%y0 = npu.gather_elements %x0, %x1 axis = {axis} : ({', '.join(given)}) -> {made}"
        places = np.random.default_rng(0).integers(0, shape[axis], shape)
        return self.loaded([text], given, [made], [*data(shape, 1), places])


class Kernels(TargetKernels):
    """Measurements of the kernels of ONNX Runtime."""

    engine: FilesEngine

    def transposes(self) -> Mapping[str, Fit]:
        """The price of each form."""
        forms = [*BY_RUNS, *(each for each in FORMS if each.when != KEEPS)]
        return sharing(self.transpose_times(forms), lambda found: fitted(*zip(*found, strict=True)))

    def forms(self) -> Mapping[str, tuple[Fit, str]]:
        """The prices of products in a form, by their conditions, and what they are per."""
        _, moved, differences = zip(*self.layer_times(), strict=True)
        layers = fitted_difference(moved, differences)
        return {"lhs is constant and matrices of lhs == 1": (layers, "bytes of result"), **self.batches_of_few_rows()}

    def gathers(self) -> str:
        """The price of each line of gathered elements: more of them take longer for as many elements."""
        elements, lines = (QUICK_GATHERED, QUICK_LINES) if self.quick else (GATHERED, LINES)
        sizes = [line for line in lines for _ in BEHIND]
        least, *others = self.times([self.engine.gather(elements, line, behind) for line in lines for behind in BEHIND])
        fit = fitted_difference([elements / line for line in sizes[1:]], [time - least for time in others])
        each, price = number(least / elements), f'"{number(fit.per_byte)} x lines of result"'
        note = f"{each} ns per element along lines of {lines[0]}, and a price for each line: {fit.residual()}"
        return f"# gather_elements: {note}.\ngather_elements = {{ axis = {{ last = {price}, other = {price} }} }}"


def main() -> None:
    parser = parser_of_measurements(__doc__)
    parser.add_argument("--write", action="store_true", help="write the tables into targets/onnx.toml")
    arguments = parser.parse_args()
    engine = FilesEngine()
    kernels = Kernels(engine, 1 if arguments.quick else arguments.turns, arguments.quick)
    script = "benchmarks/ort_kernels.py"
    costs = table(engine.version(), kernels.transposes(), kernels.products(), script, kernels.forms())
    at = ("last", "next-to-last", "other")
    by_place = place_table(kernels, QUICK_OPS if arguments.quick else OPS, at)
    found = f"{costs}\n\n{by_place}\n{kernels.gathers()}\n\n{second_runs(kernels)}\n"
    if arguments.write:
        TARGET.write_text(with_costs(TARGET.read_text(), BEGIN, found))
    print(found, end="")


if __name__ == "__main__":
    main()
