"""LiteRT models of one op, all of whose fields can be anything, and mutants of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from random import Random
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

flatbuffers: Any = import_module("flatbuffers")  # These carry no types.
schema: Any = import_module("ai_edge_litert.schema_py_generated")

Array = NDArray[Any]
TYPES: Mapping[str, int] = {
    "bool": schema.TensorType.BOOL,
    "float16": schema.TensorType.FLOAT16,
    "float32": schema.TensorType.FLOAT32,
    "float64": schema.TensorType.FLOAT64,
    "int16": schema.TensorType.INT16,
    "int32": schema.TensorType.INT32,
    "int64": schema.TensorType.INT64,
    "int8": schema.TensorType.INT8,
    "uint8": schema.TensorType.UINT8,
}
ALL_TYPES: Mapping[str, int] = {**TYPES, "complex64": schema.TensorType.COMPLEX64}
"""The element types of cases; mutants have the others."""
KNOWN_OPTIONS = cast("dict[str, Any]", vars(schema.BuiltinOptions))
OPTION_KINDS = [name for name in KNOWN_OPTIONS if name[0].isupper()]

NEVER_LARGE = "COS", "LOCAL_RESPONSE_NORMALIZATION", "SIN"
"""The kinds whose kernels take the angle of no large number, or add to and subtract from one sum of squares."""
NEVER_INFINITE = "ADD_N", "AVERAGE_POOL_2D", "FULLY_CONNECTED", "LOCAL_RESPONSE_NORMALIZATION", "LOGISTIC"
"""The kinds that have kernels with other results for infinite numbers: the largest finite one, or NaN."""


@dataclass(frozen=True)
class Quantization:
    """The scales and zero points of a tensor."""

    scales: Sequence[float]
    zeros: Sequence[int]
    axis: int = 0


@dataclass(frozen=True)
class LiteTensor:
    """An operand, which is constant or an input, or a result, whose data is a placeholder."""

    data: Array
    is_input: bool = False
    quantization: Quantization | None = None
    unknown: frozenset[int] = frozenset()
    """The axes of unknown size."""


@dataclass(frozen=True)
class LiteCase:
    """An op with its options, operands and results."""

    kind: str
    options: str | None
    values: Mapping[str, Any]
    operands: Sequence[LiteTensor | None]
    results: Sequence[LiteTensor]
    version: int = 1
    changed: Sequence[str] = field(default=())
    """The changes of a mutant."""

    @property
    def inputs(self) -> list[Array]:
        return [each.data for each in self.operands if each is not None and each.is_input]

    def with_results(self, arrays: Sequence[Array]) -> "LiteCase":
        """The op with results of these shapes."""
        pairs = zip(self.results, arrays, strict=True)
        return replace(self, results=[replace(each, data=np.zeros(a.shape, each.data.dtype)) for each, a in pairs])

    def model(self) -> bytes:
        """The file."""
        made = schema.ModelT()
        made.version, made.description, made.buffers = 3, "one op", [schema.BufferT()]
        code, op, graph = schema.OperatorCodeT(), schema.OperatorT(), schema.SubGraphT()
        code.builtinCode = getattr(schema.BuiltinOperator, self.kind)
        code.deprecatedBuiltinCode, code.version = min(code.builtinCode, 127), self.version
        tensors: list[Any] = []
        inputs: list[int] = []
        operands: list[int] = []
        outputs: list[int] = []
        if self.options is not None:
            set_options(op, self.options, self.values)
        for each in self.operands:
            operands.append(-1 if each is None else len(tensors))
            if each is not None:
                if each.is_input:
                    inputs.append(len(tensors))
                tensors.append(_tensor(made, each, len(tensors), is_constant=not each.is_input))
        for each in self.results:
            outputs.append(len(tensors))
            tensors.append(_tensor(made, each, len(tensors), is_constant=False))
        op.opcodeIndex, op.inputs, op.outputs = 0, operands, outputs
        graph.tensors, graph.inputs, graph.outputs = tensors, inputs, outputs
        graph.operators, graph.name = [op], b"main"
        made.operatorCodes, made.subgraphs = [code], [graph]
        builder = flatbuffers.Builder(1024)
        builder.Finish(made.Pack(builder), b"TFL3")
        return bytes(builder.Output())


def set_options(op: Any, kind: str, values: Mapping[str, Any]) -> None:
    """Give an op options of a kind, in the union that has them."""
    made = getattr(schema, f"{kind}T")()
    for name, value in values.items():
        assert hasattr(made, name)
        setattr(made, name, value)
    if hasattr(schema.BuiltinOptions2, kind):
        op.builtinOptions2Type, op.builtinOptions2 = getattr(schema.BuiltinOptions2, kind), made
    else:
        op.builtinOptionsType, op.builtinOptions = getattr(schema.BuiltinOptions, kind), made


def _tensor(made: Any, each: LiteTensor, place: int, is_constant: bool) -> Any:
    tensor = schema.TensorT()
    tensor.shape, tensor.type = list(each.data.shape), ALL_TYPES[each.data.dtype.name]
    tensor.name, tensor.buffer = f"t{place}".encode(), 0
    if each.unknown:
        tensor.shapeSignature = [-1 if axis in each.unknown else size for axis, size in enumerate(each.data.shape)]
        tensor.shape = [1 if axis in each.unknown else size for axis, size in enumerate(each.data.shape)]
    if is_constant:
        buffer = schema.BufferT()
        buffer.data = np.frombuffer(np.ascontiguousarray(each.data).tobytes(), np.uint8)
        tensor.buffer = len(made.buffers)
        made.buffers.append(buffer)
    if each.quantization is not None:
        tensor.quantization = schema.QuantizationParametersT()
        tensor.quantization.scale = list(each.quantization.scales)
        tensor.quantization.zeroPoint = list(each.quantization.zeros)
        tensor.quantization.quantizedDimension = each.quantization.axis
    return tensor


# Mutants.


def mutant(case: LiteCase, rng: Random) -> LiteCase:
    """A case with one to three changes."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        change = rng.choice(CHANGES)
        case = change(case, rng) or case
    return case


def _noted(case: LiteCase, text: str, **changes: Any) -> LiteCase:
    return replace(case, changed=[*case.changed, text], **changes)


def _option(case: LiteCase, rng: Random) -> LiteCase | None:
    """Another value of an option."""
    if case.options is None:
        return None
    defaults = cast("dict[str, Any]", vars(getattr(schema, f"{case.options}T")()))
    if not defaults:
        return None
    name = rng.choice(sorted(defaults))
    value = _other(name, case.values.get(name, defaults[name]), rng)
    return _noted(case, f"{name}={value}", values={**case.values, name: value})


def _other(name: str, value: Any, rng: Random) -> Any:
    if name == "fusedActivationFunction":
        return rng.randrange(6)
    if isinstance(value, bool):
        return not value
    if isinstance(value, float):
        return rng.choice((0.0, 1.0, -1.0, 0.5, 2.0, float("nan"), float("inf")))
    if name in ("padding", "weightsFormat", "mode"):
        return rng.randrange(2)
    if isinstance(value, int):
        return rng.choice((value + 1, value - 1, -value, 0, 1, 2, 3, 127))
    numbers = [] if value is None or name == "quantSpec" else list(value)
    return [rng.randrange(-2, 4) for _ in range(rng.randrange(4))] if rng.random() < 0.5 else numbers[1:]


def _options(case: LiteCase, rng: Random) -> LiteCase:
    """No options, or those of another op."""
    kind = None if rng.random() < 0.6 else rng.choice(OPTION_KINDS)
    return _noted(case, f"options={kind}", options=kind, values={})


def _version(case: LiteCase, rng: Random) -> LiteCase:
    version = rng.randrange(1, 13)
    return _noted(case, f"version={version}", version=version)


def _with_operand(case: LiteCase, place: int, text: str, operand: LiteTensor | None) -> LiteCase:
    operands = [*case.operands[:place], operand, *case.operands[place + 1 :]]
    return _noted(case, f"operand {place} {text}", operands=operands)


def _absent(case: LiteCase, rng: Random) -> LiteCase | None:
    """An operand that is absent, left out, or there twice."""
    if len(case.operands) < 2:
        return None
    place = rng.randrange(len(case.operands))
    match rng.randrange(3):
        case 0:
            return _with_operand(case, place, "absent", None)
        case 1:
            return _noted(case, "one operand less", operands=case.operands[:-1])
        case _:
            return _noted(case, "one operand more", operands=[*case.operands, case.operands[place]])


def _constant(case: LiteCase, rng: Random) -> LiteCase | None:
    """An input that is constant, or a constant that is an input."""
    place = rng.randrange(len(case.operands))
    if (each := case.operands[place]) is None:
        return None
    if each.is_input and len(case.inputs) == 1:
        return None
    other = replace(each, is_input=not each.is_input, unknown=frozenset[int]())
    return _with_operand(case, place, f"input={other.is_input}", other)


def _data(case: LiteCase, rng: Random) -> LiteCase | None:
    """Other numbers of a constant."""
    operands = enumerate(case.operands)
    places = [n for n, each in operands if each is not None and each.data.size and each.data.dtype.kind != "c"]
    if not places:
        return None
    place = rng.choice(places)
    each = case.operands[place]
    assert each is not None
    data = each.data.copy()
    flat = data.reshape(-1)
    if data.dtype.kind == "f":
        # Kernels do not multiply the zeros around images, which would be NaN with infinite weights, square in f32, and
        # those of XNNPACK compute NaN for some numbers at the edges of what a function takes.
        large = 100.0 if case.kind in NEVER_LARGE else 1e15
        most = large if "CONV" in case.kind or case.kind in NEVER_INFINITE else float("inf")
        number = rng.choice((0.0, -0.0, 1.0, -1.0, large, -large, most, 2.5, -0.5))
        flat[rng.randrange(flat.size)] = abs(number) or 1.0 if case.kind == "RSQRT" else number
    else:
        limit = np.iinfo(data.dtype) if data.dtype.kind != "b" else None
        number = int(flat[(index := rng.randrange(flat.size))]) + rng.choice((-3, -2, -1, 1, 2, 3))
        flat[index] = number % 2 if limit is None else min(max(number, limit.min), limit.max)
    return _with_operand(case, place, "numbers", replace(each, data=data))


def _type(case: LiteCase, rng: Random) -> LiteCase:
    """Another element type of one tensor, or of all that have its type."""
    tensors = [each for each in (*case.operands, *case.results) if each is not None]
    old, new = rng.choice(tensors).data.dtype.name, rng.choice(sorted(TYPES))
    count = 0 if rng.random() < 0.7 else rng.randrange(1, 1 + len(tensors))

    def changed(each: LiteTensor | None, index: int) -> LiteTensor | None:
        if each is None or each.data.dtype.name != old or (count and index != count - 1):
            return each
        data = np.nan_to_num(np.real(each.data).astype(np.float64), posinf=100, neginf=-100)
        return replace(each, data=(np.abs(data) if new == "uint8" else data).astype(new))

    operands = [changed(each, index) for index, each in enumerate(case.operands)]
    found = [changed(each, index + len(operands)) for index, each in enumerate(case.results)]
    results = [each for each in found if each is not None]
    return _noted(case, f"{old}->{new} {count or 'all'}", operands=operands, results=results)


def _quantised(case: LiteCase, rng: Random) -> LiteCase | None:
    """Scales and zero points, other ones, or none."""
    tensors = [*case.operands, *case.results]
    place = rng.randrange(len(tensors))
    if (each := tensors[place]) is None:
        return None
    scale, zero = rng.choice((0.5, 0.25, 0.1, 1.0, 0.0078125)), rng.choice((0, 0, 0, 1, -3, 5, -128, 127))
    found: Quantization | None = Quantization([scale], [zero])
    if rng.random() < 0.3 and each.data.ndim:
        axis = rng.randrange(each.data.ndim)
        found = Quantization([scale * (1 + n) for n in range(each.data.shape[axis])], [0] * each.data.shape[axis], axis)
    elif rng.random() < 0.3:
        found = None
    tensors[place] = replace(each, quantization=found)
    results = [tensor for tensor in tensors[len(case.operands) :] if tensor is not None]
    return _noted(case, f"tensor {place} {found}", operands=tensors[: len(case.operands)], results=results)


def _unknown(case: LiteCase, rng: Random) -> LiteCase | None:
    """Unknown sizes of an input, and perhaps of the results."""
    places = [place for place, each in enumerate(case.operands) if each is not None and each.is_input]
    if not places:
        return None
    place = rng.choice(places)
    each = case.operands[place]
    assert each is not None
    if not each.data.ndim:
        return None
    axes = frozenset(axis for axis in range(each.data.ndim) if rng.random() < 0.5)
    found = _with_operand(case, place, f"unknown {sorted(axes)}", replace(each, unknown=axes))
    if rng.random() < 0.7:
        results = [
            replace(one, unknown=frozenset(axis for axis in range(one.data.ndim) if rng.random() < 0.6))
            for one in case.results
        ]
        return replace(found, results=results)
    return found


def _sizes(case: LiteCase, rng: Random) -> LiteCase | None:
    """Another size or rank of an operand."""
    place = rng.randrange(len(case.operands))
    each = case.operands[place]
    if each is None or not each.data.size:
        return None
    shape = list(each.data.shape)
    match rng.randrange(4):
        case 0 if shape:
            shape[rng.randrange(len(shape))] = 1
        case 1 if shape:
            shape[rng.randrange(len(shape))] += rng.choice((1, -1))
        case 2 if shape:
            shape.pop(rng.randrange(len(shape)))
        case _:
            shape.insert(rng.randrange(len(shape) + 1), rng.choice((1, 1, 2)))
    data = np.resize(each.data, shape)
    return _with_operand(case, place, f"shape {shape}", replace(each, data=data, unknown=frozenset[int]()))


def _stated(case: LiteCase, rng: Random) -> LiteCase | None:
    """A result whose shape is stated in another way than it is."""
    place = rng.randrange(len(case.results))
    each = case.results[place]
    shape = [size for size in each.data.shape if rng.random() < 0.8]
    if shape and rng.random() < 0.5:
        shape[rng.randrange(len(shape))] = rng.randrange(1, 5)
    other = replace(each, data=np.zeros(shape, each.data.dtype), unknown=frozenset[int]())
    results = [*case.results[:place], other, *case.results[place + 1 :]]
    return _noted(case, f"result {place} stated as {shape}", results=results)


Change = Callable[[LiteCase, Random], LiteCase | None]
CHANGES: Sequence[Change] = (
    *[_option] * 5,
    _options,
    _version,
    _absent,
    _constant,
    *[_data] * 2,
    *[_type] * 2,
    *[_quantised] * 2,
    *[_unknown] * 2,
    *[_sizes] * 2,
    _stated,
)
