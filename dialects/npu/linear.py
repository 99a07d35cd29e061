"""Products of matrices, and of batches of matrices.

The matrices are the last two stored axes of an operand, the other axes are its batch. A flag marks a transposed
operand. Operands and result have equal ranks; a batch axis of one element is repeated along that of the other operand.
"""

from abc import ABC
from collections.abc import Mapping, Sequence
from itertools import product
from typing import ClassVar, TypeVar

from xdsl.dialects.builtin import TensorType, UnitAttr, i32
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import operand_def, opt_operand_def, opt_prop_def, result_def, traits_def
from xdsl.traits import Pure

from ...compat.xdsl import op_definition
from ...layout import DYNAMIC, MAX_RANK, Layout, LayoutClass, Order, identity_layout, prevailing
from .axes import UNMARKED, AxisTable, MatmulFreedom, Orders, PossibleLayouts, Relayout, RoleMap, agree, role_map
from .base import Declared, NpuOp, OwnTiles, WeightedOutputs
from .declared_axes import axes_of, expanded
from .elementwise import broadcast_shape
from .expected_shapes import note_expected
from .fusion import FusionKind
from .quantization import Requantization, finished, sums_like
from .quantized import QuantizedOp, SteppedOp
from .sum_blocks import AxisOf, SumBlocks, Zeros
from .values import (
    Shape,
    dims_agree,
    element_type_of,
    has_one_element,
    is_float,
    layout_of,
    logical_shape,
    order_of_value,
    repeats_to,
    shape_of,
    shape_text,
    shapes_agree,
)

T = TypeVar("T")

_CHANGES = [
    (lhs, rhs, result) for lhs, rhs, result in sorted(product((False, True), (False, True), (False, True)), key=sum)
]
"""The combinations of transposed matrices of lhs, rhs and result, those with few first."""


class LinearOp(NpuOp, ABC):
    """A product of two operands, maybe with further operands that hold one number per column of the result."""

    FUSION_KIND: ClassVar[FusionKind] = FusionKind.OUT_FUSABLE
    AXES: ClassVar[AxisTable] = axes_of("lhs[*B, M, K], rhs[*B, K, N] -> result[*B, M, N]")
    IS_PRODUCT: ClassVar[bool] = True
    SWAPS: ClassVar[bool] = False
    """True if swapping the operands yields the transposed result."""

    lhs = operand_def(TensorType)
    rhs = operand_def(TensorType)
    trans_a = opt_prop_def(UnitAttr)
    """Present if the matrices of the left operand are stored transposed."""
    trans_b = opt_prop_def(UnitAttr)
    """Present if the matrices of the right operand are stored transposed."""
    result = result_def(TensorType)

    traits = traits_def(Pure())

    def carries(self, place: int) -> bool:
        """Either factor: hardware holds the other one still."""
        return self.operand_fields()[place] in ("lhs", "rhs")

    def product_factors(self) -> Sequence[SSAValue]:
        return self.lhs, self.rhs

    def facts(self) -> Mapping[str, bool | int | tuple[int, ...]]:
        return self.facts_of_form(is_swapped=False)

    def facts_of_form(self, is_swapped: bool) -> dict[str, bool | int | tuple[int, ...]]:
        """Swapped operands compute the transposed matrices."""
        *_, rows, columns = _sizes(self.result)
        sizes = zip(("columns", "rows") if is_swapped else ("rows", "columns"), (rows, columns), strict=True)
        return {name: size for name, size in sizes if size != DYNAMIC}

    @classmethod
    def fact_names(cls) -> tuple[str, ...]:
        return "rows", "columns"

    @classmethod
    def possible_layouts(cls) -> Mapping[str, PossibleLayouts]:
        matrices = PossibleLayouts((LayoutClass.TENSOR, LayoutClass.NTENSOR), tuple(range(2, MAX_RANK + 1)))
        return dict.fromkeys(("lhs", "rhs", "result"), matrices)

    def check_product(self) -> None:
        """Check the shapes of the two operands and of the result."""
        self.check_rank("lhs", self.lhs, 2, MAX_RANK)
        self.check_rank("rhs", self.rhs, len(_sizes(self.lhs)))
        self.check_rank("result", self.result, len(_sizes(self.lhs)))
        *lhs_batch, rows, inner = _untransposed(_sizes(self.lhs), self.trans_a)
        *rhs_batch, rhs_inner, columns = _untransposed(_sizes(self.rhs), self.trans_b)
        if not dims_agree(rhs_inner, inner):
            raise self.wrong("rhs", f"{shape_text((inner,))} rows like the columns of lhs", shape_text((rhs_inner,)))
        batch = broadcast_shape((tuple(lhs_batch), tuple(rhs_batch)))
        if batch is None:
            raise self.wrong("rhs", f"a batch that fits {shape_text(lhs_batch)} of lhs", shape_text(rhs_batch))
        if not self.has_blocks():
            note_expected(self.result, (*batch, rows, columns))
        if not shapes_agree(_sizes(self.result), (*batch, rows, columns)):
            raise self.wrong("result", f"shape {shape_text((*batch, rows, columns))}", shape_text(_sizes(self.result)))

    def check_bias(self, bias: SSAValue) -> None:
        """Check the bias: of the result's rank, a vector with one number per column, or one element."""
        shape, result = _sizes(bias), _sizes(self.result)
        if has_one_element(bias):
            return
        if len(shape) == 1 and dims_agree(shape[0], result[-1]):
            return
        if not repeats_to(shape, result):
            expected = f"a shape that repeats to {shape_text(result)}, shape {shape_text(result[-1:])} or one element"
            raise self.wrong("bias", expected, shape_text(shape))

    def verify_blocks(self) -> None:
        aligned, _ = self._further_operands()
        if aligned:
            name = self.operand_names()[aligned[0]]
            raise self.wrong(
                name, "a vector or one element beside values with blocks", shape_text(_sizes(self.operands[aligned[0]]))
            )
        for name, value in zip((*self.operand_names(), "result"), (*self.operands, self.result), strict=True):
            if (layout := layout_of(value)) is not None and not layout.tiles and layout.order is not None:
                raise self.wrong(name, "axes in logical order beside values with blocks", layout)
        if problem := self._blocks().problem():
            raise self.wrong(*problem)

    def tiles_of(self, operand: str, tiles: Mapping[int, int], own: OwnTiles) -> Mapping[int, int]:
        """A vector has the blocks of the columns of the result."""
        axis, columns = self.operand_names().index(operand), len(logical_shape(self.result)) - 1
        found = own.get("result", {}).get(columns)
        return {} if found is None or axis not in self._further_operands()[1] else {0: found}

    def _blocks(self) -> SumBlocks:
        values = {"lhs": self.lhs, "rhs": self.rhs, "result": self.result}
        values.update(zip(self.operand_names()[2:], self.operands[2:], strict=True))
        stored = {name: self._matrix_axes(name, value) for name, value in values.items()}
        rows, columns, summed = (
            tuple(AxisOf(name, axes.index(letter)) for name, axes in stored.items() if letter in axes)
            for letter in "MNK"
        )
        layouts = {name: layout for name, value in values.items() if (layout := layout_of(value)) is not None}
        absorb = not is_float(element_type_of(self.result))
        return SumBlocks(layouts, summed, (rows, columns), self.operand_names()[2:], Zeros(absorb))

    def declared(self) -> Declared | None:
        if self.has_blocks():
            return None
        rank = len(shape_of(self.result))
        layout = Layout(LayoutClass.NTENSOR if rank > 2 else LayoutClass.TENSOR)
        aligned, _ = self._further_operands()
        operands = [layout if index < 2 or index in aligned else None for index in range(len(self.operands))]
        return Declared(operands, [layout])

    def infer_results(self, operands: Sequence[Layout | None]) -> list[Layout | None]:
        if self.has_blocks():
            return [None]
        shared = prevailing(operands[:2])
        return [None if shared is None else identity_layout(shared.cls, len(shape_of(self.result)))]

    def roles(self) -> RoleMap | None:
        """None for values with blocks."""
        return None if self.has_blocks() else self.matrix_roles()

    def matrix_roles(self) -> RoleMap:
        """One role for each batch axis, for the rows and the columns of the result, and for the reduced axis."""
        result = expanded(self.AXES.values["result"], len(shape_of(self.result)))
        return role_map(
            dict.fromkeys((*result, "K"), UNMARKED),
            map(self._matrix_axes, self.operand_names(), self.operands),
            [result],
            frozenset({"trans_a", "trans_b"}),
            self.SWAPS,
        )

    def _matrix_axes(self, name: str, value: SSAValue) -> tuple[str, ...]:
        """The axes of the matrices that a value stores; none for a further operand of one element."""
        if name not in ("lhs", "rhs", "result") and has_one_element(value):
            return ()
        axes = tuple(expanded(self.AXES.values[name], len(_sizes(value))))
        return _untransposed(axes, {"lhs": self.trans_a, "rhs": self.trans_b}.get(name))

    def split_axes(self, parts: Sequence[int]) -> dict[str, Attribute] | None:
        """Only batch axes can be split, because a matrix has two axes."""
        return {} if all(count == 1 for count in parts[-3:]) else None

    def _further_operands(self) -> tuple[list[int], list[int]]:
        """The further operands of more than one element: those of the result's rank, and vectors along its columns."""
        rank = len(_sizes(self.result))
        further = [index for index, value in enumerate(self.operands) if index > 1 and not has_one_element(value)]
        ranks = {index: len(_sizes(self.operands[index])) for index in further}
        return [i for i in further if ranks[i] == rank], [i for i in further if ranks[i] != rank]

    def read_transposed(self, properties: Mapping[str, Attribute], operands: Sequence[SSAValue]) -> list[str]:
        """A matrix with an axis of one element is the same bytes either way."""
        flags = zip(("lhs", "rhs"), ("trans_a", "trans_b"), operands[:2], strict=True)
        return [name for name, flag, value in flags if flag in properties and 1 not in shape_of(value)[-2:]]

    def relayouts(self, operands: Orders, results: Orders) -> list[Relayout]:
        return self.relayouts_within(operands, results, MatmulFreedom.RIGID)

    def relayouts_within(self, operands: Orders, results: Orders, freedom: MatmulFreedom) -> list[Relayout]:
        """Batch axes move together; a matrix is transposed by its flag, the result by swapping the operands."""
        if self.has_blocks():
            return self._in_any_order(operands, results)
        old = [order_of_value(value) for value in (self.lhs, self.rhs, self.result)]
        aligned, vectors = self._further_operands()
        asked = [*operands[:2], results[0], *(operands[index] for index in aligned)]
        asked = [order for order in asked if order is not None]
        batches = {order[:-2] for order in asked} or {old[2][:-2]}
        rank = len(old[2])
        if len(batches) > 1 or not all(_is_batched(order, rank) for order in asked):
            return []
        batch = batches.pop()
        if not freedom.batch and batch != old[2][:-2]:
            return []
        may_swap = self.SWAPS and not vectors and freedom.result
        return [
            relayout
            for change in _CHANGES
            if (may_swap or not change[2]) and self._may_read(change, freedom)
            if (relayout := self._changed(old, batch, change, operands, results, aligned)) is not None
        ]

    def _in_any_order(self, operands: Orders, results: Orders) -> list[Relayout]:
        """The relayout of a product on blocks, whose pieces may be in any order."""
        values, asked = (*self.operands, *self.results), (*operands, *results)
        found: list[Order] = []
        for value, order in zip(values, asked, strict=True):
            own, layout = order_of_value(value), layout_of(value)
            may_change = layout is not None and layout.tiles
            if order is not None and (len(order) != len(own) or not (may_change or order == own)):
                return []
            found.append(order or own)
        return [Relayout(tuple(found[: len(operands)]), tuple(found[len(operands) :]))]

    def _may_read(self, change: tuple[bool, bool, bool], freedom: MatmulFreedom) -> bool:
        """True if the hardware may read both operands as the form does that transposes matrices by `change`."""
        flags = self.trans_a is not None, self.trans_b is not None
        read = flags[0] != change[0], flags[1] != change[1]
        if change[2]:
            read = not read[1], not read[0]
        return (freedom.lhs or read[0] == flags[0]) and (freedom.rhs or read[1] == flags[1])

    def _changed(
        self,
        old: Sequence[Order],
        batch: Order,
        change: tuple[bool, bool, bool],
        operands: Orders,
        results: Orders,
        aligned: Sequence[int],
    ) -> Relayout | None:
        """The relayout that transposes the matrices of lhs, rhs and result by `change`, if it has the wanted orders."""
        lhs, rhs, result = (
            (*batch, *(order[:-3:-1] if transposed else order[-2:]))
            for order, transposed in zip(old, change, strict=True)
        )
        further = [
            result if index in aligned else operands[index] or order_of_value(value)
            for index, value in enumerate(self.operands)
            if index > 1
        ]
        if not agree(operands, [lhs, rhs, *further]) or not agree(results, [result]):
            return None
        flags = (self.trans_a is not None) != change[0], (self.trans_b is not None) != change[1]
        if not change[2]:
            return Relayout((lhs, rhs, *further), (result,), *_flags(*flags))
        swapped = (1, 0, *range(2, len(self.operands)))
        return Relayout(
            (rhs, lhs, *further), (result,), *_flags(not flags[1], not flags[0]), operand_permutation=swapped
        )

    def verify_layouts(self) -> None:
        for name, value in (("lhs", self.lhs), ("rhs", self.rhs), ("result", self.result)):
            self.check_tensor_class(name, value)
        if self.has_blocks():
            return
        self._check_batches()
        rank = len(shape_of(self.result))
        for name, value in zip(self.operand_names()[2:], self.operands[2:], strict=True):
            self.check_tensor_class(name, value)
            if has_one_element(value):
                continue
            if len(shape_of(value)) == rank:
                self._check_aligned(name, value)
            else:
                self._check_columns(name)

    def _check_batches(self) -> None:
        """Check that the orders of operands and result differ in their matrices at most."""
        matrices = (("lhs", self.lhs), ("rhs", self.rhs), ("result", self.result))
        coloured = [(name, layout) for name, value in matrices if (layout := layout_of(value)) is not None]
        rank = len(shape_of(self.result))
        for name, layout in coloured:
            if set(layout.order_for(rank)[-2:]) != {rank - 2, rank - 1}:
                raise self.wrong(name, "the last two logical axes in the last two places", layout)
        for name, layout in coloured[1:]:
            first_name, first = coloured[0]
            if layout.cls is not first.cls:
                raise self.wrong(name, f"a layout of class {first.cls.value} like {first_name}", layout)
            if layout.order_for(rank)[:-2] != first.order_for(rank)[:-2]:
                raise self.wrong(name, f"batch axes in the order of {first_name} ({first})", layout)

    def _check_aligned(self, name: str, value: SSAValue) -> None:
        if (layout := layout_of(self.result)) is not None:
            self.check_layout(name, value, layout, "like result")

    def _check_columns(self, name: str) -> None:
        """Check that the stored columns of the result are its logical columns, along which a vector lies."""
        layout = layout_of(self.result)
        rank = len(shape_of(self.result))
        if layout is not None and layout.order_for(rank)[-1] != rank - 1:
            raise self.wrong("result", f"the last logical axis in the last place, along which {name} lies", layout)


def _is_batched(order: Order, rank: int) -> bool:
    """True if the last two logical axes are stored in the last two places."""
    return len(order) == rank and set(order[-2:]) == {rank - 2, rank - 1}


def _flags(trans_a: bool, trans_b: bool) -> tuple[dict[str, Attribute], frozenset[str]]:
    """The flags as properties to set and properties to remove."""
    flags = {"trans_a": trans_a, "trans_b": trans_b}
    return {name: UnitAttr() for name in flags if flags[name]}, frozenset(name for name in flags if not flags[name])


def _sizes(value: SSAValue) -> Shape:
    """The sizes of the axes: as stored, or the logical ones of a value with blocks."""
    layout = layout_of(value)
    return shape_of(value) if layout is None or not layout.tiles else logical_shape(value, layout)


def _untransposed(shape: tuple[T, ...], flag: UnitAttr | None) -> tuple[T, ...]:
    return shape if flag is None else (*shape[:-2], shape[-1], shape[-2])


class ProductOp(LinearOp, ABC):
    """A product of numbers of one type; integers wrap.

    Rows and columns may be stored in blocks. The op is then one on the logical axes, and the order of the pieces does
    not matter. Numbers that are summed end in zeros in both operands, or for integers in one of them.
    """

    TAKES_BLOCKS: ClassVar[bool] = True
    SWAPS: ClassVar[bool] = True

    def verify_meaning(self) -> None:
        self.check_number("result", self.result)
        for name, value in zip(self.operand_names(), self.operands, strict=True):
            self.check_element_type(name, value, element_type_of(self.result))
        self.check_product()

    def weighted_outputs(self) -> WeightedOutputs | None:
        """The columns of the right operand; None with blocks."""
        if self.has_blocks():
            return None
        columns = len(shape_of(self.result)) - 1
        of_weights = columns if self.trans_b is None else columns - 1
        takes_bias = any(name == "bias" for name, _ in self.get_irdl_definition().operands)
        return WeightedOutputs(self.rhs, of_weights, columns, takes_bias)


@op_definition
class MatmulOp(ProductOp):
    """The product of the matrices of two operands, all elements of one type; integers wrap.

    ```mlir
    %y = npu.matmul %a, %b trans_b : (tensor<8x12x64xf32>, tensor<8x12x64xf32>) -> tensor<8x12x12xf32>
    ```
    """

    name = "npu.matmul"


@op_definition
class GemmOp(ProductOp):
    """The product of the matrices of two operands, plus the bias, all elements of one type; integers wrap.

    The bias has the result's rank, where axes of one element are repeated, or is a vector with one number per column
    of the result, or has one element.

    ```mlir
    %y = npu.gemm %a, %b, %c trans_b
      : (tensor<4x64xf32>, tensor<10x64xf32, #npu.layout<Tensor>>, tensor<10xf32>) -> tensor<4x10xf32>
    ```
    """

    name = "npu.gemm"

    AXES: ClassVar[AxisTable] = axes_of("lhs[*B, M, K], rhs[*B, K, N], bias[*B?, M?, N?] -> result[*B, M, N]")

    bias = opt_operand_def(TensorType)

    def verify_meaning(self) -> None:
        super().verify_meaning()
        if self.bias is not None:
            self.check_bias(self.bias)


@op_definition
class MatmulIntegerOp(QuantizedOp, LinearOp):
    """The product of the matrices of (lhs - lhs_zero_point) and (rhs - rhs_zero_point) in i32, as ONNX MatMulInteger.

    The zero points of the right operand may be one per column of the result.

    ```mlir
    %y = npu.matmul_integer %a, %b, %az, %bz
      : (tensor<4x64xui8>, tensor<64x10xi8>, tensor<ui8>, tensor<i8>) -> tensor<4x10xi32>
    ```
    """

    name = "npu.matmul_integer"

    AXES: ClassVar[AxisTable] = axes_of(
        "lhs[*B, M, K], rhs[*B, K, N], lhs_zero_point[], rhs_zero_point[N] -> result[*B, M, N]"
    )

    lhs_zero_point = operand_def(TensorType)
    rhs_zero_point = operand_def(TensorType)

    def verify_meaning(self) -> None:
        self.check_element_type("result", self.result, i32)
        self.check_product()
        self.check_parameters(shape_of(self.result)[-1])


class QuantizedProductOp(SteppedOp, LinearOp, ABC):
    """A product of quantised numbers with a quantised result."""

    AXES: ClassVar[AxisTable] = axes_of(
        "lhs[*B, M, K], rhs[*B, K, N], lhs_scale[], lhs_zero_point[], rhs_scale[N], rhs_zero_point[N], result_scale[],"
        " result_zero_point[] -> result[*B, M, N]"
    )

    lhs_scale = operand_def(TensorType)
    lhs_zero_point = operand_def(TensorType)
    rhs_scale = operand_def(TensorType)
    rhs_zero_point = operand_def(TensorType)
    result_scale = operand_def(TensorType)
    result_zero_point = operand_def(TensorType)

    def verify_meaning(self) -> None:
        self.check_product()
        self.check_parameters(shape_of(self.result)[-1])

    def steps(self, operands: Sequence[SSAValue]) -> list[NpuOp]:
        lhs, rhs, lhs_scale, lhs_zero, rhs_scale, rhs_zero, scale, zero, *bias = operands
        sums = MatmulIntegerOp.build(
            operands=[lhs, rhs, lhs_zero, rhs_zero],
            result_types=[sums_like(self.result)],
            properties=dict(self.properties),
        )
        parameters = Requantization(lhs_scale, rhs_scale, scale, zero)
        columns = len(shape_of(self.result)) - 1
        return finished(sums, bias[0] if bias else None, parameters, self.result.type, columns)


@op_definition
class QuantMatmulOp(QuantizedProductOp):
    """The product of matrices of quantised numbers with a quantised result, as ONNX QLinearMatMul.

    The sum of (lhs - zero point) times (rhs - zero point) is an i32. Times the scales of lhs and rhs, divided by that
    of the result, rounded half to even, plus the zero point of the result, it is saturated to the element type of the
    result. Scale and zero point of the right operand may be one per column of the result.

    ```mlir
    %y = npu.quant_matmul %a, %b, %as, %az, %bs, %bz, %ys, %yz
      : (tensor<4x64xui8>, tensor<64x10xi8>, tensor<f32>, tensor<ui8>, tensor<10xf32>, tensor<10xi8>, tensor<f32>,
         tensor<ui8>) -> tensor<4x10xui8>
    ```
    """

    name = "npu.quant_matmul"


@op_definition
class QuantGemmOp(QuantizedProductOp):
    """The product of matrices of quantised numbers, plus a bias of i32, with a quantised result.

    The result is that of `npu.quant_matmul`, with the bias added to the sum in i32. The shape of the bias is that of
    the bias of `npu.gemm`.

    ```mlir
    %y = npu.quant_gemm %a, %b, %as, %az, %bs, %bz, %ys, %yz, %c trans_b
      : (tensor<4x64xui8>, tensor<10x64xi8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<i8>, tensor<f32>,
         tensor<ui8>, tensor<10xi32>) -> tensor<4x10xui8>
    ```
    """

    name = "npu.quant_gemm"

    AXES: ClassVar[AxisTable] = axes_of(
        "lhs[*B, M, K], rhs[*B, K, N], lhs_scale[], lhs_zero_point[], rhs_scale[N], rhs_zero_point[N], result_scale[],"
        " result_zero_point[], bias[*B?, M?, N?] -> result[*B, M, N]"
    )

    bias = opt_operand_def(TensorType)

    def verify_meaning(self) -> None:
        super().verify_meaning()
        if self.bias is not None:
            self.check_element_type("bias", self.bias, i32)
            self.check_bias(self.bias)
