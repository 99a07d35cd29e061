"""LiteRT models of one op, with any options of the file format, also those that npu-opt does not write."""

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
    np.dtype(np.int32): schema.TensorType.INT32,
    np.dtype(np.int64): schema.TensorType.INT64,
    np.dtype(np.bool_): schema.TensorType.BOOL,
}


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
        made = schema.ModelT()
        made.version, made.description = 3, "one op"
        code, op, graph = schema.OperatorCodeT(), schema.OperatorT(), schema.SubGraphT()
        code.builtinCode = getattr(schema.BuiltinOperator, self.code)
        code.deprecatedBuiltinCode, code.version = min(code.builtinCode, 127), 1
        op.opcodeIndex, op.inputs, op.outputs = 0, list(range(len(self.operands))), [len(self.operands)]
        op.builtinOptionsType = getattr(schema.BuiltinOptions, self.options)
        op.builtinOptions = getattr(schema, f"{self.options}T")()
        for name, value in self.values.items():
            assert hasattr(op.builtinOptions, name)
            setattr(op.builtinOptions, name, value)
        made.buffers = [schema.BufferT()]
        tensors: list[Any] = []
        for place, array in enumerate((*self.operands, result)):
            tensor = schema.TensorT()
            tensor.shape, tensor.type, tensor.name = list(array.shape), TYPES[array.dtype], f"t{place}".encode()
            tensor.buffer = 0
            if place < len(self.operands) and place not in self.inputs:
                buffer = schema.BufferT()
                buffer.data = np.frombuffer(array.tobytes(), np.uint8)
                tensor.buffer = len(made.buffers)
                made.buffers.append(buffer)
            tensors.append(tensor)
        graph.inputs, graph.outputs, graph.operators = list(self.inputs), [len(self.operands)], [op]
        graph.name, graph.tensors = b"main", tensors
        made.operatorCodes, made.subgraphs = [code], [graph]
        builder = flatbuffers.Builder(1024)
        builder.Finish(made.Pack(builder), b"TFL3")
        return bytes(builder.Output())

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
