"""Assembly of a model in the object API of the file format."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from json import dumps, loads
from typing import Any

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

from ....layout import DYNAMIC
from ....version import __version__
from ...functions import main_function
from ...moved_data import MovedData
from ..data import LiteData, in_memory
from ..dialect import LiteNode, LiteTensor
from ..errors import NotExportable
from ..kept import (
    DESCRIPTION,
    METADATA,
    ORDERS,
    OWN_METADATA,
    PREFIX,
    SIGNATURE,
    SIGNATURES,
    TENSOR,
    USUAL_SIGNATURE,
    bytes_of,
)
from ..schema import kinds, options_of, schema
from .elements import LiteElement
from .float_products import note_of
from .kept import code_of, read_operator
from .kinds import ACTIVATIONS, FUSES_ACTIVATION, VERSIONS

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
    found = MovedData()
    for node in nodes:
        if node.is_transpose and (source := node.inputs[0]) is not None:
            facts = node.said
            if facts.moved is None:
                found = found.with_transpose(source.shape, source.element.dtype.itemsize, facts.part_of)
            else:
                shape = [DYNAMIC] if facts.is_estimated else []
                found = found.with_transpose(shape, 1, facts.part_of, [facts.moved])
    return found


def assembled(module: ModuleOp, hardware: str) -> LiteModel:
    """The model of a module in ops of a file, with its notes on the file that it comes from."""
    writer = _Writer(main_function(module), module.attributes, hardware)
    return LiteModel(writer.model(), writer.weights, writer.nodes, note_of(writer.nodes))


class _Writer:
    def __init__(self, function: FuncOp, notes: Mapping[str, Attribute], hardware: str) -> None:
        self._schema = schema()
        self._function = function
        self._notes = notes
        self._hardware = hardware
        self.nodes = [op for op in function.body.block.ops if isinstance(op, LiteNode)]
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
        self._taken: dict[str, int] = {}
        """The names of tensors, with the numbers of others that would have had the same."""

    def model(self) -> Any:
        inputs, outputs = self._ends()
        operators = [self._written(node) for node in self.nodes]
        graph = self._schema.SubGraphT()
        graph.name = "main"
        graph.inputs, graph.outputs = [index for _, index in inputs], [index for _, index in outputs]
        graph.operators, graph.tensors = operators, self._tensors
        model = self._schema.ModelT()
        model.version, model.description = VERSION, _text(self._notes, DESCRIPTION) or _description(self._function)
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
        yield OWN_METADATA, dumps(about | loads(_text(self._notes, ORDERS) or "{}")).encode()

    def _entry(self, name: str, data: bytes) -> Any:
        made = self._schema.MetadataT()
        made.name, made.buffer = name, self._new_buffer(in_memory(LiteElement.U8, (len(data),), data))
        return made

    def _ends(self) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
        """The inputs and outputs with their names in the signature."""
        returned = self._function.get_return_op()
        assert returned is not None
        inputs, outputs = (
            [
                (name, self._tensor(LiteTensor(value), own))
                for value, (name, own) in zip(values, _end_names(attributes, len(values), default), strict=True)
            ]
            for values, attributes, default in (
                (self._function.args, self._function.arg_attrs, "input"),
                (returned.operands, self._function.res_attrs, "output"),
            )
        )
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
        wanted = name or tensor.source_name or _default_name(tensor)
        if tensor.data is not None and name is None and not tensor.type.is_variable:
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
        made.isVariable = tensor.type.is_variable
        if tensor.data is not None:
            made.buffer = self._new_buffer(tensor.data) if tensor.type.is_variable else self._buffer(tensor.data)
        if tensor.quantization is not None:
            made.quantization = self._quantization(tensor)
        self._tensors.append(made)
        return self._numbered(tensor, len(self._tensors) - 1)

    def _numbered(self, tensor: LiteTensor, number: int) -> int:
        self._numbers[tensor] = number
        return number

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

    def _written(self, node: LiteNode) -> Any:
        try:
            return self._operator(node)
        except NotExportable as error:
            node.emit_error(str(error), error)

    def _operator(self, node: LiteNode) -> Any:
        if node.kind.startswith(PREFIX):
            return self._kept(node)
        if node.kind not in kinds().values():
            raise NotExportable(f"LiteRT has no op {node.kind}")
        made = self._schema.OperatorT()
        made.opcodeIndex = self._code(node.kind, None, VERSIONS.get(node.kind, 1))
        made.inputs = [-1 if tensor is None else self._tensor(tensor) for tensor in node.inputs]
        made.outputs = [self._tensor(tensor) for tensor in node.outputs]
        if (name := options_of(node.kind)) is not None:
            made.builtinOptionsType = getattr(self._schema.BuiltinOptions, f"{name}Options")
            made.builtinOptions = getattr(self._schema, f"{name}OptionsT")()
            for key, value in _options(node).items():
                if not hasattr(made.builtinOptions, key):
                    raise NotExportable(f"LiteRT's {node.kind} has no option {key}")
                setattr(made.builtinOptions, key, value)
        return made

    def _kept(self, node: LiteNode) -> Any:
        """An op of an imported file, with new operands and results."""
        made, outputs = read_operator(node.said), iter(node.outputs)
        made.opcodeIndex = self._code(*code_of(node.said))
        blocks = node.options.get("blocks", ())
        operands = node.inputs[: min(blocks[1::4], default=len(node.inputs))]
        made.inputs = [-1 if tensor is None else self._tensor(tensor) for tensor in operands]
        self._note_blocks(node, blocks)
        made.outputs = [self._tensor(next(outputs)) if is_there else -1 for is_there in node.options["results"]]
        return made

    def _note_blocks(self, node: LiteNode, blocks: Sequence[int]) -> None:
        """State the tensors with the scales of operands that are quantised in blocks."""
        for start in range(0, len(blocks), 4):
            place, scales, zeros, size = blocks[start : start + 4]
            operand, scale = node.inputs[place], node.inputs[scales]
            point = node.inputs[zeros] if zeros > 0 else None
            assert operand is not None
            assert scale is not None
            details = self._schema.BlockwiseQuantizationT()
            details.scales, details.blockSize = self._tensor(scale), size
            details.zeroPoints = zeros if point is None else self._tensor(point)
            made = self._schema.QuantizationParametersT()
            made.detailsType, made.details = self._schema.QuantizationDetails.BlockwiseQuantization, details
            self._tensors[self._tensor(operand)].quantization = made

    def _code(self, *code: Any) -> int:
        """The number of a kind of op: its name, the code of one that is not builtin, and its version."""
        return self._codes.setdefault((code[0], code[1], code[2]), len(self._codes))

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


def _description(function: FuncOp) -> str:
    return f"written by npu-opt from @{function.sym_name.data}"


def _default_name(tensor: LiteTensor) -> str:
    """A name that no other tensor has in the imported model."""
    if tensor.node is None:
        return "constant"
    facts, kind = tensor.node.said, tensor.node.kind.lower()
    return f"{facts.origin}/{kind}" if facts.is_scope else facts.origin or kind


def _options(node: LiteNode) -> Mapping[str, Any]:
    if node.kind not in FUSES_ACTIVATION:
        return node.options
    return {**node.options, "fusedActivationFunction": ACTIVATIONS.get(node.activation or "", 0)}
