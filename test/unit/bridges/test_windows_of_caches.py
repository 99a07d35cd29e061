"""A cache that keeps its last rows: the exporter computes their number by maxima, and slices tell it the importer."""

from pathlib import Path

import npu_opt
import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install -e '.[dev]'")

from npu_opt.tools.opt import run
from onnx import ModelProto, parser
from support.closeness import FEW_STEPS_NEAR_ZERO, assert_close
from support.oracles.onnx_running import unoptimised

DECODE = """<ir_version: 10, opset_import: ["": 21]>
decode (float[batch,4,1,8] q, float[batch,past,2,8] keys, float[batch,1,2,8] row)
 => (float[batch,4,1,a] y, float[batch,b,2,8] kept)
<int64[1] back = {-3}, int64[1] end = {9223372036854775807}, int64[1] rows = {1},
 int64[1] step = {1}, int64[1] heads = {2}, int64[1] left_out = {-3}, int64[1] minus = {-1},
 int64[1] zero = {0}, int64[1] one = {1}, int64[1] four = {4}, int64[1] eight = {8}>
{
  window = Slice (keys, back, end, rows, step)
  total = Concat <axis = 1> (window, row)
  kept = Slice (total, back, end, rows, step)
  t = Transpose <perm = [0, 2, 1, 3]> (total)
  u = Unsqueeze (t, heads)
  batch = Shape <start = 0, end = 1> (keys)
  past = Shape <start = 1, end = 2> (keys)
  beyond = Add (past, left_out)
  lost = Max (zero, beyond)
  taken = Mul (lost, minus)
  remaining = Add (past, taken)
  natural = Max (zero, remaining)
  count = Add (natural, one)
  wide = Concat <axis = 0> (batch, heads, heads, count, eight)
  e = Expand (u, wide)
  flat = Concat <axis = 0> (batch, four, count, eight)
  r = Reshape (e, flat)
  k = Transpose <perm = [0, 1, 3, 2]> (r)
  y = MatMul (q, k)
}"""


def test_a_window_of_the_last_rows_is_placed_as_a_whole_cache(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    given, file = tmp_path / "decode.onnx", tmp_path / "out.onnx"
    proto = parser.parse_model(DECODE)
    given.write_bytes(proto.SerializeToString())
    assert run([str(given), "-O", "-o", str(file), "--expect-transposes=1"]) == 0
    capsys.readouterr()
    assert npu_opt.check(given, file)
    written = ModelProto.FromString(file.read_bytes())
    assert [node.op_type for node in written.graph.node].count("Transpose") == 1
    sessions = [unoptimised(each) for each in (proto, written)]
    rng = np.random.default_rng(0)
    shapes = {"q": (2, 4, 1, 8), "row": (2, 1, 2, 8)}
    for past in range(6):
        feeds = {name: rng.standard_normal(shape, np.float32) for name, shape in shapes.items()}
        feeds["keys"] = rng.standard_normal((2, past, 2, 8), np.float32)
        before, after = (each.run(None, feeds) for each in sessions)
        for left, right in zip(before, after, strict=True):
            assert_close(right, left, FEW_STEPS_NEAR_ZERO)


@pytest.mark.parametrize("changed", ["left_out = {-2}", "left_out = {-1}", "minus = {1}"])
def test_another_number_of_rows_is_none_that_is_known(tmp_path: Path, changed: str):
    name = changed.split(" = ")[0]
    text = DECODE.replace(f"{name} = {{{-3 if name == 'left_out' else -1}}}", changed)
    assert text != DECODE
    given = tmp_path / "decode.onnx"
    given.write_bytes(parser.parse_model(text).SerializeToString())
    npu_opt.optimize(given).save(tmp_path / "out.onnx")
    kinds = [node.op_type for node in ModelProto.FromString((tmp_path / "out.onnx").read_bytes()).graph.node]
    assert kinds.count("Transpose") == 2
