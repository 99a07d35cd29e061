"""lit's configuration: `lit test` from the root, or `lit path/to/test`, from any folder.

The tools come from the environment that lit runs in (its scripts folder is first on PATH), so the same
files test an editable install and a wheel. A server that has imported them forks each run (support/warm_programs.py).

    NPU_ROUNDTRIP          custom format: parse, print, parse, print, FileCheck
    NPU_GENERIC_ROUNDTRIP  print the generic format, parse that, print the custom format, FileCheck
    NPU_VERIFY_DIAG        one verifier message for each `// -----` chunk, FileCheck
    NPU_PARSE_DIAG         one parser message for each `// -----` chunk, FileCheck
    MLIR_ROUNDTRIP         generic format through mlir-opt and back; needs `REQUIRES: mlir-opt`
    NPU_ONNX               npu-opt on the ONNX models of the file, and what follows as its flags
    NPU_TO_ONNX            the ONNX model of the program as text, FileCheck; needs `REQUIRES: onnx`
    %mlir-opt              MLIR's mlir-opt; needs `REQUIRES: mlir-opt`
    %root                  the root of the source tree
    not <command>          succeeds when the command fails (lit's own)

Each of the long ones may be followed by FileCheck options. Every npu-opt proves that passes which move layouts change
nothing else (NPU_OPT_VERIFY_LAYOUTS). Features for REQUIRES: `mlir-opt`,
`mlir-bindings`, `onnx`.
"""

import os
import sys
import sysconfig
from pathlib import Path
from typing import Any

import lit.formats  # pyright: ignore[reportMissingTypeStubs]  # lit carries no types

# lit executes this file with these two names defined.
config: Any = globals()["config"]
lit_config: Any = globals()["lit_config"]

TEST_ROOT = Path(__file__).resolve().parent
ROOT = TEST_ROOT.parent
SCRIPTS = Path(sysconfig.get_path("scripts"))
SECONDS_PER_TEST = 600
"""Against tests that hang; far above the time that a test takes on a machine under load."""

sys.path.insert(0, str(TEST_ROOT))
from support import optional_tools, warm_programs  # noqa: E402  # found through the line above

config.name = "npu-opt"
config.test_format = lit.formats.ShTest()  # pyright: ignore  # lit carries no types
config.test_source_root = str(TEST_ROOT)
config.test_exec_root = str(ROOT / ".lit")
config.suffixes = [".mlir", ".test"]
config.excludes = ["unit", "Inputs"]

supported, why_not = lit_config.maxIndividualTestTimeIsSupported
if supported:
    config.maxIndividualTestTime = SECONDS_PER_TEST
else:
    lit_config.warning(f"no time limit per test: {why_not}")

for needed in ("npu-opt", "filecheck"):
    if not (SCRIPTS / needed).exists():
        lit_config.fatal(f"{needed} is not in {SCRIPTS}; run lit from the environment that has the extra [dev]")


def decoys(folder: Path) -> Path:
    """Programs that fail, for tools that a test must not find elsewhere on PATH by accident."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("FileCheck", "filecheck", "mlir-opt", "npu-check", "npu-opt", "npu-reduce", "npu-run", "xdsl-opt"):
        decoy = folder / name
        fresh = folder / f"{name}.{os.getpid()}"
        fresh.write_text(f"#!/bin/sh\necho '{name} is not part of the environment under test' >&2\nexit 97\n")
        fresh.chmod(0o755)
        fresh.replace(decoy)
    return folder


warm = warm_programs.start(SCRIPTS, SECONDS_PER_TEST)
folders = [*([] if warm is None else [warm]), SCRIPTS, decoys(ROOT / ".lit" / "decoys")]
config.environment["PATH"] = os.pathsep.join([*map(str, folders), os.environ["PATH"]])
config.environment["PYTHONDONTWRITEBYTECODE"] = "1"
config.environment["NPU_OPT_VERIFY_LAYOUTS"] = "1"

mlir_opt = optional_tools.mlir_opt()
if mlir_opt.location is not None:
    config.available_features.add("mlir-opt")
    config.environment["XDSL_MLIR_OPT"] = mlir_opt.location
if optional_tools.mlir_bindings().location is not None:
    config.available_features.add("mlir-bindings")
if optional_tools.onnx().location is not None:
    config.available_features.add("onnx")
if optional_tools.litert().location is not None:
    config.available_features.add("litert")


def command_of(program: str) -> str:
    """The command that runs a program of the tests."""
    return program if warm is not None else f"{sys.executable} {warm_programs.CODE[program]}"


SPLIT = "--split-input-file"
MLIR_OPT = "%mlir-opt --allow-unregistered-dialect --mlir-print-op-generic"
config.substitutions += [
    (r"\bNPU_ROUNDTRIP\b", f"npu-opt %s {SPLIT} | npu-opt {SPLIT} | filecheck %s"),
    (
        r"\bNPU_GENERIC_ROUNDTRIP\b",
        f"npu-opt %s {SPLIT} --print-op-generic | npu-opt {SPLIT} | filecheck %s",
    ),
    (r"\bNPU_VERIFY_DIAG\b", f"npu-opt %s {SPLIT} --verify-diagnostics | filecheck %s"),
    (r"\bNPU_PARSE_DIAG\b", f"npu-opt %s {SPLIT} --parsing-diagnostics | filecheck %s"),
    (
        r"\bMLIR_ROUNDTRIP\b",
        f"npu-opt %s {SPLIT} --print-op-generic | {MLIR_OPT} {SPLIT} | npu-opt {SPLIT} | filecheck %s",
    ),
    (r"\bNPU_ONNX\b", f"{command_of('onnx-cases')} %s"),
    (
        r"\bNPU_TO_ONNX\b",
        f"npu-opt %s -o %t.onnx && {command_of('onnx-text')} %t.onnx | filecheck %s",
    ),
    ("%mlir-opt", mlir_opt.location or "mlir-opt"),
    ("%root", str(ROOT)),
]
