"""The formats of models, by the endings of files and by their content."""

from __future__ import annotations

from pathlib import Path

ENDINGS = {".mlir": None, ".onnx": "onnx", ".pt2": "torch", ".tflite": "litert"}
"""The frontends of models by the endings of their files; None for programs."""
MODELS = {"litert": "a LiteRT model", "onnx": "an ONNX model", "torch": "a program of PyTorch"}
"""The frontends of models, with their names in messages."""


def model_format(file: str, frontend: str | None = None) -> str | None:
    """The frontend of a model: the given one, or that of the file name; None for other files and frontends.

    A file with an ending of no format is known by its content.
    """
    if frontend:
        return frontend if frontend in MODELS else None
    ending = Path(file).suffix
    return ENDINGS[ending] if ending in ENDINGS else _format_by_content(Path(file))


def _format_by_content(path: Path) -> str | None:
    """The frontend of the model in a file, by its first bytes."""
    if not path.is_file():
        return None
    try:
        with path.open("rb") as file:
            begin = file.read(8)
        return "torch" if is_exported(begin, path) else format_of_bytes(begin)
    except OSError:
        return None


def is_exported(begin: bytes, path: Path) -> bool:
    """True for the archive of an exported program of PyTorch, by the beginning of its file and its parts."""
    if begin[:4] != b"PK\x03\x04":
        return False
    # Imported late: most files are no archives.
    from zipfile import BadZipFile, ZipFile

    try:
        with ZipFile(path) as archive:
            parts = {name.rpartition("/")[2] for name in archive.namelist()}
    except BadZipFile:
        return False
    return not parts.isdisjoint(("archive_format", "serialized_exported_program.json"))


def format_of_bytes(begin: bytes) -> str | None:
    """The frontend of a model by the first 8 bytes of its file."""
    if begin[4:] == b"TFL3":
        return "litert"
    # The version of the format as the first field, and a further field that models have.
    is_onnx = len(begin) == 8 and begin[0] == 0x08 and 3 <= begin[1] < 32 and begin[2] in (0x12, 0x1A, 0x22, 0x3A, 0x42)
    return "onnx" if is_onnx else None
