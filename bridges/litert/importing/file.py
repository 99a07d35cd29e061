"""The contents of a model file: its tensors and ops, as the file has them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from mmap import ACCESS_READ, mmap
from pathlib import Path
from struct import error as StructError
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....dialects.npu.values import shape_text
from ....layout import DYNAMIC
from ...safetensors import Extract
from ..element_types import KEPT, PACKED, LiteElement
from ..graphs import RUNS_GRAPHS, graphs_in, refer
from ..schema import element_name, kinds, options_class, packed, schema
from .errors import LiteRtError
from .tables import Bytes, DamagedFile, Table, root
from .types import elements_of

IDENTIFIER = b"TFL3"
INLINE = 1
"""Offsets of data up to this one mean that the data is in the tables."""
BYTES_OF_TABLE = 24
"""The least number of bytes that a table counts as: so many references to one table cannot take much memory."""
MOST_READS = 4
"""The number of times that the references of a file may read its bytes: honest files share little."""
ABSENT = -1
BLOCKWISE = 2
"""The kind of quantisation with a scale for each block along the last axis."""


@dataclass(frozen=True)
class FileQuantization:
    """The numbers that integers of a tensor represent; one scale, or one per position of an axis."""

    scale: NDArray[Any]
    zero_point: NDArray[Any]
    axis: int


@dataclass(frozen=True)
class FileBlocks:
    """The tensors with a scale, and maybe a zero point, for each block of a tensor, and the size of a block."""

    scales: int
    zero_points: int
    """Not above 0 if there are none."""
    size: int


@dataclass(frozen=True)
class FileTensor:
    """A tensor of the file. Unknown sizes are `DYNAMIC`."""

    name: str
    element: LiteElement
    shape: tuple[int, ...]
    content: Extract | None
    """The place of its data, if it is constant."""
    quantization: FileQuantization | None
    is_variable: bool
    blocks: FileBlocks | None = None
    sparsity: bytes = b""
    """The places of the elements that are there, in the format of the file; empty if all are."""

    @property
    def is_plain(self) -> bool:
        """True if the data are elements of the dialect, one behind the other."""
        return not self.sparsity and self.element not in KEPT


@dataclass(frozen=True)
class FileSignature:
    """Names for some inputs and outputs, with their places among all of the graph."""

    key: str
    inputs: dict[str, int]
    outputs: dict[str, int]


@dataclass(frozen=True)
class FileOperator:
    """An op of the file."""

    kind: str
    custom_code: str
    version: int
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    intermediates: tuple[int, ...]
    """Tensors that only say scales and zero points of numbers within the op."""
    table: Table

    @cached_property
    def options(self) -> Any:
        """The options of a builtin op, as an object of the schema; None if it has none."""
        number, found = self.table.number(3, "B"), self.table.table(4)
        chosen = options_class(number)
        if chosen is None or found is None:
            return None
        return read_damaged(lambda: chosen.InitFromBuf(found.data, found.position))

    def packed(self) -> tuple[bytes, dict[str, int]]:
        """The op without what it refers to, in the format of the file, and the numbers of the graphs that it runs."""
        made = read_damaged(lambda: schema().OperatorT.InitFromBuf(self.table.data, self.table.position))
        made.opcodeIndex, made.inputs, made.outputs, made.intermediates = 0, [], [], None
        graphs: dict[str, int] = read_damaged(lambda: graphs_in(made)) if self.kind in RUNS_GRAPHS else {}
        if graphs:
            refer(made, dict.fromkeys(graphs, 0))
        return packed(made), graphs


def read_damaged(read: Any) -> Any:
    """The result of a reader that checks no bounds itself."""
    try:
        return read()
    except (StructError, ValueError, IndexError, TypeError, OverflowError, MemoryError) as error:
        raise DamagedFile("the options of an op lie outside of it") from error


@dataclass
class LiteFile:
    """A graph of a model."""

    path: Path
    data: Bytes
    name: str = ""
    tensors: list[FileTensor] = field(default_factory=list[FileTensor])
    operators: list[FileOperator] = field(default_factory=list[FileOperator])
    inputs: tuple[int, ...] = ()
    outputs: tuple[int, ...] = ()
    signature: str = ""
    """The key of the signature; empty if there is none."""
    names: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    """The names of `inputs` and `outputs` in the signature, in the order of the graph."""
    others: list[FileSignature] = field(default_factory=list[FileSignature])
    """The signatures behind the first one."""

    def input_names(self) -> list[str]:
        """The names of the inputs: those of the signature, or of their tensors."""
        return self.names.get("inputs") or [self.tensors[place].name for place in self.inputs]

    def numbers(self, tensor: FileTensor) -> NDArray[Any] | None:
        """The elements of a constant, mapped from the file; None for all others."""
        if tensor.content is None or not tensor.is_plain:
            return None
        dtype = tensor.element.dtype
        count = prod(tensor.shape)
        if not count:
            return np.empty(tensor.shape, dtype)
        if tensor.element in PACKED:
            data = np.frombuffer(self.data, np.uint8, tensor.content.length, tensor.content.offset)
            return elements_of(tensor.element, data, tensor.shape)
        return np.frombuffer(self.data, dtype, count, tensor.content.offset).reshape(tensor.shape)


@dataclass(frozen=True)
class FileModel:
    """A model: the graph that it runs first, and others."""

    graphs: list[LiteFile]
    description: str
    metadata: list[tuple[str, bytes]]


def read_file(path: Path) -> FileModel:
    """Read the tables of a file; the data of its tensors stays in it."""
    with path.open("rb") as stream:
        try:
            data: Bytes = mmap(stream.fileno(), 0, access=ACCESS_READ)
        except ValueError:
            data = b""
    return _Reader(path, data).model()


class _Reader:
    def __init__(self, path: Path, data: Bytes):
        self._path = path
        self._data = data
        self._left = MOST_READS * len(data)
        """The number of bytes that may still be read."""

    def model(self) -> FileModel:
        model = root(self._data, IDENTIFIER)
        graphs, signatures = list(self._tables(model, 2)), list(self._tables(model, 7))
        if not graphs:
            raise LiteRtError("the model has no graphs")
        self._buffers = list(self._tables(model, 4))
        self._codes = list(map(_code, self._tables(model, 1)))
        found = [
            self._graph(graph, [each for each in signatures if each.number(4, "I") == number])
            for number, graph in enumerate(graphs)
        ]
        return FileModel(found, model.text(3), [self._metadata(each) for each in self._tables(model, 6)])

    def _graph(self, graph: Table, signatures: Sequence[Table]) -> LiteFile:
        found = LiteFile(self._path, self._data, graph.text(4))
        found.tensors = [self._tensor(each) for each in self._tables(graph, 0)]
        found.inputs = self._places(graph, 1, len(found.tensors))
        found.outputs = self._places(graph, 2, len(found.tensors))
        found.operators = [self._operator(each, len(found.tensors)) for each in self._tables(graph, 3)]
        self._sign(found, signatures[:1])
        found.others = [self._signature(each, found) for each in signatures[1:]]
        return found

    def _read(self, count: int) -> None:
        """Count bytes that are read, so that references to the same bytes are not read without end."""
        self._left -= count
        if self._left < 0:
            raise DamagedFile("many references to the same bytes")

    def _tables(self, table: Table, field: int) -> Iterator[Table]:
        """The tables of a vector, each of which counts as more bytes than a reference has."""
        for each in table.tables(field):
            self._read(BYTES_OF_TABLE)
            yield each

    def _tensor(self, table: Table) -> FileTensor:
        name, number = table.text(3), table.number(1, "b")
        self._read(table.size + len(name))
        if number not in LiteElement.__members__.values():
            raise LiteRtError(
                f"'{name}' is of element type {element_name(number)}, which the npu dialect does not support"
            )
        if table.vector(9, 4)[1] or table.number(10, "I"):
            raise LiteRtError(f"'{name}' has variants or data in another file, which is not supported")
        element = LiteElement(number)
        shape = self._shape(table, name)
        content = self._content(table.number(2, "I"), name)
        is_variable, sparsity, numbers = bool(table.number(5, "B")), self._sparsity(table.table(6)), table.table(4)
        blocks = None
        if numbers is not None and (details := numbers.table(5)) is not None and numbers.number(4, "B") == BLOCKWISE:
            blocks = self._blocks(details, name)
        quantization = None if blocks is not None else self._quantization(numbers, name, shape)
        found = FileTensor(name, element, shape, content, quantization, is_variable, blocks, sparsity)
        if content is None or not found.is_plain:
            return found
        if DYNAMIC in shape or content.length != element.bytes_of(prod(shape)):
            expected = "an unknown number" if DYNAMIC in shape else element.bytes_of(prod(shape))
            raise LiteRtError(f"the data of '{name}' has {content.length} bytes, expected {expected} for its shape")
        return found

    def _sparsity(self, table: Table | None) -> bytes:
        if table is None:
            return b""
        made = packed(read_damaged(lambda: schema().SparsityParametersT.InitFromBuf(self._data, table.position)))
        self._read(len(made))
        return made

    def _blocks(self, table: Table, name: str) -> FileBlocks:
        """The scales of blocks; their tensors are checked where they are used."""
        self._read(table.size)
        if table.vector(3, 4)[1]:
            raise LiteRtError(f"'{name}' is quantised in blocks of several axes, which is not supported")
        return FileBlocks(table.number(0, "i"), table.number(1, "i"), table.number(2, "i"))

    def _shape(self, table: Table, name: str) -> tuple[int, ...]:
        sizes = table.numbers(0, "i4")
        marked = table.numbers(7, "i4")
        self._read(4 * (len(sizes) + len(marked)))
        if len(marked) and len(marked) != len(sizes):
            raise LiteRtError(f"the shape of '{name}' has {len(sizes)} sizes, its signature {len(marked)}")
        shape = tuple(DYNAMIC if size == -1 else int(size) for size in (marked if len(marked) else sizes))
        if any(size < 0 and size != DYNAMIC for size in shape):
            raise LiteRtError(f"the shape of '{name}' has a negative size: {'x'.join(map(str, shape))}")
        return shape

    def _content(self, number: int, name: str) -> Extract | None:
        """The place of the data of a buffer."""
        if number == 0:
            return None
        if number >= len(self._buffers):
            raise LiteRtError(f"'{name}' is in buffer {number} of {len(self._buffers)}")
        table = self._buffers[number]
        offset, length = table.number(1, "Q"), table.number(2, "Q")
        if offset <= INLINE:
            offset, length = table.vector(0, 1)
        if offset + length > len(self._data):
            raise DamagedFile(f"the data of '{name}' at byte {offset} lies outside of its {len(self._data)} bytes")
        return Extract(self._path, offset, length) if length else None

    def _quantization(self, table: Table | None, name: str, shape: tuple[int, ...]) -> FileQuantization | None:
        if table is None or not table.vector(2, 4)[1]:
            return None
        if table.number(4, "B"):
            raise LiteRtError(f"'{name}' is quantised in a way that is not supported")
        scale, zero, axis = table.numbers(2, "f4"), table.numbers(3, "i8"), table.number(6, "i")
        self._read(4 * len(scale) + 8 * len(zero))
        if not len(zero):
            zero = np.zeros(len(scale), np.int64)
        if len(zero) not in (1, len(scale)):
            raise LiteRtError(f"'{name}' has {len(scale)} scales and {len(zero)} zero points")
        check_scales(name, len(scale), axis, shape)
        return FileQuantization(scale, np.broadcast_to(zero, scale.shape), axis)

    def _places(self, table: Table, field: int, count: int) -> tuple[int, ...]:
        """The numbers of tensors in a vector."""
        found = table.numbers(field, "i4")
        self._read(4 * len(found))
        if len(found) and (found.min() < ABSENT or found.max() >= count):
            raise LiteRtError(f"a reference to tensor {int(found.max())} of {count}")
        return tuple(map(int, found))

    def _operator(self, table: Table, count: int) -> FileOperator:
        self._read(table.size)
        code = table.number(0, "I")
        if code >= len(self._codes):
            raise LiteRtError(f"an op of kind {code} of {len(self._codes)}")
        for each in (3, 11):
            if table.number(each, "B") and (options := table.table(each + 1)) is not None:
                self._read(options.size)
        self._read(table.vector(5, 1)[1])
        if table.number(9, "Q") > INLINE:
            raise LiteRtError("an op has options behind the tables, which is not supported")
        kind, custom, version = self._codes[code]
        inputs, outputs, intermediates = (self._places(table, field, count) for field in (1, 2, 8))
        return FileOperator(kind, custom, version, inputs, outputs, intermediates, table)

    def _metadata(self, table: Table) -> tuple[str, bytes]:
        name = table.text(0)
        content = self._content(table.number(1, "I"), name)
        if content is None:
            return name, b""
        self._read(content.length)
        return name, bytes(self._data[content.offset : content.offset + content.length])

    def _sign(self, found: LiteFile, signatures: Sequence[Table]) -> None:
        """Take the names of inputs and outputs from the signature, if there is one."""
        for table in signatures:
            found.signature = table.text(2)
            for place, key, ends in ((0, "inputs", found.inputs), (1, "outputs", found.outputs)):
                named = list(self._named(self._tables(table, place)))
                by_tensor = {tensor: name for name, tensor in reversed(named)}
                is_listed = len(by_tensor) < len(named) == len(ends)
                names = [by_tensor.get(tensor, found.tensors[tensor].name) for tensor in ends]
                found.names[key] = [name for name, _ in named] if is_listed else names

    def _signature(self, table: Table, file: LiteFile) -> FileSignature:
        key = table.text(2)
        inputs, outputs = (
            {name: _place(tensor, ends, f"'{name}' of signature '{key}'") for name, tensor in self._named(found)}
            for found, ends in ((self._tables(table, 0), file.inputs), (self._tables(table, 1), file.outputs))
        )
        return FileSignature(key, inputs, outputs)

    def _named(self, tables: Iterator[Table]) -> Iterator[tuple[str, int]]:
        for table in tables:
            name = table.text(0)
            self._read(table.size + len(name))
            yield name, table.number(1, "I")


def check_scales(name: str, count: int, axis: int, shape: Sequence[int]) -> None:
    """Check that a tensor has one scale, or one for each of its elements along an axis."""
    if count > 1 and not (0 <= axis < len(shape) and shape[axis] == count):
        raise LiteRtError(f"'{name}' has {count} scales along axis {axis} of {shape_text(shape)}")


def _place(tensor: int, ends: Sequence[int], what: str) -> int:
    if tensor not in ends:
        raise LiteRtError(f"{what} is no input or output of the graph")
    return ends.index(tensor)


def _code(table: Table) -> tuple[str, str, int]:
    """The kind of an op, its name if it is none of the builtin ones, and its version."""
    number = max(table.number(3, "i"), table.number(0, "b"))
    kind = kinds().get(number)
    if kind is None:
        raise LiteRtError(f"an op of kind {number}, which this version of ai-edge-litert does not know")
    return kind, table.text(1), table.number(2, "i", 1)
