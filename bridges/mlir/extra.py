"""What the extra `[mlir]` installs."""

from importlib.util import find_spec

PACKAGES = ("mlir", "torch_mlir")
"""Who has the bindings, best first: LLVM's own package, and the copy in the wheel of torch-mlir."""


class MissingExtraError(Exception):
    """MLIR's bindings are not installed; the message says how to get them."""


def package() -> str:
    """The package that has MLIR's bindings. This module itself does not need it."""
    for name in PACKAGES:
        if _has_bindings(name):
            return name
    raise MissingExtraError("MLIR's own bindings are needed for this: pip install 'npu-opt[mlir]'")


def _has_bindings(name: str) -> bool:
    # PyPI's `mlir-python-bindings` is an empty placeholder, so the module itself is looked for.
    return find_spec(name) is not None and find_spec(f"{name}.ir") is not None
