"""Attention and what turns its queries and keys: ops on values with heads, which rows may be stored in front of."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from math import inf
from typing import TYPE_CHECKING, ClassVar

from xdsl.dialects.builtin import TensorType, UnitAttr, i1
from xdsl.ir import Block, SSAValue
from xdsl.irdl import (
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure

from ...compat.xdsl import op_definition
from ...layout import DYNAMIC, Layout, LayoutClass, Order, prevailing
from .attrs import F64, i64_array, i64_attr
from .axes import AxisTable, Orders, Relayout, RoleMap, agree, role_map
from .base import Declared, NpuOp
from .binary import AddOp, EqualOp, MulOp, SubOp
from .declared_axes import axes_of
from .elementwise import SelectOp
from .linear import MatmulOp
from .movement import GatherOp
from .normalization import SoftmaxOp
from .reduction import ReduceMaxOp
from .unary import TanhOp
from .values import (
    Shape,
    element_type_of,
    is_boolean,
    order_of_value,
    repeats_to,
    shape_of,
    shape_text,
    shapes_agree,
)

if TYPE_CHECKING:
    from .step_list import StepList


class HeadsOp(NpuOp, ABC):
    """An op on values with the axes batch, heads, rows and depth; with `rows_first` rows are before heads in all."""

    WITH_HEADS: ClassVar[tuple[str, ...]]
    """The operands and results that have these axes."""

    FLAGS: ClassVar[tuple[str, ...]] = ("rows_first",)
    DEFINED_AS: ClassVar[str]
    """The op of ONNX that a model has for this one, and that ONNX defines by others."""

    rows_first = opt_prop_def(UnitAttr)
    result = result_def(TensorType)

    traits = traits_def(Pure())

    def check_heads(self, name: str, value: SSAValue) -> Shape:
        """Check a value with heads, and return its sizes with the heads in front of the rows."""
        self.check_rank(name, value, 4)
        return self.heads_first(shape_of(value))

    def heads_first(self, sizes: Sequence[int]) -> Shape:
        """The sizes of a value with heads, with these in front of the rows; or back again."""
        batch, heads, rows, depth = sizes
        return (batch, heads, rows, depth) if self.rows_first is None else (batch, rows, heads, depth)

    @abstractmethod
    def add_steps(self, steps: StepList) -> None:
        """Add the ops that compute the op from its operands, of which all sizes are known; the last one ends."""

    def in_steps(self) -> Block | None:
        """A new block whose arguments are the operands, and whose ops compute the op.

        None for unknown sizes, and for bf16.
        """
        # Imported late: it needs numpy, which programs without attention do not.
        from .step_list import DTYPES, StepList

        has_sizes = all(DYNAMIC not in shape_of(value) for value in (*self.operands, self.result))
        if not has_sizes or element_type_of(self.result) not in DTYPES:
            return None
        steps = StepList(self)
        self.add_steps(steps)
        for step in steps.block.ops:
            step.location = self.location
        return steps.block

    def declared(self) -> Declared:
        layout = Layout(LayoutClass.NTENSOR)
        operands = [layout if name in self.WITH_HEADS else None for name in self.operand_names()]
        return Declared(operands, [layout])

    def infer_results(self, operands: Sequence[Layout | None]) -> list[Layout | None]:
        shared = prevailing(
            layout for name, layout in zip(self.operand_names(), operands, strict=True) if name in self.WITH_HEADS
        )
        return [None if shared is None else Layout(shared.cls)]

    def verify_layouts(self) -> None:
        for name, value in zip((*self.operand_names(), "result"), (*self.operands, self.result), strict=True):
            self.check_tensor_class(name, value)

    def roles(self) -> RoleMap:
        operands = [self._axes(name, value) for name, value in zip(self.operand_names(), self.operands, strict=True)]
        return role_map({}, operands, [self._axes("result", self.result)], frozenset({"rows_first"}))

    def _axes(self, name: str, value: SSAValue) -> Sequence[str]:
        """The axes of a value as it is stored."""
        axes = [axis.name for axis in self.AXES.values[name]]
        if name in self.WITH_HEADS and self.rows_first is not None:
            axes[1], axes[2] = axes[2], axes[1]
        return axes[-len(shape_of(value)) :]

    def relayouts(self, operands: Orders, results: Orders) -> list[Relayout]:
        """The present form, and the one with heads and rows exchanged in all values that have both."""
        found: list[Relayout] = []
        for is_changed in (False, True):
            reads = tuple(
                _exchanged(value, is_changed and name in self.WITH_HEADS)
                for name, value in zip(self.operand_names(), self.operands, strict=True)
            )
            result = _exchanged(self.result, is_changed)
            if not agree(operands, reads) or not agree(results, [result]):
                continue
            if not is_changed:
                found.append(Relayout(reads, (result,)))
            elif self.rows_first is None:
                found.append(Relayout(reads, (result,), {"rows_first": UnitAttr()}))
            else:
                found.append(Relayout(reads, (result,), removed=frozenset({"rows_first"})))
        return found


def _exchanged(value: SSAValue, is_changed: bool) -> Order:
    order = order_of_value(value)
    return (order[0], order[2], order[1], order[3]) if is_changed else order


@op_definition
class AttentionOp(HeadsOp):
    """softmax(scale * Q Kᵀ + mask) V for the rows Q of each head, with the keys K and values V that it shares.

    Query, key and value have the axes batch, heads, rows and depth. The heads of the query are divided into as many
    runs of neighbours as key and value have heads, and each run shares one of these. With `softcap` c the products are
    c * tanh(product / c) before the mask is added. The mask has the axes batch, heads and rows of the query, some maybe
    of one element, and rows of the key. Where it is false, and with `causal` for keys behind the position of the query,
    -∞ is added. A row to which -∞ is added everywhere is 0. With `rows_first` the axes of all but the mask are batch,
    rows, heads and depth.

    ```mlir
    %y = npu.attention %q, %k, %v scale = 1.250000e-01 causal
      : (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>) -> tensor<1x8x16x64xf32>
    ```
    """

    name = "npu.attention"

    AXES: ClassVar[AxisTable] = axes_of(
        "query[B, H, S, D], key[B, G, T, D], value[B, G, T, E], mask[B?, H?, S?, T] -> result[B, H, S, E]"
    )
    DEFINED_AS: ClassVar[str] = "Attention"
    WITH_HEADS: ClassVar[tuple[str, ...]] = ("query", "key", "value", "result")

    query = operand_def(TensorType)
    key = operand_def(TensorType)
    value = operand_def(TensorType)
    mask = opt_operand_def(TensorType)
    scale = prop_def(F64)
    softcap = opt_prop_def(F64)
    causal = opt_prop_def(UnitAttr)
    rows_first = opt_prop_def(UnitAttr)

    def verify_meaning(self) -> None:
        self.check_float("query", self.query)
        for name, value in (("key", self.key), ("value", self.value), ("result", self.result)):
            self.check_element_type(name, value, element_type_of(self.query))
        batch, heads, rows, depth = self.check_heads("query", self.query)
        shared, keys = self.check_heads("key", self.key)[1:3]
        width = self.check_heads("value", self.value)[3]
        if DYNAMIC not in (heads, shared) and (not shared or heads % shared):
            raise self.wrong("key", f"a divisor of the {heads} heads of query", shared)
        self.check_shape("key", self.key, self.heads_first((batch, shared, keys, depth)))
        self.check_shape("value", self.value, self.heads_first((batch, shared, keys, width)))
        self.check_shape("result", self.result, self.heads_first((batch, heads, rows, width)))
        if self.softcap is not None and self.softcap.value.data <= 0:
            raise self.wrong("softcap", "a positive number", self.softcap.value.data)
        if self.mask is not None:
            self._check_mask(self.mask, (batch, heads, rows, keys))

    def add_steps(self, steps: StepList) -> None:
        given = dict(zip(self.operand_names(), steps.block.args, strict=True))
        query, key, value = (self._with_heads_first(steps, given[name]) for name in ("query", "key", "value"))
        key, value = (steps.repeated(each, 1, shape_of(query)[1]) for each in (key, value))
        *outer, rows, _ = shape_of(query)
        sizes = (*outer, rows, shape_of(key)[2])
        weights = steps.scaled(steps.add(MatmulOp, [query, key], sizes, {"trans_b": UnitAttr()}), self.scale.value.data)
        if self.softcap is not None:
            cap = self.softcap.value.data
            weights = steps.scaled(steps.add(TanhOp, [steps.scaled(weights, 1 / cap)], sizes), cap)
        added = self._added(steps, given.get("mask"), sizes[2:])
        if added is not None:
            weights = steps.add(AddOp, [weights, added], sizes)
        weights = steps.add(SoftmaxOp, [weights], sizes, {"axis": i64_attr(3)})
        if added is not None and self.mask is not None:
            weights = self._without_hidden(steps, weights, added)
        result = steps.add(MatmulOp, [weights, value], (*outer, rows, shape_of(value)[3]))
        self._with_heads_first(steps, result)

    def _with_heads_first(self, steps: StepList, x: SSAValue) -> SSAValue:
        return x if self.rows_first is None else steps.transpose(x, (0, 2, 1, 3))

    def _added(self, steps: StepList, mask: SSAValue | None, sizes: Shape) -> SSAValue | None:
        """The numbers that are added to the products; None if there are none."""
        added = mask
        if mask is not None and is_boolean(element_type_of(mask)):
            added = steps.chosen(mask, steps.like(self.query, 0), steps.like(self.query, -inf))
        if self.causal is None:
            return added
        import numpy as np

        seen = steps.constant(np.tri(*sizes, dtype=np.bool_).reshape(1, 1, *sizes), i1)
        visible = steps.like(self.query, 0) if added is None else added
        return steps.chosen(seen, visible, steps.like(self.query, -inf))

    def _without_hidden(self, steps: StepList, weights: SSAValue, added: SSAValue) -> SSAValue:
        """The weights, with 0 in rows to which -∞ is added everywhere."""
        sizes = (*shape_of(added)[:3], 1)
        largest = steps.add(ReduceMaxOp, [added], sizes, {"axes": i64_array(3), "keep": UnitAttr()})
        is_hidden = steps.add(EqualOp, [largest, steps.like(self.query, -inf)], sizes, element=i1)
        return steps.add(SelectOp, [is_hidden, steps.like(self.query, 0), weights], shape_of(weights))

    def _check_mask(self, mask: SSAValue, whole: Shape) -> None:
        if not is_boolean(element_type_of(mask)):
            self.check_element_type("mask", mask, element_type_of(self.query))
        found = shape_of(mask)
        if not repeats_to(found, whole) or not shapes_agree(found[3:], whole[3:]):
            raise self.wrong(
                "mask", f"a shape that repeats to {shape_text(whole)} along the first three axes", shape_text(found)
            )


@op_definition
class RotaryOp(HeadsOp):
    """The input with pairs of numbers of each row turned: (a * cos - b * sin, a * sin + b * cos).

    The input has the axes batch, heads, rows and depth; with `rows_first` they are batch, rows, heads and depth. The
    first 2 n numbers along the depth are turned, for n angles: the pairs are neighbours with `interleaved`, else a is
    in the first half of them and b in the second. The other numbers stay. cos and sin have the axes position and angle,
    and `positions` one for each batch and row; without, they have the axes batch, row and angle.

    ```mlir
    %y = npu.rotary %x, %c, %s, %p
      : (tensor<1x8x16x64xf32>, tensor<128x32xf32>, tensor<128x32xf32>, tensor<1x16xi64>) -> tensor<1x8x16x64xf32>
    ```
    """

    name = "npu.rotary"

    AXES: ClassVar[AxisTable] = axes_of(
        "input[B, H, S, D], cos[B, S, A], sin[B, S, A], positions[B, S] -> result[B, H, S, D]"
    )
    DEFINED_AS: ClassVar[str] = "RotaryEmbedding"
    WITH_HEADS: ClassVar[tuple[str, ...]] = ("input", "result")

    input = operand_def(TensorType)
    cos = operand_def(TensorType)
    sin = operand_def(TensorType)
    positions = opt_operand_def(TensorType)
    interleaved = opt_prop_def(UnitAttr)
    rows_first = opt_prop_def(UnitAttr)

    def verify_meaning(self) -> None:
        self.check_float("input", self.input)
        for name, value in (("cos", self.cos), ("sin", self.sin), ("result", self.result)):
            self.check_element_type(name, value, element_type_of(self.input))
        batch, _, rows, depth = self.check_heads("input", self.input)
        self.check_shape("result", self.result, shape_of(self.input))
        if self.positions is None:
            self.check_rank("cos", self.cos, 3)
            expected = (batch, rows, shape_of(self.cos)[-1])
        else:
            self.check_rank("cos", self.cos, 2)
            expected = shape_of(self.cos)
            self.check_integer("positions", self.positions)
            self.check_shape("positions", self.positions, (batch, rows))
        self.check_shape("cos", self.cos, expected)
        self.check_shape("sin", self.sin, expected)
        angles = expected[-1]
        if DYNAMIC not in (angles, depth) and 2 * angles > depth:
            raise self.wrong("cos", f"at most {depth // 2} angles", angles)

    def add_steps(self, steps: StepList) -> None:
        given = dict(zip(self.operand_names(), steps.block.args, strict=True))
        x, sizes = given["input"], shape_of(self.input)
        angles = shape_of(self.cos)[-1]
        cos, sin = (self._of_rows(steps, given[name], given.get("positions")) for name in ("cos", "sin"))
        turned, half = _columns(steps, x, 0, 2 * angles), (*sizes[:3], angles)
        if self.interleaved is None:
            a, b = _columns(steps, turned, 0, angles), _columns(steps, turned, angles, 2 * angles)
        else:
            pairs = steps.reshape(turned, (*half, 2))
            a, b = (steps.reshape(_columns(steps, pairs, index, index + 1), half) for index in (0, 1))
        products = [steps.add(MulOp, [one, other], half) for one in (a, b) for other in (cos, sin)]
        both = [
            steps.add(SubOp, [products[0], products[3]], half),
            steps.add(AddOp, [products[1], products[2]], half),
        ]
        if self.interleaved is not None:
            joined = steps.concat([steps.reshape(each, (*half, 1)) for each in both], 4)
            both = [steps.reshape(joined, (*sizes[:3], 2 * angles))]
        rest = [_columns(steps, x, 2 * angles, sizes[3])] if 2 * angles < sizes[3] else []
        steps.concat([*both, *rest], 3)

    def _of_rows(self, steps: StepList, table: SSAValue, positions: SSAValue | None) -> SSAValue:
        """The cosines or sines of each row, for all heads."""
        batch, _, rows, _ = self.heads_first(shape_of(self.input))
        sizes = (batch, rows, shape_of(table)[-1])
        if positions is not None:
            axis = {"axis": i64_attr(0)}
            table = steps.add(GatherOp, [table, positions], sizes, axis, element_type_of(table))
        return steps.reshape(table, self.heads_first((batch, 1, *sizes[1:])))

    def _axes(self, name: str, value: SSAValue) -> Sequence[str]:
        if name in ("cos", "sin") and self.positions is not None:
            return ("P", "A")
        return super()._axes(name, value)


def _columns(steps: StepList, x: SSAValue, start: int, limit: int) -> SSAValue:
    """Some positions along the last axis."""
    outer = shape_of(x)[:-1]
    return steps.slice(x, [*[0] * len(outer), start], (*outer, limit - start))
