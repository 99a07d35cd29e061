"""`TransformPass`: `relayout` among the passes that ExecuTorch runs on a program of its edge dialect."""

from __future__ import annotations

from typing import Any

from executorch.exir.pass_base import ExportedProgramPassBase, ExportedProgramPassResult
from torch.export import ExportedProgram

from .torch_programs import relayout


class TransformPass(ExportedProgramPassBase):
    """A pass for `to_edge_transform_and_lower(..., transform_passes=[TransformPass()])`.

    ExecuTorch gives it whole programs with their weights, which are permuted once. It takes the options of `relayout`.
    """

    def __init__(self, **options: Any) -> None:
        self._options = options

    def call(self, exported_program: ExportedProgram) -> Any:
        return ExportedProgramPassResult(relayout(exported_program, **self._options), True)
