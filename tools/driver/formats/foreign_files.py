"""Files that no frontend reads: their kind by their first bytes, and how they become models."""

from __future__ import annotations

from pathlib import Path

from .model_formats import MODELS, format_of_bytes

MOST_BYTES = 4096
"""So many bytes tell what a file is."""
EXPORT = "export the model and save it as .pt2 (torch.export.save), or as ONNX (torch.onnx.export)"
CONVERT = "convert the model to ONNX (tf2onnx) or to LiteRT (tf.lite.TFLiteConverter)"
DECOMPRESS = "decompress it first"
TEXT = ("an ONNX model as text", "the package onnx reads it, and writes the model")
PICKLE = ("a pickle, as torch.save writes", EXPORT)
UTF_16 = ("text in UTF-16", "write it in UTF-8")
FOREIGN = (
    (0, b"\x1f\x8b", "compressed by gzip", DECOMPRESS),
    (0, b"\x28\xb5\x2f\xfd", "compressed by zstd", DECOMPRESS),
    (0, b"\xfd7zXZ\x00", "compressed by xz", DECOMPRESS),
    (0, b"BZh", "compressed by bzip2", DECOMPRESS),
    (0, b"\x89HDF\r\n", "a model of Keras, or other data in HDF5", CONVERT),
    (0, b"ML\xefR", "bytecode of MLIR", "mlir-opt writes it as text"),
    (4, b"ORTM", "a model in ONNX Runtime's own format", "give npu-opt the ONNX model that it was made from"),
    *((0, b"\x80" + version, *PICKLE) for version in (b"\x02", b"\x03", b"\x04", b"\x05")),
    *((0, mark, *UTF_16) for mark in (b"\xff\xfe", b"\xfe\xff")),
    *((0, begin, *TEXT) for begin in (b"ir_version:", b"<\n  ir_version", b"<\n   ir_version", b"<ir_version")),
    (8, b'{"', "safetensors, which have weights but no ops", EXPORT),
)
"""The place of some bytes, the words for files that have them there, and what to do."""
PLACEHOLDERS = (b"Placeholder", b"saved_model", b"VarHandleOp")
"""Words at the beginning of graphs of TensorFlow."""


def content_notes(begin: bytes, reader: str | None = None) -> list[str]:
    """The kind of a file by its first bytes, if it is not that of a reader of models."""
    begin = begin[:MOST_BYTES]
    format = format_of_bytes(begin[:8])
    if format is not None:
        return [] if format == reader else [f"the file is {MODELS[format]}: -f {format} reads it"]
    for place, magic, words, advice in FOREIGN:
        if begin[place : place + len(magic)] == magic:
            return [f"the file is {words}: {advice}"]
    if begin[:4] == b"PK\x03\x04":
        words = _archive(begin)
        return [] if reader == "torch" and words.startswith(MODELS["torch"]) else [f"the file is {words}"]
    if begin[:1] == b"{" and b'"irVersion"' in begin:
        return [f"the file is {TEXT[0]}: {TEXT[1]}"]
    if reader != "onnx" and any(word in begin for word in PLACEHOLDERS):
        return [f"the file is a graph of TensorFlow: {CONVERT}"]
    return []


def _archive(begin: bytes) -> str:
    """The kind of a zip archive, and what to do."""
    if any(name in begin for name in (b".pt2", b"archive_format", b"/data/weights/", b"serialized_exported_program")):
        return f"{MODELS['torch']}: -f torch reads it"
    if any(name in begin for name in (b"data.pkl", b"/version")):
        return f"an archive of torch.save or TorchScript: {EXPORT}"
    return "a zip archive: unpack it first"


def notes_on_file(file: str, reader: str | None = None) -> list[str]:
    """The notes on what a file is; none for one that cannot be read."""
    path = Path(file)
    if not path.is_file():
        return []
    try:
        with path.open("rb") as stream:
            return content_notes(stream.read(MOST_BYTES), reader)
    except OSError:
        return []
