"""A model of ONNX compiled by Rockchip's rknn-toolkit2, which prints its tables. Runs in the environment with it.

    python -P rknn_compile.py MODEL.onnx CHIP [SAMPLES.npz]

With SAMPLES the model is quantised to int8. They are the inputs of several runs, named `0:image` and so on.
"""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from onnx import ModelProto


def samples_of(file: Path, names: list[str]) -> Path:
    """The list of the samples of a file, as the toolkit reads it: a line for each run, with a file for each input."""
    arrays = np.load(file)
    runs = sorted({name.partition(":")[0] for name in arrays.files})
    lines: list[str] = []
    for run in runs:
        files = [Path(f"sample_{run}_{place}.npy").absolute() for place in range(len(names))]
        for path, name in zip(files, names, strict=True):
            np.save(path, arrays[f"{run}:{name}"])
        lines.append(" ".join(map(str, files)))
    found = Path("samples.txt")
    found.write_text("\n".join(lines) + "\n")
    return found


def main() -> int:
    model, chip, *samples = sys.argv[1:]
    graph = ModelProto.FromString(Path(model).read_bytes()).graph
    weights = {tensor.name for tensor in graph.initializer}
    names = [value.name for value in graph.input if value.name not in weights]
    dataset = str(samples_of(Path(samples[0]), names)) if samples else None
    api: Any = import_module("rknn.api")  # Only the other environment has it.
    tool = api.RKNN(verbose=True)
    tool.config(target_platform=chip)
    return tool.load_onnx(model=model) or tool.build(do_quantization=dataset is not None, dataset=dataset)


if __name__ == "__main__":
    sys.exit(main())
