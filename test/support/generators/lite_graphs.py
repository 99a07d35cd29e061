"""LiteRT models of several graphs, made by hand: branches, loops, variables, signatures; and constants of any kind."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .lite_cases import TYPES, set_options

flatbuffers: Any = import_module("flatbuffers")  # These carry no types.
schema: Any = import_module("ai_edge_litert.schema_py_generated")

Array = NDArray[Any]
UNKNOWN = -1
ELEMENTS = {
    **TYPES,
    "int4": schema.TensorType.INT4,
    "resource": schema.TensorType.RESOURCE,
    "string": schema.TensorType.STRING,
    "uint32": schema.TensorType.UINT32,
    "uint64": schema.TensorType.UINT64,
}


@dataclass
class LiteGraphs:
    """A model under construction."""

    model: Any = field(default_factory=schema.ModelT)
    _codes: dict[tuple[str, str | None, int], int] = field(default_factory=dict[tuple[str, str | None, int], int])

    def __post_init__(self) -> None:
        self.model.version, self.model.description = 3, "several graphs"
        self.model.buffers, self.model.subgraphs, self.model.signatureDefs = [schema.BufferT()], [], []
        self.model.operatorCodes = []

    def graph(self, name: str) -> "OneGraph":
        made = schema.SubGraphT()
        made.name, made.tensors, made.operators, made.inputs, made.outputs = name, [], [], [], []
        self.model.subgraphs.append(made)
        return OneGraph(self, made, len(self.model.subgraphs) - 1)

    def buffer(self, data: bytes) -> int:
        made = schema.BufferT()
        made.data = np.frombuffer(data, np.uint8)
        self.model.buffers.append(made)
        return len(self.model.buffers) - 1

    def code(self, kind: str, custom: str | None, version: int) -> int:
        key = kind, custom, version
        if key not in self._codes:
            made = schema.OperatorCodeT()
            made.builtinCode = getattr(schema.BuiltinOperator, kind)
            made.deprecatedBuiltinCode, made.version, made.customCode = min(made.builtinCode, 127), version, custom
            self._codes[key] = len(self.model.operatorCodes)
            self.model.operatorCodes.append(made)
        return self._codes[key]

    def packed(self) -> bytes:
        builder = flatbuffers.Builder(1024)
        builder.Finish(self.model.Pack(builder), b"TFL3")
        return bytes(builder.Output())


@dataclass
class OneGraph:
    """A graph of a model under construction. Tensors are numbers."""

    file: LiteGraphs
    made: Any
    number: int

    def tensor(
        self,
        element: str,
        shape: Sequence[int],
        data: bytes | None = None,
        scales: Sequence[float] = (),
        is_variable: bool = False,
        zero: int = 0,
    ) -> int:
        """A tensor; with scales along the first axis, if there are several, its integers represent numbers."""
        made = schema.TensorT()
        made.name, made.type = f"{self.made.name}/t{len(self.made.tensors)}", ELEMENTS[element]
        made.shape = [1 if size == UNKNOWN else size for size in shape]
        made.hasRank, made.isVariable, made.buffer = True, is_variable, 0 if data is None else self.file.buffer(data)
        if UNKNOWN in shape:
            made.shapeSignature = [*shape]
        if scales:
            made.quantization = schema.QuantizationParametersT()
            made.quantization.scale, made.quantization.zeroPoint = [*scales], [zero] * len(scales)
        self.made.tensors.append(made)
        return len(self.made.tensors) - 1

    def constant(self, array: Any, dtype: Any = np.float32, scales: Sequence[float] = (), zero: int = 0) -> int:
        numbers = np.array(array, dtype, order="C")
        return self.tensor(numbers.dtype.name, numbers.shape, numbers.tobytes(), scales, zero=zero)

    def input(self, element: str, shape: Sequence[int], scales: Sequence[float] = ()) -> int:
        self.made.inputs.append(self.tensor(element, shape, None, scales))
        return self.made.inputs[-1]

    def op(
        self,
        kind: str,
        operands: Sequence[int],
        results: Sequence[int],
        options: str | None = None,
        values: Mapping[str, Any] = {},
        version: int = 1,
        custom: tuple[str, bytes] | None = None,
    ) -> int:
        """Add an op, and return its first result."""
        op = schema.OperatorT()
        op.opcodeIndex = self.file.code(kind, custom[0] if custom else None, version)
        op.inputs, op.outputs = [*operands], [*results]
        if options is not None:
            set_options(op, options, values)
        if custom is not None:
            op.customOptions = np.frombuffer(custom[1], np.uint8)
        self.made.operators.append(op)
        return results[0] if results else -1

    def unary(self, kind: str, x: int, element: str, shape: Sequence[int], options: str | None = None) -> int:
        return self.op(kind, [x], [self.tensor(element, shape)], options)

    def binary(self, kind: str, x: int, y: int, element: str, shape: Sequence[int]) -> int:
        name = {"MAXIMUM": "MaximumMinimum", "BATCH_MATMUL": "BatchMatMul"}.get(kind, kind.title().replace("_", ""))
        options = f"{name}Options" if hasattr(schema, f"{name}OptionsT") else None
        return self.op(kind, [x, y], [self.tensor(element, shape)], options)

    def transpose(self, x: int, element: str, shape: Sequence[int], order: Sequence[int]) -> int:
        by = self.constant(order, np.int32)
        return self.op("TRANSPOSE", [x, by], [self.tensor(element, shape)], "TransposeOptions")

    def returns(self, *places: int) -> "OneGraph":
        self.made.outputs = [*places]
        return self

    def signed(self, key: str) -> "OneGraph":
        """The graph with a signature, whose names are a, b, ... and the names of outputs y0, y1, ..."""
        made = schema.SignatureDefT()
        made.signatureKey, made.subgraphIndex = key, self.number
        made.inputs = [_named(name, place) for name, place in zip("abcdef", self.made.inputs, strict=False)]
        made.outputs = [_named(f"y{index}", place) for index, place in enumerate(self.made.outputs)]
        self.file.model.signatureDefs.append(made)
        return self


def _named(name: str, place: int) -> Any:
    made = schema.TensorMapT()
    made.name, made.tensorIndex = name, place
    return made
