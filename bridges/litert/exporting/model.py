"""Assembly of a model in the object API of the file format."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from json import dumps
from typing import Any

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, ModuleOp, StringAttr
from xdsl.ir import Attribute, SSAValue

from ....layout import DYNAMIC
from ....version import __version__
from ...moved_data import MovedData, StorageSizes
from ..errors import NotExportable
from ..kept import (
    DESCRIPTION,
    METADATA,
    OWN_METADATA,
    PREFIX,
    SIGNATURE,
    SIGNATURES,
    TENSOR,
    USUAL_SIGNATURE,
    bytes_of,
)
from ..orders import noted_orders
from ..schema import options_of, schema
from .data import LiteData, in_memory
from .elements import LiteElement
from .finish import finished
from .float_products import note_of
from .graph import KeptOp, LiteNode, LiteTensor
from .kinds import ACTIVATIONS, FUSES_ACTIVATION, VERSIONS
from .program import LiteProgram

VERSION = 3
"""The version of the file format."""
PLACEHOLDER = 127
"""The number in a field of one byte for the kinds of ops that do not fit there."""


@dataclass
class LiteModel:
    """A model without its weights, and the data of each buffer that has some."""

    proto: Any
    """A `ModelT`."""
    weights: dict[int, LiteData] = field(default_factory=dict[int, LiteData])
    """Keyed by buffer."""
    nodes: Sequence[LiteNode] = ()
    note: str = ""
    """A hint on the file; empty without one."""
    came: int = 0
    changed: int = 0
    """The nodes that came are counted in ONNX models only."""

    @property
    def moves(self) -> MovedData:
        """The transposes in the model; those that move axes of one element only are reshapes."""
        return _moves(self.nodes)


def _moves(nodes: Sequence[LiteNode]) -> MovedData:
    found, stored = MovedData(), StorageSizes()
    for node in nodes:
        if node.kind.removeprefix(PREFIX) == "TRANSPOSE" and (source := node.inputs[0]) is not None:
            value = _value(source)
            shape, likely = (source.shape, None) if value is None else (stored.of(value), stored.likely(value))
            found = found.with_transpose(shape, source.element.dtype.itemsize, node.part_of, likely)
    return found


def _value(x: LiteTensor) -> SSAValue | None:
    """The value of the program whose data a tensor has, also through ops that only move it."""
    while x.value is None and x.node is not None and x.node.kind in ("RESHAPE", "TRANSPOSE"):
        (source, *_) = x.node.inputs
        if source is None:
            return None
        x = source
    return x.value


def assembled(exported: LiteProgram, module: ModuleOp, hardware: str) -> LiteModel:
    """The model of a graph, with the notes of the module on the file that it comes from."""
    writer = _Writer(exported, finished(exported.graph, exported.outputs), module.attributes, hardware)
    return LiteModel(writer.model(), writer.weights, writer.nodes, note_of(writer.nodes, exported.outputs))


class _Writer:
    def __init__(
        self, exported: LiteProgram, nodes: Sequence[LiteNode], notes: Mapping[str, Attribute], hardware: str
    ) -> None:
        self._schema = schema()
        self._exported = exported
        self._notes = notes
        self._hardware = hardware
        self.nodes = nodes
        self.weights: dict[int, LiteData] = {}
        self._shared: dict[LiteData, int] = {}
        self._by_size: dict[int, list[int]] = {}
        """The buffers by their sizes in bytes; a buffer is compared with those of its size only."""
        self._constants: dict[tuple[object, ...], int] = {}
        self._buffers: list[Any] = [self._schema.BufferT()]
        """The first one is empty, for all tensors without data."""
        self._tensors: list[Any] = []
        self._numbers: dict[LiteTensor, int] = {}
        self._codes: dict[tuple[str, str | None, int], int] = {}
        self._names: dict[LiteTensor, str] = {}
        for tensor, name in exported.names:
            self._names.setdefault(tensor, name)
        self._imported_names = set(self._names.values())
        self._taken: dict[str, int] = {}
        """The names of tensors, with the numbers of others that would have had the same."""

    def model(self) -> Any:
        exported = self._exported
        inputs, outputs = self._ends()
        operators = [self._operator(node) for node in self.nodes]
        graph = self._schema.SubGraphT()
        graph.name = "main"
        graph.inputs, graph.outputs = [index for _, index in inputs], [index for _, index in outputs]
        graph.operators, graph.tensors = operators, self._tensors
        model = self._schema.ModelT()
        model.version, model.description = VERSION, _text(self._notes, DESCRIPTION) or _description(exported)
        model.subgraphs, model.operatorCodes, model.buffers = [graph], self._operator_codes(), self._buffers
        key = _text(self._notes, SIGNATURE) or USUAL_SIGNATURE
        model.signatureDefs = [self._signature(key, inputs, outputs), *self._others(inputs, outputs)]
        model.metadata = [self._entry(name, data) for name, data in self._metadata()]
        return model

    def _metadata(self) -> Iterator[tuple[str, bytes]]:
        """The metadata of an imported file, and an entry of its own."""
        kept = self._notes.get(METADATA)
        for name, entry in kept.data.items() if isinstance(kept, DictionaryAttr) else ():
            if (data := bytes_of(entry)) is not None:
                yield name, data
        moves = _moves(self.nodes)
        about = {"version": __version__, "target": self._hardware, "transposes": moves.transposes, "bytes": moves.bytes}
        yield OWN_METADATA, dumps(about | noted_orders(self._exported.function)).encode()

    def _entry(self, name: str, data: bytes) -> Any:
        made = self._schema.MetadataT()
        made.name, made.buffer = name, self._new_buffer(in_memory(LiteElement.U8, (len(data),), data))
        return made

    def _ends(self) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
        """The inputs and outputs with their names in the signature."""
        exported = self._exported
        function = exported.function
        given = exported.graph.inputs
        inputs = [
            (name, self._tensor(tensor, own))
            for tensor, (name, own) in zip(given, _end_names(function.arg_attrs, len(given), "input"), strict=True)
        ]
        names = _end_names(function.res_attrs, len(exported.outputs), "output")
        outputs = [
            (name, self._tensor(tensor, own)) for tensor, (name, own) in zip(exported.outputs, names, strict=True)
        ]
        return inputs, outputs

    def _others(self, *ends: Sequence[tuple[str, int]]) -> Iterator[Any]:
        """The further signatures of an imported file."""
        for key, entry in _entries(self._notes.get(SIGNATURES)):
            parts = dict(_entries(entry))
            inputs, outputs = (
                [(name, _end(each, place, key)) for name, place in _entries(parts.get(what))]
                for what, each in zip(("inputs", "outputs"), ends, strict=True)
            )
            yield self._signature(key, inputs, outputs)

    def _signature(self, key: str, inputs: Sequence[tuple[str, int]], outputs: Sequence[tuple[str, int]]) -> Any:
        signature = self._schema.SignatureDefT()
        signature.signatureKey, signature.subgraphIndex = key, 0
        signature.inputs, signature.outputs = self._maps(inputs), self._maps(outputs)
        return signature

    def _maps(self, ends: Sequence[tuple[str, int]]) -> list[Any]:
        found: list[Any] = []
        for name, index in ends:
            each = self._schema.TensorMapT()
            each.name, each.tensorIndex = name, index
            found.append(each)
        return found

    def _tensor(self, tensor: LiteTensor, name: str | None = None) -> int:
        if tensor in self._numbers:
            return self._numbers[tensor]
        made = self._schema.TensorT()
        wanted = name or self._name_of(tensor) or self._default_name(tensor)
        if tensor.data is not None and name is None and not tensor.is_variable:
            same = wanted, tensor.element, tensor.shape, tensor.quantization, self._buffer(tensor.data)
            if same in self._constants:
                return self._numbered(tensor, self._constants[same])
            self._constants[same] = len(self._tensors)
        made.name = self._unique(wanted)
        made.type = int(tensor.element)
        made.shape = [1 if size == DYNAMIC else size for size in tensor.shape]
        made.hasRank = True
        if DYNAMIC in tensor.shape:
            made.shapeSignature = [-1 if size == DYNAMIC else size for size in tensor.shape]
        made.isVariable = tensor.is_variable
        if tensor.data is not None:
            made.buffer = self._new_buffer(tensor.data) if tensor.is_variable else self._buffer(tensor.data)
        if tensor.quantization is not None:
            made.quantization = self._quantization(tensor)
        self._tensors.append(made)
        return self._numbered(tensor, len(self._tensors) - 1)

    def _numbered(self, tensor: LiteTensor, number: int) -> int:
        self._numbers[tensor] = number
        return number

    def _name_of(self, tensor: LiteTensor) -> str | None:
        """The name in the imported model or the program, if a tensor, or the constant that it was made of, has one."""
        if (name := self._names.get(tensor)) is not None or tensor.of is None:
            return name
        return self._name_of(tensor.of)

    def _default_name(self, tensor: LiteTensor) -> str:
        """A name that no other tensor has in the imported model."""
        if tensor.node is None:
            return "constant"
        origin, kind = tensor.node.origin, tensor.node.kind.lower()
        return f"{origin}/{kind}" if origin in self._imported_names else origin or kind

    def _quantization(self, tensor: LiteTensor) -> Any:
        assert tensor.quantization is not None
        made = self._schema.QuantizationParametersT()
        made.scale, made.zeroPoint = list(tensor.quantization.scale), list(tensor.quantization.zero_point)
        made.quantizedDimension = tensor.quantization.axis
        return made

    def _buffer(self, data: LiteData) -> int:
        """The buffer of a constant; constants of the same bytes have one."""
        if data not in self._shared:
            alike = self._by_size.setdefault(data.size, [])
            same = [number for number in alike if self.weights[number].digest == data.digest]
            self._shared[data] = same[0] if same else self._new_buffer(data)
            if not same:
                alike.append(self._shared[data])
        return self._shared[data]

    def _new_buffer(self, data: LiteData) -> int:
        self._buffers.append(self._schema.BufferT())
        self.weights[len(self._buffers) - 1] = data
        return len(self._buffers) - 1

    def _unique(self, name: str) -> str:
        found = name
        while found in self._taken:
            self._taken[name] += 1
            found = f"{name}_{self._taken[name]}"
        self._taken[found] = 0
        return found

    def _operator(self, node: LiteNode) -> Any:
        if node.kept is not None:
            return self._kept(node, node.kept)
        made = self._schema.OperatorT()
        made.opcodeIndex = self._code(node.kind, None, VERSIONS.get(node.kind, 1))
        made.inputs = [-1 if tensor is None else self._tensor(tensor) for tensor in node.inputs]
        made.outputs = [self._tensor(tensor) for tensor in node.outputs]
        if (name := options_of(node.kind)) is not None:
            made.builtinOptionsType = getattr(self._schema.BuiltinOptions, f"{name}Options")
            made.builtinOptions = getattr(self._schema, f"{name}OptionsT")()
            for key, value in self._options(node).items():
                assert hasattr(made.builtinOptions, key), (node.kind, key)
                setattr(made.builtinOptions, key, value)
        return made

    def _kept(self, node: LiteNode, op: KeptOp) -> Any:
        """An op of an imported file, with new operands and results."""
        made = op.operator
        outputs = iter(node.outputs)
        made.opcodeIndex = self._code(op.kind, op.custom_code, op.version)
        made.inputs = [-1 if tensor is None else self._tensor(tensor) for tensor in node.inputs]
        made.outputs = [self._tensor(next(outputs)) if is_there else -1 for is_there in op.results]
        return made

    def _code(self, *code: Any) -> int:
        """The number of a kind of op: its name, the code of one that is not builtin, and its version."""
        return self._codes.setdefault((code[0], code[1], code[2]), len(self._codes))

    def _options(self, node: LiteNode) -> dict[str, Any]:
        if node.kind not in FUSES_ACTIVATION:
            return node.options
        return {
            **node.options,
            "fusedActivationFunction": 0 if node.activation is None else ACTIVATIONS[node.activation],
        }

    def _operator_codes(self) -> list[Any]:
        found: list[Any] = []
        for kind, custom_code, version in self._codes:
            code = self._schema.OperatorCodeT()
            code.customCode = custom_code
            code.builtinCode = getattr(self._schema.BuiltinOperator, kind)
            code.deprecatedBuiltinCode = min(code.builtinCode, PLACEHOLDER)
            code.version = version
            found.append(code)
        return found


def _end_names(attributes: ArrayAttr[DictionaryAttr] | None, count: int, default: str) -> list[tuple[str, str]]:
    """The names of arguments or results in the imported model, and those of their tensors."""
    notes = [each.data for each in attributes.data] if attributes is not None else []
    found: list[tuple[str, str]] = []
    no_notes: Mapping[str, Attribute] = {}
    for index, each in enumerate([*notes, *[no_notes] * (count - len(notes))]):
        name = _text(each, "onnx.name") or f"{default}{index}"
        found.append((name, _text(each, TENSOR) or name))
    return found


def _entries(attribute: Attribute | None) -> list[tuple[str, Attribute]]:
    return [*attribute.data.items()] if isinstance(attribute, DictionaryAttr) else []


def _end(ends: Sequence[tuple[str, int]], place: Attribute, key: str) -> int:
    """The tensor of an argument or result."""
    if not isinstance(place, IntegerAttr) or not 0 <= place.value.data < len(ends):
        raise NotExportable(f"{SIGNATURES}: '{key}' names an argument or result that the function does not have")
    return ends[place.value.data][1]


def _text(notes: Mapping[str, Attribute], name: str) -> str:
    found = notes.get(name)
    return found.data if isinstance(found, StringAttr) else ""


def _description(exported: LiteProgram) -> str:
    return f"written by npu-opt from @{exported.function.sym_name.data}"
