"""Ops without an equivalent in the dialect, kept as `npu.opaque`. exporting/kept.py writes them back."""

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    IntegerAttr,
    StringAttr,
    UnitAttr,
    f32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from ....dialects.npu.source import OpaqueOp
from ..kept import INPUTS, NUMBERS, OPERATOR, RESULTS, VERSION, bytes_attr, name_of
from .errors import LiteRtError
from .file import ABSENT, MOST_READS, SUBGRAPHS, FileTensor
from .node import FileNode
from .tables import DamagedFile
from .types import tensor_type

EFFECTS = frozenset(
    {
        "ASSIGN_VARIABLE",
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


class Opaques:
    """The ops of a file that are kept."""

    def __init__(self, size: int):
        self._left = MOST_READS * size
        """The number of bytes that the options of all ops may have."""
        self.ops: set[Operation] = set()
        """Those that stay, also if nothing reads their results."""
        self.counts: dict[str, int] = {}

    def add(self, node: FileNode) -> Sequence[SSAValue]:
        """Build an `npu.opaque` for an op."""
        operator = node.operator
        if operator.kind in SUBGRAPHS:
            raise LiteRtError(f"'{operator.kind}' refers to another graph, which is not supported")
        inputs = [place for place, tensor in enumerate(operator.inputs) if tensor != ABSENT]
        results = [node.file.tensors[place] for place in operator.outputs if place != ABSENT]
        name, packed = name_of(operator.kind, operator.custom_code), operator.packed()
        self._left -= len(packed)
        if self._left < 0:
            raise DamagedFile("many references to the same options")
        attributes: dict[str, Attribute] = {OPERATOR: bytes_attr(packed), VERSION: IntegerAttr(operator.version, i64)}
        if len(inputs) < len(operator.inputs):
            attributes[INPUTS] = _places(operator.inputs)
        if len(results) < len(operator.outputs):
            attributes[RESULTS] = _places(operator.outputs)
        numbers = [_numbers(tensor) for tensor in (*(node.input(place) for place in inputs), *results)]
        if any(not isinstance(each, UnitAttr) for each in numbers):
            attributes[NUMBERS] = ArrayAttr(numbers)
        op = OpaqueOp.build(
            operands=[[node.value(place) for place in inputs]],
            result_types=[[tensor_type(tensor.element, tensor.shape) for tensor in results]],
            properties={"op_name": StringAttr(name), "pure": None if operator.kind in EFFECTS else UnitAttr()},
            attributes=attributes,
        )
        node.function.insert(op)
        # A reshape may take over the sizes.
        if operator.kind != "SHAPE":
            self.ops.add(op)
        self.counts[name] = self.counts.get(name, 0) + 1
        return op.results


def _places(tensors: Sequence[int]) -> Attribute:
    """1 for each operand or result that is present, 0 for each absent one."""
    return DenseArrayBase.from_list(i64, [int(tensor != ABSENT) for tensor in tensors])


def _numbers(tensor: FileTensor) -> Attribute:
    """The scales, zero points and axis of a quantised tensor."""
    if (found := tensor.quantization) is None:
        return UnitAttr()
    scales = DenseArrayBase.from_list(f32, [float(each) for each in found.scale])
    zeros = DenseArrayBase.from_list(i64, [int(each) for each in found.zero_point])
    return ArrayAttr([scales, zeros, IntegerAttr(found.axis, i64)])
