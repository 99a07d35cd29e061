"""Finding targets: those that ship with the package by name, all others by the path of their file."""

import os
from pathlib import Path

from .errors import TargetError
from .model import Target
from .schema import read_target
from .toml_table import TomlTable, hint
from .vocabulary import Vocabulary, dialect_vocabulary

_SUFFIX = ".toml"
_SHIPPED = Path(__file__).parent


def available() -> dict[str, Path]:
    """The targets that ship with the package and their files, by name. Opens none of them."""
    return {file.stem: file for file in sorted(_SHIPPED.glob(f"*{_SUFFIX}"))}


def load(name_or_path: str | Path) -> Target:
    """A target by the name of a shipped one or by the path of a file, which has to end in `.toml`."""
    return load_file(_find(name_or_path), dialect_vocabulary())


def load_file(file: Path, vocabulary: Vocabulary) -> Target:
    """The target that a file describes in terms of the ops of a vocabulary."""
    return read_target(TomlTable.read(file), vocabulary)


def _find(name_or_path: str | Path) -> Path:
    text = os.fspath(name_or_path)
    if text.endswith(_SUFFIX):
        return Path(text)
    shipped = available()
    if text in shipped:
        return shipped[text]
    raise TargetError(
        f"unknown target '{text}'{hint(text, shipped.keys())} (give a target of your own as the path of its "
        f"{_SUFFIX} file)"
    )
