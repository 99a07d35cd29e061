"""DFT, STFT, windows and filters of mels: the numbers of ONNX Runtime, and the nodes that came."""

from itertools import product
from pathlib import Path
from typing import Any

import npu_opt
import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install -e '.[dev]'")

from onnx import numpy_helper
from support.closeness import SUMS, assert_close
from support.generators.made_models import model
from support.oracles.onnx_nodes import computes_the_same
from support.oracles.onnx_running import unoptimised

Numbers = dict[str, Any]
DATA = np.random.default_rng(0).standard_normal((2, 40, 8, 2)).astype(np.float32)


def check(text: str, constants: Numbers, data: Any, opset: int = 20) -> None:
    """The program and the file compute what the model does, and all nodes are as they came."""
    proto = model(f'<ir_version: 9, opset_import: ["": {opset}]> {text}')
    proto.graph.initializer.extend(numpy_helper.from_array(value, name) for name, value in constants.items())
    written = computes_the_same(proto, {"x": data})
    assert [node.op_type for node in written.graph.node] == [node.op_type for node in proto.graph.node]


@pytest.mark.parametrize("length", [None, 5, 16])
@pytest.mark.parametrize("axis", [1, 2, -3])
def test_transforms(length: int | None, axis: int):
    constants: Numbers = {"a": np.array(axis), **({} if length is None else {"n": np.array(length)})}
    name = "" if length is None else "n"
    for parts, inverse, onesided in product((1, 2), (0, 1), (0, 1)):
        # A one-sided inverse of another length is another number in ONNX Runtime.
        if (parts != 1 + inverse and onesided) or (inverse and onesided and length is not None):
            continue
        node = f"DFT <inverse = {inverse}, onesided = {onesided}> (x, {name}, a)"
        check(f"main (float[2,40,8,{parts}] x) => (float[a,b,c,d] y) {{ y = {node} }}", constants, DATA[..., :parts])


@pytest.mark.parametrize("names", ["s, w", "s, , l", "s, w, l"])
def test_frames(names: str):
    constants: Numbers = {"s": np.array(6), "w": DATA.ravel()[:16], "l": np.array(16)}
    used = {name: value for name, value in constants.items() if name in names}
    for stated in ("", "<onesided = 1>"):
        check(
            f"main (float[2,40,1] x) => (float[2,5,9,2] y) {{ y = STFT {stated} (x, {names}) }}",
            used,
            DATA[:, :, 0, :1],
        )
    check(
        f"main (float[2,40,2] x) => (float[2,5,16,2] y) {{ y = STFT <onesided = 0> (x, {names}) }}", used, DATA[:, :, 0]
    )


@pytest.mark.parametrize("kind", ["HannWindow", "HammingWindow", "BlackmanWindow"])
def test_windows(kind: str):
    for periodic, size in product((0, 1), (2, 9, 40)):
        text = (
            f"main (float[{size}] x) => (float[{size}] y) {{ w = {kind} <periodic = {periodic}> (s) y = Mul (x, w) }}"
        )
        check(text, {"s": np.array(size)}, DATA.ravel()[:size])


def test_filters_of_mels():
    text = "main (float[3,201] x) => (float[3,40] y) { w = MelWeightMatrix (n, l, r, f, t) y = MatMul (x, w) }"
    whole = {"n": np.array(40), "l": np.array(400), "r": np.array(16000)}
    check(
        text,
        whole | {"f": np.array(20, np.float32), "t": np.array(7600, np.float32)},
        DATA.ravel()[:603].reshape(3, 201),
    )


@pytest.mark.parametrize(("inverse", "onesided", "parts"), [(0, 0, 1), (0, 0, 2), (1, 0, 2), (0, 1, 1), (1, 1, 2)])
@pytest.mark.parametrize("axis", [1, 2])
def test_products_of_litert_are_proved(inverse: int, onesided: int, parts: int, axis: int, tmp_path: Path):
    pytest.importorskip("ai_edge_litert", reason="ai_edge_litert is not installed: pip install -e '.[litert]'")
    from npu_opt.bridges.litert.engine import LiteEngine

    node = f"DFT <inverse = {inverse}, onesided = {onesided}> (x, , a)"
    graph = f"main (float[2,40,8,{parts}] x) => (float[a,b,c,d] y) {{ y = {node} }}"
    proto = model(f'<ir_version: 9, opset_import: ["": 20]> {graph}')
    proto.graph.initializer.append(numpy_helper.from_array(np.array(axis), "a"))
    file = tmp_path / "model.tflite"
    npu_opt.optimize(proto, target="litert").save(file)
    assert npu_opt.check(proto, file).word == "proved"
    data = DATA[..., :parts]
    (expected,) = unoptimised(proto).run(None, {"x": data})
    (found,) = LiteEngine(file).run([data])
    assert_close(found, expected, SUMS)
