"""Conversions that are broken on purpose: a file that computes something else is refused, whoever shares the mistake.

A reader takes an op of the model and of the written file for the same other one, so that no proof about what it reads
finds it. Engines do, which read both files in their own way.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias, cast

import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install -e '.[dev]'")
pytest.importorskip("ai_edge_litert", reason="ai-edge-litert is not installed: pip install -e '.[dev]'")

from npu_opt.bridges.litert.exporting.graph import LiteGraph
from npu_opt.bridges.litert.importing.node import FileNode
from npu_opt.bridges.onnx.exporting import program, versions
from npu_opt.bridges.onnx.exporting.graph import OnnxGraph
from npu_opt.bridges.onnx.exporting.ops import elementwise
from npu_opt.bridges.onnx.importing.node import ImportedNode
from npu_opt.bridges.onnx.importing.ops import elementwise as importing
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.unary import CosOp, SinOp
from npu_opt.tools.opt import run
from onnx import ModelProto, numpy_helper, parser
from support import optional_tools
from support.closeness import SUMS, are_close
from support.generators.lite_cases import LiteCase, LiteTensor
from support.oracles.litert_running import executed
from support.oracles.onnx_running import unoptimised
from xdsl.ir import Operation

Array: TypeAlias = NDArray[Any]
Break: TypeAlias = Callable[[pytest.MonkeyPatch], None]
ONNX, LITE = "written.onnx", "written.tflite"


def onnx_attribute(kind: str, **values: Any) -> Break:
    """The importer of ONNX reads these values."""
    right: Callable[..., Any] = vars(ImportedNode)["_attribute"]

    def wrong(self: ImportedNode, name: str, type_: int) -> Any:
        found = right(self, name, type_)
        return values[name] if self.proto.op_type == kind and name in values else found

    return lambda monkeypatch: monkeypatch.setattr(ImportedNode, "_attribute", wrong)


def onnx_operands(kind: str, *places: int) -> Break:
    """The importer of ONNX reads the operands in another order."""
    right = ImportedNode.operand

    def wrong(self: ImportedNode, index: int) -> Any:
        return right(self, places[index] if self.proto.op_type == kind else index)

    return lambda monkeypatch: monkeypatch.setattr(ImportedNode, "operand", wrong)


def onnx_constants(kind: str, change: Callable[[list[int]], list[int]]) -> Break:
    """The importer of ONNX reads other constants."""
    right = ImportedNode.constants

    def wrong(self: ImportedNode, index: int) -> list[int]:
        found = right(self, index)
        return change(found) if self.proto.op_type == kind else found

    return lambda monkeypatch: monkeypatch.setattr(ImportedNode, "constants", wrong)


def onnx_opset(number: int) -> Break:
    """The importer of ONNX takes nodes for those of another version."""
    return lambda monkeypatch: monkeypatch.setattr(ImportedNode, "opset", number)


def onnx_row(kind: str, op: type[NpuOp]) -> Break:
    """The importer of ONNX takes an op for another one."""
    return lambda monkeypatch: monkeypatch.setitem(importing.UNARY, kind, op)


def written_onnx(kind: str, **values: Any) -> Break:
    """The exporter of ONNX writes these attributes, also of nodes that came so."""
    right = OnnxGraph.split_node

    def wrong(self: OnnxGraph, name: str, *rest: Any, **attributes: Any) -> Any:
        return right(self, name, *rest, **(attributes | (values if name == kind else {})))

    def patch(monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(OnnxGraph, "split_node", wrong)
        made_anew(monkeypatch)

    return patch


def none_unchanged(*_: object) -> dict[Operation, object]:
    return {}


def made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """No node leaves as it came, as if a pass had changed each op."""
    monkeypatch.setattr(program, "unchanged", none_unchanged)


def row_of_sin(monkeypatch: pytest.MonkeyPatch) -> None:
    """The exporter writes a sine as a cosine."""
    monkeypatch.setitem(elementwise.ROWS, SinOp, elementwise.ROWS[CosOp])
    made_anew(monkeypatch)


def clip_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bounds of a Clip became inputs in another order."""
    monkeypatch.setitem(vars(versions)["BECAME_INPUTS"], "Clip", (11, ["max", "min"]))


def sample_modes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The modes of GridSample have other names than those that they got."""
    monkeypatch.setattr(versions, "GRID_SAMPLE_MODES", {"bilinear": "cubic", "bicubic": "linear"})


def rounding(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Resize that repeats elements takes those above."""

    def above(*_: object) -> str:
        return "ceil"

    monkeypatch.setattr(versions, "_rounding", above)


class _Changed:
    """Options of which some are others."""

    def __init__(self, found: Any, values: dict[str, Any]):
        self._found, self._values = found, values

    def __getattr__(self, name: str) -> Any:
        return self._values[name] if name in self._values else getattr(self._found, name)


def lite_options(kind: str, **values: Any) -> Break:
    """The reader of LiteRT files reads these options."""
    right = cast("Any", FileNode.options).fget

    def wrong(self: FileNode) -> Any:
        return _Changed(right(self), values) if self.kind == kind else right(self)

    return lambda monkeypatch: monkeypatch.setattr(FileNode, "options", property(wrong))


def lite_numbers(kind: str, change: Callable[[Array], Array]) -> Break:
    """The reader of LiteRT files reads other numbers of constant operands."""
    right = FileNode.numbers

    def wrong(self: FileNode, index: int) -> Array:
        return change(right(self, index)) if self.kind == kind else right(self, index)

    return lambda monkeypatch: monkeypatch.setattr(FileNode, "numbers", wrong)


def written_lite(kind: str, **values: Any) -> Break:
    """The exporter of LiteRT files writes these options."""
    right = LiteGraph.split_node

    def wrong(self: LiteGraph, name: str, *rest: Any, **options: Any) -> Any:
        return right(self, name, *rest, **(options | (values if name == kind else {})))

    return lambda monkeypatch: monkeypatch.setattr(LiteGraph, "split_node", wrong)


def together(*breaks: Break) -> Break:
    def patch(monkeypatch: pytest.MonkeyPatch) -> None:
        for each in breaks:
            each(monkeypatch)

    return patch


ROW, SQUARE, CUBE, IMAGE = "float[3,4] x", "float[4,4] x", "float[2,3,4] x", "float[1,4,6,6] x"
POOL = "y = AveragePool <kernel_shape = [3, 3], pads = [1, 1, 1, 1], count_include_pad = 1> (x)"
NEAREST = 'coordinate_transformation_mode = "asymmetric", nearest_mode = "ceil"'
LINES = 'coordinate_transformation_mode = "asymmetric", mode = "linear"'
SOFTMAX, LEAKY = "y = Softmax <axis = 0> (x)", "y = LeakyRelu <alpha = 0.3> (x)"
CONV = "y = Conv <pads = [1, 0, 0, 1]> (x, w)"
TURNED: Callable[[list[int]], list[int]] = lambda found: found[::-1]  # noqa: E731
READERS: dict[str, tuple[str, str, Break]] = {
    "the axis of a Softmax": (ROW, SOFTMAX, onnx_attribute("Softmax", axis=-1)),
    "the slope of a LeakyRelu": (ROW, LEAKY, onnx_attribute("LeakyRelu", alpha=0.01)),
    "the factor of an Elu": (ROW, "y = Elu <alpha = 0.3> (x)", onnx_attribute("Elu", alpha=1.0)),
    "the slope of a HardSigmoid": (ROW, "y = HardSigmoid <alpha = 0.3> (x)", onnx_attribute("HardSigmoid", alpha=0.2)),
    "the pads of a Conv": (IMAGE, CONV, onnx_attribute("Conv", pads=[0, 1, 1, 0])),
    "the steps of a window": (
        IMAGE,
        "y = Conv <dilations = [2, 1], pads = [2, 1, 2, 1]> (x, w)",
        onnx_attribute("Conv", dilations=[1, 2], pads=[1, 2, 1, 2]),
    ),
    "what an AveragePool divides by": (IMAGE, POOL, onnx_attribute("AveragePool", count_include_pad=0)),
    "the weights of a Gemm": (SQUARE, "y = Gemm <transB = 1> (x, s)", onnx_attribute("Gemm", transB=None)),
    "the factor of a Gemm": (SQUARE, "y = Gemm <alpha = 0.5> (x, s)", onnx_attribute("Gemm", alpha=None)),
    "the axis of a Gather": (SQUARE, "y = Gather <axis = 1> (x, i)", onnx_attribute("Gather", axis=0)),
    "the sums of a CumSum": (ROW, "y = CumSum <exclusive = 1> (x, a)", onnx_attribute("CumSum", exclusive=0)),
    "the order of pixels": (
        "float[1,8,2,2] x",
        'y = DepthToSpace <mode = "CRD", blocksize = 2> (x)',
        onnx_attribute("DepthToSpace", mode=None),
    ),
    "the rounding of a Resize": (
        IMAGE, f"y = Resize <{NEAREST}> (x, , r)", onnx_attribute("Resize", nearest_mode=b"floor"),
    ),
    "the places of a Resize": (
        IMAGE, f"y = Resize <{LINES}> (x, , r)", onnx_attribute("Resize", coordinate_transformation_mode=b"half_pixel"),
    ),
    "a small number of a norm": (
        IMAGE,
        "y = BatchNormalization <epsilon = 0.5> (x, v, v, v, v)",
        onnx_attribute("BatchNormalization", epsilon=None),
    ),
    "the sum of squares": (IMAGE, "y = LRN <size = 3, alpha = 0.5> (x)", onnx_attribute("LRN", alpha=0.01)),
    "the half of a matrix": (SQUARE, "y = Trilu <upper = 0> (x)", onnx_attribute("Trilu", upper=1)),
    "the operands of a Sub": (SQUARE, "y = Sub (x, s)", onnx_operands("Sub", 1, 0)),
    "the pads of a Pad": (CUBE, "y = Pad (x, p)", onnx_constants("Pad", TURNED)),
    "a sine": (ROW, "y = Sin (x)", onnx_row("Sin", CosOp)),
    "a newer Softmax": ("float[2,3,4] x", "y = Softmax (x)", onnx_opset(13)),
}  # fmt: skip
"""The inputs and nodes of a model, and a break of the importer; the file is one of LiteRT."""
WRITERS: dict[str, tuple[str, str, Break]] = {
    "the axis of a Softmax": (ROW, SOFTMAX, written_onnx("Softmax", axis=1)),
    "the slope of a LeakyRelu": (ROW, LEAKY, written_onnx("LeakyRelu", alpha=0.01)),
    "the pads of a Conv": (IMAGE, CONV, written_onnx("Conv", pads=[0, 1, 1, 0])),
    "what an AveragePool divides by": (IMAGE, POOL, written_onnx("AveragePool", count_include_pad=0)),
    "a sine": (ROW, "y = Sin (x)", row_of_sin),
    "an axis that is read as it is written": (
        ROW, SOFTMAX, together(onnx_attribute("Softmax", axis=1), written_onnx("Softmax", axis=1)),
    ),
    "a slope that is read as it is written": (ROW, LEAKY, together(onnx_attribute("LeakyRelu", alpha=0.1), made_anew)),
    "a sine that is read as it is written": (ROW, "y = Sin (x)", together(onnx_row("Cos", SinOp), row_of_sin)),
}  # fmt: skip
"""Breaks of the exporter of ONNX models, and of the importer as well."""
STEPS: dict[str, tuple[str, str, int, Break]] = {
    "bounds": (ROW, "y = Clip <min = -0.25, max = 0.5> (x)", 10, clip_bounds),
    "samples": (
        IMAGE, 'y = GridSample <mode = "bilinear"> (x, t)', 16, sample_modes,
    ),
    "repeated elements": (IMAGE, "y = Resize (x, r)", 10, rounding),
}  # fmt: skip
"""Models of an older opset, which leave in a newer one, and breaks of the step between them."""
LITE_WRITERS: dict[str, tuple[str, str, Break]] = {
    "the factor of a SOFTMAX": (ROW, "y = Softmax <axis = 1> (x)", written_lite("SOFTMAX", beta=2.0)),
    "the sums of a CUMSUM": (ROW, "y = CumSum <exclusive = 1> (x, a)", written_lite("CUMSUM", exclusive=False)),
    "a factor that is read as it is written": (
        ROW,
        "y = Softmax <axis = 1> (x)",
        together(written_lite("SOFTMAX", beta=2.0), lite_options("SOFTMAX", beta=1.0)),
    ),
    "a slope that is read as it is written": (
        ROW, LEAKY, together(written_lite("LEAKY_RELU", alpha=0.1), lite_options("LEAKY_RELU", alpha=0.3)),
    ),
}  # fmt: skip
"""Breaks of the exporter of LiteRT files, and of the reader as well."""
F32: Array = np.random.default_rng(0).standard_normal((1, 4, 4, 3)).astype(np.float32)
WINDOW = {"padding": 1, "strideH": 1, "strideW": 1, "filterHeight": 2, "filterWidth": 1}
LITE_READERS: dict[str, tuple[LiteCase, Break]] = {
    "the window of a pool": (
        LiteCase("MAX_POOL_2D", "Pool2DOptions", {**WINDOW, "padding": 0}, [LiteTensor(F32, True)], [LiteTensor(F32)]),
        lite_options("MAX_POOL_2D", filterHeight=1, filterWidth=2),
    ),
    "the slope of a LEAKY_RELU": (
        LiteCase("LEAKY_RELU", "LeakyReluOptions", {"alpha": 0.3}, [LiteTensor(F32, True)], [LiteTensor(F32)]),
        lite_options("LEAKY_RELU", alpha=0.1),
    ),
    "the sums of a CUMSUM": (
        LiteCase(
            "CUMSUM",
            "CumsumOptions",
            {"reverse": True},
            [LiteTensor(F32, True), LiteTensor(np.array(1, np.int32))],
            [LiteTensor(F32)],
        ),
        lite_options("CUMSUM", reverse=False),
    ),
    "the places of a RESIZE_BILINEAR": (
        LiteCase(
            "RESIZE_BILINEAR",
            "ResizeBilinearOptions",
            {"halfPixelCenters": True},
            [LiteTensor(F32, True), LiteTensor(np.array([7, 6], np.int32))],
            [LiteTensor(np.zeros((1, 7, 6, 3), np.float32))],
            version=3,
        ),
        lite_options("RESIZE_BILINEAR", halfPixelCenters=False),
    ),
    "the order of a TRANSPOSE": (
        LiteCase(
            "TRANSPOSE",
            "TransposeOptions",
            {},
            [LiteTensor(F32, True), LiteTensor(np.array([0, 2, 1, 3], np.int32))],
            [LiteTensor(F32)],
        ),
        lite_numbers("TRANSPOSE", np.sort),
    ),
}
"""LiteRT files, and breaks of their reader."""
POOL_OF_TOSA = """func.func @main(%x: tensor<1x4x4x3xf32>) -> tensor<1x5x4x3xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %y = tosa.avg_pool2d %x, %z, %z {acc_type = f32, kernel = array<i64: 2, 2>, pad = array<i64: 1, 1, 0, 1>,
    stride = array<i64: 1, 1>} : (tensor<1x4x4x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x4x3xf32>
  return %y : tensor<1x5x4x3xf32>
}
"""
TURN_OF_TOSA = """func.func @main(%x: tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32> {
  %y = tosa.transpose %x {perms = array<i32: 0, 2, 1, 3>} : (tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
  return %y : tensor<1x4x4x3xf32>
}
"""
TOSA: dict[str, tuple[str, str, Sequence[int]]] = {
    "the pads of a pool": (POOL_OF_TOSA, "pad", (1, 1, 1, 0)),
    "the order of a transpose": (TURN_OF_TOSA, "perms", (0, 1, 2, 3)),
}
"""Modules of TOSA, and what their reader takes an attribute for."""
NUMBERS: dict[str, Array] = {
    "a": np.array(1),
    "i": np.array([3, 1, 0, 2]),
    "p": np.array([0, 1, 0, 1, 0, 1]),
    "r": np.array([1, 1, 1.5, 1.5], np.float32),
    "s": np.random.default_rng(3).standard_normal((4, 4)).astype(np.float32),
    "t": np.random.default_rng(4).uniform(-1, 1, (1, 3, 3, 2)).astype(np.float32),
    "v": np.random.default_rng(5).uniform(0.5, 1.5, 4).astype(np.float32),
    "w": np.random.default_rng(6).standard_normal((4, 4, 3, 3)).astype(np.float32),
}
"""The constants of the models, by their names."""


def model_of(inputs: str, nodes: str, opset: int) -> ModelProto:
    model = parser.parse_model(
        f'<ir_version: 8, opset_import: ["": {opset}]> net ({inputs}) => (float[a] y) {{ {nodes} }}'
    )
    model.graph.output[0].type.tensor_type.ClearField("shape")
    used = {name for node in model.graph.node for name in node.input}
    constants = [numpy_helper.from_array(array, name) for name, array in NUMBERS.items() if name in used]
    model.graph.initializer.extend(constants)
    return model


def results(file: Path, x: Array) -> Sequence[Array]:
    """The results of a file in the engine of its format."""
    if file.suffix == ".tflite":
        return executed(file.read_bytes(), [x])
    return unoptimised(ModelProto.FromString(file.read_bytes())).run(None, {"x": x})


def check_that_it_is_found(
    file: Path, x: Array, name: str, broken: Break, capsys: pytest.CaptureFixture[str], *more: str
) -> None:
    """A file is written; with a break one that computes something else is, unless it is verified."""
    written = file.with_name(name)
    expected = results(file, x)[0]

    def is_right() -> bool:
        found = results(written, x)[0]
        return found.shape == expected.shape and are_close(found, expected, SUMS)

    arguments = [str(file), *more, "-o", str(written)]
    assert run([*arguments, "--verify-layouts"]) == 0
    assert is_right()
    with pytest.MonkeyPatch.context() as monkeypatch:
        broken(monkeypatch)
        assert run(arguments) == 0
        assert not is_right()
        before = written.read_bytes()
        capsys.readouterr()
        assert run([*arguments, "--verify-layouts"]) == 1
    error = f"{written}: error: the file does not compute what {file} does: @main: on the random input"
    assert error in capsys.readouterr().err
    assert written.read_bytes() == before


def check_model(
    folder: Path, inputs: str, nodes: str, opset: int, *rest: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    model = model_of(inputs, nodes, opset)
    file = folder / "model.onnx"
    file.write_bytes(model.SerializeToString())
    sizes = [each.dim_value for each in model.graph.input[0].type.tensor_type.shape.dim]
    x = np.random.default_rng(1).standard_normal(sizes).astype(np.float32)
    name, broken, *more = rest
    check_that_it_is_found(file, x, name, broken, capsys, *more)


@pytest.mark.parametrize("name", READERS)
def test_an_importer_of_onnx_that_reads_other_ops(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    inputs, nodes, broken = READERS[name]
    opset = 11 if "newer" in name else 20
    check_model(tmp_path, inputs, nodes, opset, LITE, broken, capsys=capsys)


@pytest.mark.parametrize("name", WRITERS)
def test_an_exporter_of_onnx_that_writes_other_ops(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    inputs, nodes, broken = WRITERS[name]
    check_model(tmp_path, inputs, nodes, 20, ONNX, broken, capsys=capsys)


@pytest.mark.parametrize("name", STEPS)
def test_a_step_to_another_version_that_changes_ops(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    inputs, nodes, opset, broken = STEPS[name]
    check_model(tmp_path, inputs, nodes, opset, ONNX, broken, "-t", "onnx{opset=20}", capsys=capsys)


@pytest.mark.parametrize("name", LITE_WRITERS)
def test_an_exporter_of_litert_that_writes_other_ops(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    inputs, nodes, broken = LITE_WRITERS[name]
    check_model(tmp_path, inputs, nodes, 20, LITE, broken, capsys=capsys)


@pytest.mark.parametrize("name", LITE_READERS)
def test_a_reader_of_litert_that_reads_other_ops(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    case, broken = LITE_READERS[name]
    file = tmp_path / "model.tflite"
    file.write_bytes(case.model())
    check_that_it_is_found(file, F32, LITE, broken, capsys)


@pytest.mark.skipif(optional_tools.mlir_bindings().location is None, reason=optional_tools.mlir_bindings().note)
@pytest.mark.parametrize("ending", [ONNX, LITE])
@pytest.mark.parametrize("name", TOSA)
def test_a_reader_of_tosa_that_reads_other_ops(
    name: str, ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    from npu_opt.bridges.mlir.importing.node import ImportedOp

    text, attribute, numbers = TOSA[name]
    right = ImportedOp.ints

    def wrong(self: ImportedOp, name: str) -> list[int]:
        return [*numbers] if name == attribute else right(self, name)

    file, written = tmp_path / "model.mlir", tmp_path / ending
    file.write_text(text)
    arguments = [str(file), "--verify-layouts", "-o", str(written)]
    assert run(arguments) == 0
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(ImportedOp, "ints", wrong)
        assert run(arguments) == 1
    error = f"{written}: error: the file does not compute what {file} does: @main: on the random input"
    assert error in capsys.readouterr().err


def test_a_zero_point_that_is_not_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Quantised numbers may be rounded to either side of a step, and differ by more here."""
    model = parser.parse_model("""<ir_version: 8, opset_import: ["": 20]> net (int8[3,4] x) => (int8[3,4] y)
    <float s = {0.5}, int8 z = {9}, float t = {0.25}>
    { d = DequantizeLinear (x, s, z) r = Relu (d) y = QuantizeLinear (r, t, z) }""")
    file = tmp_path / "model.onnx"
    file.write_bytes(model.SerializeToString())
    right = ImportedNode.operand

    def wrong(self: ImportedNode, index: int) -> Any:
        is_zero_point = self.proto.op_type == "QuantizeLinear" and index == 2
        return self.constant_of(np.array(0, np.int8)) if is_zero_point else right(self, index)

    def broken(monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(ImportedNode, "operand", wrong)

    x = np.random.default_rng(1).integers(-20, 20, (3, 4)).astype(np.int8)
    check_that_it_is_found(file, x, LITE, broken, capsys)
