"""Programs and networks, compiled by MLIR before and after each strategy and fusion: the same numbers."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from support import optional_tools

if optional_tools.mlir_bindings().location is None:
    pytest.skip(optional_tools.mlir_bindings().note, allow_module_level=True)
pytest.importorskip("onnx", reason=optional_tools.onnx().note)

import numpy as np
import numpy.typing as npt
from models.weights import with_random_weights
from npu_opt.bridges.mlir.engine import Compiled
from npu_opt.bridges.mlir.exporting.program import lowered, mlir_context, numbers_in, signature
from npu_opt.interpreter import random_inputs
from npu_opt.passes import get_all_passes
from npu_opt.tools.driver.execution.file_constants import constants_of, runner_of
from npu_opt.tools.driver.formats.program import new_context, read_program
from npu_opt.tools.run import difference, function_of
from onnx import ModelProto
from support.campaign import LONG
from support.source_tree import ROOT
from xdsl.context import Context
from xdsl.passes import PassPipeline
from xdsl.transforms.canonicalize import CanonicalizePass

PIPELINES = (
    "",
    "layout-preset{strategy=naive}",
    "layout-preset{strategy=regions}",
    "layout-preset,canonicalize",
    "layout-preset-npu,canonicalize",
    "layout-preset-npu{strategy=record},canonicalize",
    "layout-optimal,canonicalize",
    "layout-optimal{cost=count},canonicalize",
    "fuse-ops",
    "npu-default",
)
EXAMPLES = sorted((ROOT / "examples").glob("*.mlir"))
NETWORKS = ("espcn", "squeezenet", "shufflenet_v1", "shufflenet_v2", "mobilenet_v2") if LONG else ("espcn",)
OF_NETWORKS = PIPELINES if LONG else ("", "npu-default")

Array = npt.NDArray[Any]


def compiled(file: Path, pipeline: str) -> Sequence[Array]:
    """The results of a program after some passes, on random inputs."""
    program = read_program(str(file), new_context())
    available = {**get_all_passes(), "canonicalize": lambda: CanonicalizePass}
    PassPipeline.parse_spec(available, pipeline).apply(Context(), program.module)
    function = function_of(program, "main")
    with constants_of(program) as directory, mlir_context():
        ready = Compiled(lowered(program.module, numbers_in(directory)), "main", signature(function))
    return ready.run(random_inputs(function, 0))


def original(file: Path) -> Sequence[Array]:
    """The results of the original program by the interpreter, or by ONNX Runtime for a model."""
    program = read_program(str(file), new_context())
    with runner_of(program) as runner:
        return runner("main", random_inputs(function_of(program, "main"), 0))


def check(file: Path, pipelines: Sequence[str]) -> None:
    expected = original(file)
    for pipeline in pipelines:
        for index, (found, right) in enumerate(zip(compiled(file, pipeline), expected, strict=True)):
            equal, distance = difference(found, np.asarray(right))
            assert equal, f"{file.stem} behind '{pipeline}', result {index}: {distance}"


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_examples(file: Path):
    check(file, PIPELINES)


@pytest.mark.parametrize("name", NETWORKS)
def test_networks(name: str, tmp_path: Path):
    stripped = ModelProto.FromString((ROOT / "benchmarks" / "models" / f"{name}.onnx").read_bytes())
    file = tmp_path / f"{name}.onnx"
    file.write_bytes(with_random_weights(stripped).SerializeToString())
    check(file, OF_NETWORKS)
