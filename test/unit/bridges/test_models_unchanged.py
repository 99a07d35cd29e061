"""Networks of the model set that no pass changes leave with the nodes and names that they came with."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import prod
from pathlib import Path

import pytest
from npu_opt.bridges.imported import Imported
from npu_opt.bridges.onnx.came import count_changed
from npu_opt.bridges.onnx.exporting import to_onnx
from npu_opt.bridges.onnx.exporting.elements import DTYPES
from npu_opt.bridges.onnx.exporting.weights import ConstantData
from npu_opt.bridges.onnx.importing.importer import Options, import_model
from npu_opt.dialects.npu.attrs import Reference
from npu_opt.layout import unpermuted
from npu_opt.passes.layout_optimal import LayoutOptimal
from onnx import ModelProto, TensorProto, checker, shape_inference
from support.campaign import LONG
from support.oracles.same_nodes import differences
from support.source_tree import ROOT
from xdsl.context import Context
from xdsl.passes import ModulePass

MODELS = ROOT / "benchmarks" / "models"
USUAL = ("crnn", "distilbert_int8", "espcn", "gpt2", "mobilenet_v2_qdq", "shufflenet_v1", "t5_encoder", "yolo_v8_n")
"""Networks of all exporters and of opsets 11 to 18, with everything that other nodes replace."""
NAMES = sorted(file.stem for file in MODELS.glob("*.onnx")) if LONG else USUAL

VIEWS = {"Cast", "Dropout", "Expand", "Flatten", "Identity", "Reshape", "Slice", "Squeeze", "Transpose", "Unsqueeze"}
"""Nodes that may have no effect, or become a Reshape."""
REPLACED: Mapping[str, set[str]] = {
    "Gemm": {"Add", "MatMul"},
    "GatherND": {"Add", "Gather", "Less", "Mul", "Split", "Where"},
    "Pad": set(),
    "Sum": {"Add"},
}
"""Nodes that may leave as others (docs/onnx.md)."""
MOVED_CONSTANTS = {"rt_detr_r50", "swin_t"}
"""Networks with Transposes of constants, which are constants in the file."""
LARGEST_KNOWN = 1 << 12
STRIPPED = "#stripped"
"""The location of data that is in no file, which the checker of onnx accepts."""


def written(imported: Imported) -> ModelProto:
    """The model of a program without the data of its weights; zero points and the like are zero."""

    def source(reference: Reference, number: int) -> ConstantData:
        shape = imported.weights[reference.key].shape
        size = prod(shape) if prod(shape) <= LARGEST_KNOWN else 0
        return ConstantData(number, bytes(size * DTYPES[number].itemsize), (unpermuted(shape),))

    model = to_onnx(imported.module, source=source, came=imported.came)
    for tensor in model.proto.graph.initializer:
        if prod(tensor.dims) <= LARGEST_KNOWN:
            tensor.raw_data = model.weights[tensor.name].data()
        else:
            tensor.data_location = TensorProto.EXTERNAL
            tensor.external_data.add(key="location", value=STRIPPED)
    return model.proto


def computing(model: ModelProto) -> dict[str, str]:
    """The op of each value that does not depend on constants and shapes alone, and may not be a view."""
    known = {tensor.name for tensor in model.graph.initializer}
    for node in model.graph.node:
        if node.op_type == "Shape" or all(name in known for name in node.input if name):
            known.update(node.output)
    return {
        name: node.op_type
        for node in model.graph.node
        for name in node.output
        if name not in known and node.op_type not in VIEWS
    }


@pytest.mark.parametrize("passes", [[], [LayoutOptimal(target="onnx")]], ids=["plain", "placed"])
@pytest.mark.parametrize("name", NAMES)
def test_nodes_outside_of_changed_regions_are_identical(name: str, passes: Sequence[ModulePass]):
    file = Path(MODELS, f"{name}.onnx")
    given = ModelProto.FromString(file.read_bytes())
    imported = import_model(file, Options(needs_data=False))
    for each in passes:
        each.apply(Context(), imported.module)
    assert [*differences(given, written(imported))] == []


@pytest.mark.parametrize("name", NAMES)
def test_nodes_and_names_stay(name: str):
    file = Path(MODELS, f"{name}.onnx")
    given = ModelProto.FromString(file.read_bytes())
    imported = import_model(file, Options(needs_data=False))
    found = written(imported)
    assert count_changed(imported.came, found.graph.node) == 0 or name in MOVED_CONSTANTS
    before, after = computing(given), computing(found)
    gone, new = Counter(before.values()) - Counter(after.values()), Counter(after.values()) - Counter(before.values())
    assert set(gone) <= set(REPLACED)
    assert set(new) <= {kind for old in gone for kind in REPLACED[old]}
    assert {after[value] for value in after.keys() - before.keys()} <= set(new)
    assert found.opset_import[0].version == given.opset_import[0].version
    shape_inference.infer_shapes(found, check_type=True, strict_mode=True, data_prop=True)
    checker.check_model(found, full_check=True)  # pyright: ignore[reportUnknownMemberType]  # "PathLike" of nothing.
