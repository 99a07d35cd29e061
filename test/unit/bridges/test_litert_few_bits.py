"""Weights of a few bits in LiteRT files: they are read, and written with the same bytes."""

from importlib import import_module
from pathlib import Path
from typing import Any

import npu_opt
import numpy as np
import pytest
from npu_opt.bridges.packed_elements import packed, unpacked

schema: Any = pytest.importorskip("ai_edge_litert.schema_py_generated", reason="pip install -e '.[litert]'")
flatbuffers: Any = import_module("flatbuffers")

TYPES = {"INT4": (4, True), "INT2": (2, True), "UINT4": (4, False)}


def weights_bytes(kind: str, count: int) -> bytes:
    elements = np.random.default_rng(0).integers(0, 256, count).astype(np.uint8)
    return b"".join(packed(elements, TYPES[kind][0]))


def tensor(name: str, shape: list[int], buffer: int = 0, kind: str = "FLOAT32", scales: int = 0) -> Any:
    made = schema.TensorT()
    made.name, made.shape, made.buffer, made.type = name, shape, buffer, getattr(schema.TensorType, kind)
    if scales:
        made.quantization = schema.QuantizationParametersT()
        made.quantization.scale = [0.5 + place for place in range(scales)]
        made.quantization.zeroPoint = [0] * scales
    return made


def op(code: int, inputs: list[int], outputs: list[int], options: str = "", **fields: Any) -> Any:
    made = schema.OperatorT()
    made.opcodeIndex, made.inputs, made.outputs = code, inputs, outputs
    if options:
        made.builtinOptionsType = getattr(schema.BuiltinOptions, options)
        made.builtinOptions = getattr(schema, f"{options}T")()
        for name, value in fields.items():
            setattr(made.builtinOptions, name, value)
    return made


def file_of(kinds: list[str], ops: list[Any], tensors: list[Any], buffers: list[bytes]) -> bytes:
    model, graph = schema.ModelT(), schema.SubGraphT()
    model.version, model.buffers = 3, [schema.BufferT()]
    codes: list[Any] = []
    for data in buffers:
        model.buffers.append(schema.BufferT())
        model.buffers[-1].data = np.frombuffer(data, np.uint8)
    for kind in kinds:
        code = schema.OperatorCodeT()
        code.builtinCode = getattr(schema.BuiltinOperator, kind)
        code.deprecatedBuiltinCode, code.version = code.builtinCode, 1
        codes.append(code)
    model.operatorCodes = codes
    graph.tensors, graph.operators, graph.inputs, graph.outputs = tensors, ops, [0], [len(tensors) - 1]
    model.subgraphs = [graph]
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output())


def connected(kind: str, inner: int = 6, rows: int = 5) -> bytes:
    """A product with packed weights, whose data and result are transposed."""
    order = np.array([1, 0, 2], np.int32).tobytes()
    weights = weights_bytes(kind, inner * rows)
    tensors = [
        tensor("x", [3, 2, inner]),
        tensor("order", [3], 1, "INT32"),
        tensor("s", [2, 3, inner]),
        tensor("weights", [rows, inner], 2, kind, rows),
        tensor("f", [2, 3, rows]),
        tensor("y", [3, 2, rows]),
    ]
    ops = [
        op(0, [0, 1], [2], "TransposeOptions"),
        op(1, [2, 3, -1], [4], "FullyConnectedOptions", keepNumDims=True),
        op(0, [4, 1], [5], "TransposeOptions"),
    ]
    return file_of(["TRANSPOSE", "FULLY_CONNECTED"], ops, tensors, [order, weights])


def convolved(kind: str) -> bytes:
    """A convolution with packed weights."""
    weights = weights_bytes(kind, 4 * 3 * 3 * 3)
    tensors = [tensor("x", [1, 8, 8, 3]), tensor("weights", [4, 3, 3, 3], 1, kind, 4), tensor("y", [1, 8, 8, 4])]
    fields = {"strideW": 1, "strideH": 1, "dilationWFactor": 1, "dilationHFactor": 1}
    return file_of(["CONV_2D"], [op(0, [0, 1, -1], [2], "Conv2DOptions", **fields)], tensors, [weights])


def in_blocks(has_zeros: bool) -> bytes:
    """A product with weights of 4 bits that have a scale for each 32 of them."""
    scales = np.linspace(0.5, 1, 10, dtype=np.float16).tobytes()
    tensors = [
        tensor("x", [3, 64]),
        tensor("weights", [5, 64], 1, "INT4"),
        tensor("scales", [5, 2], 2, "FLOAT16"),
        tensor("zeros", [5, 2], 3, "INT8"),
        tensor("y", [3, 5]),
    ]
    numbers, details = schema.QuantizationParametersT(), schema.BlockwiseQuantizationT()
    details.scales, details.zeroPoints, details.blockSize = 2, 3 if has_zeros else -1, 32
    numbers.detailsType, numbers.details = schema.QuantizationDetails.BlockwiseQuantization, details
    tensors[1].quantization = numbers
    product = op(0, [0, 1, -1], [4], "FullyConnectedOptions", keepNumDims=True)
    return file_of(["FULLY_CONNECTED"], [product], tensors, [weights_bytes("INT4", 320), scales, bytes(range(10))])


def blocks_of(data: bytes) -> tuple[int, bytes, bytes | None]:
    """The size of blocks, and the bytes of their scales and zero points."""
    model = schema.ModelT.InitFromPackedBuf(bytearray(data))
    tensors = model.subgraphs[0].tensors
    (found,) = [each for each in tensors if each.type == schema.TensorType.INT4]
    details = found.quantization.details
    given = [
        bytes(model.buffers[tensors[place].buffer].data) for place in (details.scales, details.zeroPoints) if place > 0
    ]
    return details.blockSize, given[0], given[1] if len(given) > 1 else None


@pytest.mark.parametrize("has_zeros", [False, True])
def test_scales_of_blocks(has_zeros: bool, tmp_path: Path):
    given = in_blocks(has_zeros)
    path, text = tmp_path / "model.tflite", tmp_path / "program.mlir"
    path.write_bytes(given)
    npu_opt.optimize(path, target="litert").save(tmp_path / "written.tflite")
    npu_opt.optimize(path, target="litert").save(text)
    npu_opt.optimize(text, target="litert").save(tmp_path / "again.tflite")
    for name in ("written.tflite", "again.tflite"):
        assert blocks_of((tmp_path / name).read_bytes()) == blocks_of(given)
        assert npu_opt.check(path, tmp_path / name).word == "proved"
    other = given.replace(np.float16(1).tobytes(), np.float16(2).tobytes())
    (tmp_path / "other.tflite").write_bytes(other)
    assert blocks_of(other) != blocks_of(given)
    assert npu_opt.check(path, tmp_path / "other.tflite").word != "proved"


def weights_of(data: bytes) -> tuple[int, list[int], bytes, list[float]]:
    """Type, shape, bytes and scales of the packed weights of a file."""
    model = schema.ModelT.InitFromPackedBuf(bytearray(data))
    kinds = [getattr(schema.TensorType, kind) for kind in TYPES]
    (found,) = [each for each in model.subgraphs[0].tensors if each.type in kinds]
    buffer = model.buffers[found.buffer]
    content = data[buffer.offset : buffer.offset + buffer.size] if buffer.offset else bytes(buffer.data)
    return found.type, list(found.shape), content, list(found.quantization.scale)


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("inner", [6, 7, 300])
def test_packed_weights_of_products(kind: str, inner: int, tmp_path: Path):
    given = connected(kind, inner)
    written = rewritten(given, tmp_path)
    assert weights_of(written) == weights_of(given)


@pytest.mark.parametrize("kind", TYPES)
def test_packed_weights_of_convolutions(kind: str, tmp_path: Path):
    given = convolved(kind)
    assert weights_of(rewritten(given, tmp_path)) == weights_of(given)


def rewritten(given: bytes, folder: Path) -> bytes:
    """The file that is written, and the one written by way of a text, which are proved."""
    path, text, again = folder / "model.tflite", folder / "program.mlir", folder / "again.tflite"
    path.write_bytes(given)
    npu_opt.optimize(path, target="litert").save(folder / "written.tflite")
    npu_opt.optimize(path, target="litert").save(text)
    npu_opt.optimize(text, target="litert").save(again)
    assert npu_opt.check(path, folder / "written.tflite").word == "proved"
    assert npu_opt.check(path, again).word == "proved"
    assert weights_of(again.read_bytes()) == weights_of(given)
    return (folder / "written.tflite").read_bytes()


def test_litert_runs_what_is_written(tmp_path: Path):
    """LiteRT's kernel has weights of 4 bits."""
    from support.oracles.litert_running import executed

    given = connected("INT4")
    x = np.random.default_rng(1).standard_normal((3, 2, 6)).astype(np.float32)
    before, after = (executed(each, [x]) for each in (given, rewritten(given, tmp_path)))
    np.testing.assert_array_equal(before[0], after[0])


@pytest.mark.parametrize(("width", "is_signed"), TYPES.values())
@pytest.mark.parametrize("count", [0, 1, 5, 8, 33])
def test_elements_side_by_side(width: int, is_signed: bool, count: int):
    least = -(1 << (width - 1)) if is_signed else 0
    elements = np.random.default_rng(count).integers(least, least + (1 << width), count).astype(np.int8)
    found = unpacked(b"".join(packed(elements, width)), width, count, is_signed)
    np.testing.assert_array_equal(found, elements)
    assert len(b"".join(packed(elements, width))) == -(-count * width // 8)
