"""What the extra `[onnx]` installs."""

from importlib.util import find_spec


class MissingExtraError(Exception):
    """The package onnx is not installed; the message says how to get it."""


def check_installed() -> None:
    """Check that the package onnx can be imported. This module itself does not need it."""
    if find_spec("onnx") is None:
        raise MissingExtraError("ONNX models need the package onnx: pip install 'npu-opt[onnx]'")
