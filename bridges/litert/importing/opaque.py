"""Ops without an equivalent in the dialect, kept as `npu.opaque`. exporting/kept.py writes them back."""

from collections.abc import Sequence
from dataclasses import replace

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    f32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from ....dialects.npu.source import OpaqueOp
from ....dialects.npu.vendor import as_elementwise
from ....layout import DYNAMIC
from ...formats.records import bytes_attr
from .. import kept
from ..kept import (
    BLOCKS,
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
    name_of,
)
from .errors import LiteRtError
from .file import ABSENT, MOST_READS, FileTensor
from .node import FileNode
from .tables import DamagedFile
from .types import tensor_type

EFFECTS = frozenset(
    {
        "ASSIGN_VARIABLE",
        "CALL_ONCE",
        "CUSTOM",
        "DELEGATE",
        "HASHTABLE",
        "HASHTABLE_FIND",
        "HASHTABLE_IMPORT",
        "HASHTABLE_LOOKUP",
        "HASHTABLE_SIZE",
        "MULTINOMIAL",
        "RANDOM_STANDARD_NORMAL",
        "RANDOM_UNIFORM",
        "READ_VARIABLE",
        "STABLEHLO_CUSTOM_CALL",
        "STABLEHLO_RNG_BIT_GENERATOR",
        "VAR_HANDLE",
    }
)
"""The kinds of ops that may have effects, or whose results do not depend on their operands alone."""


ELEMENTWISE = frozenset(
    {
        *("ATAN2", "BITCAST", "BITWISE_XOR", "BUCKETIZE", "FAKE_QUANT", "FLOOR_DIV", "RIGHT_SHIFT", "ZEROS_LIKE"),
        *("STABLEHLO_ABS", "STABLEHLO_ADD", "STABLEHLO_AND", "STABLEHLO_CBRT", "STABLEHLO_COMPARE"),
        *("STABLEHLO_CONVERT", "STABLEHLO_COSINE", "STABLEHLO_DIVIDE", "STABLEHLO_EXPONENTIAL", "STABLEHLO_FLOOR"),
        *("STABLEHLO_LOG", "STABLEHLO_LOGISTIC", "STABLEHLO_MAXIMUM", "STABLEHLO_MINIMUM", "STABLEHLO_MULTIPLY"),
        *("STABLEHLO_NEGATE", "STABLEHLO_OR", "STABLEHLO_POWER", "STABLEHLO_REMAINDER", "STABLEHLO_RSQRT"),
        *("STABLEHLO_SELECT", "STABLEHLO_SHIFT_LEFT", "STABLEHLO_SUBTRACT", "STABLEHLO_TANH"),
    }
)
"""The kinds of ops that compute each element from those at the same position."""
ABSORBED = frozenset({"PADV2"})
"""The kinds of ops that readers look through: a pool takes over pads."""


class Opaques:
    """The ops of a file that are kept."""

    def __init__(self, size: int):
        self._left = MOST_READS * size
        """The number of bytes that the options of all ops may have."""
        self.ops: set[Operation] = set()
        """The ops that stay, also if nothing reads their results."""
        self._states: set[int] = set()
        """The variables that an op has."""

    def add(self, node: FileNode) -> Sequence[SSAValue]:
        """Build an `npu.opaque` for an op."""
        operator = node.operator
        packed, numbers_of_graphs = operator.packed()
        graphs = node.function.run_graphs(node, numbers_of_graphs)
        places = [self._place(node, tensor) for tensor in operator.inputs]
        inputs = [index for index, place in enumerate(places) if place == PRESENT]
        states = [node.input(index) for index, place in enumerate(places) if place == STATE]
        results = [_without_zeros(node, place) for place in operator.outputs if place != ABSENT]
        between = [node.file.tensors[place] for place in operator.intermediates if place != ABSENT]
        name = name_of(operator.kind, operator.custom_code)
        self._left -= len(packed)
        if self._left < 0:
            raise DamagedFile("many references to the same options")
        attributes: dict[str, Attribute] = {OPERATOR: bytes_attr(packed), VERSION: IntegerAttr(operator.version, i64)}
        if len(inputs) < len(operator.inputs):
            attributes[INPUTS] = _integers(places)
        if len(results) < len(operator.outputs):
            attributes[RESULTS] = _integers([int(tensor != ABSENT) for tensor in operator.outputs])
        if states:
            attributes[STATES] = ArrayAttr([tensor_type(tensor.element, tensor.shape) for tensor in states])
        given = [node.input(place) for place in inputs]
        operands = [node.function.value(operator.inputs[place]) for place in inputs]
        blocks = _with_scales(node, given, operands)
        if blocks:
            attributes[BLOCKS] = _integers(blocks)
        variables = [int(tensor.is_variable) for tensor in given]
        if any(variables):
            attributes[VARIABLES] = _integers(variables)
        if between:
            attributes[INTERMEDIATES] = ArrayAttr([tensor_type(each.element, each.shape) for each in between])
        attributes.update({PREFIX + each: SymbolRefAttr(graph.name) for each, graph in graphs.items()})
        further = [UnitAttr()] * (len(operands) - len(given))
        numbers = [*map(_numbers, given), *further, *map(_numbers, (*results, *states, *between))]
        has_effects = operator.kind in EFFECTS or bool(states) or any(variables)
        has_effects = has_effects or any(each.has_effects for each in graphs.values())
        if any(not isinstance(each, UnitAttr) for each in numbers):
            attributes[NUMBERS] = ArrayAttr(numbers)
        opaque = OpaqueOp.build(
            operands=[operands],
            result_types=[[tensor_type(tensor.element, tensor.shape) for tensor in results]],
            properties={"op_name": StringAttr(name), "pure": None if has_effects else UnitAttr()},
            attributes=attributes,
        )
        is_elementwise = operator.kind in ELEMENTWISE and attributes.keys() == {OPERATOR, VERSION}
        op = as_elementwise(opaque) if is_elementwise else opaque
        node.function.insert(op)
        if operator.kind not in ABSORBED:
            self.ops.add(op)
        return op.results

    def _place(self, node: FileNode, tensor: int) -> int:
        """An operand is present, absent, or a state, which no other op may have."""
        if tensor == ABSENT:
            return kept.ABSENT
        if not node.function.is_state(tensor):
            return PRESENT
        if tensor in self._states:
            raise LiteRtError(
                f"'{node.file.tensors[tensor].name}' is a variable of several ops, which is not supported"
            )
        self._states.add(tensor)
        return STATE


def stored_op(tensor: FileTensor, data: SSAValue) -> OpaqueOp:
    """The op for a constant whose data only LiteRT reads, of its bytes."""
    return OpaqueOp.build(
        operands=[[data]],
        result_types=[[tensor_type(tensor.element, tensor.shape)]],
        properties={"op_name": StringAttr(STORED), "pure": UnitAttr()},
        attributes={SPARSITY: bytes_attr(tensor.sparsity)} if tensor.sparsity else {},
    )


def _with_scales(node: FileNode, given: Sequence[FileTensor], operands: list[SSAValue]) -> list[int]:
    """The places of the scales and zero points of blocks, which become operands as well."""
    found: list[int] = []
    for place, tensor in enumerate(given):
        if (blocks := tensor.blocks) is None:
            continue
        found += [place, len(operands)]
        operands.append(_constant(node, blocks.scales))
        found += [len(operands) if blocks.zero_points > 0 else blocks.zero_points, blocks.size]
        if blocks.zero_points > 0:
            operands.append(_constant(node, blocks.zero_points))
    return found


def _constant(node: FileNode, place: int) -> SSAValue:
    if not 0 <= place < len(node.file.tensors) or node.file.tensors[place].content is None:
        raise LiteRtError(f"the scales of blocks are tensor {place}, which is no constant")
    return node.function.value(place)


def _without_zeros(node: FileNode, place: int) -> FileTensor:
    """A result whose sizes nobody has computed; that it has no elements would be all there is to know of it."""
    tensor = node.file.tensors[place]
    shape = tuple(size or DYNAMIC for size in tensor.shape)
    node.file.tensors[place] = replace(tensor, shape=shape)
    return node.file.tensors[place]


def _integers(numbers: Sequence[int]) -> Attribute:
    return DenseArrayBase.from_list(i64, numbers)


def _numbers(tensor: FileTensor) -> Attribute:
    """The scales, zero points and axis of a quantised tensor."""
    if (found := tensor.quantization) is None:
        return UnitAttr()
    scales = DenseArrayBase.from_list(f32, [float(each) for each in found.scale])
    zeros = DenseArrayBase.from_list(i64, [int(each) for each in found.zero_point])
    return ArrayAttr([scales, zeros, IntegerAttr(found.axis, i64)])
