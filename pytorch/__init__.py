"""`npu_opt.torch`: programs of PyTorch with few permutes; docs/pytorch.md describes the functions.

The folder is called otherwise than the package (pyproject.toml names both), so that no Python that runs in the
repository takes it for PyTorch.
"""

from typing import TYPE_CHECKING

from ..api.torch_programs import backend, relayout

if TYPE_CHECKING:
    from ..api.executorch_pass import TransformPass

__all__ = ["TransformPass", "backend", "relayout"]


def __getattr__(name: str) -> object:
    if name != "TransformPass":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    # Imported late: it needs ExecuTorch.
    from ..api.executorch_pass import TransformPass

    return TransformPass
