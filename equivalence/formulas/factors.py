"""MovedFactors and summands behind convolutions and products, as parts of the weights and the bias.

A product with one number for each output, or for all, is the same in real numbers as one with the weights: the sum over
inputs and positions of x * w, times s, is that of x * (w * s) if s depends on the output alone.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Block, SSAValue

from ...dialects.npu.attrs import LayoutAttr
from ...dialects.npu.base import NpuOp, WeightedOutputs
from ...dialects.npu.binary import AddOp, MulOp
from ...dialects.npu.convolution import ConvolutionOp
from ...dialects.npu.elementwise import ArithmeticOp
from ...dialects.npu.values import element_type_of, is_float, shape_of
from ...layout import DYNAMIC, Arrangement
from ..constants import Constants, uniform
from ..numbering import NumberedValue, tensor
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


ResultsOfBlock = Callable[[Block, Sequence[NumberedValue], Sequence[SSAValue]], Sequence[NumberedValue]]


class Numbers(NamedTuple):
    """One number for each output, or for all."""

    value: NumberedValue
    shape: tuple[int, ...]


class MovedFactors:
    """The products and sums behind weighted ops, in two programs."""

    def __init__(self, constants: Constants, results_of_block: ResultsOfBlock) -> None:
        self._constants = constants
        self._results_of_block = results_of_block
        self._weighted: dict[int, Weighted] = {}
        self._sums: dict[int, Sum] = {}

    def is_noted(self, op: NpuOp, operands: Sequence[NumberedValue]) -> bool:
        """True if factors or summands behind an op may become a part of it."""
        if not is_float(element_type_of(op.results[0])):
            return False
        if isinstance(op, AddOp):
            return any(each.node in self._weighted for each in operands)
        return op.weighted_outputs() is not None

    def enter(self, op: NpuOp, operands: Sequence[NumberedValue], result: NumberedValue) -> None:
        """Note how the node of a value is computed."""
        if isinstance(op, AddOp):
            self._sums.setdefault(result.node, Sum(op, operands, tensor(result)))
        elif (outputs := op.weighted_outputs()) is not None:
            self._weighted.setdefault(result.node, Weighted(op, operands, outputs, tensor(result)))

    def value(self, op: NpuOp, operands: Sequence[NumberedValue]) -> NumberedValue | None:
        """A product or sum as a part of the weights and the bias; None if it is not behind a weighted op."""
        if not isinstance(op, MulOp | AddOp):
            return None
        for index in (0, 1):
            value, numbers = operands[index], operands[1 - index]
            if shape_of(op.operands[index]) != shape_of(op.result):
                continue
            if (made := self._taken(type(op), value, numbers)) is not None:
                return made
            if isinstance(op, MulOp) and (made := self._distributed(op, value, index, numbers)) is not None:
                return made
        return None

    def _taken(self, op: type[ArithmeticOp], value: NumberedValue, numbers: NumberedValue) -> NumberedValue | None:
        """The weighted op of a value with other weights and another bias."""
        found = self._weighted.get(value.node)
        places = None if found is None else _places(tensor(value), found.result)
        if found is None or places is None or (op is AddOp and not found.outputs.takes_bias):
            return None
        vector = self._numbers(found, places, numbers)
        block = None if vector is None else _steps(found, vector, op)
        if vector is None or block is None:
            return None
        (made,) = self._results_of_block(block.block, [*found.operands, vector.value], block.results)
        axes = tensor(made).axes
        return NumberedValue(made.node, Arrangement(tuple(() if each is None else axes[each] for each in places)))

    def _numbers(self, found: Weighted, places: Sequence[int | None], numbers: NumberedValue) -> Numbers | None:
        """Numbers behind an op, if they depend on the output alone."""
        count = shape_of(found.outputs.weights)[found.outputs.of_weights]
        if count == DYNAMIC:
            return None
        if self._constants.is_uniform(numbers.node):
            return Numbers(NumberedValue(numbers.node, uniform((count,))), (count,))
        along = [place for place, pieces in enumerate(tensor(numbers).axes) if pieces]
        if not along:
            return Numbers(NumberedValue(numbers.node, Arrangement(())), ())
        if len(along) > 1 or places[along[0]] != found.outputs.axis:
            return None
        return Numbers(NumberedValue(numbers.node, Arrangement((tensor(numbers).axes[along[0]],))), (count,))

    def _distributed(self, op: MulOp, value: NumberedValue, index: int, numbers: NumberedValue) -> NumberedValue | None:
        """The product of a sum as the sum of products, if the first summand takes the factor."""
        total = self._sums.get(value.node)
        if total is None or total.result != value.stored:
            return None
        for place, part in enumerate(total.operands):
            found = self._weighted.get(part.node)
            is_whole = shape_of(total.op.operands[place]) == shape_of(total.op.result)
            if found is None or found.outputs.takes_bias or not is_whole:
                continue
            places = _places(tensor(part), found.result)
            if places is None or self._numbers(found, places, numbers) is None:
                continue
            steps = Steps(total.op, lambda _: None)
            parts = [steps.operand(each) for each in total.op.operands]
            factor = _argument(steps, shape_of(op.operands[1 - index]))
            products = [steps.times(parts[place], factor), steps.times(parts[1 - place], factor)]
            steps.plus(*products)
            return self._results_of_block(steps.block, [*total.operands, numbers], steps.results)[0]
        return None


def _places(view: Arrangement, result: Arrangement) -> list[int | None] | None:
    """The axis of a result that each axis of a view of it shows, if each is shown as a whole."""
    shown = [pieces for pieces in result.axes if pieces]
    if len(set(shown)) != len(shown) or sorted(map(repr, shown)) != sorted(repr(each) for each in view.axes if each):
        return None
    return [result.axes.index(pieces) if pieces else None for pieces in view.axes]


def _argument(steps: Steps, shape: Sequence[int]) -> SSAValue:
    """A further argument of the steps."""
    return steps.block.insert_arg(TensorType(steps.element, shape), len(steps.block.args))


def _steps(found: Weighted, numbers: Numbers, kind: type[ArithmeticOp]) -> Steps | None:
    """The op with its weights and bias times the numbers, or with its bias plus the numbers."""
    op, outputs = found.op, found.outputs
    steps = Steps(op, lambda _: None)
    data, weights, *biases = steps.block.args
    given = _argument(steps, numbers.shape)
    if kind is MulOp:
        sizes = [numbers.shape[0] if numbers.shape and axis == outputs.of_weights else 1 for axis in _axes(weights)]
        weights = steps.add(MulOp, [weights, steps.reshape(given, sizes)], shape_of(weights))
    if kind is AddOp and not biases:
        if not numbers.shape:
            return None
        biases = [given]
    elif biases:
        biases = [_combined(steps, kind, biases[0], given)]
    properties = dict(op.properties)
    if isinstance(op, ConvolutionOp):
        kernel = op.known_layout("kernel", op.operands[1], "kernel_layout", op.kernel_layout)
        properties["data_layout"] = LayoutAttr(op.feature_layout("data", op.operands[0]))
        properties["kernel_layout"] = LayoutAttr(kernel)
    steps.add(type(op), [data, weights, *([biases] if outputs.takes_bias else [])], None, properties)
    return steps


def _axes(value: SSAValue) -> range:
    return range(len(shape_of(value)))


def _combined(steps: Steps, kind: type[ArithmeticOp], bias: SSAValue, numbers: SSAValue) -> SSAValue:
    """A bias and numbers, aligned at the last axis."""
    if shape_of(numbers) and not shape_of(bias):
        bias = steps.reshape(bias, (1,))
    if shape_of(numbers):
        numbers = steps.reshape(numbers, (*[1] * (len(shape_of(bias)) - 1), *shape_of(numbers)))
    return steps.binary(kind, bias, numbers)
