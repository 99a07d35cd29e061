"""Quantisation of a LiteRT file to int8, run by the Python of an environment with ai-edge-quantizer.

    python benchmarks/vela_quantise.py FLOAT.tflite INT8.tflite SAMPLES.npz

The samples are arrays `<number>:<input>` in the shapes of the ONNX model. Where the file stores channels last, so do
the samples, and every file is calibrated with the same numbers. The quantizer rejects a PADV2 whose pad value has
fewer axes than its result, as in files of onnx2tf; here it gets as many.
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
    content = with_long_pad_values(Path(source).read_bytes())
    runner = interpreter.Interpreter(model_content=content, num_threads=1).get_signature_runner()
    inputs = {name: (tuple(each["shape"]), each["dtype"]) for name, each in runner.get_input_details().items()}
    arrays = np.load(samples)
    numbers = sorted({name.partition(":")[0] for name in arrays})
    calibration = [
        {name: stored(arrays[f"{number}:{name}"].astype(kind), shape) for name, (shape, kind) in inputs.items()}
        for number in numbers
    ]
    tool = quantizer.Quantizer(content, recipe.static_wi8_ai8())
    found = tool.quantize(tool.calibrate({"serving_default": calibration}))
    Path(target).write_bytes(found.quantized_model)


def with_long_pad_values(content: bytes) -> bytes:
    """A file whose pad values have as many axes as the results."""
    formats: Any = import_module("ai_edge_litert.schema_py_generated")
    flatbuffers: Any = import_module("flatbuffers")
    model = formats.ModelT.InitFromObj(formats.Model.GetRootAs(content, 0))
    (graph,) = model.subgraphs
    pads = [node for node in graph.operators if _is_pad(model.operatorCodes[node.opcodeIndex], formats)]
    if not pads:
        return content
    for pad in pads:
        graph.tensors[pad.inputs[2]].shape = [1] * len(graph.tensors[pad.outputs[0]].shape)
    builder = flatbuffers.Builder(len(content))
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output())


def _is_pad(code: Any, formats: Any) -> bool:
    return max(code.builtinCode, code.deprecatedBuiltinCode) == formats.BuiltinOperator.PADV2


def stored(array: Any, shape: tuple[int, ...]) -> Any:
    """An array as the file stores it."""
    return array if array.shape == shape else np.ascontiguousarray(np.moveaxis(array, 1, -1)).reshape(shape)


if __name__ == "__main__":
    main()
