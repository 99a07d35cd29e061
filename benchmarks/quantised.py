"""Quantised networks with ops on integers: the proof, the numbers of ONNX Runtime, and the groups of convolutions.

    python benchmarks/quantised.py [MODEL...]

The networks get random weights. `recognise-quantised` makes ops on integers of each, and the proof compares both. ONNX
Runtime, without its optimisations, runs the network on a random image, and each op of the exported result on the values
of 8 bits that the network has there; the elements are counted that differ. With its optimisations the results of both
for three images are compared. A convolution is grouped if `npu-default` puts it into a group of several ops.
"""

import argparse
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np
from models.onnx_runs import Array, random_inputs, read_graph
from models.weights import with_random_weights
from npu_opt.bridges.onnx.exporting import to_onnx
from npu_opt.bridges.onnx.exporting.files import whole
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.convolution import ConvolutionOp
from npu_opt.equivalence.compare import compare
from npu_opt.passes.fusion.functions.outlining import PRIMITIVE
from npu_opt.passes.npu_default import NpuDefault
from npu_opt.passes.recognise_quantised import RecogniseQuantised
from npu_opt.tools.driver.formats.models import WeightsOptions, read_model
from onnx import ModelProto, ValueInfoProto, helper
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

MODELS = Path(__file__).resolve().parent / "models"
NETWORKS = ("mobilenet_v2_qdq", "resnet50_qlinear")
QUANTISED = ("QuantizeLinear", "QLinear")
"""The beginnings of the names of ops whose results are of 8 bits."""
IMAGES = 3
OUTSIDE = "outside."
TARGETS = ("opu", "plover")


def quantised(model: ModelProto) -> dict[str, str]:
    """The values of 8 bits that a model computes, by their names in a program."""
    found = [node.output[0] for node in model.graph.node if node.op_type.startswith(QUANTISED)]
    return {name.removeprefix("/").replace("/", "_"): name for name in found}


def with_outputs(model: ModelProto, names: Iterable[str]) -> ModelProto:
    """The model that returns these values as well."""
    copy = ModelProto()
    copy.CopyFrom(model)
    returned = {output.name for output in copy.graph.output}
    copy.graph.output.extend(ValueInfoProto(name=name) for name in names if name not in returned)
    return copy


def run(model: ModelProto, inputs: Mapping[str, Array], optimised: bool) -> dict[str, Array]:
    """The values that a model returns in ONNX Runtime."""
    import onnxruntime  # pyright: ignore[reportMissingTypeStubs]  # It has none.

    runtime = cast("Any", onnxruntime)
    options = runtime.SessionOptions()
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    if not optimised:
        options.graph_optimization_level = runtime.GraphOptimizationLevel.ORT_DISABLE_ALL
    with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
        file.write(model.SerializeToString())
        file.flush()
        session = runtime.InferenceSession(file.name, options, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(None, dict(inputs)), strict=True))


def cut(model: ModelProto, values: Mapping[str, Array]) -> ModelProto:
    """The model in which each op reads these values from outside, by their names with a prefix."""
    copy = ModelProto()
    copy.CopyFrom(model)
    for node in copy.graph.node:
        for place, name in enumerate(node.input):
            node.input[place] = OUTSIDE + name if name in values else name
    for name, value in values.items():
        kind = helper.np_dtype_to_tensor_dtype(value.dtype)
        copy.graph.input.append(helper.make_tensor_value_info(OUTSIDE + name, kind, value.shape))
    return with_outputs(copy, values)


def numbers(before: ModelProto, after: ModelProto) -> str:
    """The elements that differ, of the quantised values of one image and of the results of several."""
    models = before, after
    names = [quantised(each) for each in models]
    both = sorted(names[0].keys() & names[1].keys())
    image = random_inputs(before)
    found = run(with_outputs(before, [names[0][each] for each in both]), image, optimised=False)
    given = {names[1][each]: found[names[0][each]] for each in both}
    outside = {OUTSIDE + name: value for name, value in given.items()}
    again = run(cut(after, given), {**image, **outside}, optimised=False)
    other = sum(int((value != again[name]).sum()) for name, value in given.items())
    compared = sum(value.size for value in given.values())
    alike = 0
    for seed in range(IMAGES):
        returned = [run(each, random_inputs(before, seed), optimised=True).values() for each in models]
        alike += all(np.array_equal(one, two) for one, two in zip(*returned, strict=True))
    return f"{other} of {compared} elements of {len(both)} values | {alike} of {IMAGES}"


def grouped(module: ModuleOp, target: str) -> str:
    """The convolutions in groups of several ops, of all."""
    fused = module.clone()
    NpuDefault(target=target).apply(Context(), fused)
    found = [op for op in fused.walk() if isinstance(op, ConvolutionOp)]
    inside = [op for op in found if PRIMITIVE in _function_of(op).attributes]
    return f"{len(inside)} of {len(found)}"


def _function_of(op: NpuOp) -> FuncOp:
    function = op.parent_op()
    assert isinstance(function, FuncOp)
    return function


def row(path: Path, folder: Path) -> str:
    before = folder / path.name
    before.write_bytes(with_random_weights(read_graph(path)).SerializeToString())
    module = read_model(str(before), WeightsOptions("inline")).module
    recognised = module.clone()
    RecogniseQuantised().apply(Context(), recognised)
    verdict = compare(module, recognised).verdict.name.lower()
    after = whole(to_onnx(recognised))
    counts = [grouped(each, target) for target in TARGETS for each in (module, recognised)]
    return " | ".join([path.stem, verdict, numbers(read_graph(before), after), *counts])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", type=Path, default=[MODELS / f"{name}.onnx" for name in NETWORKS])
    columns = [f"{target}, {what}" for target in TARGETS for what in ("npu-default", "recognise-quantised,npu-default")]
    print(f"| network | equal | other elements | equal results | {' | '.join(columns)} |")
    print(f"| --- | --- | --- | ---: |{' ---: |' * len(columns)}")
    with tempfile.TemporaryDirectory() as folder:
        for path in parser.parse_args().models:
            print(f"| {row(path, Path(folder))} |", flush=True)


if __name__ == "__main__":
    main()
