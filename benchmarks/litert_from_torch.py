"""A network of the model set by litert-torch, run by the Python of an environment with it.

    PYTHON benchmarks/litert_from_torch.py models/NAME.onnx FOLDER

The network is the module of PyTorch from which the ONNX file was exported, with random weights of its own. Images are
stored with channels last, as litert-torch's documentation advises. The file is FOLDER/NAME.tflite.
"""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

MODELS = Path(__file__).with_name("models")
IMAGE = 4
"""The least number of axes of an image or a video."""


def main() -> None:
    model, folder = map(Path, sys.argv[1:])
    sys.path.insert(0, str(MODELS))
    # Those of the other environment.
    catalogue, exporters, litert_torch, onnx = map(import_module, ("catalogue", "exporters", "litert_torch", "onnx"))
    network = {each.name: each for each in catalogue.NETWORKS}[model.stem]
    if network.exporter not in ("script", "dynamo"):
        sys.exit(f"{network.name} is not made from a module of PyTorch")
    inputs: tuple[Any, ...] = tuple(exporters.examples(network).values())
    outputs = onnx.load(network.file, load_external_data=False).graph.output
    ranks = [len(each.type.tensor_type.shape.dim) for each in outputs]
    wrapped = litert_torch.to_channel_last_io(
        exporters.module_of(network),
        args=[place for place, each in enumerate(inputs) if each.ndim >= IMAGE],
        outputs=[place for place, rank in enumerate(ranks) if rank >= IMAGE],
    )
    stored = tuple(each.movedim(1, -1) if each.ndim >= IMAGE else each for each in inputs)
    litert_torch.convert(wrapped.eval(), stored).export(str(folder / f"{network.name}.tflite"))


if __name__ == "__main__":
    main()
