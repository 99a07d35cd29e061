"""Attention and what turns its queries and keys: ops on values with heads, whose axes may be in any order."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, ClassVar

from xdsl.dialects.builtin import StringAttr, TensorType, UnitAttr, i1
from xdsl.ir import Attribute, Block, SSAValue
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
from ...layout import DYNAMIC, Layout, LayoutClass, Order, invert, permute, prevailing
from .attrs import F64, i64_array, i64_attr
from .axes import AxisTable, MatmulFreedom, Orders, Relayout, RoleMap, agree, role_map
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


HEADS_FIRST, ROWS_FIRST = "BHNC", "BNHC"
"""The axes batch (B), heads (H), rows (N) and channels (C), by default and with the rows in front of the heads."""


class HeadsOp(NpuOp, ABC):
    """An op on values with the axes batch, heads, rows and channels, each value in an order that an attribute states.

    The attribute `key_axes = "BHCN"` says that the operand `key` has its channels in front of its rows. Without one the
    axes are BHNC.
    """

    DEFINED_AS: ClassVar[str]
    """The op of ONNX that a model has for this one, and that ONNX defines by others."""

    result = result_def(TensorType)

    traits = traits_def(Pure())

    def axes_of(self, name: str) -> str:
        """The letters of the axes of a value with heads, as the op reads or produces it."""
        stated = self.properties.get(_attribute(name))
        return stated.data if isinstance(stated, StringAttr) else HEADS_FIRST

    @classmethod
    def all_in(cls, axes: str) -> dict[str, Attribute]:
        """The attributes of an op that has all values in one order."""
        return {} if axes == HEADS_FIRST else {_attribute(name): StringAttr(axes) for name in cls.LETTERED}

    @property
    def has_rows_first(self) -> bool:
        """True if all values have the rows in front of the heads, and are else in order."""
        return all(self.axes_of(name) == ROWS_FIRST for name in self.LETTERED)

    def to_heads_first(self, name: str) -> Order:
        """The permutation of a value that makes its axes BHNC."""
        return _permutation(self.axes_of(name), HEADS_FIRST)

    def from_heads_first(self, name: str) -> Order:
        """The permutation that makes a value of the axes BHNC one of these."""
        return _permutation(HEADS_FIRST, self.axes_of(name))

    def sizes(self, name: str) -> Shape:
        """The sizes of a value with heads: batch, heads, rows and channels."""
        values = zip((*self.operand_names(), "result"), (*self.operands, self.result), strict=True)
        value = next(value for each, value in values if each == name)
        return permute(shape_of(value), self.to_heads_first(name))

    def check_axes_of(self, name: str, value: SSAValue) -> None:
        """Check the rank of a value with heads, and the letters of its axes."""
        axes = self.axes_of(name)
        if sorted(axes) != sorted(HEADS_FIRST):
            raise self.wrong(_attribute(name), f"a permutation of {HEADS_FIRST}", axes)
        self.check_rank(name, value, len(axes))

    def check_sizes(self, name: str, value: SSAValue, sizes: Shape) -> None:
        """Check a value with heads against its batch, heads, rows and channels."""
        self.check_shape(name, value, permute(sizes, self.from_heads_first(name)))

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
        operands = [layout if name in self.LETTERED else None for name in self.operand_names()]
        return Declared(operands, [layout])

    def infer_results(self, operands: Sequence[Layout | None]) -> list[Layout | None]:
        shared = prevailing(
            layout for name, layout in zip(self.operand_names(), operands, strict=True) if name in self.LETTERED
        )
        return [None if shared is None else Layout(shared.cls)]

    def verify_layouts(self) -> None:
        for name, value in zip((*self.operand_names(), "result"), (*self.operands, self.result), strict=True):
            self.check_tensor_class(name, value)

    def letters(self, name: str) -> str:
        value = {**dict(zip(self.operand_names(), self.operands, strict=True)), "result": self.result}.get(name)
        if name not in self.LETTERED or value is None:
            return ""
        return "".join(permute(self.axes_of(name), invert(order_of_value(value))))

    def roles(self) -> RoleMap:
        operands = [self._axes(name, value) for name, value in zip(self.operand_names(), self.operands, strict=True)]
        described = frozenset(map(_attribute, self.LETTERED))
        return role_map({}, operands, [self._axes("result", self.result)], described)

    def _axes(self, name: str, value: SSAValue) -> Sequence[str]:
        """The axes of a value as it is stored."""
        axes = [axis.name for axis in self.AXES.values[name]]
        if name in self.LETTERED:
            return permute(axes, self.from_heads_first(name))
        return axes[-len(shape_of(value)) :]

    def relayouts(self, operands: Orders, results: Orders) -> list[Relayout]:
        """The present form, and the one with heads and rows exchanged in all values that have both."""
        return [
            relayout
            for relayout in (self._relayout(self._orders()), self._relayout(self._orders(_exchanged)))
            if agree(operands, relayout.operands) and agree(results, relayout.results)
        ]

    def relayouts_within(self, operands: Orders, results: Orders, freedom: MatmulFreedom) -> list[Relayout]:
        """With all freedom each value with heads is in the order asked for; the others keep their orders."""
        if freedom != MatmulFreedom.FREE:
            return self.relayouts(operands, results)
        names, asked = (*self.operand_names(), "result"), (*operands, *results)
        kept = self._orders()
        found = [
            own if order is None or name not in self.LETTERED else order
            for name, own, order in zip(names, kept, asked, strict=True)
        ]
        are_of_rank = all(sorted(own) == sorted(order) for own, order in zip(kept, found, strict=True))
        return [self._relayout(found)] if are_of_rank and agree(asked, found) else []

    def _orders(self, change: Callable[[str], str] | None = None) -> list[Order]:
        """The orders of all operands and of the result, or those after a change of the axes of values with heads."""
        found: list[Order] = []
        for name, value in zip((*self.operand_names(), "result"), (*self.operands, self.result), strict=True):
            order = order_of_value(value)
            is_changed = change is not None and name in self.LETTERED
            axes = self.axes_of(name) if is_changed else ""
            found.append(permute(order, _permutation(axes, change(axes))) if change and is_changed else order)
        return found

    def _relayout(self, orders: Sequence[Order]) -> Relayout:
        """The form with the operands and the result in these orders."""
        changed: dict[str, Attribute] = {}
        removed: set[str] = set()
        for name, order in zip((*self.operand_names(), "result"), orders, strict=True):
            if name not in self.LETTERED:
                continue
            axes = "".join(permute(self.letters(name), order))
            if axes == HEADS_FIRST and _attribute(name) in self.properties:
                removed.add(_attribute(name))
            elif axes != self.axes_of(name):
                changed[_attribute(name)] = StringAttr(axes)
        return Relayout(tuple(orders[:-1]), (orders[-1],), changed, frozenset(removed))


def _attribute(name: str) -> str:
    """The attribute that states the axes of a value."""
    return f"{name}_axes"


def _permutation(old: str, new: str) -> Order:
    return tuple(map(old.index, new))


def _exchanged(axes: str) -> str:
    """The axes with heads and rows in each other's places."""
    return axes.translate(str.maketrans("HN", "NH"))


@op_definition
class AttentionOp(HeadsOp):
    """softmax(scale * Q Kᵀ + mask) V for the rows Q of each head, with the keys K and values V that it shares.

    Query, key, value and result have the axes batch, heads, rows and channels: BHNC, or the order that an attribute
    such as `key_axes = "BHCN"` states. The heads of the query are divided into as many runs of neighbours as key and
    value have heads, and each run shares one of these. With `softcap` c the products are c * tanh(product / c) before
    the mask is added. The mask has the axes batch, heads and rows of the query, some maybe of one element, and rows of
    the key. Where it is false, and with `causal` for keys behind the position of the query, -∞ is added. A row to which
    -∞ is added everywhere is 0.

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
    LETTERED: ClassVar[Mapping[str, str]] = dict.fromkeys(("query", "key", "value", "result"), HEADS_FIRST)

    query = operand_def(TensorType)
    key = operand_def(TensorType)
    value = operand_def(TensorType)
    mask = opt_operand_def(TensorType)
    scale = prop_def(F64)
    softcap = opt_prop_def(F64)
    causal = opt_prop_def(UnitAttr)
    query_axes = opt_prop_def(StringAttr)
    key_axes = opt_prop_def(StringAttr)
    value_axes = opt_prop_def(StringAttr)
    result_axes = opt_prop_def(StringAttr)

    def verify_meaning(self) -> None:
        self.check_float("query", self.query)
        for name, value in (("key", self.key), ("value", self.value), ("result", self.result)):
            self.check_element_type(name, value, element_type_of(self.query))
        for name in self.LETTERED:
            self.check_axes_of(name, getattr(self, name))
        batch, heads, rows, depth = self.sizes("query")
        shared, keys = self.sizes("key")[1:3]
        width = self.sizes("value")[3]
        if DYNAMIC not in (heads, shared) and (not shared or heads % shared):
            raise self.wrong("key", f"a divisor of the {heads} heads of query", shared)
        self.check_sizes("key", self.key, (batch, shared, keys, depth))
        self.check_sizes("value", self.value, (batch, shared, keys, width))
        self.check_sizes("result", self.result, (batch, heads, rows, width))
        if self.softcap is not None and self.softcap.value.data <= 0:
            raise self.wrong("softcap", "a positive number", self.softcap.value.data)
        if self.mask is not None:
            self._check_mask(self.mask, (batch, heads, rows, keys))

    def add_steps(self, steps: StepList) -> None:
        given = dict(zip(self.operand_names(), steps.block.args, strict=True))
        heads, rows, keys = self.sizes("query")[1], self.sizes("query")[2], self.sizes("key")[2]
        query, key, value = (self._matrices(steps, name, given[name]) for name in ("query", "key", "value"))
        key, value = (steps.repeated(each, 1, heads) for each in (key, value))
        sizes = (*shape_of(query)[:2], rows, keys)
        flags = _flags(trans_a=self._is_transposed("query"), trans_b=not self._is_transposed("key"))
        weights = steps.scaled(steps.add(MatmulOp, [query, key], sizes, flags), self.scale.value.data)
        if self.softcap is not None:
            cap = self.softcap.value.data
            weights = steps.scaled(steps.add(TanhOp, [steps.scaled(weights, 1 / cap)], sizes), cap)
        added = self._added(steps, given.get("mask"), sizes[2:])
        if added is not None:
            weights = steps.add(AddOp, [weights, added], sizes)
        weights = steps.add(SoftmaxOp, [weights], sizes, {"axis": i64_attr(3)})
        if added is not None and self.mask is not None:
            weights = self._without_hidden(steps, weights, added)
        flags = _flags(trans_b=self._is_transposed("value"))
        result = steps.add(MatmulOp, [weights, value], (*sizes[:3], self.sizes("value")[3]), flags)
        steps.transpose(result, self.from_heads_first("result"))

    def _matrices(self, steps: StepList, name: str, x: SSAValue) -> SSAValue:
        """An operand with the matrix of each head in its last two axes, as products read it."""
        return x if self._is_transposed(name) else steps.transpose(x, self.to_heads_first(name))

    def _is_transposed(self, name: str) -> bool:
        return self.axes_of(name) == "BHCN"

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

    Input and result have the axes batch, heads, rows and channels: BHNC, or the order that `input_axes` and
    `result_axes` state. The first 2 n channels are turned, for n angles: the pairs are neighbours with `interleaved`,
    else a is in the first half of them and b in the second. The other channels stay. cos and sin have the axes position
    and angle, and `positions` one for each batch and row; without, they have the axes batch, row and angle.

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
    LETTERED: ClassVar[Mapping[str, str]] = dict.fromkeys(("input", "result"), HEADS_FIRST)

    input = operand_def(TensorType)
    cos = operand_def(TensorType)
    sin = operand_def(TensorType)
    positions = opt_operand_def(TensorType)
    interleaved = opt_prop_def(UnitAttr)
    input_axes = opt_prop_def(StringAttr)
    result_axes = opt_prop_def(StringAttr)

    def verify_meaning(self) -> None:
        self.check_float("input", self.input)
        for name, value in (("cos", self.cos), ("sin", self.sin), ("result", self.result)):
            self.check_element_type(name, value, element_type_of(self.input))
        for name in self.LETTERED:
            self.check_axes_of(name, getattr(self, name))
        batch, _, rows, depth = self.sizes("input")
        self.check_sizes("result", self.result, self.sizes("input"))
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
        axes = self.axes_of("input") if self.axes_of("input") == ROWS_FIRST else HEADS_FIRST
        x = steps.transpose(given["input"], _permutation(self.axes_of("input"), axes))
        sizes, angles = shape_of(x), shape_of(self.cos)[-1]
        cos, sin = (self._of_rows(steps, given[name], given.get("positions"), axes) for name in ("cos", "sin"))
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
        result = steps.concat([*both, *rest], 3)
        steps.transpose(result, _permutation(axes, self.axes_of("result")))

    def _of_rows(self, steps: StepList, table: SSAValue, positions: SSAValue | None, axes: str) -> SSAValue:
        """The cosines or sines of each row, for all heads, beside a value with these axes."""
        batch, _, rows, _ = self.sizes("input")
        sizes = (batch, rows, shape_of(table)[-1])
        if positions is not None:
            axis = {"axis": i64_attr(0)}
            table = steps.add(GatherOp, [table, positions], sizes, axis, element_type_of(table))
        return steps.reshape(table, permute((batch, 1, *sizes[1:]), _permutation(HEADS_FIRST, axes)))

    def _axes(self, name: str, value: SSAValue) -> Sequence[str]:
        if name in ("cos", "sin") and self.positions is not None:
            return ("P", "A")
        return super()._axes(name, value)


def _columns(steps: StepList, x: SSAValue, start: int, limit: int) -> SSAValue:
    """Some positions along the last axis."""
    outer = shape_of(x)[:-1]
    return steps.slice(x, [*[0] * len(outer), start], (*outer, limit - start))


def _flags(**flags: bool) -> dict[str, Attribute | None]:
    return {name: UnitAttr() for name, is_set in flags.items() if is_set}
