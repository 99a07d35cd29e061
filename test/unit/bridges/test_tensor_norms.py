"""MeanVarianceNormalization of ONNX is the `tensor_norm` of targets. LiteRT and TOSA have no such op."""

from pathlib import Path

import npu_opt
import pytest
from npu_opt.dialects.npu.normalization import TensorNormOp
from npu_opt.layout import Layout
from npu_opt.passes.common.demands.target_layouts import TargetLayouts
from npu_opt.passes.fusion.stages.operand_layouts import OperandLayouts
from npu_opt.passes.fusion.stages.stage_match import Matching
from npu_opt.passes.transmit.apply import transmit
from npu_opt.targets import available, load
from onnx import ModelProto
from onnx.parser import parse_model

OPU = load(available()["opu"])


@pytest.mark.parametrize(("attributes", "axes"), [("", [0, 2, 3]), ("<axes = [2, 3]>", [2, 3]), ("<axes = [-3]>", [1])])
def test_norms_without_parameters(attributes: str, axes: list[int], tmp_path: Path):
    file, out = tmp_path / "model.onnx", tmp_path / "out.onnx"
    text = f"float[2,3,4,5] x) => (float[2,3,4,5] y) {{ y = MeanVarianceNormalization {attributes} (x) }}"
    file.write_bytes(parse_model(f'<ir_version: 8, opset_import: ["": 17]> g ({text}').SerializeToString())
    module = npu_opt.load(file).module
    (op,) = (each for each in module.walk() if isinstance(each, TensorNormOp))
    assert list(op.axes.get_values()) == axes
    transmit(module, Layout.parse("NCHW"))
    assert TargetLayouts(OPU).demands(op) is not None
    assert [stage.name for stage in Matching(OPU, OperandLayouts(module)).stages_for(op)] == ["pool"]
    npu_opt.optimize(file, target="opu").save(out)
    kinds = [node.op_type for node in ModelProto.FromString(out.read_bytes()).graph.node]
    assert [kind for kind in kinds if kind != "Transpose"] == ["MeanVarianceNormalization"]
    assert npu_opt.check(file, out)
