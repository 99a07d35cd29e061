"""Assembly of a model in the object API of the file format."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from json import dumps, loads
from typing import Any

from xdsl.dialects.builtin import DictionaryAttr, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

from ....layout import DYNAMIC
from ....version import __version__
from ...functions import main_function
from ...moved_data import MovedData
from ..data import LiteData, in_memory
from ..dialect import LiteNode
from ..kept import (
    DESCRIPTION,
    GRAPH,
    METADATA,
    ORDERS,
    OWN_METADATA,
    SIGNATURE,
    USUAL_SIGNATURE,
    bytes_of,
)
from ..schema import schema
from .elements import LiteElement
from .float_products import note_of
from .graph_writer import GraphWriter, text_of

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
    """The model of a module in ops of a file: @main, and functions that were graphs; with its notes on that file."""
    main = main_function(module)
    others = (op for op in module.ops if isinstance(op, FuncOp) and op is not main and GRAPH in op.attributes)
    writer = _Writer([main, *others], module.attributes, hardware)
    return LiteModel(writer.model(), writer.weights, writer.nodes, note_of(writer.nodes))


class _Writer:
    def __init__(self, functions: Sequence[FuncOp], notes: Mapping[str, Attribute], hardware: str) -> None:
        self._schema = schema()
        self._functions = functions
        self._notes = notes
        self._hardware = hardware
        self.graphs = [each.sym_name.data for each in functions]
        self.nodes = [op for each in functions for op in each.body.block.ops if isinstance(op, LiteNode)]
        self.weights: dict[int, LiteData] = {}
        self._shared: dict[LiteData, int] = {}
        self._by_size: dict[int, list[int]] = {}
        """The buffers by their sizes in bytes; a buffer is compared with those of its size only."""
        self._buffers: list[Any] = [self._schema.BufferT()]
        """The first one is empty, for all tensors without data."""
        self._codes: dict[tuple[str, str | None, int], int] = {}

    def model(self) -> Any:
        model = self._schema.ModelT()
        writers = [GraphWriter(function, number, self) for number, function in enumerate(self._functions)]
        model.subgraphs = [each.graph() for each in writers]
        model.version, model.description = VERSION, text_of(self._notes, DESCRIPTION) or self._description()
        model.operatorCodes, model.buffers = self._operator_codes(), self._buffers
        signatures: list[Any] = []
        for number, (writer, function) in enumerate(zip(writers, self._functions, strict=True)):
            notes, usual = (function.attributes, "") if number else (self._notes, USUAL_SIGNATURE)
            signatures += writer.signatures(notes, text_of(notes, SIGNATURE) or usual)
        model.signatureDefs = signatures
        model.metadata = [self._entry(name, data) for name, data in self._metadata()]
        return model

    def _description(self) -> str:
        return f"written by npu-opt from @{self.graphs[0]}"

    def _metadata(self) -> Iterator[tuple[str, bytes]]:
        """The metadata of an imported file, and an entry of its own."""
        kept = self._notes.get(METADATA)
        for name, entry in kept.data.items() if isinstance(kept, DictionaryAttr) else ():
            if (data := bytes_of(entry)) is not None:
                yield name, data
        moves = _moves(self.nodes)
        about = {"version": __version__, "target": self._hardware, "transposes": moves.transposes, "bytes": moves.bytes}
        yield OWN_METADATA, dumps(about | loads(text_of(self._notes, ORDERS) or "{}")).encode()

    def _entry(self, name: str, data: bytes) -> Any:
        made = self._schema.MetadataT()
        made.name, made.buffer = name, self.new_buffer(in_memory(LiteElement.U8, (len(data),), data))
        return made

    def buffer(self, data: LiteData) -> int:
        """The buffer of a constant; constants of the same bytes have one."""
        if data not in self._shared:
            alike = self._by_size.setdefault(data.size, [])
            same = [number for number in alike if self.weights[number].digest == data.digest]
            self._shared[data] = same[0] if same else self.new_buffer(data)
            if not same:
                alike.append(self._shared[data])
        return self._shared[data]

    def new_buffer(self, data: LiteData) -> int:
        self._buffers.append(self._schema.BufferT())
        self.weights[len(self._buffers) - 1] = data
        return len(self._buffers) - 1

    def code(self, *code: Any) -> int:
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
