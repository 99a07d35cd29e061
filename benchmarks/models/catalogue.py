"""The networks of the model set, from catalogue.toml.

Exporters differ in what they write for the same network, and models in use come from all of them: mostly from
PyTorch's first exporter, newer ones from its second, older ones from other frameworks.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_suffix(".toml")
# A dynamic batch of one would be taken for a fixed one.
EXAMPLE_SIZES = {"batch": 2, "sequence": 16}
Dims = tuple[int | str, ...]


@dataclass(frozen=True)
class Network:
    """One model of the set."""

    name: str
    task: str
    brings: str
    source: str
    made_by: str
    exporter: str
    opset: int
    tokens: dict[str, Dims]
    inputs: dict[str, Dims]
    outputs: tuple[str, ...]


def network(name: str, entry: dict[str, Any]) -> Network:
    tokens = {each: tuple(dims) for each, dims in entry.get("tokens", {}).items()}
    one_image = {} if tokens else {"image": (1, 3, 224, 224)}
    return Network(
        name,
        entry["task"],
        entry["brings"],
        entry["source"],
        entry["made-by"],
        entry.get("exporter", "script"),
        entry.get("opset", 13),
        tokens,
        {each: tuple(dims) for each, dims in entry.get("inputs", one_image).items()},
        tuple(entry.get("outputs", ["scores"])),
    )


NETWORKS = [network(name, entry) for name, entry in tomllib.loads(FILE.read_text()).items()]
