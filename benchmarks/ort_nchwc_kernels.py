"""The prices of targets/ort-nchwc.toml, as measured in ONNX Runtime on one thread.

    python benchmarks/ort_nchwc_kernels.py [--turns 5] [--quick] [--write]

Packs, unpacks and transposes are measured as by calibrate.py, in the files that npu-opt writes for the target. An op
that runs on blocks or without them is timed in both forms; the slower one costs the median difference per byte.
`--write` replaces the prices in the file of the target with the machine's size of blocks: its table [costs], the end of
the file, and the numbers of lines that end in `# measured: NAME`.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from math import isqrt, prod
from pathlib import Path
from statistics import median
from typing import NamedTuple

from calibrate import (
    BYTES,
    ELEMENT,
    FORMS,
    MORE,
    QUICK_BYTES,
    Fit,
    Form,
    Measuring,
    fitted,
    number,
    parser_of_measurements,
    table,
)
from calibrate_engines import OnnxRuntimeEngine, Run, data, program, session_of, tensor
from npu_opt.bridges.onnx.exporting import to_onnx, whole
from npu_opt.bridges.onnx.nchwc import size_of_runtime
from onnx import ModelProto, TensorProto, ValueInfoProto, numpy_helper
from onnx.helper import make_tensor_value_info

TARGETS = {16: "ort-nchwc", 8: "ort-nchwc8"}
"""The target for each size of blocks."""
BEGIN = "# Measured: python benchmarks/ort_nchwc_kernels.py --write\n"
PRICE = re.compile(r"(\w+ = \")[\d.]+( x bytes of \w+\".*# measured: )(.+)$", re.MULTILINE)
"""The price of a layout in a line of the file, and the name of its measurement."""
OPSET = 17
"""ONNX Runtime's average pools of 19 and later are slower; few models have them."""
CHANNELS = 4
"""The blocks of channels of data that is packed."""
REORDER = "permutation in [[1, 0], [0, 2, 1]]"
REORDER_LAST = "permutation in [[1, 0, 2], [0, 2, 1, 3]]"
PACKS = (
    (f"packs and {REORDER}", "pack", "NCHW"),
    (f"unpacks and {REORDER}", "unpack", "NCHW"),
    (f"packs and {REORDER_LAST}", "pack", "NHWC"),
    (f"unpacks and {REORDER_LAST}", "unpack", "NHWC"),
    ("packs or unpacks", "pack", "NHCW"),
    ("packs or unpacks", "unpack", "NHCW"),
)
"""The conditions of prices, with an op and the layout without blocks."""
LONG_RUNS = Form("keeps the last axis", 0, 64, 3, (1, 0, 2))
PLACES = ((6, 28), (4, 56), (32, 7), (16, 14))
"""The blocks of channels and the height of data."""
QUICK_PLACES = ((2, 4),)


class Choice(NamedTuple):
    """An op with a form on blocks and one without."""

    name: str
    """The name in the target file."""
    text: str
    """The op; `%x` stands for its data, `%k` for its kernel."""
    kernel: tuple[int, int] | None = None
    """The input channels of each group and the size of the window; the former are blocks if there are more than one."""
    per_input: bool = False
    """True if the price is one per byte of the operand."""
    scale: int = 1
    """The factor of the sizes."""


def window(name: str, size: int) -> str:
    return f"npu.{name} %x window = [{size}, {size}] pads = {[size // 2] * 4}"


CHOICES = (
    Choice("depthwise, 3 x 3", "npu.conv2d %x, %k pads = [1, 1, 1, 1] groups = {channels}", (1, 3)),
    Choice("depthwise, larger", "npu.conv2d %x, %k pads = [2, 2, 2, 2] groups = {channels}", (1, 5)),
    Choice("groups, 1 x 1", "npu.conv2d %x, %k groups = {groups}", (2, 1)),
    Choice("groups, larger", "npu.conv2d %x, %k pads = [1, 1, 1, 1] groups = {groups}", (2, 3)),
    Choice("max_pool, up to 5 x 5", window("max_pool", 3)),
    Choice("max_pool, larger", window("max_pool", 13)),
    Choice("avg_pool, up to 5 x 5", window("avg_pool", 3)),
    Choice("avg_pool, larger", window("avg_pool", 13)),
    Choice("global_max_pool", "npu.global_max_pool %x", per_input=True),
    Choice("global_avg_pool", "npu.global_avg_pool %x", per_input=True),
    Choice("upsample", "npu.upsample %x factors = [2, 2]", scale=2),
)


def typed(layout: str, sizes: Sequence[int], tile: int) -> str:
    """The type of a feature map of N, C, H and W in a layout."""
    axes = dict(zip("NCHW", sizes, strict=True))
    stored = [axes[letter] for letter in layout[:4]]
    if len(layout) > 4:
        stored = [sizes[0], sizes[1] // tile, *sizes[2:], tile]
    return with_layout(stored, layout)


def with_layout(sizes: Sequence[int], layout: str) -> str:
    return tensor(sizes).replace(">", f", #npu.layout<{layout}>>")


def drop_outer_reshapes(model: ModelProto) -> None:
    """Make tensors next to inputs and outputs these: between other nodes a Reshape moves nothing, here it copies."""
    graph = model.graph
    shapes = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    inputs, outputs = ({each.name: each for each in ends} for ends in (graph.input, graph.output))
    for node in [node for node in graph.node if node.op_type == "Reshape"]:
        if node.input[0] in inputs:
            given = inputs[node.input[0]]
            given.CopyFrom(make_tensor_value_info(node.output[0], TensorProto.FLOAT, shapes[node.input[1]].tolist()))
        elif node.output[0] in outputs:
            outputs[node.output[0]].CopyFrom(ValueInfoProto(name=node.input[0]))
        else:
            continue
        graph.node.remove(node)


class BlocksEngine(OnnxRuntimeEngine):
    """Programs in files for the target, which ONNX Runtime loads below its highest level of optimisation."""

    def __init__(self, tile: int) -> None:
        self.tile = tile
        self.blocks = f"NCHW{tile}c"

    def version(self) -> str:
        return f"{super().version()} with blocks of {self.tile}"

    def transposes(self, shape: Sequence[int], permutation: Sequence[int], count: int) -> Run:
        made = tensor([shape[axis] for axis in permutation])
        return self.ops(f"npu.transpose %x permutation = {[*permutation]}", tensor(shape), made, count)

    def ops(self, text: str, given: str, made: str, count: int, kernel: str = "") -> Run:
        """A run of an op so many times, each on data of its own."""
        lines = [f"%k = npu.constant dense<0.5> : {kernel}"] if kernel else []
        for each in range(count):
            operands = f"({given}, {kernel})" if kernel else f"({given})"
            lines.append(f"%y{each} = {text.replace('%x', f'%x{each}')} : {operands} -> {made}")
        return self._loaded(lines, [given] * count, [made] * count)

    def _loaded(self, lines: Sequence[str], given: Sequence[str], made: Sequence[str]) -> Run:
        # A file tells the size of blocks by its ops; one that is always there costs nothing in a difference.
        small = [typed(layout, (1, self.tile, 1, 1), self.tile) for layout in ("NCHW", self.blocks)]
        lines = [f"%y{len(made)} = npu.pack %x{len(given)} : ({small[0]}) -> {small[1]}", *lines]
        given, made = [*given, small[0]], [*made, small[1]]
        model = whole(to_onnx(program(lines, given, made), OPSET, has_nchwc=True))
        drop_outer_reshapes(model)
        session = session_of(model.SerializeToString(), "ORT_ENABLE_EXTENDED")
        arrays = {each.name: data(each.shape, 1)[0] for each in session.get_inputs()}
        return lambda: session.run(None, arrays)


class Kernels(Measuring):
    """Measurements of the kernels of ONNX Runtime."""

    engine: BlocksEngine

    def transposes(self) -> Mapping[str, Fit]:
        """The price of each form, those of packs first."""
        packs: dict[str, list[tuple[float, float]]] = {}
        for when, op, layout in PACKS:
            packs.setdefault(when, []).extend(self.pack_times(op, layout))
        times = self.transpose_times((*FORMS, LONG_RUNS))
        return {when: fitted(*zip(*found, strict=True)) for when, found in {**packs, **times}.items()}

    def pack_times(self, op: str, layout: str) -> list[tuple[float, float]]:
        """The bytes and the times of packs from a layout, or of unpacks to it."""
        found: list[tuple[float, float]] = []
        for size in QUICK_BYTES if self.quick else BYTES:
            channels, tile = CHANNELS * self.engine.tile, self.engine.tile
            side = isqrt(size // ELEMENT // channels)
            ends = [typed(each, (1, channels, side, side), tile) for each in (layout, self.engine.blocks)]
            given, made = ends if op == "pack" else ends[::-1]
            taken = self.one(lambda count, given=given, made=made: self.engine.ops(f"npu.{op} %x", given, made, count))
            found.append((float(ELEMENT * channels * side * side), taken))
        return found

    def one(self, runs: Callable[[int], Run]) -> float:
        """The time of one op, of runs of so many."""
        one, several = self.times([runs(1), runs(1 + MORE)])
        return max((several - one) / MORE, 0.0)

    def choices(self) -> Mapping[str, float]:
        """The nanoseconds per byte that the form without blocks takes more, or less, for each choice."""
        return {choice.name: self.difference(choice) for choice in CHOICES}

    def difference(self, choice: Choice) -> float:
        found: list[float] = []
        for count, side in QUICK_PLACES if self.quick else PLACES:
            before = (1, count * self.engine.tile, side, side)
            after = (*before[:2], 1, 1) if choice.per_input else (*before[:2], *[side * choice.scale] * 2)
            plain, blocks = (self.one(self.form(choice, before, after, each)) for each in ("NCHW", self.engine.blocks))
            found.append((plain - blocks) / (ELEMENT * prod(before if choice.per_input else after)))
        return median(found)

    def form(
        self, choice: Choice, before: tuple[int, ...], after: tuple[int, ...], layout: str
    ) -> Callable[[int], Run]:
        """Runs of an op in a layout."""
        tile, channels = self.engine.tile, before[1]
        given, made = (typed(layout, sizes, tile) for sizes in (before, after))
        if choice.kernel is None:
            return lambda count: self.engine.ops(choice.text, given, made, count)
        blocks, size = choice.kernel
        inputs = 1 if blocks == 1 else tile
        kernel = with_layout((channels, inputs, size, size), "OIHW")
        if layout != "NCHW":
            tiles, form = ((tile,), f"OIHW{tile}o") if blocks == 1 else ((tile, tile), f"OIHW{tile}i{tile}o")
            kernel = with_layout((channels // tile, 1, size, size, *tiles), form)
        text = choice.text.format(channels=channels, groups=channels // inputs)
        return lambda count: self.engine.ops(text, given, made, count, kernel)


def with_prices(target: str, costs: str, choices: Mapping[str, float]) -> str:
    """The text of a target with other measured prices; a form that is not slower costs nothing."""

    def priced(found: re.Match[str]) -> str:
        difference = choices[found[3]] if found[1].startswith("NCHW ") else -choices[found[3]]
        return f"{found[1]}{number(max(difference, 0.0))}{found[2]}{found[3]}"

    return PRICE.sub(priced, target.partition(BEGIN)[0]) + BEGIN + costs


def main() -> None:
    parser = parser_of_measurements(__doc__)
    parser.add_argument("--write", action="store_true", help="write the prices into the file of the target")
    arguments = parser.parse_args()
    tile = size_of_runtime()
    if tile is None:
        parser.error("ONNX Runtime has no blocks on this machine")
    engine = BlocksEngine(tile)
    kernels = Kernels(engine, 1 if arguments.quick else arguments.turns, arguments.quick)
    costs = table(engine.version(), kernels.transposes(), kernels.products(), "benchmarks/ort_nchwc_kernels.py") + "\n"
    choices = kernels.choices()
    if arguments.write:
        file = Path(__file__).parents[1] / "targets" / f"{TARGETS[tile]}.toml"
        file.write_text(with_prices(file.read_text(), costs, choices))
    print(costs, end="")
    for name, difference in choices.items():
        slower = "NCHW" if difference > 0 else engine.blocks
        print(f"# {name}: {slower} takes {number(abs(difference))} ns per byte more.")


if __name__ == "__main__":
    main()
