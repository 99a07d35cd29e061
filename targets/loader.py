"""Loading targets: shipped ones by name, others by the path of their file."""

import os
from functools import cache
from pathlib import Path

from .errors import TargetError
from .model import Target
from .schema import read_target
from .toml_table import TomlTable, hint
from .vocabulary import Vocabulary, dialect_vocabulary

_SUFFIX = ".toml"
_SHIPPED = Path(__file__).parent


def available() -> dict[str, Path]:
    """The files of the shipped targets, by name. Opens none of them."""
    return dict(sorted((file.stem, file) for file in _SHIPPED.glob(f"*{_SUFFIX}")))


def load(name_or_path: str | Path) -> Target:
    """Load a target by the name of a shipped one, or by the path of a file that ends in `.toml`.

    Shipped targets are cached.
    """
    text = os.fspath(name_or_path)
    return load_file(Path(text), dialect_vocabulary()) if text.endswith(_SUFFIX) else _shipped(text)


def load_file(file: Path, vocabulary: Vocabulary) -> Target:
    """Read a target file in terms of the ops of a vocabulary."""
    return read_target(TomlTable.read(file), vocabulary)


@cache
def _shipped(name: str) -> Target:
    shipped = available()
    if name in shipped:
        return load_file(shipped[name], dialect_vocabulary())
    raise TargetError(
        f"unknown target '{name}'{hint(name, shipped.keys(), len(shipped))} (pass a target of your own as the path of"
        f" its {_SUFFIX} file)"
    )
