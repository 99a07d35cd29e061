"""The extras that the bridges need. This module itself needs none."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Literal, TypeAlias

Extra: TypeAlias = Literal["onnx", "mlir"]


@dataclass(frozen=True, slots=True)
class Need:
    """What an extra is needed for, and the modules one of which it installs, best first."""

    what: str
    modules: tuple[str, ...]


NEEDS: Mapping[Extra, Need] = {
    "onnx": Need("ONNX models need the package onnx", ("onnx",)),
    # LLVM's own package, and the copy in the wheel of torch-mlir. PyPI's `mlir-python-bindings` is an empty
    # placeholder, so the module itself is looked for.
    "mlir": Need("MLIR's own bindings are needed for this", ("mlir.ir", "torch_mlir.ir")),
}


class MissingExtraError(Exception):
    """An extra is not installed; the message says how to get it."""


def require(extra: Extra) -> str:
    """The package that an extra has installed."""
    need = NEEDS[extra]
    for module in need.modules:
        package = module.partition(".")[0]
        if find_spec(package) is not None and find_spec(module) is not None:
            return package
    raise MissingExtraError(f"{need.what}: pip install -e '.[{extra}]'")
