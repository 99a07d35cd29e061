"""Factors and summands behind convolutions and products, as parts of the weights and the bias.

A product with one number for each output, or for all, is the same in real numbers as one with the weights: the sum over
inputs and positions of x * w, times s, is that of x * (w * s) if s depends on the output alone.
"""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from numpy.typing import NDArray
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Block, SSAValue

from ...dialects.npu.attrs import LayoutAttr
from ...dialects.npu.base import NpuOp, WeightedOutputs
from ...dialects.npu.binary import AddOp, MulOp
from ...dialects.npu.convolution import ConvolutionOp
from ...dialects.npu.elementwise import ArithmeticOp
from ...dialects.npu.values import element_type_of, is_float, shape_of
from ...layout import DYNAMIC, REPEATED, Arrangement
from ..values import NumberedValue, is_whole, places_in, tensor
from .steps import Steps


class Weighted(NamedTuple):
    """An op that makes a node from weights, and its result there."""

    op: NpuOp
    operands: Sequence[NumberedValue]
    outputs: WeightedOutputs
    result: Arrangement


class Sum(NamedTuple):
    """The sum of a product of weights, which takes no bias, and of numbers for its outputs."""

    op: AddOp
    operands: Sequence[NumberedValue]
    result: Arrangement


Known = Callable[[SSAValue, NumberedValue], NDArray[Any] | None]
ResultsOfBlock = Callable[[Block, Sequence[NumberedValue], Sequence[SSAValue]], Sequence[NumberedValue]]


def beside_zeros(op: NpuOp, operands: Sequence[NumberedValue], known: Known) -> NumberedValue | None:
    """The operand to which a sum adds zeros; None for any other op."""
    for value, numbers, other in zip(operands, reversed(operands), reversed(op.operands), strict=True):
        found = known(other, numbers) if isinstance(op, AddOp) and is_whole(value, [numbers]) else None
        if found is not None and not found.any():
            return value
    return None


class MovedFactors:
    """The products and sums behind weighted ops, in two programs."""

    def __init__(self, results_of_block: ResultsOfBlock, known: Known) -> None:
        self._results_of_block = results_of_block
        self._known = known
        self._weighted: dict[int, Weighted] = {}
        self._sums: dict[int, Sum] = {}
        self._same: dict[int, tuple[NumberedValue, NumberedValue]] = {}
        """For the node of a sum with zeros that sum, and the other operand."""
        self._takes_sums = True

    @contextmanager
    def in_formula(self, op: NpuOp) -> Generator[None]:
        """While the formula of an op is numbered: its sum of a product and a bias is not one with a bias again."""
        before = self._takes_sums
        self._takes_sums = before and op.weighted_outputs() is None
        yield
        self._takes_sums = before

    def is_noted(self, op: NpuOp, operands: Sequence[NumberedValue]) -> bool:
        """True if factors or summands behind an op may become a part of it."""
        if not op.results or not is_float(element_type_of(op.results[0])):
            return False
        if isinstance(op, AddOp):
            has_weights = any(each.node in self._weighted for each in operands)
            return has_weights or beside_zeros(op, operands, self._known) is not None
        return op.weighted_outputs() is not None

    def enter(self, op: NpuOp, operands: Sequence[NumberedValue], result: NumberedValue) -> None:
        """Note how the node of a value is computed."""
        if isinstance(op, AddOp):
            self._sums.setdefault(result.node, Sum(op, operands, tensor(result)))
            if (value := beside_zeros(op, operands, self._known)) is not None:
                self._same[result.node] = result, value
        elif (outputs := op.weighted_outputs()) is not None:
            self._weighted.setdefault(result.node, Weighted(op, operands, outputs, tensor(result)))

    def value(self, op: NpuOp, operands: Sequence[NumberedValue]) -> NumberedValue | None:
        """A product or sum as a part of the weights and the bias; None if it is not behind a weighted op."""
        if not isinstance(op, MulOp | AddOp) or (isinstance(op, AddOp) and not self._takes_sums):
            return None
        for index in (0, 1):
            value, numbers = operands[index], operands[1 - index]
            if not is_whole(value, [numbers]):
                continue
            if value.node in self._weighted and beside_zeros(op, operands, self._known) is value:
                return value
            if (made := self._taken(type(op), value, numbers)) is not None:
                return made
            if isinstance(op, MulOp) and (made := self._distributed(op, value, index, numbers)) is not None:
                return made
        return None

    def without_zeros(self, op: NpuOp, operands: Sequence[NumberedValue]) -> Sequence[NumberedValue]:
        """The operands of an op with the bias to which zeros are added, whose sign is nothing in a sum."""
        outputs = op.weighted_outputs()
        if outputs is None or not outputs.takes_bias:
            return operands
        same = [self._same.get(each.node) for each in operands[2:]]
        found = zip(operands[2:], same, strict=True)
        return [*operands[:2], *(x if one is None or one[0] != x else one[1] for x, one in found)]

    def _taken(self, op: type[ArithmeticOp], value: NumberedValue, numbers: NumberedValue) -> NumberedValue | None:
        """The weighted op of a value with other weights and another bias."""
        found = self._weighted.get(value.node)
        places = None if found is None else places_in(tensor(value), found.result)
        if found is None or places is None or (op is AddOp and not found.outputs.takes_bias):
            return None
        vector = self._numbers(found, places, numbers)
        if vector is None:
            return None
        steps = _steps(found, op)
        (made,) = self._results_of_block(steps.block, [*found.operands, vector], steps.results)
        axes = tensor(made).axes
        return NumberedValue(made.node, Arrangement(tuple(() if each is None else axes[each] for each in places)))

    def _numbers(self, found: Weighted, places: Sequence[int | None], numbers: NumberedValue) -> NumberedValue | None:
        """Numbers behind an op as a vector, if they depend on the output alone."""
        count = shape_of(found.outputs.weights)[found.outputs.of_weights]
        if count == DYNAMIC:
            return None
        axes = tensor(numbers).axes
        along = [place for place, pieces in enumerate(axes) if any(piece.axis != REPEATED for piece in pieces)]
        if not along:
            return NumberedValue(numbers.node, Arrangement.repeated((count,)))
        if len(along) > 1 or places[along[0]] != found.outputs.axis:
            return None
        return NumberedValue(numbers.node, Arrangement((axes[along[0]],)))

    def _distributed(self, op: MulOp, value: NumberedValue, index: int, numbers: NumberedValue) -> NumberedValue | None:
        """The product of a sum as the sum of products, if the first summand takes the factor."""
        total = self._sums.get(value.node)
        if total is None or total.result != value.stored:
            return None
        for place, part in enumerate(total.operands):
            found = self._weighted.get(part.node)
            if found is None or found.outputs.takes_bias or not is_whole(part, total.operands):
                continue
            places = places_in(tensor(part), found.result)
            if places is None or self._numbers(found, places, numbers) is None:
                continue
            steps = Steps(total.op, lambda _: None)
            parts = [steps.operand(each) for each in total.op.operands]
            factor = _argument(steps, shape_of(op.operands[1 - index]))
            products = [steps.times(parts[place], factor), steps.times(parts[1 - place], factor)]
            steps.plus(*products)
            return self._results_of_block(steps.block, [*total.operands, numbers], steps.results)[0]
        return None


def _argument(steps: Steps, shape: Sequence[int]) -> SSAValue:
    """A further argument of the steps."""
    return steps.block.insert_arg(TensorType(steps.element, shape), len(steps.block.args))


def _steps(found: Weighted, kind: type[ArithmeticOp]) -> Steps:
    """The op with its weights and bias times numbers, or with its bias plus numbers, which are a vector."""
    op, outputs = found.op, found.outputs
    steps = Steps(op, lambda _: None)
    data, weights, *biases = steps.block.args
    count = shape_of(weights)[outputs.of_weights]
    given = _argument(steps, (count,))
    if kind is MulOp:
        sizes = [count if axis == outputs.of_weights else 1 for axis in range(len(shape_of(weights)))]
        weights = steps.add(MulOp, [weights, steps.reshape(given, sizes)], shape_of(weights))
    if biases:
        biases = [_combined(steps, kind, biases[0], given)]
    elif kind is AddOp:
        biases = [given]
    properties = dict(op.properties)
    if isinstance(op, ConvolutionOp):
        kernel = op.known_layout("kernel", op.operands[1], "kernel_layout", op.kernel_layout)
        properties["data_layout"] = LayoutAttr(op.feature_layout("data", op.operands[0]))
        properties["kernel_layout"] = LayoutAttr(kernel)
    steps.add(type(op), [data, weights, *([biases] if outputs.takes_bias else [])], None, properties)
    return steps


def _combined(steps: Steps, kind: type[ArithmeticOp], bias: SSAValue, numbers: SSAValue) -> SSAValue:
    """A bias and a vector, aligned at the last axis."""
    aligned = bias if shape_of(bias) else steps.reshape(bias, (1,))
    sizes = (*[1] * (len(shape_of(aligned)) - 1), *shape_of(numbers))
    return steps.binary(kind, aligned, steps.reshape(numbers, sizes))
