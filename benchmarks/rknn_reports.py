"""The estimates of Rockchip's compiler rknn-toolkit2: layers, traffic, cycles, ops on the CPU and memory."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from vendor_files import run_within

LAYER = re.compile(
    r"^D RKNN: \[[\d:.]+\] \d+\s+(\w+)\s+\w+\s+([A-Z]\w*)\s+\S+\s+\S+\s+\d+/\d+/(\d+)\s+(\d+)\b", re.MULTILINE
)
"""A line of the table of layers: the op, its processor, the cycles, and the kilobytes that it reads and writes."""
ENDS = ("InputOperator", "OutputOperator")
MEMORY = re.compile(r"Total Internal Memory Size: ([\d.]+)KB")
NPU = "NPU"
EXCEPTION = re.compile(r"^\w+(?:Error|Exception): .*", re.MULTILINE)
ERROR = re.compile(r"^E (?:RKNN: \[[\d:.]+\] )?(.*)", re.MULTILINE)
COLOUR = re.compile(r"\x1b\[[\d;]*m")
PASS = re.compile(r"^D (?:RKNN: \[[\d:.]+\] >+ start: )?([\w:]+)(?: results:| \.\.\.)?$", re.MULTILINE)
"""The beginning of a pass of the compiler."""
REWRITE = re.compile(r"^D     (\w+): remove node", re.MULTILINE)
LAST_REWRITES = 50
"""The number of rewrites that are enough to know those of an endless loop."""
LONGEST_REASON = 160


@dataclass(frozen=True)
class Estimate:
    """A file on the chip."""

    layers: int
    transposes: int
    transposing: int
    """The kilobytes that transposes read and write."""
    reshapes: int
    traffic: int
    """The kilobytes that all layers read and write."""
    cycles: int
    """The cycles of convolutions and products: the compiler has none for other layers."""
    memory: float
    """The kilobytes of values in memory at once, without weights."""
    on_cpu: dict[str, int] = field(default_factory=dict[str, int])
    """The layers left to the CPU, by op."""


class _Layer(NamedTuple):
    kind: str
    processor: str
    cycles: int
    traffic: int


def read_table(text: str) -> Estimate:
    """The estimate in the compiler's output."""
    memory = MEMORY.search(text)
    layers = [*_layers(text)]
    if memory is None or not layers:
        raise ValueError("the output has no table of layers")
    transposes = [layer for layer in layers if layer.kind == "Transpose"]
    return Estimate(
        len(layers),
        len(transposes),
        sum(layer.traffic for layer in transposes),
        sum(layer.kind == "Reshape" for layer in layers),
        sum(layer.traffic for layer in layers),
        sum(layer.cycles for layer in layers),
        float(memory[1]),
        dict(Counter(layer.kind for layer in layers if layer.processor != NPU)),
    )


def _layers(text: str) -> Iterator[_Layer]:
    for kind, processor, cycles, traffic in LAYER.findall(text):
        if kind not in ENDS:
            yield _Layer(kind, processor, int(cycles), int(traffic))


@dataclass(frozen=True)
class Compiler:
    """The compiler in its environment."""

    environment: Path
    chip: str
    seconds: float
    """The time that it has for a file."""

    @property
    def python(self) -> Path:
        return self.environment / "bin" / "python"

    @property
    def is_installed(self) -> bool:
        return any(self.environment.glob("lib/python*/site-packages/rknn/api"))

    def compiled(self, samples: Path | None, file: Path, folder: Path) -> Estimate | str:
        """The estimate of a file, or the reason why there is none. With samples it is quantised to int8."""
        script = Path(__file__).with_name("rknn_compile.py")
        command = [*map(str, (self.python, "-P", script, file)), self.chip, *([str(samples)] if samples else [])]
        code, text = run_within(command, folder, self.seconds)
        text = COLOUR.sub("", text)
        if code is None:
            return stopped(text, self.seconds)
        return reason(text) if code else read_table(text)


def reason(text: str) -> str:
    """The line of the output that says what is wrong: the last exception, or the last error."""
    lines = EXCEPTION.findall(text) or ERROR.findall(text) or text.strip().splitlines() or ["failed"]
    return lines[-1].strip()[:LONGEST_REASON]


def stopped(text: str, seconds: float) -> str:
    """The pass in which the compiler was stopped, and the rewrites that this one makes by turns."""
    found = f"stopped after {seconds:.0f} s"
    passes = PASS.findall(text)
    if not passes:
        return found
    pass_name, since = passes[-1], text.rpartition(passes[-1])[2]
    rewrites = [*dict.fromkeys(REWRITE.findall(since)[-LAST_REWRITES:])]
    return f"{found} in {pass_name}" + (f": {', '.join(rewrites)} by turns" if rewrites else "")
