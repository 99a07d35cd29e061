"""The table [costs] of a target file, as measured on an engine.

    python benchmarks/calibrate.py [--engine numpy|jit|litert|onnxruntime] [--turns 5] [--quick] [--write TOML]
    python benchmarks/calibrate.py --engine tpu-mlir --environment DIR [--chip bm1684x] [--json FILE]
        [--transposes-only] [--write TOML]
    python benchmarks/calibrate.py --engine vela --vela VELA --quantizer PYTHON [--chip NAME] [--json FILE]
        [--transposes-only] [--write TOML]

Transposes of each form, and products of matrices with operands read transposed, are timed in nanoseconds of processor
time, in turns, of which the medians count. A call of the engine costs nothing here: four more ops in one call are
compared with one. The price of a form, per byte and per call, is fitted by least squares of the relative errors, which
the comments state. A vendor's compiler is no engine to time: its price is what it estimates the program to take longer,
in cycles (calibrate_compilers.py). The text is TOML, ready for a target file (docs/reference/targets.md).
"""

import argparse
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isqrt
from pathlib import Path
from statistics import median
from typing import cast

import numpy as np
from calibrate_engines import ENGINES, Engine, Run
from numpy.typing import NDArray

BYTES = tuple(4096 * 4**power for power in range(6))
QUICK_BYTES = (4096, 65536)
PRODUCTS = (32, 64, 128, 256, 512)
QUICK_PRODUCTS = (32,)
SHORTEST, QUICK_SHORTEST = 0.005, 0.001
"""The seconds of a measurement; shorter runs are repeated."""
NANOSECONDS = "ns"
MORE = 4
"""The number of further ops in one call."""
PER_BYTE, PER_CALL = 0, 1
PARTS = ((PER_BYTE, PER_CALL), (PER_BYTE,), (PER_CALL,))
"""The parts that a price may have."""
LEAST = 0.01
"""The time of a byte below which errors count as if it were so long."""
ELEMENT = 4
"""The bytes of an f32."""


@dataclass(frozen=True)
class Form:
    """Transposes that move data in the same manner."""

    when: str
    """The condition of the target file; empty for all that are left."""
    outer: int
    """The size of the first axis, or 0 if it is like the others."""
    inner: int
    """The size of the last axis, or 0."""
    rank: int
    permutation: tuple[int, ...]
    multiple: int = 1
    """The sizes of other axes are multiples of it."""

    def shape(self, size: int) -> tuple[int, ...]:
        """A shape of about so many bytes, with axes of about equal sizes otherwise."""
        fixed = [each for each in (self.outer, self.inner) if each]
        rest, count = size // ELEMENT, self.rank - len(fixed)
        for each in fixed:
            rest //= each
        side = isqrt(rest) if count == 2 else round(rest ** (1 / count))
        side = max(2, self.multiple * round(side / self.multiple))
        return *([self.outer] * bool(self.outer)), *[side] * count, *([self.inner] * bool(self.inner))


FORMS = (
    Form("keeps the last axis", 0, 16, 3, (1, 0, 2)),
    Form("swaps blocks", 0, 0, 2, (1, 0)),
    Form("swaps blocks", 4, 0, 3, (0, 2, 1)),
    Form("", 0, 0, 3, (2, 1, 0)),
    Form("", 4, 0, 4, (2, 1, 3, 0)),
)
QUICK_FORMS = (FORMS[0], FORMS[1], FORMS[3])
COMPILERS: Mapping[str, Sequence[str]] = {"tpu-mlir": ("environment",), "vela": ("vela", "quantizer")}
"""The vendors' compilers, with the options that they need."""


@dataclass(frozen=True)
class Fit:
    """A price, and the relative errors of the measurements."""

    per_byte: float
    per_call: float
    errors: Sequence[float]

    def residual(self) -> str:
        return f"{len(self.errors)} measurements, off by {median(self.errors):.0%}, at most {max(self.errors):.0%}"


def fitted(sizes: Sequence[float], times: Sequence[float], parts: Sequence[Sequence[int]] = PARTS) -> Fit:
    """The price that is nearest to some times, relative to them, and has some of these parts; none is negative."""
    found, moved = np.asarray(times, float), np.asarray(sizes, float)
    weights = 1 / np.maximum(found, np.maximum(LEAST * moved, 1.0))
    columns, wanted = np.stack([moved, np.ones(len(moved))], axis=1) * weights[:, None], found * weights
    # Where the best price has a negative part, the best one without has only one part.
    tried = [_solved(columns, wanted, used) for used in parts]
    price = min((each for each in tried if (each >= 0).all()), key=lambda each: _squares(columns @ each - wanted))
    return Fit(float(price[0]), float(price[1]), [abs(float(each)) for each in columns @ price - wanted])


def _solved(columns: NDArray[np.float64], wanted: NDArray[np.float64], used: Sequence[int]) -> NDArray[np.float64]:
    """The price with these parts only that is nearest to what is wanted."""
    price = np.zeros(columns.shape[1])
    price[[*used]] = np.linalg.lstsq(columns[:, [*used]], wanted, rcond=None)[0]
    return price


def _squares(errors: NDArray[np.float64]) -> float:
    return float(np.sum(errors**2))


def nanoseconds(runs: Sequence[Run], turns: int, shortest: float) -> list[float]:
    """The time of each run: the median of turns."""
    counts = [_repetitions(run, shortest) for run in runs]
    found = [[_timed(run, count) for run, count in zip(runs, counts, strict=True)] for _ in range(turns)]
    return [median(turn[index] for turn in found) for index in range(len(runs))]


def _repetitions(run: Run, shortest: float) -> int:
    run()
    count = 1
    while _timed(run, count) * count < shortest * 1e9:
        count *= 2
    return count


def _timed(run: Run, count: int) -> float:
    start = time.process_time()
    for _ in range(count):
        run()
    return (time.process_time() - start) * 1e9 / count


@dataclass(frozen=True)
class Measuring:
    """The extent of the measurements."""

    engine: Engine
    turns: int
    quick: bool

    def transposes(self) -> Mapping[str, Fit]:
        """The price of each form."""
        return {when: fitted(*zip(*found, strict=True)) for when, found in self.transpose_times().items()}

    def transpose_times(
        self, forms: Sequence[Form] = FORMS, sizes: Sequence[int] = BYTES
    ) -> Mapping[str, Sequence[tuple[float, float]]]:
        """The bytes and the times of transposes of each form, in several sizes."""
        found: dict[str, list[tuple[float, float]]] = {}
        for form in QUICK_FORMS if self.quick else forms:
            for size in QUICK_BYTES if self.quick else sizes:
                shape = form.shape(size)
                runs = [self.engine.transposes(shape, form.permutation, count) for count in (1, 1 + MORE)]
                one, several = self.times(runs)
                moved = ELEMENT * float(np.prod(shape))
                found.setdefault(form.when, []).append((moved, (several - one) / MORE))
        return found

    def products(self) -> Mapping[str, Fit]:
        """The price of reading either operand transposed."""
        sizes: list[float] = []
        times: dict[str, list[float]] = {"lhs": [], "rhs": []}
        for size in QUICK_PRODUCTS if self.quick else PRODUCTS:
            if size > self.engine.LARGEST_PRODUCT:
                continue
            turned = ((False, False), (True, False), (False, True))
            plain, lhs, rhs = self.times([self.engine.product(size, each) for each in turned])
            sizes.append(float(ELEMENT * size * size))
            times["lhs"].append(lhs - plain)
            times["rhs"].append(rhs - plain)
        return {name: fitted_difference(sizes, each) for name, each in times.items()}

    def times(self, runs: Sequence[Run]) -> list[float]:
        """The time of each run, or what it returns if the engine says its time itself."""
        if self.engine.UNIT != NANOSECONDS:
            return [cast("float", run()) for run in runs]
        return nanoseconds(runs, self.turns, QUICK_SHORTEST if self.quick else SHORTEST)


def fitted_difference(sizes: Sequence[float], times: Sequence[float]) -> Fit:
    """The price per byte that is nearest to some differences of times, which may be negative; at least 0."""
    per_byte = max(0.0, float(np.dot(sizes, times) / np.dot(sizes, sizes)))
    largest = max(map(abs, times))
    return Fit(per_byte, 0.0, [abs(per_byte * size - each) / largest for size, each in zip(sizes, times, strict=True)])


def number(value: float) -> str:
    """A number as TOML and prices write it."""
    return f"{value:.4f}".rstrip("0").rstrip(".")


def table(
    version: str,
    transposes: Mapping[str, Fit],
    products: Mapping[str, Fit],
    script: str = "benchmarks/calibrate.py",
    forms: Mapping[str, tuple[Fit, str]] = {},
    unit: str = NANOSECONDS,
) -> str:
    """The table [costs]; `forms` are prices of products, by their conditions, and what they are per."""
    measured = "nanoseconds of processor time" if unit == NANOSECONDS else f"{unit} that it estimates"
    lines = [f"# {version}, {measured}, measured by {script}.", "[costs]", f'unit = "{unit}"']
    lines.append("transpose = [")
    for when, fit in transposes.items():
        condition = f'when = "{when}", ' if when else ""
        price = f"per-byte = {number(fit.per_byte)}, per-call = {number(fit.per_call)}"
        lines.append(f"    {{ {condition}{price} }},  # {fit.residual()}")
    lines.append("]")
    prices = ", ".join(f'{name} = "{number(fit.per_byte)} x bytes of {name}"' for name, fit in products.items())
    if forms:
        lines += [f"matmul = {{ {prices}{', ' * bool(prices)}product = [", *_forms(forms), "] }"]
    elif prices:
        lines.append(f"matmul = {{ {prices} }}")
    lines += [f"# {name}: {fit.residual()}" for name, fit in products.items()]
    return "\n".join(lines)


def _forms(forms: Mapping[str, tuple[Fit, str]]) -> Iterator[str]:
    for when, (fit, quantity) in forms.items():
        price = f"{number(fit.per_byte)} x {quantity}"
        yield f'    {{ when = "{when}", price = "{price}" }},  # {fit.residual()}'


def with_costs(target: str, begin: str, costs: str) -> str:
    """The text of a target with other measured tables behind a line, its end."""
    return target.partition(begin)[0] + begin + costs


def parser_of_measurements(description: str | None) -> argparse.ArgumentParser:
    """A parser with the number of turns and the choice of a quick run."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="few small measurements, to see that it works")
    return parser


def main() -> None:
    parser = parser_of_measurements(__doc__)
    parser.add_argument("--engine", choices=(*ENGINES, *COMPILERS), default="numpy")
    parser.add_argument("--environment", type=Path, metavar="DIR", help="the one with tpu-mlir")
    parser.add_argument("--vela", type=Path, help="the command of the package ethos-u-vela")
    parser.add_argument(
        "--quantizer", type=Path, metavar="PYTHON", help="that of an environment with ai-edge-quantizer"
    )
    parser.add_argument("--chip", help="as the compiler names it (default: bm1684x, ethos-u85-1024)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="programs that a compiler has seen, which is updated")
    parser.add_argument("--transposes-only", action="store_true", help="no products and no softmax of a compiler")
    parser.add_argument("--write", type=Path, metavar="TOML", help="the target whose costs, its end, are replaced")
    arguments = parser.parse_args()
    name, quick = arguments.engine, arguments.quick
    begin = f"# Measured: python benchmarks/calibrate.py --engine {name}\n"
    if arguments.write is not None and "\n[costs" in arguments.write.read_text().partition(begin)[0]:
        parser.error(f"{arguments.write} has costs that are not behind the line '{begin.strip()}'")
    if name in COMPILERS:
        if missing := [f"--{each}" for each in COMPILERS[name] if getattr(arguments, each) is None]:
            parser.error(f"--engine={name} needs {' and '.join(missing)}")
        # Imported late: it imports this module.
        from calibrate_compilers import engine_of, tables

        costs = tables(engine_of(arguments), quick, arguments.transposes_only)
    else:
        engine = ENGINES[name]()
        try:
            version = engine.version()
        except ImportError as error:
            parser.error(f"--engine={name}: {error}")
        measuring = Measuring(engine, 1 if quick else arguments.turns, quick)
        costs = table(version, measuring.transposes(), measuring.products())
    if (target := arguments.write) is not None:
        target.write_text(with_costs(target.read_text(), begin, f"{costs}\n"))
    print(costs)


if __name__ == "__main__":
    main()
