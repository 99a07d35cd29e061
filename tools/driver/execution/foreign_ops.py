"""Runs of ops of other systems that stayed: of ONNX by the package onnx, of PyTorch in eager."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from ....bridges.extra import MissingExtraError, require
from ....bridges.torch.calls import SYSTEMS
from ....dialects.npu.source import ForeignOp
from ....interpreter import Environment, InterpreterError


def environment_in(directory: Path) -> Environment:
    """The environment of a program whose constants are in files below this folder."""
    return Environment(directory, run_others=_run)


def _run(op: ForeignOp, operands: Sequence[NDArray[Any]]) -> tuple[NDArray[Any], ...]:
    is_call = op.op_name.data.startswith(SYSTEMS)
    try:
        require("torch" if is_call else "onnx")
    except MissingExtraError as error:
        raise InterpreterError(f"'{op.name}' \"{op.op_name.data}\" cannot be evaluated: {error}") from error
    # Imported late: the packages are extras.
    if is_call:
        from ....bridges.torch.programs.engine import run_call as run
    else:
        from ....bridges.onnx.reference import run_node as run
    return run(op, operands)


def has_foreign_nodes(module: ModuleOp) -> bool:
    """True if there are nodes of ONNX or PyTorch that stayed, which no compiler knows."""
    names = (op.op_name.data for op in module.walk() if isinstance(op, ForeignOp))
    return any(name.startswith(("onnx.", "ai.onnx.", *SYSTEMS)) for name in names)
