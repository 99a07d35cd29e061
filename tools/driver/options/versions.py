"""The version of npu-opt, and those of the packages on which its answers depend."""

from __future__ import annotations

import argparse
import platform
from importlib import metadata
from typing import Any

from ....version import __version__

PACKAGES = ("xdsl", "numpy", "scipy", "onnx", "onnxruntime", "ai-edge-litert", "torch", "torch-mlir")
"""Packages that solve, read, write or run programs, by their names on PyPI."""


class VersionsAction(argparse.Action):
    """Print the versions and exit."""

    def __init__(self, option_strings: list[str], dest: str) -> None:
        super().__init__(option_strings, dest, nargs=0, default=argparse.SUPPRESS, help="print the versions and exit")

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        print(versions(parser.prog))
        parser.exit()


def versions(program: str) -> str:
    """The lines of `--version`: the program, what it runs on, and the packages that are not installed."""
    found = {package: _version(package) for package in PACKAGES}
    installed = [f"Python {platform.python_version()}", *(f"{name} {text}" for name, text in found.items() if text)]
    missing = [name for name, text in found.items() if not text]
    lines = [f"{program} {__version__}", ", ".join(installed)]
    return "\n".join([*lines, f"not installed: {', '.join(missing)}"] if missing else lines)


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""
