"""Folders and files of the source tree. Shared by pytest and test/all.py."""

from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
NAMED = {"pytorch": "torch"}
"""The sub-packages of the root that pyproject.toml names otherwise than their folders."""
NOT_IN_PACKAGE = {"benchmarks", "build", "dist", "docs", "examples", "test"}


def package_entries() -> list[Path]:
    """The entries of the root that belong to the package: modules, the marker for type checkers, sub-packages."""
    return sorted(entry for entry in ROOT.iterdir() if _is_in_package(entry))


def package_folders() -> list[Path]:
    """The root and every folder below it with Python files of the package."""
    tops = [entry for entry in package_entries() if entry.is_dir()]
    return [ROOT, *sorted({file.parent for top in tops for file in top.rglob("*.py")})]


def package_files() -> list[Path]:
    return [file for folder in package_folders() for file in sorted(folder.glob("*.py"))]


def dotted(path: Path) -> str:
    """The import name of a folder or file of the package."""
    folder = path.parent if path.name == "__init__.py" else path.with_suffix("")
    return ".".join(("npu_opt", *(NAMED.get(part, part) for part in folder.relative_to(ROOT).parts)))


def files(*suffixes: str) -> Iterator[Path]:
    """Files of the whole tree by suffix, without hidden and generated folders."""
    for entry in sorted(ROOT.iterdir()):
        if entry.name.startswith(".") or entry.name in {"build", "dist"} or entry.suffix == ".egg-info":
            continue
        candidates = [entry] if entry.is_file() else sorted(entry.rglob("*"))
        yield from (file for file in candidates if file.suffix in suffixes and file.is_file())


def _is_in_package(entry: Path) -> bool:
    if entry.is_dir():
        return not entry.name.startswith(".") and entry.name not in NOT_IN_PACKAGE and any(entry.rglob("*.py"))
    return entry.suffix == ".py" or entry.name == "py.typed"
