"""The tables [costs] and [costs.axes] of targets/litert.toml, as measured in LiteRT with XNNPACK on one thread.

    python benchmarks/litert_kernels.py [--turns 5] [--quick] [--write]

Products are measured as by calibrate.py, and so are transposes; their price per byte is the median of those of at least
64 KiB, and forms that the measurements do not tell apart share one. Ops that work along axes are timed over the last
axis and over others, per byte of their operands; a place is priced where it takes at least twice as long as the other.
A product with the weights on the left and a bias is compared with one with the weights on the right, per byte of the
result. XNNPACK computes 32 columns at once, so results whose columns are no multiple of 32 have a price of their own.
A call costs what a transpose of 256 bytes takes. `--write` replaces the tables in targets/litert.toml, its end.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import prod
from pathlib import Path
from statistics import median

from calibrate import ELEMENT, MORE, Fit, Measuring, fitted_difference, number, parser_of_measurements, table
from calibrate_engines import LiteRtEngine, tensor

TARGET = Path(__file__).parents[1] / "targets" / "litert.toml"
BEGIN = "# Measured: python benchmarks/litert_kernels.py --write\n"
SHAPES = ((196, 768), (12, 64, 197), (1, 56, 56, 64))
QUICK_SHAPES = ((12, 16, 20),)
LARGE = 65536 * 0.9
"""The bytes from which on a transpose counts for the price per byte; shapes have about so many."""
MUCH_SLOWER = 2.0
"""The ratio of times from which on a place has a price."""
REDUCTIONS = ("reduce_sum", "reduce_mean", "reduce_max", "reduce_min", "reduce_prod")
SEARCHES = ("arg_max", "arg_min")
LAYERS = (
    (512, 192, 256),
    (512, 256, 192),
    (768, 384, 192),
    (192, 768, 768),
    (256, 144, 288),
    (1024, 160, 160),
    (256, 256, 1024),
    (196, 384, 384),
    (197, 768, 768),
    (49, 256, 512),
    (16, 256, 512),
    (49, 768, 768),
)
"""Tokens, inputs and outputs of products with constant weights."""
QUICK_LAYERS = ((32, 16, 32), (20, 16, 32))
COLUMNS = 32
"""The columns that XNNPACK computes at once."""
QUICK_OPS = ("reduce_sum", "arg_max", "concat")


def along(name: str, shape: tuple[int, ...], axis: int) -> tuple[str, str]:
    """An op along an axis, and the type of its result; `%x` stands for its operands."""
    single = tuple(1 if place == axis else size for place, size in enumerate(shape))
    if name in REDUCTIONS:
        return f"npu.{name} %x axes = [{axis}] keep", tensor(single)
    if name in SEARCHES:
        return f"npu.{name} %x axis = {axis} keep", tensor(single, "i64")
    if name == "concat":
        return f"npu.concat %x axis = {axis}", tensor(
            [2 * size if at == axis else size for at, size in enumerate(shape)]
        )
    return f"npu.{name} %x axis = {axis}", tensor(shape)


def price_of(times: Sequence[tuple[float, float]], per_call: float) -> Fit:
    """The price of transposes by their bytes and times: the median per byte of large ones."""
    large = [(size, time) for size, time in times if size >= LARGE] or [*times]
    per_byte = median(max(time - per_call, 0.0) / size for size, time in large)
    return Fit(per_byte, per_call, [abs((per_byte * size + per_call) / time - 1) for size, time in times])


class Kernels(Measuring):
    """Measurements of the kernels of LiteRT."""

    engine: LiteRtEngine

    def transposes(self) -> Mapping[str, Fit]:
        """The price of each form."""
        times, call = self.transpose_times(), self.call_time()
        each = {when: price_of(found, call) for when, found in times.items()}
        least = min(each.values(), key=lambda fit: fit.per_byte)
        alike = [when for when, fit in each.items() if fit.per_byte <= least.per_byte * (1 + median(least.errors))]
        shared = price_of([pair for when in alike for pair in times[when]], call)
        return {when: shared if when in alike else fit for when, fit in each.items()}

    def call_time(self) -> float:
        """The nanoseconds of an op that moves next to nothing."""
        one, several = self.times([self.engine.transposes((8, 8), (1, 0), count) for count in (1, 1 + MORE)])
        return max((several - one) / MORE, 0.0)

    def layers(self, transpose: Fit) -> Mapping[str, Fit]:
        """The price of products with a constant matrix on the left, per byte of their results, by their conditions.

        With it on the right, they would be layers. Constants of several matrices are never part of a layer.

        One that the measurements do not tell apart from that of a transpose is the same: of equal programs,
        `layout-optimal` then takes the one with fewer transposes.
        """
        found: dict[bool, list[tuple[float, float]]] = {True: [], False: []}
        for tokens, inner, outputs in QUICK_LAYERS if self.quick else LAYERS:
            runs = [self.engine.layer(tokens, inner, outputs, is_swapped) for is_swapped in (False, True)]
            right, left = self.times(runs)
            found[tokens % COLUMNS == 0].append((ELEMENT * tokens * outputs, left - right))
        whole, others = (fitted_difference(*zip(*found[each], strict=True)) for each in (True, False))
        if whole.per_byte <= transpose.per_byte * (1 + median(transpose.errors)):
            whole = replace(whole, per_byte=transpose.per_byte)
        matrix = "lhs is constant and matrices of lhs == 1"
        return {f"{matrix} and columns % {COLUMNS} == 0": whole, matrix: others}

    def place_times(self, name: str) -> tuple[float, float]:
        """The nanoseconds per byte along the last axis, and along others."""
        operands = 2 if name == "concat" else 1
        last: list[float] = []
        other: list[float] = []
        for shape in QUICK_SHAPES if self.quick else SHAPES:
            for axis in range(len(shape) - 2, len(shape)):
                text, made = along(name, shape, axis)
                runs = [self.engine.ops(text, shape, made, count, operands) for count in (1, 1 + MORE)]
                one, several = self.times(runs)
                found = (several - one) / MORE / (ELEMENT * prod(shape) * operands)
                (last if axis == len(shape) - 1 else other).append(max(found, 0.0))
        return median(last), median(other)


def places(times: Mapping[str, tuple[float, float]]) -> Iterator[str]:
    """The table [costs.axes]: the slower place of an op, if it is much slower, costs the difference."""
    yield "[costs.axes]"
    for name, (last, other) in times.items():
        attribute, operand = ("axes" if name in REDUCTIONS else "axis"), ("inputs" if name == "concat" else "input")
        note = f"# {name}: {number(last)} ns per byte along the last axis, {number(other)} along others."
        if max(last, other) < MUCH_SLOWER * min(last, other):
            yield note
            continue
        place, price = ("last", last - other) if last > other else ("other", other - last)
        yield note
        yield f'{name} = {{ {attribute} = {{ {place} = "{number(price)} x bytes of {operand}" }} }}'


def with_costs(target: str, costs: str) -> str:
    """The text of a target with other measured tables."""
    return target.partition(BEGIN)[0] + BEGIN + costs


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
    found = f"{costs}\n\n" + "\n".join(places({name: kernels.place_times(name) for name in names})) + "\n"
    if arguments.write:
        TARGET.write_text(with_costs(TARGET.read_text(), found))
    print(found, end="")


if __name__ == "__main__":
    main()
