"""The rules of a target for what a file of a model may contain."""

from dataclasses import dataclass

OLDEST_OPSET = 13
"""The oldest opset of ONNX that is written: its axes and sizes are inputs, as in the newer ones."""


@dataclass(frozen=True)
class FileRules:
    """The rules for files; by default there is none."""

    opset: int | None = None
    """The newest opset of ONNX."""


ANYTHING = FileRules()
"""No rule."""
