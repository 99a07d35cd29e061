"""Files with ops that LiteRT has otherwise, or the dialect not at all, are proved to compute what their models do."""

from pathlib import Path
from typing import Any

import npu_opt
import numpy as np
import pytest
from onnx import ModelProto, numpy_helper, parser

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install -e '.[dev]'")
pytest.importorskip("ai_edge_litert", reason="ai-edge-litert is not installed: pip install -e '.[dev]'")

from models.onnx_runs import run
from npu_opt.bridges.litert.exporting import to_litert, write_model
from npu_opt.bridges.litert.target import weights_of
from npu_opt.equivalence.compare import Verdict, compare
from support.closeness import FEW_STEPS_NEAR_ZERO, assert_close
from support.oracles.litert_running import executed

Inputs = dict[str, Any]


def model_of(text: str, **constants: Any) -> ModelProto:
    """The model of a graph in text, with these constants."""
    model = parser.parse_model(f'<ir_version: 8, opset_import: ["" : 18]>\n{text}')
    for name, numbers in constants.items():
        model.graph.initializer.append(numpy_helper.from_array(numbers, name))
    return model


def verdict(model: ModelProto, inputs: Inputs, folder: Path) -> str:
    """The verdict of the proof. The file of the model computes the same as ONNX Runtime."""
    program, file = npu_opt.load(model), folder / "model.tflite"
    assert program.imported is not None
    write_model(to_litert(program.module, Path(), weights_of(program.imported)), file)
    found = executed(file.read_bytes(), [inputs[value.name] for value in model.graph.input])
    for one, other in zip(found, run(model, inputs), strict=True):
        assert_close(one, other, FEW_STEPS_NEAR_ZERO)
    return npu_opt.check(program, file).word


@pytest.mark.parametrize(("direction", "count"), [("forward", 1), ("reverse", 1), ("bidirectional", 2)])
def test_recurrent_ops_step_by_step(direction: str, count: int, tmp_path: Path):
    random = np.random.default_rng(0)
    shapes = {"w": (count, 8, 3), "r": (count, 8, 2), "b": (count, 16)}
    constants = {name: random.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()}
    text = f"""main (float[5,1,3] x, float[{count},1,2] h) => (float[5,{count},1,2] y, float[{count},1,2] c) {{
        y, l, c = LSTM <direction = "{direction}", hidden_size = 2> (x, w, r, b, , h)
    }}"""
    inputs = {"x": random.standard_normal((5, 1, 3)), "h": random.standard_normal((count, 1, 2))}
    given = {name: array.astype(np.float32) for name, array in inputs.items()}
    assert verdict(model_of(text, **constants), given, tmp_path) == "proved"


def test_the_largest_elements_and_elements_at_places(tmp_path: Path):
    text = """main (float[2,5] x, int64[2,4] i) => (float[2,3] v, int64[2,3] p, float[2,4] g) {
        v, p = TopK <axis = 1> (x, k)
        g = GatherElements <axis = 1> (x, i)
    }"""
    inputs = {"x": np.array([[1, 5, 5, 2, 4], [3, 3, 0, 9, 3]], np.float32), "i": np.array([[0, -1, 4, 2]] * 2)}
    assert verdict(model_of(text, k=np.array([3])), inputs, tmp_path) == "proved"


SCATTERED: dict[str, tuple[str, dict[str, Any]]] = {
    "slices at known places": ("float[7,5] x, float[2,5] u", {"i": np.array([[3], [-1]])}),
    "slices at places of the run": ("float[7,5] x, float[2,5] u, int64[2,1] i", {}),
    "elements at known places": ("float[7,5] x, float[2] u", {"i": np.array([[3, 1], [-1, -5]])}),
}


@pytest.mark.parametrize("case", SCATTERED.values(), ids=SCATTERED)
def test_updates_take_the_place_of_slices(case: tuple[str, dict[str, Any]], tmp_path: Path):
    arguments, constants = case
    text = f"main ({arguments}) => (float[7,5] y, int64[2,?] p) {{ y = ScatterND (x, i, u) p = NonZero (y) }}"
    updates = np.array([8, 9], np.float32) if "float[2] u" in arguments else np.ones((2, 5), np.float32)
    inputs = {"x": np.eye(7, 5, dtype=np.float32), "u": updates}
    inputs |= {} if constants else {"i": np.array([[5], [5]])}
    assert verdict(model_of(text, **constants), inputs, tmp_path) == "proved"


def test_single_elements_at_known_places(tmp_path: Path):
    text = "main (float[2,5] x, float[2,3] u) => (float[2,5] y) { y = ScatterElements <axis = 1> (x, i, u) }"
    inputs = {"x": np.zeros((2, 5), np.float32), "u": np.arange(1, 7, dtype=np.float32).reshape(2, 3)}
    indices = np.array([[3, 1, -2], [0, 2, 4]])
    assert verdict(model_of(text, i=indices), inputs, tmp_path) == "proved"


@pytest.mark.parametrize("flag", ["largest", "sorted"])
def test_flags_that_are_neither_0_nor_1_are_another_matter(flag: str):
    """ONNX Runtime takes them for 0, others for 1."""
    texts = [
        f"main (float[2,5] x) => (float[2,3] v, int64[2,3] p) {{ v, p = TopK <{flag} = {n}> (x, k) }}" for n in (1, 2)
    ]
    one, other = (npu_opt.load(model_of(text, k=np.array([3]))).module for text in texts)
    assert compare(one, other, by_formulas=True).verdict is Verdict.UNDECIDED


AXES = (
    "main (float[3,3] x, int64[3,3] i) => (float[3,3] v, int64[3,3] p) {{ v, p = TopK <axis = {}> (x, k) }}",
    "main (float[3,3] x, int64[3,3] i) => (float[3,3] y) {{ y = GatherElements <axis = {}> (x, i) }}",
)


@pytest.mark.parametrize(("text", "default"), [*zip(AXES, (1, 0), strict=True)])
def test_another_axis_is_another_op(text: str, default: int):
    """All sizes are equal, so that no type tells the axes apart."""
    k = {"k": np.array([3])} if "TopK" in text else {}
    texts = {axis: text.format(axis) for axis in (0, 1)} | {None: text.format("").replace("<axis = > ", "")}
    programs = {axis: npu_opt.load(model_of(each, **k)).module for axis, each in texts.items()}

    def is_proved(one: int | None, other: int | None) -> bool:
        return compare(programs[one], programs[other], by_formulas=True).verdict is Verdict.PROVED

    assert not is_proved(0, 1)
    assert is_proved(None, default)
    assert not is_proved(None, 1 - default)


def test_sizes_at_run_time(tmp_path: Path):
    """Counted places, repeated to the sizes of another value."""
    text = """main (int64[batch,length] x, float[9,4] e) => (float[batch,length,4] y, float[batch,length] q) {
        s = Shape <start = 1> (x)
        f = Slice (places, zero, s, one, one)
        n = Squeeze (s)
        r = Range (begin, n, step)
        both = Shape (x)
        w = Expand (r, both)
        sum = Add (w, f)
        y = Gather (e, sum)
        u = Unsqueeze (w, last)
        j = Concat <axis = -1> (u, u)
        q = GatherND (e, j)
    }"""
    vectors = {"zero": [0], "one": [1], "last": [2], "begin": 0, "step": 1}
    constants = {name: np.array(numbers) for name, numbers in vectors.items()}
    model = model_of(text, places=np.array([[1, 0, 2, 2, 4]]), **constants)
    inputs = {"x": np.zeros((2, 3), np.int64), "e": np.arange(36, dtype=np.float32).reshape(9, 4)}
    assert verdict(model, inputs, tmp_path) == "proved"


def test_places_that_may_count_from_the_end_are_not_proved(tmp_path: Path):
    text = "main (float[rows,4] x, int64[count,2] i) => (float[count] y) { y = GatherND (x, i) }"
    inputs = {"x": np.arange(12, dtype=np.float32).reshape(3, 4), "i": np.array([[1, -1], [-3, 2]])}
    assert verdict(model_of(text), inputs, tmp_path) == "undecided"


def test_numbers_of_the_run_in_another_order(tmp_path: Path):
    """Sizes, positions and repeats of transposed values."""
    results = "int64[3] n, float[d,f,g] y, float[h,i,j] z"
    text = f"""main (float[a,b,c] x, int64[2] s, int64[2] e, int64[3] r) => ({results}) {{
        t = Transpose <perm = [2, 0, 1]> (x)
        n = Shape (t)
        p = Slice (t, s, e)
        y = Transpose <perm = [1, 2, 0]> (p)
        q = Tile (t, r)
        z = Transpose <perm = [1, 2, 0]> (q)
    }}"""
    model = model_of(text)
    inputs = {
        "x": np.arange(24, dtype=np.float32).reshape(2, 3, 4),
        "s": np.array([1, -1]),
        "e": np.array([2**40, 2]),
        "r": np.array([1, 2, 3]),
    }
    placed, file = npu_opt.optimize(model, target="litert").program, tmp_path / "model.tflite"
    assert [op.name for op in placed.module.walk()].count("npu.transpose") == 0
    write_model(to_litert(placed.module, Path(), None), file)
    given = [inputs[value.name] for value in model.graph.input]
    for one, other in zip(executed(file.read_bytes(), given), run(model, inputs), strict=True):
        np.testing.assert_array_equal(one, other)
