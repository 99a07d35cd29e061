"""`extends`: the files to which a target file adds."""

from pathlib import Path

from .toml_table import TomlTable, hint

_SHIPPED = Path(__file__).parent
_SUFFIX = ".toml"


def bases_of(file: TomlTable) -> list[TomlTable]:
    """The file that a target extends, the one that this extends, and so on."""
    found, seen = list[TomlTable](), {file.file.resolve()}
    while (path := _base_path(found[-1] if found else file)) is not None:
        if path.resolve() in seen:
            raise file.error("the target extends itself", file.at("extends"))
        seen.add(path.resolve())
        found.append(TomlTable.read(path))
    return found


def _base_path(file: TomlTable) -> Path | None:
    """The file that a target extends: a shipped one by its name, any other by its path, relative to the file."""
    if "extends" not in file.values:
        return None
    name = file.text("extends")
    path = file.file.parent / name if name.endswith(_SUFFIX) else _SHIPPED / f"{name}{_SUFFIX}"
    if not path.is_file() and name.endswith(_SUFFIX):
        raise file.error(f"'{name}' is no file: the path is relative to this file", file.at("extends"))
    if not path.is_file():
        shipped = sorted(each.stem for each in _SHIPPED.glob(f"*{_SUFFIX}"))
        raise file.error(f"unknown target '{name}'{hint(name, shipped, len(shipped))}", file.at("extends"))
    return path
