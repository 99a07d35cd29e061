"""A graph of a model in the object API of the file format."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

from ....layout import DYNAMIC
from ..data import LiteData
from ..dialect import LiteNode, LiteTensor
from ..errors import NotExportable
from ..graphs import refer
from ..kept import GRAPH, PREFIX, SIGNATURES, TENSOR
from ..schema import kinds, options_of, schema
from .kept import code_of, read_operator
from .kinds import ACTIVATIONS, FUSES_ACTIVATION, VERSIONS


class ModelParts(Protocol):
    """The parts that the graphs of a model share."""

    @property
    def graphs(self) -> Sequence[str]:
        """The names of the functions in the order of the graphs."""
        ...

    def code(self, *code: Any) -> int:
        """The number of a kind of op: its name, the code of one that is not builtin, and its version."""
        ...

    def buffer(self, data: LiteData) -> int:
        """The buffer of a constant; constants of the same bytes have one."""
        ...

    def new_buffer(self, data: LiteData) -> int: ...


class GraphWriter:
    """A function as a graph."""

    def __init__(self, function: FuncOp, number: int, model: ModelParts) -> None:
        self._schema = schema()
        self._function, self._number, self._model = function, number, model
        self._constants: dict[tuple[object, ...], int] = {}
        self._tensors: list[Any] = []
        self._numbers: dict[LiteTensor, int] = {}
        self._taken: dict[str, int] = {}
        """The names of tensors, with the numbers of others that would have had the same."""
        self._inputs: Sequence[tuple[str, int]] = ()
        self._outputs: Sequence[tuple[str, int]] = ()

    def graph(self) -> Any:
        self._inputs, self._outputs = self._ends()
        graph = self._schema.SubGraphT()
        graph.name = text_of(self._function.attributes, GRAPH) if self._number else "main"
        graph.inputs, graph.outputs = [index for _, index in self._inputs], [index for _, index in self._outputs]
        nodes = [op for op in self._function.body.block.ops if isinstance(op, LiteNode)]
        graph.operators = list(map(self._written, nodes))
        graph.tensors = self._tensors
        return graph

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

    def signatures(self, notes: Mapping[str, Attribute], key: str) -> Iterator[Any]:
        """The signature of this key, if there is one, and the further ones of an imported file."""
        if key:
            yield self._signature(key, self._inputs, self._outputs)
        for other, entry in _entries(notes.get(SIGNATURES)):
            parts = dict(_entries(entry))
            inputs, outputs = (
                [(name, _end(each, place, other)) for name, place in _entries(parts.get(what))]
                for what, each in (("inputs", self._inputs), ("outputs", self._outputs))
            )
            yield self._signature(other, inputs, outputs)

    def _signature(self, key: str, inputs: Sequence[tuple[str, int]], outputs: Sequence[tuple[str, int]]) -> Any:
        signature = self._schema.SignatureDefT()
        signature.signatureKey, signature.subgraphIndex = key, self._number
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
            same = wanted, tensor.element, tensor.shape, tensor.quantization, self._model.buffer(tensor.data)
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
            made.buffer = (self._model.new_buffer if tensor.type.is_variable else self._model.buffer)(tensor.data)
        if tensor.type.sparsity:
            made.sparsity = self._schema.SparsityParametersT.InitFromPackedBuf(tensor.type.sparsity)
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
        made.opcodeIndex = self._model.code(node.kind, None, VERSIONS.get(node.kind, 1))
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
        made.opcodeIndex = self._model.code(*code_of(node.said))
        tensors = [-1 if tensor is None else self._tensor(tensor) for tensor in node.inputs]
        blocks, end = node.options.get("blocks", ()), len(tensors) - node.options.get("intermediates", 0)
        # The scales of blocks are no inputs of the op in the file.
        count = min(blocks[1::4], default=end)
        made.inputs, made.intermediates = tensors[:count], tensors[end:] or None
        self._note_blocks(node, blocks)
        made.outputs = [self._tensor(next(outputs)) if is_there else -1 for is_there in node.options["results"]]
        if graphs := node.options.get("graphs"):
            refer(made, {name: self._number_of(function) for name, function in graphs.items()})
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

    def _number_of(self, function: str) -> int:
        """The number of the graph that a function is."""
        if function not in self._model.graphs:
            raise NotExportable(f"@{function} is no graph of a model: it has no attribute {GRAPH}")
        return self._model.graphs.index(function)


def _end_names(attributes: ArrayAttr[DictionaryAttr] | None, count: int, default: str) -> list[tuple[str, str]]:
    """The names of arguments or results in the imported model, and those of their tensors."""
    notes = [each.data for each in attributes.data] if attributes is not None else []
    found: list[tuple[str, str]] = []
    no_notes: Mapping[str, Attribute] = {}
    for index, each in enumerate([*notes, *[no_notes] * (count - len(notes))]):
        name = text_of(each, "onnx.name") or f"{default}{index}"
        found.append((name, text_of(each, TENSOR) or name))
    return found


def _entries(attribute: Attribute | None) -> list[tuple[str, Attribute]]:
    return [*attribute.data.items()] if isinstance(attribute, DictionaryAttr) else []


def _end(ends: Sequence[tuple[str, int]], place: Attribute, key: str) -> int:
    """The tensor of an argument or result."""
    if not isinstance(place, IntegerAttr) or not 0 <= place.value.data < len(ends):
        raise NotExportable(f"{SIGNATURES}: '{key}' names an argument or result that the function does not have")
    return ends[place.value.data][1]


def text_of(notes: Mapping[str, Attribute], name: str) -> str:
    """A text among attributes; empty without one."""
    found = notes.get(name)
    return found.data if isinstance(found, StringAttr) else ""


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
