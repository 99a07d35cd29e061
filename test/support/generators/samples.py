"""A random valid instance of any op, alone in a function with its operands as arguments."""

from dataclasses import dataclass
from random import Random

import numpy as np
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.source import ConstantOp
from npu_opt.dialects.npu.values import element_type_of, integer_range, is_narrow_float, shape_of, tensor_type
from npu_opt.interpreter.elements import Array, is_integer_type, store
from npu_opt.layout import DYNAMIC
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, BlockArgument, Region, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import VerifyException

from .sample_source import Range, SampleSource, Want
from .samplers import new_op

MOST_TRIES = 200


@dataclass(frozen=True)
class SampledOp:
    """A function of one op, whose operands are its arguments and whose results it returns."""

    module: ModuleOp
    op: NpuOp
    ranges: tuple[Range | None, ...]
    """The range of numbers for each operand."""

    @property
    def has_narrow_floats(self) -> bool:
        """True if a value has floats of 8 bits or fewer, which few engines run."""
        return any(is_narrow_float(element_type_of(value)) for value in (*self.op.operands, *self.op.results))

    def inputs(self, seed: int = 0) -> list[Array]:
        """Numbers for the operands, the same for the same seed."""
        generator = np.random.default_rng(seed)
        return [
            random_numbers(generator, shape_of(operand), element_type_of(operand), values)
            for operand, values in zip(self.op.operands, self.ranges, strict=True)
        ]


def random_numbers(
    generator: np.random.Generator, shape: tuple[int, ...], element: Attribute, values: Range | None
) -> Array:
    """Numbers of an element type: floats are normally distributed where no range is given."""
    if is_integer_type(element):
        low, high = (0, 1) if element.bitwidth == 1 else integer_range(element)
        low, high = (values.low, values.high) if values else (max(low, -100), min(high, 100))
        return store(np.asarray(generator.integers(int(low), int(high), shape, endpoint=True)), element)
    numbers = generator.uniform(values.low, values.high, shape) if values else generator.standard_normal(shape)
    return store(np.asarray(numbers), element)


class Arguments(SampleSource):
    """A source whose operands are new arguments."""

    def __init__(self, rng: Random, coloured: bool, block: Block):
        super().__init__(rng, coloured)
        self.block = block
        self.ranges: list[Range | None] = []

    def some(self, want: Want) -> BlockArgument:
        return self.given(self.type_for(want), want.values)

    def given(self, type_: TensorType, values: Range | None = None, steady: bool = False) -> BlockArgument:
        self.ranges.append(values)
        return self.block.insert_arg(type_, len(self.block.args))


def sample(op_class: type[NpuOp], rng: Random, coloured: bool = True) -> SampledOp:
    """A random instance of an op. Ops that need layouts have them in any case."""
    for attempt in range(MOST_TRIES):
        # The operands of a failed attempt are discarded.
        samples = Arguments(rng, coloured or attempt > MOST_TRIES // 2, Block())
        op = new_op(op_class, samples)
        if op is not None:
            return _alone(op, samples)
    raise ValueError(f"no instance of {op_class.name} came about")


def _alone(op: NpuOp, samples: Arguments) -> SampledOp:
    block = samples.block
    ranges: dict[SSAValue, Range | None] = {
        argument: values for argument, values in zip(block.args, samples.ranges, strict=True)
    }
    unused = [argument for argument in block.args if not argument.uses.get_length()]
    for argument in unused:
        block.erase_arg(argument)
    block.add_ops([op, ReturnOp(*op.results)])
    types = [argument.type for argument in block.args], [result.type for result in op.results]
    module = ModuleOp([FuncOp("main", types, Region(block))])
    return SampledOp(module, op, tuple(ranges[operand] for operand in op.operands))


def loosened(module: ModuleOp, rng: Random) -> ModuleOp | None:
    """The function of one op with some dynamic sizes; None if the op does not allow that."""
    loose = module.clone()
    (function,) = (op for op in loose.ops if isinstance(op, FuncOp))
    values = [*function.body.block.args, *(result for op in function.body.block.ops for result in op.results)]
    for value in values:
        sizes = [DYNAMIC if size > 1 and rng.random() < 0.4 else size for size in shape_of(value)]
        if not isinstance(value.owner, ConstantOp):
            type_ = TensorType(element_type_of(value), sizes, tensor_type(value).encoding)
            Rewriter.replace_value_with_new_type(value, type_)
    function.update_function_type()
    try:
        loose.verify()
    except VerifyException:
        return None
    return loose
