"""`extends`: the file to which a target file adds."""

from pathlib import Path

from .toml_table import TomlTable, hint

_SHIPPED = Path(__file__).parent
_SUFFIX = ".toml"


def base_file(file: TomlTable) -> TomlTable | None:
    """The file that a target extends: a shipped one by its name, any other by its path, relative to the file."""
    if "extends" not in file.values:
        return None
    name = file.text("extends")
    path = file.file.parent / name if name.endswith(_SUFFIX) else _SHIPPED / f"{name}{_SUFFIX}"
    if not path.is_file() and name.endswith(_SUFFIX):
        raise file.error(f"'{name}' is no file: the path is relative to this file", file.at("extends"))
    if not path.is_file():
        shipped = [each.stem for each in sorted(_SHIPPED.glob(f"*{_SUFFIX}"))]
        raise file.error(f"unknown target '{name}'{hint(name, shipped, len(shipped))}", file.at("extends"))
    if path.resolve() == file.file.resolve():
        raise file.error("the target extends itself", file.at("extends"))
    base = TomlTable.read(path)
    if "extends" in base.values:
        raise file.error(f"'{name}' extends a target itself: extend '{base.values['extends']}'", file.at("extends"))
    return base
