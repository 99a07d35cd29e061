"""Optional dependencies (extras) of the bridges and tools. This module needs none of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Literal, TypeAlias

Extra: TypeAlias = Literal["onnx", "litert", "mlir", "torch", "completion", "gui"]


@dataclass(frozen=True, slots=True)
class Requirement:
    """The purpose of an extra, and the modules that it may install, best first."""

    purpose: str
    modules: tuple[str, ...]


NEEDS: Mapping[Extra, Requirement] = {
    "onnx": Requirement("ONNX models need the package onnx", ("onnx",)),
    "litert": Requirement("LiteRT models need the package ai-edge-litert", ("ai_edge_litert.schema_py_generated",)),
    # LLVM's own package, and the copy in the wheel of torch-mlir. PyPI's `mlir-python-bindings` is an empty
    # placeholder, so the search is for the module itself.
    "mlir": Requirement("MLIR's own bindings are needed for this", ("mlir.ir", "torch_mlir.ir")),
    "torch": Requirement("programs of PyTorch need the package torch", ("torch",)),
    "completion": Requirement("completion needs the package shtab", ("shtab",)),
    "gui": Requirement("npu-gui needs the package textual", ("textual",)),
}


class MissingExtraError(Exception):
    """An extra is not installed; the message says how to get it."""


def require(extra: Extra) -> str:
    """The package that provides an extra."""
    need = NEEDS[extra]
    for module in need.modules:
        package = module.partition(".")[0]
        if find_spec(package) is not None and find_spec(module) is not None:
            return package
    # True of a clone as well: pip takes the installed npu-opt, and adds the packages of the extra.
    raise MissingExtraError(f"{need.purpose}: pip install 'npu-opt[{extra}]'")
