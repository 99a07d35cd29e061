"""Recurrent ops: a state goes from step to step of a sequence.

Axes of operands and results are in the order of ONNX, the steps first. There is one set of parameters for each
direction, forward first; the reverse direction begins at the last step. `lengths` has the number of steps for each
sequence of the batch: states behind its last step are 0 in `output`, and the last state is the one at it, or 0 for a
sequence without steps. The bias has the numbers that are added to the products with the input, then those that are
added to the products with the state. A state that is left out is 0 before the first step.
"""

from abc import ABC
from collections.abc import Iterable, Sequence
from typing import ClassVar

from xdsl.dialects.builtin import ArrayAttr, StringAttr, TensorType, UnitAttr
from xdsl.ir import SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure

from ...compat.xdsl import op_definition
from ...layout import Layout, LayoutClass
from .axes import UNMARKED, AxisTable, RoleMap, role_map
from .base import Declared, NpuOp
from .declared_axes import axes_of
from .feature import times
from .values import element_type_of, is_identity, layout_of, shape_of

TENSOR = Layout(LayoutClass.TENSOR)
FORWARD, REVERSE, BIDIRECTIONAL = DIRECTIONS = "forward", "reverse", "bidirectional"


class RecurrentOp(NpuOp, ABC):
    """An op that computes a state for each step from the input of the step and the state before it."""

    GATES: ClassVar[int]
    """The number of products for each number of the state."""
    DEFAULTS: ClassVar[tuple[str, ...]]
    """The activations of a direction that names none."""
    ACTIVATIONS: ClassVar[tuple[str, ...]] = ("sigmoid", "tanh", "relu")

    input = operand_def(TensorType)
    weights = operand_def(TensorType)
    recurrence = operand_def(TensorType)
    bias = opt_operand_def(TensorType)
    lengths = opt_operand_def(TensorType)
    initial_hidden = opt_operand_def(TensorType)
    """The state before the first step."""
    direction = prop_def(StringAttr, default_value=StringAttr(FORWARD))
    activations = opt_prop_def(ArrayAttr[StringAttr])
    """The activations of the first direction, then those of the second one."""
    output = result_def(TensorType)
    hidden = result_def(TensorType)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(Pure())

    @property
    def count(self) -> int:
        """The number of directions."""
        return 1 + (self.direction.data == BIDIRECTIONAL)

    @property
    def strides(self) -> Sequence[int]:
        """The stride through the steps for each direction."""
        return {FORWARD: (1,), REVERSE: (-1,)}.get(self.direction.data, (1, -1))

    def activations_of(self, direction: int) -> Sequence[str]:
        """The names of the activations of a direction."""
        if self.activations is None:
            return self.DEFAULTS
        each = len(self.DEFAULTS)
        return [name.data for name in self.activations.data[direction * each : (direction + 1) * each]]

    def verify_meaning(self) -> None:
        self.check_word("direction", self.direction, DIRECTIONS)
        if self.activations is not None:
            if len(self.activations) != (wanted := self.count * len(self.DEFAULTS)):
                raise self.wrong("activations", f"{wanted} names", len(self.activations))
            for name in self.activations:
                self.check_word("activations", name, self.ACTIVATIONS)
        for name, value in (("input", self.input), ("weights", self.weights), ("recurrence", self.recurrence)):
            self.check_rank(name, value, 3)
        self.check_float("input", self.input)
        sizes = dict(zip("TBX", shape_of(self.input), strict=True))
        states = shape_of(self.recurrence)[2]
        sizes |= {"D": self.count, "H": states, "G": times(states, self.GATES), "S": times(states, 2 * self.GATES)}
        sizes |= {"P": times(states, 3)}
        for name, value in self._by_name():
            if name == "lengths":
                self.check_integer(name, value)
            else:
                self.check_element_type(name, value, element_type_of(self.input))
            self.check_shape(name, value, [sizes[axis.name] for axis in self.AXES.values[name]])

    def verify_layouts(self) -> None:
        for name, value in self._by_name():
            self.check_tensor_class(name, value)
            if (layout := layout_of(value)) is not None and not is_identity(layout):
                raise self.wrong(name, "axes in logical order", layout)

    def _by_name(self) -> Iterable[tuple[str, SSAValue]]:
        names = *self.operand_names(), *self.result_names()
        return zip(names, (*self.operands, *self.results), strict=True)

    def declared(self) -> Declared:
        return Declared([TENSOR] * len(self.operands), [TENSOR] * len(self.results))

    def roles(self) -> RoleMap:
        """One role for each letter; the sequences of a batch do not depend on each other."""
        stored = [[axis.name for axis in self.AXES.values[name]] for name, _ in self._by_name()]
        border = len(self.operands)
        return role_map({"B": UNMARKED}, stored[:border], stored[border:])


PARAMETERS = "bias", "lengths", "initial_hidden"


def _format(states: Sequence[str] = (), own: str = "") -> str:
    """A custom format in which operands that may be absent have their names."""
    named = " ".join(f"(`{name}` `(` ${name}^ `:` type(${name}) `)`)?" for name in (*PARAMETERS, *states))
    types, results = (
        " `,` ".join(f"type(${name})" for name in names)
        for names in (("input", "weights", "recurrence"), ("output", "hidden", *(["cell"] if states else [])))
    )
    return (
        f"$input `,` $weights `,` $recurrence {named} (`direction` `=` $direction^)?"
        f" (`activations` `=` $activations^)? {own} attr-dict `:` `(` {types} `)` `->` `(` {results} `)`"
    )


@op_definition
class RnnOp(RecurrentOp):
    """A recurrent network of which each state is an activation of products with the input and the state before.

    The activation is `tanh` by default.

    ```mlir
    %y, %h = npu.rnn %x, %w, %r
      : (tensor<5x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>) -> (tensor<5x1x2x4xf32>, tensor<1x2x4xf32>)
    ```
    """

    name = "npu.rnn"

    GATES: ClassVar[int] = 1
    DEFAULTS: ClassVar[tuple[str, ...]] = ("tanh",)
    AXES: ClassVar[AxisTable] = axes_of(
        "input[T, B, X], weights[D, G, X], recurrence[D, G, H], bias[D, S], lengths[B], initial_hidden[D, B, H]"
        " -> output[T, D, B, H], hidden[D, B, H]"
    )

    assembly_format = _format()


@op_definition
class GruOp(RecurrentOp):
    """A recurrent network with gated units: an update gate z, a reset gate r and a candidate.

    The state is (1 - z) * candidate + z * the state before. The parameters are those of z, of r and of the candidate,
    whose product is that of the state before times r, or with `linear_before_reset` r times the product and its bias.
    The activations are `sigmoid` of the gates and `tanh` of the candidate by default.

    ```mlir
    %y, %h = npu.gru %x, %w, %r bias(%b : tensor<1x24xf32>) direction = "reverse" linear_before_reset
      : (tensor<5x2x3xf32>, tensor<1x12x3xf32>, tensor<1x12x4xf32>)
      -> (tensor<5x1x2x4xf32>, tensor<1x2x4xf32>)
    ```
    """

    name = "npu.gru"

    GATES: ClassVar[int] = 3
    DEFAULTS: ClassVar[tuple[str, ...]] = ("sigmoid", "tanh")
    AXES: ClassVar[AxisTable] = RnnOp.AXES

    linear_before_reset = opt_prop_def(UnitAttr)

    assembly_format = _format(own="(`linear_before_reset` $linear_before_reset^)?")


@op_definition
class LstmOp(RecurrentOp):
    """A recurrent network with long short-term memory: an input gate i, an output gate o and a forget gate f.

    The memory is f * the memory before + i * the candidate, and the state o * an activation of the memory. The
    parameters are those of i, o, f and the candidate. The activations are `sigmoid` of the gates, `tanh` of the
    candidate and `tanh` of the memory by default. With `peepholes`, factors for i, o and f, the memory before counts
    for i and f, and the new one for o.

    ```mlir
    %y, %h, %c = npu.lstm %x, %w, %r initial_hidden(%s : tensor<2x2x4xf32>) direction = "bidirectional"
      : (tensor<5x2x3xf32>, tensor<2x16x3xf32>, tensor<2x16x4xf32>)
      -> (tensor<5x2x2x4xf32>, tensor<2x2x4xf32>, tensor<2x2x4xf32>)
    ```
    """

    name = "npu.lstm"

    GATES: ClassVar[int] = 4
    DEFAULTS: ClassVar[tuple[str, ...]] = ("sigmoid", "tanh", "tanh")
    AXES: ClassVar[AxisTable] = axes_of(
        "input[T, B, X], weights[D, G, X], recurrence[D, G, H], bias[D, S], lengths[B], initial_hidden[D, B, H],"
        " initial_cell[D, B, H], peepholes[D, P] -> output[T, D, B, H], hidden[D, B, H], cell[D, B, H]"
    )

    initial_cell = opt_operand_def(TensorType)
    peepholes = opt_operand_def(TensorType)
    cell = result_def(TensorType)

    assembly_format = _format(("initial_cell", "peepholes"))
