"""LiteRT ops whose numbers are known at run time only: they are read as ops of the dialect, and leave as they came."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import npu_opt
import numpy as np
import pytest

pytest.importorskip("ai_edge_litert", reason="ai-edge-litert is not installed: pip install -e '.[dev]'")

from npu_opt.bridges.litert.importing.file import read_file
from npu_opt.bridges.litert.importing.importer import import_model
from npu_opt.bridges.onnx.errors import NotExportable
from npu_opt.bridges.onnx.exporting import to_onnx
from npu_opt.dialects.npu.dynamic import DynamicResizeOp
from npu_opt.dialects.npu.shape import TransposeOp
from npu_opt.interpreter import run
from npu_opt.passes.layout_optimal import LayoutOptimal
from support.generators.lite_cases import Array, LiteCase, LiteTensor
from support.ir_text import parse
from support.oracles.lite_trials import LITERT, problems_of
from support.oracles.litert_running import executed, exported
from xdsl.context import Context

F32: Array = (np.arange(24, dtype=np.float32) - 9.5).reshape(1, 2, 3, 4)


def given(array: Any, dtype: Any = np.float32, unknown: Sequence[int] = ()) -> LiteTensor:
    return LiteTensor(np.array(array, dtype), is_input=True, unknown=frozenset(unknown))


def const(numbers: Any, dtype: Any = np.int32) -> LiteTensor:
    return LiteTensor(np.array(numbers, dtype))


def result(shape: Sequence[int], *unknown: int, dtype: Any = np.float32) -> LiteTensor:
    return LiteTensor(np.zeros(shape, dtype), unknown=frozenset(unknown))


I32, I64 = np.int32, np.int64
RESIZE = "RESIZE_NEAREST_NEIGHBOR", "ResizeNearestNeighborOptions"
CASES: dict[str, tuple[str, LiteCase]] = {
    "sizes in 32 bits": (
        "npu.shape_of",
        LiteCase("SHAPE", "ShapeOptions", {"outType": 2}, [given(F32, unknown=[1, 2])], [result((4,), dtype=I32)]),
    ),
    "sizes in 64 bits": (
        "npu.shape_of",
        LiteCase("SHAPE", "ShapeOptions", {"outType": 4}, [given(F32, unknown=[1, 2])], [result((4,), dtype=I64)]),
    ),
    "so many from a place on": (
        "npu.dynamic_slice",
        LiteCase(
            "SLICE",
            "SliceOptions",
            {},
            [given(F32), given([0, 1, 1, 0], I32), const([1, 1, 2, 4])],
            [result((1, 1, 2, 4))],
        ),
    ),
    "all from a place on": (
        "npu.dynamic_slice",
        LiteCase(
            "SLICE",
            "SliceOptions",
            {},
            [given(F32), given([0, 1, 1, 2], I64), const([1, -1, 2, -1], I64)],
            [result((1, 1, 2, 2), 1, 3)],
        ),
    ),
    "equal parts": (
        "npu.dynamic_split",
        LiteCase(
            "SPLIT",
            "SplitOptions",
            {"numSplits": 2},
            [const(3), given(F32, unknown=[3])],
            [result((1, 2, 3, 2), 3), result((1, 2, 3, 2), 3)],
        ),
    ),
    "between places": (
        "npu.dynamic_slice",
        LiteCase(
            "STRIDED_SLICE",
            "StridedSliceOptions",
            {},
            [given(F32), given([0, -1, 0, 1], I32), given([1, 2, 3, -1], I32), const([1, 1, 2, 1])],
            [result((1, 1, 2, 2), 0, 1, 2, 3)],
        ),
    ),
    "between places of some axes": (
        "npu.dynamic_slice",
        LiteCase(
            "STRIDED_SLICE",
            "StridedSliceOptions",
            {"beginMask": 0b1011, "endMask": 0b1001},
            [given(F32), const([0, 7, 1, 0]), given([0, 1, 3, 0], I32), const([1, 1, 1, 1])],
            [result((1, 1, 2, 4), 1, 2)],
        ),
    ),
    "a part of an axis of unknown size": (
        "npu.slice",
        LiteCase(
            "STRIDED_SLICE",
            "StridedSliceOptions",
            {"beginMask": 0b1001, "endMask": 0b1101},
            [given(F32, unknown=[2]), const([0, 0, -2, 0]), const([0, 1, 0, 0]), const([1, 1, 1, 1])],
            [result((1, 1, 2, 4), 2)],
        ),
    ),
    "zeros around": (
        "npu.dynamic_pad",
        LiteCase(
            "PAD",
            "PadOptions",
            {},
            [given(F32), given([[0, 0], [1, 2], [0, 3], [0, 0]], I32)],
            [result((1, 5, 6, 4), 0, 1, 2, 3)],
        ),
    ),
    "a number around": (
        "npu.dynamic_pad",
        LiteCase(
            "PADV2",
            "PadV2Options",
            {},
            [given(F32), given([[0, 0], [1, 0], [2, 1], [0, 0]], I64), const(-2.5, np.float32)],
            [result((1, 3, 6, 4), 0, 1, 2, 3)],
        ),
    ),
    "mirrored around": (
        "npu.dynamic_pad",
        LiteCase(
            "MIRROR_PAD",
            "MirrorPadOptions",
            {"mode": 0},
            [given(F32), given([[0, 0], [1, 0], [2, 1], [0, 0]], I32)],
            [result((1, 3, 6, 4), 0, 1, 2, 3)],
        ),
    ),
    "the nearest elements": (
        "npu.dynamic_resize",
        LiteCase(*RESIZE, {}, [given(F32), given([5, 82], I32)], [result((1, 5, 82, 4), 1, 2)]),
    ),
    "the nearest elements with half pixels": (
        "npu.dynamic_resize",
        LiteCase(
            *RESIZE,
            {"halfPixelCenters": True},
            [given(F32), given([41, 4], I32)],
            [result((1, 41, 4, 4), 1, 2)],
            version=3,
        ),
    ),
    "the nearest elements with aligned corners": (
        "npu.dynamic_resize",
        LiteCase(
            *RESIZE,
            {"alignCorners": True},
            [given(np.repeat(F32, 2, 2)[:, :, :4]), given([1, 75], I32)],
            [result((1, 1, 75, 4), 1, 2)],
            version=3,
        ),
    ),
    "an image of unknown size": (
        "npu.dynamic_resize",
        LiteCase(*RESIZE, {}, [given(F32, unknown=[1, 2]), const([4, 7])], [result((1, 4, 7, 4))]),
    ),
}


@pytest.mark.parametrize(("name", "case"), CASES.values(), ids=CASES)
def test_numbers_of_the_run(name: str, case: LiteCase, tmp_path: Path):
    outputs = LITERT.run(case.model(), case.inputs)
    assert outputs is not None
    tally = Counter[str]()
    assert problems_of(case, outputs, case, tmp_path, tally) == []
    assert tally["written: proved"]
    (tmp_path / "case.tflite").write_bytes(case.model())
    module = import_model(tmp_path / "case.tflite").module
    assert name in str(module)
    assert "npu.opaque" not in str(module)
    for left, right in zip(run(module, "main", case.inputs), outputs, strict=True):
        assert np.array_equal(left, right)


@pytest.mark.parametrize("name", CASES)
def test_the_file_is_as_it_was(name: str, tmp_path: Path):
    case = CASES[name][1]
    (tmp_path / "case.tflite").write_bytes(case.model())
    (tmp_path / "again.tflite").write_bytes(exported(import_model(tmp_path / "case.tflite").module))
    assert [op.kind for op in read_file(tmp_path / "again.tflite").graphs[0].operators] == [case.kind]


BETWEEN_TRANSPOSES = """func.func @main(%x: tensor<1x3x?x5xf32>, %n: tensor<{count}x{type}>) -> tensor<1x?x?x5xf32> {{
  %a = npu.transpose %x permutation = [0, 3, 1, 2] : (tensor<1x3x?x5xf32>) -> tensor<1x5x3x?xf32>
  {op} : {types} -> tensor<1x5x?x?xf32>
  %c = npu.transpose %b permutation = [0, 2, 3, 1] : (tensor<1x5x?x?xf32>) -> tensor<1x?x?x5xf32>
  func.return %c : tensor<1x?x?x5xf32>
}}"""
MOVED: dict[str, Any] = {
    "pads": ("npu.dynamic_pad %a, %n axes = [2, 3]", np.array([1, 2, 0, 3], I64)),
    "cuts and pads": ("npu.dynamic_pad %a, %n axes = [2, 3] value = 1.5", np.array([-1, 2, 2, -3], I64)),
    "cuts more than there is": ("npu.dynamic_pad %a, %n axes = [2, 3]", np.array([-5, 2, 4, 0], I64)),
    "an added element": (
        "%v = npu.constant dense<1.5> : tensor<1xf32> %b = npu.dynamic_pad %a, %n, %v axes = [3, 2]",
        np.array([-1, 2, 2, -3], I64),
    ),
    "edges": ('npu.dynamic_pad %a, %n axes = [2, 3] mode = "edge"', np.array([-1, 2, 2, -3], I64)),
    "reflections": ('npu.dynamic_pad %a, %n axes = [3, 2] mode = "reflect"', np.array([2, -1, -1, 1], I64)),
    "sizes of LiteRT": (
        'npu.dynamic_resize %a, %n axes = [3, 2] coordinates = "lite_asymmetric" rounding = "floor"',
        np.array([82, 1], I32),
    ),
    "scales": ("npu.dynamic_resize %a, %n axes = [2, 3]", np.array([1.7, 0.4], np.float32)),
    "scales that change nothing": (
        'npu.dynamic_resize %a, %n axes = [2, 3] rounding = "ceil"',
        np.array([1.1, 1.05], np.float32),
    ),
} | {
    f"sizes, {coordinates}, {rounding}": (
        f'npu.dynamic_resize %a, %n axes = [2, 3] coordinates = "{coordinates}" rounding = "{rounding}"',
        np.array([4, 3], I64),
    )
    for coordinates in DynamicResizeOp.COORDINATES[:-1]
    for rounding in DynamicResizeOp.ROUNDINGS
}


@pytest.mark.parametrize(("op", "numbers"), MOVED.values(), ids=MOVED)
def test_ops_that_transposes_pass(op: str, numbers: Array):
    """Programs in ONNX's order compute the same in LiteRT, as they are and without their transposes."""
    type_ = {"int64": "i64", "int32": "i32", "float32": "f32"}[str(numbers.dtype)]
    types = f"(tensor<1x5x3x?xf32>, tensor<{len(numbers)}x{type_}>{', tensor<1xf32>' if '%v' in op else ''})"
    op = op if "%b" in op else f"%b = {op}"
    module = parse(BETWEEN_TRANSPOSES.format(op=op, types=types, type=type_, count=len(numbers)))
    inputs = [(np.arange(105, dtype=np.float32) - 9.5).reshape(1, 3, 7, 5), numbers]
    expected = run(module, "main", inputs)
    for _ in range(2):
        assert np.array_equal(executed(exported(module), inputs)[0], expected[0])
        LayoutOptimal().apply(Context(), module)
        assert not any(isinstance(each, TransposeOp) for each in module.walk())


@pytest.mark.parametrize(("sizes", "last"), [((3, 3), 1), ((2, 5), 0)])
def test_parts_of_an_axis_of_unknown_size(sizes: tuple[int, int], last: int):
    """ONNX's last part may be smaller."""
    is_listed = last == 0
    results = "(tensor<1x?x5xf32>, tensor<1x?x5xf32>)"
    types = f"(tensor<1x?x5xf32>{', tensor<2xi32>' if is_listed else ''}) -> {results}"
    module = parse(f"""func.func @main(%x: tensor<1x?x5xf32>, %n: tensor<2xi32>) -> {results} {{
      %a, %b = npu.dynamic_split %x{", %n" if is_listed else ""} axis = 1 parts = 2 : {types}
      func.return %a, %b : tensor<1x?x5xf32>, tensor<1x?x5xf32>
    }}""")
    x = np.arange(5 * (sum(sizes) - last), dtype=np.float32).reshape(1, -1, 5)
    inputs = [x, np.array(sizes, I32)]
    for found, expected in zip(executed(exported(module), inputs), run(module, "main", inputs), strict=True):
        assert np.array_equal(found, expected)
    assert np.array_equal(run(module, "main", inputs)[0], x[:, : sizes[0]])


def test_equal_parts_of_an_axis_of_unknown_size(tmp_path: Path):
    """LiteRT's SPLIT refuses other parts, as the op does."""
    results = "(tensor<1x?x5xf32>, tensor<1x?x5xf32>)"
    module = parse(f"""func.func @main(%x: tensor<1x?x5xf32>) -> {results} {{
      %a, %b = npu.dynamic_split %x axis = 1 parts = 2 equal : (tensor<1x?x5xf32>) -> {results}
      func.return %a, %b : tensor<1x?x5xf32>, tensor<1x?x5xf32>
    }}""")
    model = exported(module)
    x = np.arange(30, dtype=np.float32).reshape(1, 6, 5)
    for found, expected in zip(executed(model, [x]), run(module, "main", [x]), strict=True):
        assert np.array_equal(found, expected)
    (tmp_path / "m.mlir").write_text(str(module))
    (tmp_path / "m.tflite").write_bytes(model)
    assert npu_opt.check(tmp_path / "m.mlir", tmp_path / "m.tflite").proved


def test_positions_that_are_rounded_to_the_neighbour(tmp_path: Path):
    """82 positions of 2 elements: LiteRT's are no repetition, and those of a repetition have half pixels."""
    x = np.arange(4, dtype=np.float32).reshape(1, 2, 2, 1)
    case = LiteCase(*RESIZE, {}, [given(x), const([82, 2])], [result((1, 82, 2, 1))])
    outputs = LITERT.run(case.model(), case.inputs)
    assert outputs is not None
    assert not np.array_equal(outputs[0], np.repeat(x, 41, 1))
    assert problems_of(case, outputs, case, tmp_path, Counter[str]()) == []
    (tmp_path / "case.tflite").write_bytes(case.model())
    module = import_model(tmp_path / "case.tflite").module
    assert np.array_equal(run(module, "main", [x])[0], outputs[0])
    repeated = """func.func @main(%x: tensor<1x{size}x2x1xf32>) -> tensor<1x{result}x2x1xf32> {{
      %y = npu.upsample %x factors = [41, 1] data_layout = <NHWC>
        : (tensor<1x{size}x2x1xf32>) -> tensor<1x{result}x2x1xf32>
      func.return %y : tensor<1x{result}x2x1xf32>
    }}"""
    for size, many in ((2, 82), ("?", "?")):
        model = exported(parse(repeated.format(size=size, result=many)))
        assert np.array_equal(executed(model, [x])[0], np.repeat(x, 41, 1))


def test_positions_of_litert_have_no_counterpart_in_onnx():
    program = """func.func @main(%x: tensor<1x2x3x4xf32>, %n: tensor<2xi64>) -> tensor<1x?x?x4xf32> {
      %y = npu.dynamic_resize %x, %n axes = [1, 2] coordinates = "lite_half_pixel" rounding = "ROUNDING"
        : (tensor<1x2x3x4xf32>, tensor<2xi64>) -> tensor<1x?x?x4xf32>
      func.return %y : tensor<1x?x?x4xf32>
    }"""
    with pytest.raises(NotExportable, match=r"'litert\.RESIZE_NEAREST_NEIGHBOR' is no op of ONNX"):
        to_onnx(parse(program.replace("ROUNDING", "floor")))
    # No op of LiteRT rounds this position up.
    with pytest.raises(NotExportable, match="rounded as in LiteRT has no counterpart"):
        to_onnx(parse(program.replace("ROUNDING", "ceil")), keeps_foreign=True)


def test_a_constant_of_which_a_size_is_called_unknown():
    module = parse("""func.func @main(%x: tensor<1x?xf32>) -> tensor<1x?xf32> {
      %c = npu.constant dense<[[[1.0, 2.0], [3.0, 4.0]]]> : tensor<1x2x2xf32>
      %r = npu.reshape %c : (tensor<1x2x2xf32>) -> tensor<1x?xf32>
      %y = npu.add %x, %r : (tensor<1x?xf32>, tensor<1x?xf32>) -> tensor<1x?xf32>
      func.return %y : tensor<1x?xf32>
    }""")
    (found,) = executed(exported(module), [np.zeros((1, 4), np.float32)])
    np.testing.assert_array_equal(found, [[1, 2, 3, 4]])


def test_pads_of_halves_are_below_all_halves():
    """The number below all of f32 is infinite in 16 bits, without a warning."""
    module = parse("""func.func @main(%x: tensor<1x4x1xf16>) -> tensor<1x2x1xf16> {
      %y = npu.max_pool %x window = [3] strides = [2] pads = [1, 0] data_layout = <NWC>
        : (tensor<1x4x1xf16>) -> tensor<1x2x1xf16>
      func.return %y : tensor<1x2x1xf16>
    }""")
    x = np.array([-5, -7, -60000, -9], np.float16).reshape(1, 4, 1)
    (found,) = executed(exported(module), [x])
    np.testing.assert_array_equal(found.reshape(-1), np.array([-5, -7], np.float16))


def test_ends_beyond_32_bits_are_behind_all_elements():
    module = parse("""func.func @main(%x: tensor<6xf32>, %s: tensor<1xi64>) -> tensor<?xf32> {
      %e = npu.constant dense<9223372036854775807> : tensor<1xi64>
      %y = npu.dynamic_slice %x, %s, %e axes = [0] : (tensor<6xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
      func.return %y : tensor<?xf32>
    }""")
    x = np.arange(6, dtype=np.float32)
    (found,) = executed(exported(module), [x, np.array([2], np.int64)])
    np.testing.assert_array_equal(found, x[2:])
