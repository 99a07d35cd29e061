"""Optional dependencies of the tests, each with the reason if it is missing.

Shared by lit (test/lit.cfg.py), pytest and test/all.py, so that all three skip the same.
"""

import importlib
import importlib.util
import os
import re
import shutil
import subprocess
import sysconfig
from dataclasses import dataclass
from pathlib import Path

MLIR_OPT_VARIABLE = "NPU_MLIR_OPT"
MLIR_OPT_NAMES = ("mlir-opt-22", "mlir-opt")
OLDEST_MLIR = 22
BROWSER_NAMES = ("chromium", "chromium-browser", "google-chrome")


@dataclass(frozen=True)
class Tool:
    """An optional tool: its path or module name, or the reason why it is missing."""

    location: str | None
    note: str


def mlir_opt() -> Tool:
    """The `mlir-opt` program, recent enough to read our output. A path in NPU_MLIR_OPT has priority."""
    if (chosen := os.environ.get(MLIR_OPT_VARIABLE)) is not None:
        if shutil.which(chosen) is None:
            return Tool(None, f"{MLIR_OPT_VARIABLE}={chosen} is not a program")
        return Tool(chosen, f"{chosen}, from {MLIR_OPT_VARIABLE}")
    refused: list[str] = []
    for path in filter(None, map(shutil.which, MLIR_OPT_NAMES)):
        major = _major_version(path)
        if major >= OLDEST_MLIR:
            return Tool(path, f"{path}, version {major}")
        refused.append(f"{path} has version {major}, needed is {OLDEST_MLIR} or newer")
    return Tool(None, "; ".join(refused) or f"neither {' nor '.join(MLIR_OPT_NAMES)} is on PATH")


def mlir_bindings() -> Tool:
    """The module with MLIR's Python bindings: a real `mlir` is preferred to torch-mlir's."""
    for name in ("mlir", "torch_mlir"):
        try:
            importlib.import_module(f"{name}.ir")
        except ImportError:
            continue
        return Tool(name, f"module {name}")
    return Tool(None, "neither `mlir` nor `torch_mlir` can be imported; install the extra [mlir]")


def torch() -> Tool:
    """The package that reads and writes programs of PyTorch."""
    if importlib.util.find_spec("torch") is None:
        return Tool(None, "`torch` cannot be imported; install the extra [torch]")
    return Tool("torch", "module torch")


def onnx() -> Tool:
    """The package that reads and writes ONNX models."""
    if importlib.util.find_spec("onnx") is None:
        return Tool(None, "`onnx` cannot be imported; install the extra [onnx]")
    return Tool("onnx", "module onnx")


def litert() -> Tool:
    """The package with the format and the interpreter of LiteRT models."""
    if importlib.util.find_spec("ai_edge_litert") is None:
        return Tool(None, "`ai_edge_litert` cannot be imported; install the extra [litert]")
    return Tool("ai_edge_litert", "module ai_edge_litert")


def mkdocs() -> Tool:
    """The program that makes a site of the pages, with its theme."""
    if importlib.util.find_spec("material") is None:
        return Tool(None, "`mkdocs-material` is not installed; install the extra [docs]")
    program = str(Path(sysconfig.get_path("scripts"), "mkdocs"))
    return Tool(program, program)


def browser() -> Tool:
    """A Chromium, driven by playwright."""
    if importlib.util.find_spec("playwright") is None:
        return Tool(None, "`playwright` cannot be imported; install the extra [dev]")
    found = next(filter(None, map(shutil.which, BROWSER_NAMES)), None)
    if found is None:
        return Tool(None, f"neither {' nor '.join(BROWSER_NAMES)} is on PATH: pages are not opened")
    return Tool(found, found)


def _major_version(program: str) -> int:
    answer = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    found = re.search(r"version (\d+)\.", answer.stdout)
    return int(found[1]) if found else 0
