"""Identification of constants in files by the digests of their content, for the comparison of programs."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import combinations
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, TypeGuard, cast

import numpy as np
from xdsl.dialects.builtin import AnyDenseElement, BytesAttr, DenseIntOrFPElementsAttr, TensorType
from xdsl.ir import Attribute, Operation

from ....bridges.files import digest
from ....bridges.safetensors import CHUNK, StoredTensor
from ....dialects.npu.attrs import Reference, ReferenceAttr
from ....dialects.npu.source import ConstantOp
from ....dialects.npu.values import element_type_of, is_boolean, shape_of
from ....interpreter import InterpreterError
from ....interpreter.files import file_of
from ....interpreter.ops.source import in_file
from ....text.diagnostics import Report, ReportedError
from ..console.output import Say, say
from ..execution.file_constants import directory_of
from ..formats.models import references
from ..formats.program import Program

if TYPE_CHECKING:
    from ....interpreter.elements import Array

MOST_BYTES = 1 << 26
"""Larger constants are read into memory only if a program has an equally large one written out."""
MOST_BYTES_STORED_DIFFERENTLY = 1 << 29
"""The limit for those whose digests differ between the programs."""
MOST_BYTES_OF_MODELS = 1 << 30
"""The limit for models whose weights are stored in the order that kernels want."""

Kind: TypeAlias = tuple[Attribute, int]
"""The element type and the number of elements of a constant. Constants of other kinds differ."""


@dataclass(frozen=True)
class Content:
    """A tensor in a file: the digest of its data, and a function that reads it."""

    digest: str
    length: int
    read: Callable[[], bytes]


@dataclass(frozen=True)
class Unread:
    """A tensor in a file that could not be read: an identifying name, and the reason."""

    name: str
    reason: str
    is_left_out: bool = False
    """True if the model was written without its data."""


@contextmanager
def known_by_content(*programs: Program, note: Say = say, most_bytes: int = MOST_BYTES) -> Generator[None]:
    """Inside this, constants in files have the same value if they have the same content.

    `note` gets a message for each unreadable one. Constants of one kind that are stored differently
    are read if they have `most_bytes` together.
    """
    before = {op: op.value for program in programs for op, _ in references(program.module)}
    try:
        for op, value in _values(programs, note, most_bytes).items():
            op.properties["value"] = value
        yield
    finally:
        for op, value in before.items():
            op.properties["value"] = value


def _values(programs: Sequence[Program], note: Say, most_bytes: int) -> dict[ConstantOp, Attribute]:
    """A value for each constant in a file that is equal for equal content."""
    found = [_digested(index, program, note) for index, program in enumerate(programs)]
    to_read = {op for digested in _to_read(programs, found, most_bytes) for op in digested}
    return {
        op: _written_out(op, content) if isinstance(content, Content) and op in to_read else _reference(op, content)
        for digested in found
        for op, content in digested.items()
    }


def _digested(index: int, program: Program, note: Say) -> dict[ConstantOp, Content | Unread]:
    """The digest of each constant in a file of a program, with a note for each unreadable one."""
    known: dict[object, Content | Unread] = {}
    found: dict[ConstantOp, Content | Unread] = {}
    unread: dict[str, ConstantOp] = {}
    for op, reference in references(program.module):
        way = reference.file, reference.key, reference.is_reshaped, op.steps[0].shape, element_type_of(op.result)
        if way not in known:
            known[way] = _content(index, program, op, reference)
        found[op] = content = known[way]
        if isinstance(content, Unread):
            unread.setdefault(content.reason, op)
    left_out = [op for op in unread.values() if _is_left_out(found[op])]
    if len(left_out) > 1:
        unread = {reason: op for reason, op in unread.items() if not _is_left_out(found[op])}
        unread[_about_left_out(left_out)] = left_out[0]
    for reason, op in unread.items():
        note(Report(reason, program.place(op), severity="note"))
    return found


def _is_left_out(content: Content | Unread) -> bool:
    return isinstance(content, Unread) and content.is_left_out


def _about_left_out(ops: Sequence[ConstantOp]) -> str:
    """A note about all constants whose data a model does not have."""
    keys = [op.value.data.key for op in ops if isinstance(op.value, ReferenceAttr)]
    which = f"{len(keys)} constants, '{keys[0]}' first" if len(keys) > 1 else f"the constant '{keys[0]}'"
    return f"the model does not have the data of {which}"


def _content(index: int, program: Program, op: ConstantOp, reference: Reference) -> Content | Unread:
    """The content of a constant. If the file is missing, references to the same file and key are equal."""
    if program.imported is not None:
        tensor = program.imported.weights[reference.key]
        if not tensor.has_data:
            missing = Path(program.name).with_name(reference.file).absolute()
            reason = f"the model does not have the data of '{reference.key}'"
            return Unread(f"missing {missing}", reason, is_left_out=True)
        return _stored(tensor.stored())
    try:
        path = file_of(directory_of(program), reference.file)
    except InterpreterError as error:
        raise ReportedError(Report(str(error), program.place(op))) from error
    try:
        return _array(in_file(op, reference, directory_of(program)))
    except InterpreterError as error:
        # A constant that contradicts its file does not even equal itself.
        is_missing = isinstance(error.__cause__, FileNotFoundError | NotADirectoryError)
        name = f"missing {path.absolute()}" if is_missing else f"{index} {path}"
        return Unread(name, f"a constant is not read: {error}")


def _stored(tensor: StoredTensor) -> Content:
    return Content(digest(tensor.chunks()), tensor.length, lambda: b"".join(tensor.chunks()))


def _array(array: Array) -> Content:
    flat = array.reshape(-1)
    step = CHUNK // max(array.itemsize, 1)
    chunks = (flat[start : start + step].tobytes() for start in range(0, array.size, step))
    return Content(digest(chunks), array.nbytes, array.tobytes)


def _reference(op: ConstantOp, content: Content | Unread) -> ReferenceAttr:
    """A reference by content, independent of the shape in the file; or by location if it was not read."""
    assert isinstance(op.value, ReferenceAttr)
    if isinstance(content, Unread):
        return ReferenceAttr(replace(op.value.data, file=content.name))
    return ReferenceAttr(replace(op.value.data, file="sha256", key=content.digest, is_reshaped=True))


def _to_read(
    programs: Sequence[Program], found: Sequence[Mapping[ConstantOp, Content | Unread]], most_bytes: int
) -> Iterator[list[ConstantOp]]:
    """The constants that must be read, because digests do not decide the comparison of their kind."""
    written = {_kind(op) for program in programs for op in program.module.walk() if _is_written_out(op)}
    by_kind: dict[Kind, list[dict[ConstantOp, Content]]] = {}
    for index, digested in enumerate(found):
        for op, content in digested.items():
            if isinstance(content, Content):
                kind = by_kind.setdefault(_kind(op), [{} for _ in found])
                kind[index][op] = content
    # Integers of one program may be written as the floats that they stand for in the other one.
    differing = {kind[1] for kind, each in by_kind.items() if not _is_settled(each)}
    for kind, each in by_kind.items():
        size = sum(content.length for digested in each for content in digested.values())
        # Digests do not tell the order of the axes of numbers that equal their own transpose.
        is_open = kind[1] in differing or (size <= most_bytes and _has_equal_axes(each))
        if kind in written or (is_open and size <= max(most_bytes, MOST_BYTES_STORED_DIFFERENTLY)):
            yield [op for digested in each for op in digested]


def _is_settled(each: Sequence[Mapping[ConstantOp, Content]]) -> bool:
    """True if the constants of one kind have the same digests in all programs."""
    digests = [{content.digest for content in digested.values()} for digested in each]
    return all(some == digests[0] for some in digests)


def _has_equal_axes(digested: Sequence[Mapping[ConstantOp, Content]]) -> bool:
    """True if a constant equals one of its own transposes."""
    by_digest = {content.digest: (op.steps[0].shape, content) for each in digested for op, content in each.items()}
    return any(_equals_transpose(*each) for each in by_digest.values())


def _equals_transpose(shape: Sequence[int], content: Content) -> bool:
    pairs = [(a, b) for a, b in combinations(range(len(shape)), 2) if shape[a] == shape[b] > 1]
    if not pairs:
        return False
    numbers = np.frombuffer(content.read(), np.uint8).reshape(*shape, -1)
    return any(np.array_equal(numbers, numbers.swapaxes(*pair)) for pair in pairs)


def _is_written_out(op: Operation) -> TypeGuard[ConstantOp]:
    return isinstance(op, ConstantOp) and isinstance(op.value, DenseIntOrFPElementsAttr)


def _kind(op: Operation) -> Kind:
    result = op.results[0]
    return element_type_of(result), prod(shape_of(result))


def _written_out(op: ConstantOp, content: Content) -> DenseIntOrFPElementsAttr:
    """The data of a constant as a dense attribute."""
    count = prod(shape_of(op.result))
    numbers = np.frombuffer(content.read(), np.uint8).reshape(count, content.length // max(count, 1))
    if is_boolean(element_type_of(op.result)):
        numbers = np.where(numbers, np.uint8(0xFF), np.uint8(0))
    for step in op.steps:
        numbers = numbers.reshape(*step.shape, -1).transpose(*step.permutation, len(step.permutation))
    return DenseIntOrFPElementsAttr(cast("TensorType[AnyDenseElement]", op.result.type), BytesAttr(numbers.tobytes()))
