"""Sources of values outside the dialect: constants, and ops of other systems."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING, Any, ClassVar, cast

from xdsl.dialects.builtin import (
    AnyDenseElement,
    BytesAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    StringAttr,
    TensorType,
    UnitAttr,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import ConstantLike, EffectInstance, MemoryEffect, Pure
from xdsl.utils.exceptions import VerifyException

from ...compat.xdsl import op_definition
from ...layout import DYNAMIC, Order, ReadStep, identity, merge_steps, unpermute, unpermuted
from ..program.written import Dense, is_kept_once
from .attrs import ReferenceAttr
from .base import NpuOp, SourceData
from .fusion import FUSION_WORDS, FusionKind
from .values import Shape, element_type_of, layout_of, shape_of, shape_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@op_definition
class ConstantOp(NpuOp):
    """A tensor of known numbers, written out or kept in a safetensors file.

    A reference may have a permutation, which is applied to the axes of the tensor in the file when it is loaded. With
    `reshaped`, the numbers are first read in the shape that the permutation takes to that of the type, independent of
    the shape in the file. If one reshape is not enough, further steps precede it, each with its shape.

    ```mlir
    %w = npu.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32, #npu.layout<Tensor>>
    %k = npu.constant #npu.reference<"weights.safetensors", "conv1", [2, 3, 0, 1]>
      : tensor<3x3x8x4xf32, #npu.layout<HWOI>>
    %f = npu.constant #npu.reference<"weights.safetensors", "fc1", reshaped [0, 2, 1]> : tensor<64x36x256xf32>
    %g = npu.constant #npu.reference<"weights.safetensors", "fc2", [1, 0] of [3, 6], reshaped [1, 0]> : tensor<2x9xf32>
    ```
    """

    name = "npu.constant"

    TAKES_BLOCKS: ClassVar[bool] = True

    value = prop_def(DenseIntOrFPElementsAttr | ReferenceAttr)
    result = result_def(TensorType)

    traits = traits_def(Pure(), ConstantLike())

    def __init__(self, value: DenseIntOrFPElementsAttr | ReferenceAttr, type: Attribute | None = None):
        """The type is optional for written-out numbers and required for a reference."""
        if type is None and isinstance(value, DenseIntOrFPElementsAttr):
            type = value.get_type()
        if type is None:
            raise ValueError("a constant kept in a file needs a type")
        super().__init__(properties={"value": value}, result_types=[type])

    @property
    def is_source(self) -> bool:
        return True

    def source_data(self) -> SourceData:
        shape, element = shape_of(self.result), element_type_of(self.result)
        if isinstance(self.value, DenseIntOrFPElementsAttr):
            return SourceData((self.value.data, element, shape), identity(len(shape)))
        # References that differ in their last permutation are one tensor.
        last = self.value.data.permutation or identity(len(shape))
        return SourceData((replace(self.value.data, permutation=None), element, unpermute(shape, last)), last)

    @classmethod
    def parse(cls, parser: Parser) -> ConstantOp:
        attributes = parser.parse_optional_attr_dict()
        start = parser.pos
        value = parser.parse_attribute()
        if isinstance(value, ReferenceAttr):
            parser.parse_punctuation(":")
            op = cls(value, parser.parse_type())
        elif isinstance(value, DenseIntOrFPElementsAttr):
            op = cls(cast(DenseIntOrFPElementsAttr, value))
        else:
            parser.raise_error("expected dense<...> or #npu.reference<...>", start, parser.pos)
        op.attributes.update(attributes)
        return op

    def print(self, printer: Printer) -> None:
        printer.print_op_attributes(self.attributes)
        printer.print_string(" ")
        printer.print_attribute(self.value)
        if isinstance(self.value, ReferenceAttr):
            printer.print_string(" : ")
            printer.print_attribute(self.result.type)

    def value_of_view(
        self, shape: Shape, permutation: Order, type: TensorType
    ) -> DenseIntOrFPElementsAttr | ReferenceAttr:
        """The stored numbers, read in this shape, with the axes permuted to the shape of the type."""
        if isinstance(self.value, ReferenceAttr):
            return self._read(merge_steps([*self.steps, ReadStep(shape, permutation)]))
        data = self.value.data.data
        if self.is_copied(permutation):
            # Imported late: most runs read no numbers.
            import numpy as np

            numbers = np.frombuffer(data, np.uint8).reshape(*shape, -1)
            data = numbers.transpose(*permutation, len(permutation)).tobytes()
        return DenseIntOrFPElementsAttr(cast("TensorType[AnyDenseElement]", type), BytesAttr(data))

    def is_copied(self, permutation: Order) -> bool:
        """True if permuting the axes requires another copy of the numbers."""
        if isinstance(self.value, ReferenceAttr) or is_kept_once(self.value):
            return False
        return bool(self.value.data.data) and permutation != identity(len(permutation))

    def _read(self, steps: Sequence[ReadStep]) -> ReferenceAttr:
        """The tensor in the file, with other read steps."""
        assert isinstance(self.value, ReferenceAttr)
        permutation = steps[-1].permutation
        read = replace(
            self.value.data,
            permutation=None if permutation == identity(len(permutation)) else permutation,
            is_reshaped=self.value.data.is_reshaped or steps[0].shape != self.steps[0].shape,
            before=tuple(steps[:-1]),
        )
        return ReferenceAttr(read)

    @property
    def steps(self) -> tuple[ReadStep, ...]:
        """The steps from the numbers in the file to the stored dimensions of the result."""
        shape = shape_of(self.result)
        if not isinstance(self.value, ReferenceAttr):
            return (unpermuted(shape),)
        reference = self.value.data
        last = identity(len(shape)) if reference.permutation is None else reference.permutation
        return *reference.before, ReadStep(unpermute(shape, last), last)

    def read_by_verifier(self) -> tuple[object, ...]:
        """The parts of the value that the verifier reads: neither the numbers nor the name of a tensor."""
        value = self.properties.get("value")
        if any(layout.has_zeros and layout.padded_axes for layout in map(layout_of, self.results) if layout):
            return (value,)
        if isinstance(value, DenseIntOrFPElementsAttr):
            return DenseIntOrFPElementsAttr, value.get_type()
        if isinstance(value, ReferenceAttr) and value.data.permutation is None and not value.data.before:
            return (ReferenceAttr,)
        return (value,)

    def verify_meaning(self) -> None:
        if isinstance(self.value, DenseIntOrFPElementsAttr):
            if self.value.get_type() != self.result.type:
                raise self.wrong("value", f"type {self.result.type} like the result", self.value.get_type())
            return
        shape, permutation = shape_of(self.result), self.value.data.permutation
        if DYNAMIC in shape:
            raise self.wrong("result", "static sizes for a constant in a file", shape_text(shape))
        if permutation is not None and len(permutation) != len(shape):
            raise self.wrong("value", f"a permutation of {len(shape)} axes", list(permutation))
        for step in self.value.data.before:
            if prod(step.shape) != prod(shape):
                raise self.wrong("value", f"{prod(shape)} elements like the result", shape_text(step.shape))

    def verify_layouts(self) -> None:
        """The layout of written-out numbers is that of their type, so there is nothing to check."""

    def verify_blocks(self) -> None:
        layout = layout_of(self.result)
        if layout is None or not layout.padded_axes or not layout.has_zeros:
            return
        if isinstance(self.value, ReferenceAttr):
            raise self.wrong("result", "padding that may be anything, of numbers in a file", layout)
        # Imported late: few constants have padding.
        from .padding import is_padding

        if elements_of(self.value)[is_padding(layout, shape_of(self.result))].any():
            raise self.wrong("value", f"zeros as padding, as {layout} says", "other numbers")


def elements_of(value: Dense) -> NDArray[np.uint8]:
    """The bytes of the elements, along the last axis. A splat that is kept once takes no more memory here."""
    # Imported late: most runs read no numbers.
    import numpy as np

    size = value.get_element_type().compile_time_size
    data = np.frombuffer(value.data.data, np.uint8)
    if is_kept_once(value):
        return np.broadcast_to(data, (*value.get_shape(), size))
    return data.reshape(*value.get_shape(), size)


def written_numbers(value: SSAValue) -> DenseIntOrFPElementsAttr | None:
    """The numbers of a constant that is written out; None for all other values."""
    op = value.owner
    return op.value if isinstance(op, ConstantOp) and isinstance(op.value, DenseIntOrFPElementsAttr) else None


def written_integers(value: SSAValue) -> list[int] | None:
    """The integers of a constant of i32 or i64 that is written out, in row-major order."""
    numbers = written_numbers(value)
    element = None if numbers is None else numbers.get_element_type()
    if numbers is None or element not in (i32, i64):
        return None
    return elements_of(numbers).reshape(-1).view(f"<i{element.compile_time_size}").tolist()


def integers_of(op: Operation, name: str) -> list[int]:
    """An attribute of integers; empty if absent."""
    match op.attributes.get(name):
        case IntegerAttr() as number:
            return [number.value.data]
        case DenseArrayBase() as numbers:
            return [int(each) for each in cast("Any", numbers).get_values()]
        case _:
            return []


STANDARDS = frozenset(
    {
        "ai.onnx.ml",
        "ai.onnx.preview",
        "ai.onnx.preview.training",
        "ai.onnx.training",
        "arith",
        "aten",
        "dim_order_ops",
        "litert",
        "math",
        "onnx",
        "prims",
        "quantized_decomposed",
        "tosa",
    }
)
"""The systems whose ops have a published meaning. Nothing is known of ops of all others."""
OVERLOADED = frozenset({"aten", "dim_order_ops", "prims", "quantized_decomposed"})
"""The systems of PyTorch, whose names end in that of an overload."""
TRANSPOSING = frozenset({"custom", "einsum", "movedim", "permute", "permute_copy", "transpose", "transpose_copy"})
"""Their ops that may transpose data, in lower case."""


class EffectsUnlessPure(MemoryEffect):
    """No effects with `pure`, unknown effects otherwise."""

    @classmethod
    def get_effects(cls, op: Operation) -> AbstractSet[EffectInstance] | None:
        return frozenset() if isinstance(op, ForeignOp) and op.pure is not None else None


HIDDEN = "npu.hidden"
"""The attribute of an opaque op that holds code as data: the number of known ops in it, and of convolutions."""


class ForeignOp(NpuOp, ABC):
    """An op of another system, which knows it by a name; its attributes are kept."""

    op_name = prop_def(StringAttr)
    pure = opt_prop_def(UnitAttr)
    """Says that the op has no side effects and always computes the same."""
    fusion = opt_prop_def(StringAttr)
    """The behaviour when the op is fused, if it is not that of its class."""

    traits = traits_def(EffectsUnlessPure())

    def verify_(self) -> None:
        super().verify_()
        if not self.op_name.data:
            raise VerifyException(f"'{self.name}' op_name: expected the name of an op, found an empty string")
        if self.fusion is not None:
            self.check_word("fusion", self.fusion, FUSION_WORDS)

    def fusion_kind(self) -> FusionKind:
        return self.FUSION_KIND if self.fusion is None else FusionKind.of(self.fusion.data)

    @property
    def target_name(self) -> str:
        return self.op_name.data

    def operand_fields(self) -> tuple[str, ...]:
        return tuple(f"operand{index}" for index in range(len(self.operands)))

    def result_fields(self) -> tuple[str, ...]:
        return tuple(f"result{index}" for index in range(len(self.results)))


@op_definition
class OpaqueOp(ForeignOp):
    """An op of another system, known by its name only; its attributes are kept.

    It is not changed, moved across another op, merged with an equal one or dropped, unless `pure` marks it as free of
    side effects. Targets can describe such ops ([targets.md](targets.md)).

    ```mlir
    %y, %h = npu.opaque "onnx.LSTM"(%x, %w) pure {hidden_size = 4 : i64}
      : (tensor<8x1x3xf32>, tensor<1x16x3xf32>) -> (tensor<8x1x1x4xf32>, tensor<1x1x4xf32>)
    ```
    """

    name = "npu.opaque"

    TAKES_BLOCKS: ClassVar[bool] = True
    TAKES_TEXTS: ClassVar[bool] = True

    inputs = var_operand_def(TensorType)
    outputs = var_result_def(TensorType)

    @property
    def may_transpose(self) -> bool:
        """True unless a standard defines the op and it is no transpose, or a target has said how it fuses."""
        system, _, kind = self.op_name.data.rpartition(".")
        if (whole := system.partition("."))[0] in OVERLOADED:
            system, _, kind = whole
        return self.fusion is None and (system not in STANDARDS or kind.lower() in TRANSPOSING)

    assembly_format = (
        "$op_name `(` $inputs `)` (`pure` $pure^)? (`fusion` `=` $fusion^)? attr-dict `:`"
        " functional-type(operands, results)"
    )

    def verify_blocks(self) -> None:
        for name, layout in self.cut_layouts():
            if layout.padded_axes:
                raise self.wrong(name, "a layout without padding, which an unpack drops", layout)

    def verify_meaning(self) -> None:
        """Nothing is known of a foreign op."""

    def verify_layouts(self) -> None:
        """The axes of a foreign op are not known."""
