"""Models whose inputs and outputs are stored in other orders: shapes, names of dimensions, metadata, and numbers."""

import json
from pathlib import Path

import npu_opt
import numpy as np
import pytest
from npu_opt.checkers import check_equal
from npu_opt.tools import check, opt
from onnx import ModelProto
from support.generators.made_models import model
from support.oracles.onnx_running import executed

CHANNELS_LAST = """<ir_version: 10, opset_import: ["": 21]>
net (float[N,8,6,3] input) => (float[N,8,6,4] output, float[N,8,6,4] again)
<float[4,3,1,1] w = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}> {
  x = Transpose <perm = [0, 3, 1, 2]> (input)
  c = Conv (x, w)
  output = Transpose <perm = [0, 2, 3, 1]> (c)
  r = Relu (c)
  again = Transpose <perm = [0, 2, 3, 1]> (r)
}"""


def shapes(proto: ModelProto) -> dict[str, list[object]]:
    ends = (*proto.graph.input, *proto.graph.output)
    return {end.name: [dim.dim_param or dim.dim_value for dim in end.type.tensor_type.shape.dim] for end in ends}


@pytest.mark.parametrize(
    "options",
    [
        ["--interface=NCHW"],
        ["--interface=free", "--layout-optimal"],
        ["--interface=free", "--layout-preset", "--target=onnx"],
        ["--interface=input:NCHW,output:NCHW", "--interface=again:NCHW", "--layout-preset-npu"],
    ],
)
def test_the_border_has_no_transposes(options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    given, made = tmp_path / "given.onnx", tmp_path / "made.onnx"
    given.write_bytes(model(CHANNELS_LAST).SerializeToString())
    assert opt.run([str(given), *options, "--verify-layouts", "-o", str(made)]) == 0
    proto = ModelProto.FromString(made.read_bytes())
    assert [node.op_type for node in proto.graph.node] == ["Conv", "Relu"]
    assert shapes(proto) == {"input": ["N", 3, 8, 6], "output": ["N", 4, 8, 6], "again": ["N", 4, 8, 6]}
    notes = {entry.key: entry.value for entry in proto.metadata_props}
    assert notes == {f"npu_opt.interface.{name}": "NCHW (was NHWC)" for name in ("input", "output", "again")}
    assert "interface: input is stored as NCHW (was NHWC)\n" in capsys.readouterr().err
    assert check.run([str(given), str(made), "--numeric", "--trials=1"]) == 0
    assert ", with input, output, again stored as NCHW in the second program\n" in capsys.readouterr().out
    array = np.arange(2 * 8 * 6 * 3, dtype=np.float32).reshape(2, 8, 6, 3)
    before, after = (
        executed(ModelProto.FromString(given.read_bytes()), [array]),
        executed(proto, [array.transpose(0, 3, 1, 2)]),
    )
    for one, other in zip(before, after, strict=True):
        np.testing.assert_array_equal(one, other.transpose(0, 2, 3, 1))
    # Back in the original orders nothing is left of the note.
    back = tmp_path / "back.onnx"
    assert opt.run([str(made), "--layout-optimal", "--interface=NHWC", "-o", str(back)]) == 0
    assert shapes(ModelProto.FromString(back.read_bytes())) == shapes(ModelProto.FromString(given.read_bytes()))
    assert not ModelProto.FromString(back.read_bytes()).metadata_props
    assert check.run([str(given), str(back)]) == 0


def test_optimize():
    given = model(CHANNELS_LAST)
    result = npu_opt.optimize(given, target="onnx", interface="NCHW")
    assert (result.transposes, result.proved) == (0, True)
    assert shapes(result.to_onnx())["input"] == ["N", 3, 8, 6]
    verdict = npu_opt.check(given, result)
    assert verdict
    assert verdict.notes == ("with input, output, again stored as NCHW in the second program",)
    alone = npu_opt.optimize(given, strategy=None, passes="canonicalize", interface="output:NCHW")
    assert alone.transposes == 2
    with pytest.raises(npu_opt.NpuOptError, match="argument interface: expected keep, free, a layout"):
        npu_opt.optimize(given, interface="channels-last")


@pytest.mark.parametrize("options", [[], ["--interface=y:NHWC"]])
def test_an_output_that_is_listed_twice(options: list[str], tmp_path: Path):
    """The second type that a model states of it may be any, as for ONNX Runtime."""
    given, made, trace = (tmp_path / name for name in ("given.onnx", "made.onnx", "trace.json"))
    text = "(float[1,2,3,4] x, float[4,2,1,1] w) => (float[1,4,3,4] y, float[7] y, float[1,4,3,4] z) "
    given.write_bytes(model(f"net {text} {{ y = Conv (x, w) z = Relu (y) }}").SerializeToString())
    assert opt.run([str(given), "-O", *options, "-o", str(made)]) == 0
    proto = ModelProto.FromString(made.read_bytes())
    assert [each.name for each in proto.graph.output] == ["y", "y", "z"]
    assert check.run([str(given), str(made), "--trace", str(trace)]) == 0
    check_equal.check(str(given), str(made), json.loads(trace.read_text()), {})
    arrays = [np.arange(24, dtype=np.float32).reshape(1, 2, 3, 4), np.ones((4, 2, 1, 1), np.float32)]
    before, after = (executed(ModelProto.FromString(file.read_bytes()), arrays) for file in (given, made))
    order = (0, 2, 3, 1) if options else (0, 1, 2, 3)
    for one, other, axes in zip(before, after, (order, order, (0, 1, 2, 3)), strict=True):
        np.testing.assert_array_equal(one.transpose(axes), other)


def test_sizes_that_only_an_output_states(tmp_path: Path):
    """ONNX Runtime reshapes to what it is given, whatever the model states of the output."""
    given, made = tmp_path / "given.onnx", tmp_path / "made.onnx"
    text = "net (float[N,2] x, int64[2] s) => (float[4,1] y) { r = Relu (x) y = Reshape (r, s) }"
    given.write_bytes(model(text).SerializeToString())
    assert opt.run([str(given), "-O", "-o", str(made)]) == 0
    inputs = [np.arange(6, dtype=np.float32).reshape(3, 2), np.array([2, 3])]
    (found,) = executed(ModelProto.FromString(made.read_bytes()), inputs)
    np.testing.assert_array_equal(found, inputs[0].reshape(2, 3))
