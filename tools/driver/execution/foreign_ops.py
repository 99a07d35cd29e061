"""Runs of ops of ONNX that stayed, by the package onnx."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from ....bridges.extra import MissingExtraError, require
from ....dialects.npu.source import ForeignOp, OpaqueOp
from ....interpreter import Environment, InterpreterError


def environment_in(directory: Path) -> Environment:
    """The environment of a program whose constants are in files below this folder."""
    return Environment(directory, run_others=_run)


def _run(op: ForeignOp, operands: Sequence[NDArray[Any]]) -> tuple[NDArray[Any], ...]:
    try:
        require("onnx")
    except MissingExtraError as error:
        raise InterpreterError(f"'{op.name}' \"{op.op_name.data}\" cannot be evaluated: {error}") from error
    # Imported late: the package onnx is an extra.
    from ....bridges.onnx.reference import run_node

    return run_node(op, operands)


def has_nodes_of_onnx(module: ModuleOp) -> bool:
    """True if there are nodes of ONNX that stayed, which no compiler knows."""
    names = (op.op_name.data for op in module.walk() if isinstance(op, OpaqueOp))
    return any(name.startswith(("onnx.", "ai.onnx.")) for name in names)
