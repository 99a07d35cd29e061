"""`npu_opt.torch`: programs of PyTorch with few permutes; docs/pytorch.md describes the functions.

The folder is called otherwise than the package (pyproject.toml names both), so that no Python that runs in the
repository takes it for PyTorch.
"""

from ..api.torch_programs import backend, relayout

__all__ = ["backend", "relayout"]
