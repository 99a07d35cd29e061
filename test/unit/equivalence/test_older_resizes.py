"""Resize of opset 10, which takes its scales elsewhere, is one of newer opsets with the same coordinates."""

from itertools import product
from pathlib import Path

import npu_opt
import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install -e '.[dev]'")

from onnx import ModelProto, parser
from support.oracles.onnx_running import unoptimised

MODES = ("nearest", "linear")
SCALES = ("1, 1, 2, 1.5", "1, 1, 0.5, 0.7", "1, 1, 1, 1", "1, 1.5, 0.7, 1")


def resize(version: int, scales: str, attributes: str) -> ModelProto:
    operands = "x, s" if version == 10 else "x, , s"
    model = parser.parse_model(f"""<ir_version: 5, opset_import: ["": {version}]>
    net (float[1,c,7,w] x) => (float[1,d,h,v] y) <float[4] s = {{{scales}}}>
    {{ y = Resize <{attributes}> ({operands}) }}""")
    for output in model.graph.output:
        output.type.tensor_type.ClearField("shape")
    return model


# No newer Resize takes some elements from below and others from above.
@pytest.mark.parametrize(
    ("mode", "scales"), [each for each in product(MODES, SCALES) if each != MODES[:1] + SCALES[3:]]
)
def test_exports(tmp_path: Path, mode: str, scales: str):
    """All elements come from below, or all from above."""
    model = resize(10, scales, f'mode = "{mode}"')
    npu_opt.optimize(model, strategy=None, passes=()).save(tmp_path / "out.onnx")
    assert npu_opt.check(model, tmp_path / "out.onnx").word == "proved"


@pytest.mark.parametrize("scales", SCALES)
def test_newer_ones_are_equal_if_and_only_if_their_elements_are(scales: str):
    x = np.arange(4 * 7 * 9, dtype=np.float32).reshape(1, 4, 7, 9)
    model = resize(10, scales, 'mode = "nearest"')
    (expected,) = unoptimised(model).run(None, {"x": x})
    for way, near in product(("asymmetric", "half_pixel"), ("floor", "ceil")):
        text = f'mode = "nearest", coordinate_transformation_mode = "{way}", nearest_mode = "{near}"'
        newer = resize(13, scales, text)
        (found,) = unoptimised(newer).run(None, {"x": x})
        is_proved = npu_opt.check(model, newer).word == "proved"
        assert np.array_equal(found, expected) or not is_proved, text
        if way == "asymmetric" and scales in SCALES[:2]:
            assert is_proved == np.array_equal(found, expected), text
