"""The tables of prices in targets/litert.toml, as measured in LiteRT with XNNPACK on one thread.

    python benchmarks/litert_kernels.py [--turns 5] [--quick] [--write]

Products are measured as by calibrate.py, and so are transposes; their price per byte is the median of those of at least
64 KiB, and forms that the measurements do not tell apart share one. Ops that work along axes are timed over the last
axis and over others, per byte of their operands; a place is priced where it takes at least twice as long as the other.
A product with the weights on the left and a bias is compared with one with the weights on the right, per byte of the
result. XNNPACK computes 32 columns at once, so results whose columns are no multiple of 32 have a price of their own.
A call costs what a transpose of 256 bytes takes. A second run of an op is priced by the bytes that it writes. `--write`
replaces the tables in targets/litert.toml, its end.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median

from calibrate import MORE, Fit, fitted_difference, parser_of_measurements, table, with_costs
from calibrate_engines import LiteRtEngine
from target_kernels import REDUCTIONS, SEARCHES, TargetKernels, place_table, second_runs, sharing

TARGET = Path(__file__).parents[1] / "targets" / "litert.toml"
BEGIN = "# Measured: python benchmarks/litert_kernels.py --write\n"
LARGE = 65536 * 0.9
"""The bytes from which on a transpose counts for the price per byte; shapes have about so many."""
COLUMNS = 32
"""The columns that XNNPACK computes at once."""
QUICK_OPS = ("reduce_sum", "arg_max", "concat")


def price_of(times: Sequence[tuple[float, float]], per_call: float) -> Fit:
    """The price of transposes by their bytes and times: the median per byte of large ones."""
    large = [(size, time) for size, time in times if size >= LARGE] or [*times]
    per_byte = median(max(time - per_call, 0.0) / size for size, time in large)
    return Fit(per_byte, per_call, [abs((per_byte * size + per_call) / time - 1) for size, time in times])


class Kernels(TargetKernels):
    """Measurements of the kernels of LiteRT."""

    engine: LiteRtEngine

    def transposes(self) -> Mapping[str, Fit]:
        """The price of each form."""
        times, call = self.transpose_times(), self.call_time()
        return sharing(times, lambda found: price_of(found, call))

    def call_time(self) -> float:
        """The nanoseconds of an op that moves next to nothing."""
        one, several = self.times([self.engine.transposes((8, 8), (1, 0), count) for count in (1, 1 + MORE)])
        return max((several - one) / MORE, 0.0)

    def layers(self, transpose: Fit) -> Mapping[str, tuple[Fit, str]]:
        """The price of products with a constant matrix on the left, per byte of their results, by their conditions.

        With it on the right, they would be layers. Constants of several matrices are never part of a layer.

        One that the measurements do not tell apart from that of a transpose is the same: of equal programs,
        `layout-optimal` then takes the one with fewer transposes.
        """
        found: dict[bool, list[tuple[float, float]]] = {True: [], False: []}
        for tokens, moved, difference in self.layer_times():
            found[tokens % COLUMNS == 0].append((moved, difference))
        whole, others = (fitted_difference(*zip(*found[each], strict=True)) for each in (True, False))
        if whole.per_byte <= transpose.per_byte * (1 + median(transpose.errors)):
            whole = replace(whole, per_byte=transpose.per_byte)
        matrix = "lhs is constant and matrices of lhs == 1"
        of_columns = f"{matrix} and columns % {COLUMNS} == 0"
        return {of_columns: (whole, "bytes of result"), matrix: (others, "bytes of result")}


def main() -> None:
    parser = parser_of_measurements(__doc__)
    parser.add_argument("--write", action="store_true", help="write the tables into targets/litert.toml")
    arguments = parser.parse_args()
    engine = LiteRtEngine()
    kernels = Kernels(engine, 1 if arguments.quick else arguments.turns, arguments.quick)
    script = "benchmarks/litert_kernels.py"
    transposes = kernels.transposes()
    forms = kernels.layers(transposes["swaps blocks"])
    costs = table(engine.version(), transposes, kernels.products(), script, forms)
    names = QUICK_OPS if arguments.quick else (*REDUCTIONS, *SEARCHES, "cumsum", "concat")
    found = f"{costs}\n\n{place_table(kernels, names, ('last', 'other'))}\n\n{second_runs(kernels)}\n"
    if arguments.write:
        TARGET.write_text(with_costs(TARGET.read_text(), BEGIN, found))
    print(found, end="")


if __name__ == "__main__":
    main()
