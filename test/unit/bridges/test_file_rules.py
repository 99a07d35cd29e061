"""Files of ONNX for targets that say what a file may contain: each obeys, or is refused by name."""

from pathlib import Path

import npu_opt
import numpy as np
import pytest
from onnx import ModelProto, parser
from support.closeness import SUMS, assert_close
from support.oracles.onnx_running import executed


def target(folder: Path, *rules: str) -> Path:
    """A target as `onnx` with these rules for files."""
    file = folder / "chip.toml"
    lines = ('name = "chip"', 'description = "Rules for files"', 'extends = "onnx"', "[file]", *rules)
    file.write_text("\n".join(lines))
    return file


def written(model: ModelProto, folder: Path, *rules: str, verdict: str = "proved") -> ModelProto:
    """The file of a model for such a target, and what the proof says of it."""
    file = folder / "out.onnx"
    npu_opt.optimize(model, target=target(folder, *rules)).save(file)
    assert npu_opt.check(model, file).word == verdict
    return ModelProto.FromString(file.read_bytes())


@pytest.mark.parametrize("axes", ["", "axes"])
@pytest.mark.parametrize("kind", ["ReduceMean", "ReduceMax", "ReduceSumSquare", "ReduceLogSumExp"])
def test_reductions_have_their_axes_as_attributes_again(kind: str, axes: str, tmp_path: Path):
    model = parser.parse_model(f"""<ir_version: 8, opset_import: ["": 18]>
    net (float[2,3,4] x) => (float[a,b,c] y) <int64[1] axes = {{-1}}>
    {{ y = {kind} <keepdims = 1, noop_with_empty_axes = 0> (x{axes and f", {axes}"}) }}""")
    found = written(model, tmp_path, "opset = 17")
    assert found.opset_import[0].version == 17
    (node,) = found.graph.node
    assert [list(each.ints) for each in node.attribute if each.name == "axes"] == ([[-1]] if axes else [])
    x = np.random.default_rng(0).standard_normal((2, 3, 4)).astype(np.float32)
    assert_close(executed(found, [x])[0], executed(model, [x])[0], SUMS)


def test_defaults_that_an_older_opset_lacks_are_left_out(tmp_path: Path):
    model = parser.parse_model("""<ir_version: 8, opset_import: ["": 19]>
    net (float[1,2,4,N] x, int64[4] s) => (float[a,b,c,d] y) {
    p = AveragePool <dilations = [1, 1], kernel_shape = [2, 2]> (x)
    y = Resize <antialias = 0, keep_aspect_ratio_policy = "stretch", mode = "cubic"> (p, , , s) }""")
    # The proof takes a Resize of 18 for another op.
    found = written(model, tmp_path, "opset = 17", verdict="undecided")
    assert [node.op_type for node in found.graph.node] == ["AveragePool", "Resize"]
    x = np.random.default_rng(0).standard_normal((1, 2, 4, 5)).astype(np.float32)
    given = [x, np.array([1, 2, 6, 8])]
    assert_close(executed(found, given)[0], executed(model, given)[0], SUMS)


REFUSED = {
    "Split": "float[b] y, float[b] z = Split <axis = 0, num_outputs = 2> (x)",
    "Resize": 'float[b] y = Resize <mode = "cubic", antialias = 1> (x, , s)',
    "Pad": 'float[b] y = Pad <mode = "wrap"> (x, p)',
}


@pytest.mark.parametrize("kind", REFUSED)
def test_a_node_that_the_opset_lacks_is_refused_by_name(kind: str, tmp_path: Path):
    outputs, _, node = REFUSED[kind].partition(" = ")
    names = ", ".join(each.split()[-1] for each in outputs.split(", "))
    model = parser.parse_model(f"""<ir_version: 8, opset_import: ["": 19]>
    net (float[N] x, float[1] s, int64[2] p) => ({outputs}) {{ {names} = {node} }}""")
    with pytest.raises(npu_opt.NpuOptError, match=rf"{kind} of ONNX 19 is another op in ONNX 17"):
        written(model, tmp_path, "opset = 17")
    assert not (tmp_path / "out.onnx").exists()
