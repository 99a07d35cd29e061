"""LiteRT models of one op or of a chain, with any options of the format, also those that npu-opt does not write."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

flatbuffers: Any = import_module("flatbuffers")  # These carry no types.
schema: Any = import_module("ai_edge_litert.schema_py_generated")
interpreter: Any = import_module("ai_edge_litert.interpreter")

Array = NDArray[Any]
TYPES = {
    np.dtype(np.float32): schema.TensorType.FLOAT32,
    np.dtype(np.int8): schema.TensorType.INT8,
    np.dtype(np.int32): schema.TensorType.INT32,
    np.dtype(np.int64): schema.TensorType.INT64,
    np.dtype(np.bool_): schema.TensorType.BOOL,
}


@dataclass(frozen=True)
class Tensor:
    """A tensor of the shape and type of an array, which are its numbers if it is constant."""

    like: Array
    is_constant: bool = False
    scale: float | None = None
    zero: int = 0


@dataclass(frozen=True)
class LiteStep:
    """An elementwise op on a value and a number, or on the value alone; with a scale, its result is quantised."""

    code: str
    number: float | None = None
    is_first: bool = False
    """True if the number is the first operand."""
    scale: float | None = None
    zero: int = 0


@dataclass(frozen=True)
class LiteOp:
    """An op, its options, its operands, and the positions of those that are inputs of the model."""

    code: str
    options: str
    values: Mapping[str, Any]
    operands: Sequence[Array]
    inputs: Sequence[int] = (0,)

    def model(self, result: Array) -> bytes:
        """The file, whose result has the shape and type of an array."""
        values = [Tensor(array, place not in self.inputs) for place, array in enumerate(self.operands)]
        step = _operator(0, self.options, self.values, range(len(values)), len(values))
        return _file([self.code], [step], [*values, Tensor(result)], self.inputs)

    def run(self) -> Array | None:
        """The result in LiteRT, or None if it does not run the op."""
        placeholder = np.zeros_like(self.operands[0])
        try:
            engine = interpreter.Interpreter(model_content=self.model(placeholder))
            engine.allocate_tensors()
            for detail, place in zip(engine.get_input_details(), self.inputs, strict=True):
                engine.set_tensor(detail["index"], self.operands[place])
            engine.invoke()
        except (RuntimeError, ValueError):
            return None
        return engine.get_tensor(engine.get_output_details()[0]["index"])


def chain(steps: Sequence[LiteStep], shape: Sequence[int]) -> bytes:
    """The file of elementwise steps on one value of f32, and of a last one that changes its sign."""
    tensors, operators, value = [Tensor(np.zeros(shape, np.float32))], list[Any](), 0
    steps = [*steps, LiteStep("NEG")]
    for place, step in enumerate(steps):
        operands = [value]
        if step.number is not None:
            operands.insert(0 if step.is_first else 1, len(tensors))
            tensors.append(Tensor(np.array(step.number, np.float32), True))
        value = len(tensors)
        result = np.zeros(shape, np.float32 if step.scale is None else np.int8)
        tensors.append(Tensor(result, scale=step.scale, zero=step.zero))
        name = "MaximumMinimum" if step.code in ("MAXIMUM", "MINIMUM") else step.code.title()
        operators.append(_operator(place, f"{name}Options", {}, operands, value))
    return _file([step.code for step in steps], operators, tensors, [0])


def _operator(code: int, options: str, values: Mapping[str, Any], operands: Sequence[int], result: int) -> Any:
    op = schema.OperatorT()
    op.opcodeIndex, op.inputs, op.outputs = code, list(operands), [result]
    op.builtinOptionsType = getattr(schema.BuiltinOptions, options)
    if options != "NONE":
        op.builtinOptions = getattr(schema, f"{options}T")()
    for name, value in values.items():
        assert hasattr(op.builtinOptions, name)
        setattr(op.builtinOptions, name, value)
    return op


def _file(codes: Sequence[str], operators: Sequence[Any], tensors: Sequence[Tensor], inputs: Sequence[int]) -> bytes:
    """A file whose last tensor is the result."""
    made, graph = schema.ModelT(), schema.SubGraphT()
    made.version, made.description, made.operatorCodes = 3, "some ops", list[Any]()
    for name in codes:
        code = schema.OperatorCodeT()
        code.builtinCode = getattr(schema.BuiltinOperator, name)
        code.deprecatedBuiltinCode, code.version = min(code.builtinCode, 127), 1
        made.operatorCodes.append(code)
    made.buffers, graph.tensors = [schema.BufferT()], list[Any]()
    for place, each in enumerate(tensors):
        tensor = schema.TensorT()
        tensor.shape, tensor.type, tensor.name = list(each.like.shape), TYPES[each.like.dtype], f"t{place}".encode()
        tensor.buffer = 0
        if each.is_constant:
            buffer = schema.BufferT()
            buffer.data = np.frombuffer(each.like.tobytes(), np.uint8)
            tensor.buffer = len(made.buffers)
            made.buffers.append(buffer)
        if each.scale is not None:
            tensor.quantization = schema.QuantizationParametersT()
            tensor.quantization.scale, tensor.quantization.zeroPoint = [each.scale], [each.zero]
        graph.tensors.append(tensor)
    graph.inputs, graph.outputs, graph.operators = list(inputs), [len(tensors) - 1], list(operators)
    graph.name, made.subgraphs = b"main", [graph]
    builder = flatbuffers.Builder(1024)
    builder.Finish(made.Pack(builder), b"TFL3")
    return bytes(builder.Output())
