"""Quantisation of a LiteRT file to int8, run by the Python of an environment with ai-edge-quantizer.

    python benchmarks/vela_quantise.py FLOAT.tflite INT8.tflite SAMPLES.npz

The samples are arrays `<number>:<input>` in the shapes of the ONNX model. Where the file stores channels last, so do
the samples, and every file is calibrated with the same numbers.
"""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np


def main() -> None:
    # Those of the other environment.
    interpreter, quantizer, recipe = map(
        import_module, ("ai_edge_litert.interpreter", "ai_edge_quantizer.quantizer", "ai_edge_quantizer.recipe")
    )
    source, target, samples = sys.argv[1:]
    runner = interpreter.Interpreter(source, num_threads=1).get_signature_runner()
    inputs = {name: (tuple(each["shape"]), each["dtype"]) for name, each in runner.get_input_details().items()}
    arrays = np.load(samples)
    numbers = sorted({name.partition(":")[0] for name in arrays})
    calibration = [
        {name: stored(arrays[f"{number}:{name}"].astype(kind), shape) for name, (shape, kind) in inputs.items()}
        for number in numbers
    ]
    tool = quantizer.Quantizer(source, recipe.static_wi8_ai8())
    found = tool.quantize(tool.calibrate({"serving_default": calibration}))
    Path(target).write_bytes(found.quantized_model)


def stored(array: Any, shape: tuple[int, ...]) -> Any:
    """An array as the file stores it."""
    return array if array.shape == shape else np.ascontiguousarray(np.moveaxis(array, 1, -1)).reshape(shape)


if __name__ == "__main__":
    main()
