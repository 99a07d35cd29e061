"""The fewest bytes that can travel, over the programs written out for all ways of `every_block`."""

from collections.abc import Sequence
from itertools import product
from math import prod

from npu_opt.dialects.settings.assumed_sizes import ASSUMED_SIZE
from npu_opt.passes.cover.module import covered
from npu_opt.targets import Target

from support.generators.block_programs import BlockProgram
from support.ir_text import parse_verified
from support.oracles.every_block import TILE, Way, computes_zeros, reads_whole, ways_of

LAYOUTS = {"chw": "NCHW", "hwc": "NHWC", "Chwc": "NCHW16c", "hCwc": "NHCW16c"}
KERNELS = {"daven": ("IHWO16o16i", "IHWO16o"), "brick": ("OHWI16i16o", "OHWI16o"), "first": ("OIHW16i16o", "OIHW16o")}
"""The demanded layouts of kernels, that of depthwise convolutions last."""


def fewest_travelling(program: BlockProgram, target: Target, most: int) -> int | None:
    """The minimum over all ways of all ops; None if they are too many."""
    ways = [*ways_of(program, target.name)]
    if prod(map(len, ways)) > most:
        return None
    possible = (chosen for chosen in product(*ways) if _is_possible(program, chosen))
    texts = {_Written(program, target.name, chosen).text() for chosen in possible}
    return min(covered(parse_verified(text), target, ASSUMED_SIZE).bytes for text in texts)


def _is_possible(program: BlockProgram, chosen: Sequence[Way]) -> bool:
    """True if padding that may be anything is read where it is computed."""
    steps = zip(program.steps, chosen, strict=True)
    return all(chosen[value].order == way.order for step, way in steps for value in step.reads if value in way.dirty)


class _Written:
    """A program whose values are stored in chosen ways, with a conversion for each other way in which one is read."""

    def __init__(self, program: BlockProgram, target: str, ways: Sequence[Way]) -> None:
        self._program = program
        self._target = target
        self._ways = ways
        self._lines: list[str] = []
        self._converted: dict[tuple[int, str], str] = {}

    def text(self) -> str:
        program = self._program
        for place in range(1, len(program.steps)):
            self._write(place)
        values = ", ".join(self._read(each, "chw") for each in program.returned)
        types = ", ".join(self._type(each, "chw") for each in program.returned)
        head = f"func.func @main(%v0: {self._type(0, 'chw')}) -> ({types})"
        return "\n".join([f"{head} {{", *self._lines, f"func.return {values} : {types}", "}"])

    def _write(self, place: int) -> None:
        step, (way, dirty) = self._program.steps[place], self._ways[place]
        read = "chw" if reads_whole(self._program, self._target, place) else way
        names = [f"%v{each}" if each in dirty else self._read(each, read) for each in step.reads]
        types = [self._own_type(each) if each in dirty else self._type(each, read) for each in step.reads]
        if step.op in ("conv", "depthwise"):
            inputs = 1 if step.op == "depthwise" else self._program.channels(step.reads[0])
            types.append(self._kernel(place, step.channels, inputs, step.op == "depthwise" or read != way))
            names.append(f"%k{place}")
        channels = 1 + way.lower().index("c")
        name, text = {
            "conv": ("conv2d", ""),
            "depthwise": ("conv2d", f" groups = {step.channels}"),
            "concat": ("concat", f" axis = {channels}"),
            "avg_pool": ("avg_pool", " window = [1, 1]"),
            "upsample": ("upsample", " factors = [1, 1]"),
        }.get(step.op, (step.op, ""))
        self._lines.append(
            f"%v{place} = npu.{name} {', '.join(names)}{text} : ({', '.join(types)}) -> {self._own_type(place)}"
        )

    def _kernel(self, place: int, outputs: int, inputs: int, has_whole_inputs: bool) -> str:
        """Write a constant and its pack, and return the type."""
        layout = KERNELS[self._target][has_whole_inputs]
        plain = f"tensor<{outputs}x{inputs}x1x1xf32, #npu.layout<OIHW>>"
        blocks = {"O": outputs} if has_whole_inputs else {"O": outputs, "I": inputs}
        sizes = {"O": outputs, "I": inputs, "H": 1, "W": 1} | {each: -(-size // TILE) for each, size in blocks.items()}
        order = layout.replace(str(TILE), "")
        stored = "x".join(str(TILE if letter.islower() else sizes[letter]) for letter in order)
        ends = "".join(f", {each} = {size}" for each, size in blocks.items() if size % TILE)
        type_ = f"tensor<{stored}xf32, #npu.layout<{layout}{ends}{', zeros' * bool(ends)}>>"
        self._lines += [
            f"%w{place} = npu.constant dense<0.5> : {plain}",
            f"%k{place} = npu.pack %w{place} : ({plain}) -> {type_}",
        ]
        return type_

    def _read(self, value: int, way: str) -> str:
        """The name of a value in a way, with zeros as padding, converted if need be."""
        own = self._ways[value].order
        if self._own_type(value) == self._type(value, way):
            return f"%v{value}"
        if (value, way) not in self._converted:
            name = f"%c{value}{way}"
            types = f"({self._own_type(value)}) -> {self._type(value, way)}"
            op = "pack" if "C" in way else "unpack" if "C" in own else "transpose"
            order = [0, *(1 + own.index(each) for each in way)] if op == "transpose" else []
            text = f" permutation = {order}" if order else ""
            self._lines.append(f"{name} = npu.{op} %v{value}{text} : {types}")
            self._converted[value, way] = name
        return self._converted[value, way]

    def _own_type(self, value: int) -> str:
        """The type in which a value is computed."""
        way = self._ways[value]
        return self._type(value, way.order, computes_zeros(self._program, value, way.dirty))

    def _type(self, value: int, way: str, has_zeros: bool = True) -> str:
        channels, size = self._program.channels(value), self._program.size
        sizes = {"h": size, "w": size, "c": TILE if "C" in way else channels, "C": -(-channels // TILE)}
        end = f", C = {channels}{', zeros' * has_zeros}" if "C" in way and channels % TILE else ""
        stored = "x".join(str(sizes[each]) for each in way)
        return f"tensor<1x{stored}xf32, #npu.layout<{LAYOUTS[way]}{end}>>"
