"""Measurements for the tables [costs], [costs.axes] and [costs.recompute] of target files, whatever the engine."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from statistics import median
from typing import TypeAlias

from calibrate import ELEMENT, MORE, NANOSECONDS, Fit, Measuring, fitted, number
from calibrate_engines import TextEngine, tensor

SHAPES = ((196, 768), (12, 64, 197), (1, 56, 56, 64))
QUICK_SHAPES = ((12, 16, 20),)
Times: TypeAlias = Sequence[tuple[float, float]]
"""The bytes and the times of transposes."""
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
WORK = ((64, 196), (196, 64), (48, 288), (192, 192))
"""The columns of both operands of products."""
QUICK_WORK = ((16, 16),)
ALL_ROWS = 784
ROWS: Mapping[int, Sequence[int]] = {4: (2, 4), 8: (7, 8), 16: (14, 16), 32: (28,), 64: (49, 56)}
QUICK_ROWS: Mapping[int, Sequence[int]] = {4: (2,)}
"""The limits of rows that have a price of their own, and the rows that are measured."""
SECOND_RUNS = (
    *((name, (name,)) for name in ("broadcast", "slice", "cast", "relu", "add", "mul")),
    ("elementwise", ("sigmoid", "tanh", "exp", "sqrt", "gelu")),
)
"""Entries of the table of second runs, each with the ops of which the dearest one counts."""
QUICK_SECOND_RUNS = SECOND_RUNS[:2]
RUN_SHAPES = ((8, 8), (32, 96), *SHAPES)
QUICK_RUN_SHAPES = ((4, 8), *QUICK_SHAPES)
WORDS = {"last": "along the last axis", "next-to-last": "next to it", "other": "along others"}
"""The places of axes, in words."""


def along(name: str, shape: tuple[int, ...], axis: int) -> tuple[str, Sequence[str]]:
    """An op along an axis, and the types of its results; `%x` stands for its operands."""
    single = _with(shape, axis, 1)
    if name in REDUCTIONS:
        return f"npu.{name} %x axes = [{axis}] keep", [tensor(single)]
    if name in SEARCHES:
        return f"npu.{name} %x axis = {axis} keep", [tensor(single, "i64")]
    if name == "concat":
        return f"npu.concat %x axis = {axis}", [tensor(_with(shape, axis, 2 * shape[axis]))]
    if name == "split":
        half = shape[axis] // 2
        sizes = [half, shape[axis] - half]
        return f"npu.split %x axis = {axis} sizes = {sizes}", [tensor(_with(shape, axis, size)) for size in sizes]
    return f"npu.{name} %x axis = {axis}", [tensor(shape)]


def _with(shape: tuple[int, ...], axis: int, size: int) -> Sequence[int]:
    """A shape with another size of an axis."""
    return [*shape[:axis], size, *shape[axis + 1 :]]


def run_again(name: str, shape: tuple[int, ...]) -> tuple[str, tuple[int, ...], str, int]:
    """An op whose result has a shape: its text, the shape of its operands, its result, and their number."""
    last = len(shape) - 1
    if name == "broadcast":
        return f"npu.broadcast %x axes = {[*range(len(shape))]}", (*shape[:last], 1), tensor(shape), 1
    if name == "slice":
        large = (*shape[:last], shape[last] + 1)
        starts = [*([0] * last), 1]
        return f"npu.slice %x starts = {starts} limits = {[*large]}", large, tensor(shape), 1
    if name == "cast":
        return "npu.cast %x", shape, tensor(shape, "i32"), 1
    return f"npu.{name} %x", shape, tensor(shape), 2 if name in ("add", "mul") else 1


@dataclass(frozen=True)
class TargetKernels(Measuring):
    """Measurements of ops in their forms."""

    engine: TextEngine

    def layer_times(self) -> Iterator[tuple[int, float, float]]:
        """The tokens of layers, the bytes of their results, and what they take longer with the weights on the left."""
        for tokens, inner, outputs in QUICK_LAYERS if self.quick else LAYERS:
            runs = [self.engine.layer(tokens, inner, outputs, is_swapped) for is_swapped in (False, True)]
            right, left = self.times(runs)
            yield tokens, float(ELEMENT * tokens * outputs), left - right

    def batches_of_few_rows(self, limits: Mapping[int, Sequence[int]] = ROWS) -> Mapping[str, tuple[Fit, str]]:
        """The prices of products of batches by the rows of each, with their conditions, and what they are per."""
        return {
            f"matrices of rhs > 1 and rows <= {most}": (self.of_rows(rows), "multiplications")
            for most, rows in (QUICK_ROWS if self.quick else limits).items()
        }

    def of_rows(self, rows: Sequence[int]) -> Fit:
        """The time that batches of few rows take longer than all rows at once, per multiplication."""
        found: list[float] = []
        for inner, columns in QUICK_WORK if self.quick else WORK:
            for each in rows:
                matrices = ALL_ROWS // each
                runs = [
                    self.engine.batches(*sizes, inner, columns) for sizes in ((1, matrices * each), (matrices, each))
                ]
                once, several = self.times(runs)
                found.append((several - once) / (matrices * each * inner * columns))
        price = max(median(found), 0.0)
        return Fit(price, 0.0, [abs(each / price - 1) if price else 1.0 for each in found])

    def place_times(self, name: str, behind: int) -> float:
        """The nanoseconds per byte along axes with so many behind them."""
        operands = 2 if name == "concat" else 1
        found: list[float] = []
        for shape in QUICK_SHAPES if self.quick else SHAPES:
            axis = len(shape) - 1 - behind
            if axis < 0:
                continue
            text, made = along(name, shape, axis)
            runs = [self.engine.ops(text, shape, made, count, operands) for count in (1, 1 + MORE)]
            one, several = self.times(runs)
            found.append(max((several - one) / MORE / (ELEMENT * prod(shape) * operands), 0.0))
        return median(found)

    def run_price(self, name: str) -> Fit:
        """The price of an op for each byte that it writes."""
        sizes, times = list[float](), list[float]()
        for shape in QUICK_RUN_SHAPES if self.quick else RUN_SHAPES:
            text, given, made, operands = run_again(name, shape)
            runs = [self.engine.ops(text, given, [made], count, operands) for count in (1, 1 + MORE)]
            one, several = self.times(runs)
            sizes.append(float(ELEMENT * prod(shape)))
            times.append(max((several - one) / MORE, 1.0))
        return fitted(sizes, times)


def second_runs(kernels: TargetKernels) -> str:
    """The table [costs.recompute]: what it costs to run an op a second time."""
    return "\n".join(("[costs.recompute]", *_entries(kernels)))


def _entries(kernels: TargetKernels) -> Iterator[str]:
    for entry, names in QUICK_SECOND_RUNS if kernels.quick else SECOND_RUNS:
        found = {name: kernels.run_price(name) for name in names}
        dearest = max(found, key=lambda name: found[name].per_byte)
        fit = found[dearest]
        of = "" if names == (entry,) else f"{dearest}, the dearest of {', '.join(names)}: "
        yield f"# {entry}: {of}{fit.residual()}."
        yield f'{entry} = "{number(fit.per_byte)} x written + {number(fit.per_call)}"'


def places(times: Mapping[str, Mapping[str, float]], unit: str = NANOSECONDS) -> Iterator[str]:
    """The table [costs.axes]: a place that is much slower than the fastest one costs the difference."""
    yield "[costs.axes]"
    for name, by_place in times.items():
        attribute, operand = ("axes" if name in REDUCTIONS else "axis"), ("inputs" if name == "concat" else "input")
        found = ", ".join(
            f"{number(time)}{f' {unit} per byte' * (place == 'last')} {WORDS[place]}"
            for place, time in by_place.items()
        )
        yield f"# {name}: {found}."
        least = min(by_place.values())
        dear = {place for place, time in by_place.items() if time > MUCH_SLOWER * least}
        # Next to the last axis costs as much as anywhere else, unless it is said apart.
        said = dear | {place for place in by_place if place == "next-to-last" and "other" in dear}
        prices = ", ".join(
            f'{place} = "{number(time - least if place in dear else 0)} x bytes of {operand}"'
            for place, time in by_place.items()
            if place in said
        )
        if prices:
            yield f"{name} = {{ {attribute} = {{ {prices} }} }}"


def sharing(times: Mapping[str, Times], price: Callable[[Times], Fit]) -> Mapping[str, Fit]:
    """The price of each form; those that the measurements do not tell apart from the cheapest one share one."""
    each = {when: price(found) for when, found in times.items()}
    least = min(each.values(), key=lambda fit: fit.per_byte)
    alike = [when for when, fit in each.items() if fit.per_byte <= least.per_byte * (1 + median(least.errors))]
    shared = price([pair for when in alike for pair in times[when]])
    return {when: shared if when in alike else fit for when, fit in each.items()}


def place_table(kernels: TargetKernels, names: Sequence[str], at: Sequence[str]) -> str:
    """The table of these ops, measured along axes at some places, the last one first."""
    times = {name: {place: kernels.place_times(name, behind) for behind, place in enumerate(at)} for name in names}
    return "\n".join(places(times, kernels.engine.UNIT))
