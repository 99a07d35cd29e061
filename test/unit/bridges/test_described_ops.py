"""ONNX models with custom ops that a target describes."""

from pathlib import Path
from typing import Any, cast

import onnx
import pytest
from npu_opt import check, optimize

CHIP = """
name = "chip"
description = "Channels last"
matmul = "rigid"
preferred = { feature = ["NWC", "NHWC", "NDHWC"], weight = ["WOI", "HWOI", "DHWOI"] }
demands = { conv2d = { data = "feature", kernel = "weight" } }

[ops."com.vendor.Mix"]
like = "elementwise"
pure = true

[ops."com.vendor.Dither"]
like = "data in any order, result the same"

[ops."com.vendor.Pool"]
like = "pool"
pure = true
"""
MODEL = """
<ir_version: 8, opset_import: ["": 17, "com.vendor": 1]>
net (float[1,4,8,8] x, float[4,4,3,3] k, float[1,4,1,1] b, float[3] t) => (float[1,4,2,2] y) {
  a = Conv (x, k)
  m = com.vendor.Mix <beta = 1.5> (b, a)
  d = com.vendor.Dither (m, t)
  p = com.vendor.Pool <kernel = [3, 3], data_layout = "any"> (d)
  y = Conv (p, k)
}
"""


@pytest.fixture
def chip(tmp_path: Path) -> Path:
    file = tmp_path / "chip.toml"
    file.write_text(CHIP)
    return file


def model() -> onnx.ModelProto:
    """The model, which says the type of the pool only: the others follow from the target."""
    proto = onnx.parser.parse_model(MODEL)
    proto.graph.value_info.append(onnx.helper.make_tensor_value_info("p", onnx.TensorProto.FLOAT, [1, 4, 4, 4]))
    return proto


def test_types_follow_from_the_description(chip: Path):
    assert '"com.vendor.Dither"(%m, %t)' in str(optimize(model(), target="opu").module)
    result = optimize(model(), target=chip)
    # Those of both arguments of the convolution and of the result.
    assert result.transposes == 3
    assert check(model(), result, target=chip)


def test_nodes_leave_as_they_came(chip: Path, tmp_path: Path):
    placed, plain = tmp_path / "placed.onnx", tmp_path / "plain.onnx"
    optimize(model(), target=chip, strategy=None, passes=[]).save(plain)
    optimize(model(), target=chip).save(placed)
    before = [node for node in model().graph.node if node.domain]
    for file in (plain, placed):
        after = [node for node in cast("Any", onnx).load(file).graph.node if node.domain]
        assert [node.op_type for node in after] == [node.op_type for node in before]
        assert [list(node.attribute) for node in after] == [list(node.attribute) for node in before]
        assert check(model(), file, target=chip)


def test_a_pool_is_in_its_own_layout_in_the_file(chip: Path, tmp_path: Path):
    optimize(model(), target=chip).save(tmp_path / "placed.onnx")
    graph = cast("Any", onnx).load(tmp_path / "placed.onnx").graph
    (pool,) = (node for node in graph.node if node.op_type == "Pool")
    producer = next(node for node in graph.node if pool.input[0] in node.output)
    assert (producer.op_type, list(producer.attribute[0].ints)) == ("Transpose", [0, 3, 1, 2])
