"""Two ONNX models before check_equal, without claims: the checker finds which values are meant."""

# pyright: reportUnknownMemberType=false
from collections.abc import Collection, Sequence
from pathlib import Path

import onnx
from npu_opt.checkers import check_equal
from onnx import ModelProto


def followed(first: ModelProto, second: ModelProto, folder: Path) -> tuple[Sequence[str], Collection[str]] | str:
    """The interfaces that differ, and what is believed; or the line of a rejection."""
    files = [folder / name for name in ("first.onnx", "second.onnx")]
    for file, model in zip(files, (first, second), strict=True):
        onnx.save(model, file)
    try:
        return check_equal.check(str(files[0]), str(files[1]), {"first": {}, "second": {}}, {})
    except (LookupError, ValueError) as error:
        return f"rejected: {error}"
