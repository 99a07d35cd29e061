"""The networks of the model set, from catalogue.toml, and of two further sets.

Decoders with their caches (decoders.toml) and newer networks (newer.toml) have folders of their own and are counted
apart. Exporters differ in what they write for the same network, and models in use come from all of them: mostly from
PyTorch's first exporter, newer ones from its second, older ones from other frameworks.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
# A dynamic batch of one would be taken for a fixed one.
EXAMPLE_SIZES = {"batch": 2, "sequence": 16, "height": 96, "width": 128, "past": 8, "total": 9}
"""Sizes of dynamic dimensions; a decoder with 8 tokens before reads one more."""
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
    large: str
    """The reason why tests that take time for each network leave this one out; empty for the others."""
    folder: Path

    @property
    def is_tf(self) -> bool:
        """True if TensorFlow's exporter wrote it: images in NHWC, convolutions between Transposes."""
        return self.exporter == "keras"

    @property
    def file(self) -> Path:
        return (self.folder / "tf" if self.is_tf else self.folder) / f"{self.name}.onnx"


def network(name: str, entry: dict[str, Any], folder: Path) -> Network:
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
        entry.get("large", ""),
        folder,
    )


def all_models(with_large: bool = True) -> list[tuple[Path, str]]:
    """The files and the names of the model set."""
    return [(each.file, each.name) for each in NETWORKS if not each.is_tf and (with_large or not each.large)]


def tf_models() -> list[tuple[Path, str]]:
    """The files and the names of models in TensorFlow's style, which are not counted with the set."""
    return [(each.file, each.name) for each in NETWORKS if each.is_tf]


def networks(name: str, folder: Path) -> list[Network]:
    entries = tomllib.loads((FOLDER / f"{name}.toml").read_text())
    return [network(name, entry, folder) for name, entry in entries.items()]


NETWORKS = networks("catalogue", FOLDER)
DECODERS = networks("decoders", FOLDER / "decoders")
NEWER = networks("newer", FOLDER / "newer")
EVERY = [*NETWORKS, *DECODERS, *NEWER]
