"""Runs npu-opt on the ONNX models of a test file, which are written in ONNX's text format between the comments.

usage: run_cases.py FILE [npu-opt flags]

The cases of a file, separated by `// -----`, become `model.onnx` in a folder of their own, in which npu-opt is run with
the flags. Output and messages go to standard output, so that both can be checked.
"""

import os
import sys
import tempfile
from contextlib import redirect_stderr
from pathlib import Path

import onnx
from npu_opt.tools.opt import run

SEPARATOR = "// -----"
HEADER = '<ir_version: 8, opset_import: ["": 17]>\n'


def model_text(case: str) -> str:
    """The text of a case without comments."""
    lines = [line for line in case.splitlines() if not line.lstrip().startswith("//")]
    text = "\n".join(lines).strip()
    return text if text.startswith("<") else HEADER + text


def main() -> None:
    file, *flags = sys.argv[1:]
    cases = Path(file).read_text().split(SEPARATOR)
    for index, case in enumerate(cases):
        if index:
            print(SEPARATOR, flush=True)
        with tempfile.TemporaryDirectory() as folder, redirect_stderr(sys.stdout):
            os.chdir(folder)
            Path("model.onnx").write_bytes(onnx.parser.parse_model(model_text(case)).SerializeToString())
            run(["model.onnx", *flags])
            os.chdir("/")


if __name__ == "__main__":
    main()
