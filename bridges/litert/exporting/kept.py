"""Ops of LiteRT that the importer has kept, written as they were."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from struct import error as StructError
from typing import Any, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    Float32Type,
    IntegerAttr,
    IntegerType,
    SymbolRefAttr,
    TensorType,
)
from xdsl.ir import Attribute

from ....dialects.npu.source import ForeignOp
from ....dialects.npu.values import element_type_of, shape_of
from ....layout import DYNAMIC
from ..dialect import LiteTensor, LiteType, NodeFacts, Quantization
from ..errors import NotExportable
from ..kept import (
    BLOCKS,
    CUSTOM,
    INPUTS,
    INTERMEDIATES,
    NUMBERS,
    OPERATOR,
    PREFIX,
    PRESENT,
    RESULTS,
    SPARSITY,
    STATE,
    STATES,
    STORED,
    VARIABLES,
    VERSION,
    bytes_of,
)
from ..schema import kinds, schema
from .elements import element_of
from .graph import LiteGraph


def is_kept(op: ForeignOp) -> bool:
    return op.op_name.data.startswith(PREFIX)


def kept(op: ForeignOp, graph: LiteGraph, inputs: Sequence[LiteTensor]) -> Sequence[LiteTensor]:
    """The results of an op that is written as the file had it."""
    if op.op_name.data == STORED:
        return (_stored(op, graph, *inputs),)
    data, version = bytes_of(op.attributes.get(OPERATOR)), op.attributes.get(VERSION)
    if data is None or not isinstance(version, IntegerAttr):
        raise NotExportable(f"'{op.op_name.data}' has no attribute {OPERATOR} and {VERSION} to write it")
    states, between = _sources(op, graph, STATES), _sources(op, graph, INTERMEDIATES)
    numbers, blocks = _numbers(op, len(states) + len(between)), _blocks(op)
    given = [_as_stored(graph, x, each) for x, each in zip(inputs, numbers, strict=False)]
    count = min([len(given), *(place for place in (*blocks[1::4], *blocks[2::4]) if place > 0)])
    given, scales = given[:count], given[count:]
    for place in _variables(op):
        given[place] = _own(graph, given[place])
    results = tuple(place == PRESENT for place in _places(op, RESULTS, PRESENT, len(op.results)))
    graphs = {
        name.removeprefix(PREFIX): value.string_value()
        for name, value in op.attributes.items()
        if isinstance(value, SymbolRefAttr)
    }
    options: dict[str, Any] = {"operator": data, "version": version.value.data, "results": results}
    blocks = tuple(_in_file(op, blocks, len(given)))
    further = ("graphs", graphs), ("intermediates", len(between)), ("blocks", blocks)
    options |= {name: each for name, each in further if each}
    node = NodeFacts(op.op_name.data, options, has_effects=op.pure is None, **graph.about)
    read_operator(node)
    types = [LiteType(element_of(element_type_of(value)), shape_of(value)) for value in op.results]
    found = graph.add(node, [*_inputs(op, given, states), *scales, *between], types)
    for tensor, each in zip((*found, *states, *between), numbers[len(inputs) :], strict=True):
        tensor.change(quantization=each)
    return found


def _stored(op: ForeignOp, graph: LiteGraph, data: LiteTensor) -> LiteTensor:
    """A constant whose data only LiteRT reads."""
    if data.data is None:
        raise NotExportable(f"'{STORED}' of a value that is no constant has no counterpart in LiteRT")
    (result,) = op.results
    sparsity = bytes_of(op.attributes.get(SPARSITY)) or b""
    type_ = LiteType(element_of(element_type_of(result)), shape_of(result), sparsity=sparsity)
    return graph.constant(data.data, data, type_)


def _blocks(op: ForeignOp) -> list[int]:
    """The operands that are quantised in blocks, four numbers for each."""
    found = _integers(op, BLOCKS) or []
    places = [*found[::4], *found[1::4], *(place for place in found[2::4] if place > 0)]
    if len(found) % 4 or not all(0 <= place < len(op.operands) for place in places):
        raise NotExportable(f"{BLOCKS} of '{op.op_name.data}' names operands that it does not have")
    return found


def _in_file(op: ForeignOp, blocks: Sequence[int], count: int) -> Iterator[int]:
    """The four numbers of each operand in blocks with places in the file, where the scales follow the operands."""
    kinds = _places(op, INPUTS, PRESENT, count)
    present, behind = [place for place, kind in enumerate(kinds) if kind == PRESENT], len(kinds) - count
    for start in range(0, len(blocks), 4):
        place, scales, zeros, size = blocks[start : start + 4]
        yield from (present[place], scales + behind, zeros + behind if zeros > 0 else zeros, size)


def read_operator(node: NodeFacts) -> Any:
    """An op in the format of the file; a program in text may have any bytes."""
    if code_of(node)[0] not in kinds().values():
        raise NotExportable(f"LiteRT has no op {code_of(node)[0]}")
    try:
        return schema().OperatorT.InitFromPackedBuf(node.options["operator"])
    except (StructError, ValueError, IndexError, TypeError, OverflowError) as error:
        raise NotExportable(f"{OPERATOR} is no op in the format of LiteRT") from error


def code_of(node: NodeFacts) -> tuple[str, str | None, int]:
    """The kind of a kept op in the format, the code of one that is not builtin, and the version."""
    is_custom = node.kind.startswith(CUSTOM)
    kind, code = ("CUSTOM", node.kind.removeprefix(CUSTOM)) if is_custom else (node.kind.removeprefix(PREFIX), None)
    return kind, code, node.options["version"]


def _integers(op: ForeignOp, name: str) -> list[int] | None:
    found = op.attributes.get(name)
    return [int(each) for each in found.get_values()] if isinstance(found, DenseArrayBase) else None


def _places(op: ForeignOp, name: str, kind: int, count: int) -> list[int]:
    """The kind of each operand or result in the file, so many of which are of one kind."""
    places = _integers(op, name)
    if places is None:
        places = [PRESENT] * count if kind == PRESENT else []
    if places.count(kind) != count:
        raise NotExportable(f"{name} of '{op.op_name.data}' has {places.count(kind)} places, expected {count}")
    return places


def _inputs(op: ForeignOp, given: Sequence[LiteTensor], states: Sequence[LiteTensor]) -> list[LiteTensor | None]:
    """The operands in the order of the file."""
    places = _places(op, INPUTS, PRESENT, len(given))
    if states:
        _places(op, INPUTS, STATE, len(states))
    operands, variables = iter(given), iter(states)
    return [
        next(operands) if place == PRESENT else next(variables, None) if place == STATE else None for place in places
    ]


def _sources(op: ForeignOp, graph: LiteGraph, name: str) -> list[LiteTensor]:
    """Tensors without data that only this op has: the variables that it keeps from run to run, or intermediates."""
    found = op.attributes.get(name)
    types = cast("ArrayAttr[Attribute]", found).data if isinstance(found, ArrayAttr) else ()
    tensors = [cast("TensorType[Attribute]", each) for each in types if isinstance(each, TensorType)]
    found = [
        LiteType(element_of(each.element_type), tuple(each.get_shape()), is_variable=name == STATES) for each in tensors
    ]
    return [graph.source(each) for each in found]


def _variables(op: ForeignOp) -> list[int]:
    """The operands that the op changes."""
    found = _integers(op, VARIABLES) or []
    return [place for place in range(len(op.operands)) if found[place : place + 1] == [1]]


def _own(graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    """A copy of an operand that nobody else reads, because the op changes it."""
    before = x.node
    if x.shape.count(DYNAMIC) > 1:
        raise NotExportable("a variable with several unknown sizes")
    given = before.inputs if before is not None and before.kind == "RESHAPE" else [x, graph.sizes(x.shape)]
    copy = graph.node("RESHAPE", given, x.shape)
    copy.change(is_variable=True)
    return copy


def _numbers(op: ForeignOp, sources: int) -> list[Quantization | None]:
    """The numbers that the integers of each operand, result and further tensor represent."""
    count = len(op.operands) + len(op.results) + sources
    found = op.attributes.get(NUMBERS)
    if not isinstance(found, ArrayAttr):
        return [None] * count
    entries = cast("ArrayAttr[Attribute]", found).data
    if len(entries) != count:
        raise NotExportable(f"{NUMBERS} of '{op.op_name.data}' has {len(entries)} entries, expected {count}")
    return [_quantization(each) for each in entries]


def _quantization(entry: Attribute) -> Quantization | None:
    parts = tuple(cast("ArrayAttr[Attribute]", entry).data) if isinstance(entry, ArrayAttr) else ()
    if [type(part) for part in parts] != [DenseArrayBase, DenseArrayBase, IntegerAttr]:
        return None
    scales, zeros, axis = cast("tuple[DenseArrayBase[Float32Type], DenseArrayBase[IntegerType], IntegerAttr]", parts)
    return Quantization(tuple(map(float, scales.get_values())), tuple(map(int, zeros.get_values())), axis.value.data)


def _as_stored(graph: LiteGraph, x: LiteTensor, numbers: Quantization | None) -> LiteTensor:
    """An operand with the scale that the file gives it."""
    x = graph.as_output(x)
    if numbers is None:
        return graph.raw(x)
    if x.data is not None:
        return graph.constant(x.data, x, replace(x.type, quantization=numbers))
    return graph.representing(x, numbers)
