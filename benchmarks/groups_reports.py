"""The groups of vendors' compilers: layer groups in tpu-mlir's final MLIR, and the passes that Vela prints."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

FINAL = "net_{chip}_f16_final.mlir"
"""The file with the layer groups of tpu-mlir."""
LOCATION = re.compile(r"^(#loc\d*) = loc\((.*)\)$", re.MULTILINE)
TPU_OP = re.compile(r'"(tpu|top)\.(\w+)"\(.* loc\((.*?)\)$')
QUOTED = re.compile(r'"([^"]*)"|(#loc\d*)')
GROUP, GROUP_END = '"tpu.Group"(', "})"
MOVES = ("Load", "Store", "Yield", "Group", "Weight", "None", "Input")
"""The ops that compute nothing: data on its way into a group and out of it."""

WRITTEN = re.compile(r"^  OFM: (.*), \[[\d, ]*\], format: \d+, (\w+):")
ON_CPU = re.compile(r"^\w+ +\w+ +CPU .* (\S+)$")
"""A line of Vela's table of performance: an op on the processor, and the first value that it computes."""
SRAM = "Sram"


@dataclass(frozen=True)
class VendorGroups:
    """The groups of a compiler, by the names of values.

    A value without an entry is inside of an op, which the compiler runs with the op that reads it.
    """

    group_of: dict[str, int] = field(default_factory=dict[str, int])
    """The group of the op that produces a value."""
    on_chip: list[str] = field(default_factory=list[str])
    """The values that stay on the chip between two groups."""


def read_layer_groups(text: str) -> VendorGroups:
    """The layer groups in the final MLIR of tpu-mlir. An op that runs on global memory is a group of its own."""
    names = dict(LOCATION.findall(text))
    found: dict[str, int] = {}
    group, is_inside = 0, False
    for line in text.splitlines():
        stripped = line.strip()
        if GROUP in stripped or stripped.startswith(GROUP_END):
            group, is_inside = group + 1, GROUP in stripped
        elif (op := TPU_OP.search(stripped)) is not None and op[2] not in MOVES:
            group += not is_inside
            found |= dict.fromkeys(_names(op[3], names), group)
    return VendorGroups(found)


def _names(location: str, known: dict[str, str]) -> Iterator[str]:
    """The names in a location, which may be those of several results."""
    for name, other in QUOTED.findall(location):
        if other:
            yield from _names(known.get(other, ""), known)
        else:
            yield name


def read_passes(text: str) -> VendorGroups:
    """The passes in the output of Vela, with the values that it keeps in SRAM. An op on the CPU is one of its own.

    Passes that write parts of one value, as those in front of a concatenation do, are one group.
    """
    found: dict[str, int] = {}
    held: dict[str, bool] = {}
    for line in text.splitlines():
        if (written := WRITTEN.match(line)) is not None:
            name, memory = written.groups()
            found.setdefault(name, len(found))
            held[name] = held.get(name, True) and memory == SRAM
        elif (on_cpu := ON_CPU.match(line.rstrip())) is not None:
            found.setdefault(on_cpu[1], len(found))
    return VendorGroups(found, sorted(name for name, is_held in held.items() if is_held))
