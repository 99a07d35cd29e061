"""Programs of one op that differ in one place: a property, the order of operands, or an operand that is another one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from npu_opt.dialects.npu.attrs import i64_attr
from npu_opt.dialects.npu.axes import numbers_of
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.source import ConstantOp
from npu_opt.dialects.npu.values import element_type_of, tensor_type
from npu_opt.interpreter.elements import Array
from xdsl.dialects.builtin import DenseArrayBase, FloatAttr, IntegerAttr, ModuleOp, UnitAttr, f64, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import VerifyException

from .ops.source import packed
from .sample_source import F32, F64, I1, I8, I32, I64, UI8
from .samplers import attribute_of, constant_data
from .samples import SampledOp, sample

SEGMENTS = "operandSegmentSizes", "resultSegmentSizes"
DONORS = 6
"""The number of instances of an op from which a mutant takes the value of a property."""
IN_CONSTANTS = F32, F64, I1, I8, I32, I64, UI8
RUNS = 3


@dataclass(frozen=True)
class OpMutants:
    """A program of one op, numbers for its arguments, and other programs that take the same arguments."""

    module: ModuleOp
    inputs: Sequence[Sequence[Array]]
    others: Sequence[tuple[str, ModuleOp]]


def op_mutants(op_class: type[NpuOp], seed: int, most: int) -> OpMutants:
    """A random instance of an op, some of whose operands are constants, and up to so many valid mutants of it."""
    rng = Random(seed)
    made = sample(op_class, rng, coloured=seed % 3 != 0)
    donors = [sample(op_class, rng, coloured=seed % 3 != 0).op for _ in range(DONORS)]
    inputs = [dict(zip(made.op.operands, made.inputs(each), strict=True)) for each in range(RUNS)]
    block = _main(made.module).body.block
    for argument in [*block.args]:
        element = element_type_of(argument)
        if element in IN_CONSTANTS and rng.random() < 0.4:
            data = constant_data(tensor_type(argument), packed(inputs[0][argument], element))
            Rewriter.insert_op(constant := ConstantOp(data), InsertPoint.at_start(block))
            argument.replace_all_uses_with(constant.result)
            block.erase_arg(argument)
    _main(made.module).update_function_type()
    names = [[numbers[argument] for argument in block.args] for numbers in inputs]
    return OpMutants(made.module, names, [*_others(made, donors, rng, most)])


def _main(module: ModuleOp) -> FuncOp:
    return next(op for op in module.ops if isinstance(op, FuncOp))


def _others(made: SampledOp, donors: Sequence[NpuOp], rng: Random, most: int) -> Iterator[tuple[str, ModuleOp]]:
    """The valid mutants, in random order."""
    place = [*made.module.walk()].index(made.op)
    changes = [*_properties(made.op, donors), *_exchanges(made.op)]
    rng.shuffle(changes)
    for name, value in changes:
        mutant = made.module.clone()
        op = [*mutant.walk()][place]
        if isinstance(value, tuple):
            op.operands[value[0]], op.operands[value[1]] = op.operands[value[1]], op.operands[value[0]]
        elif value is None:
            del op.properties[name]
        else:
            op.properties[name] = value
        try:
            mutant.verify()
        except VerifyException:
            continue
        yield f"{name} = {value}", mutant
        most -= 1
        if not most:
            return


def _properties(op: NpuOp, donors: Sequence[NpuOp]) -> Iterator[tuple[str, Attribute | None]]:
    """Other values of each property, most of them from other instances; None removes it."""
    for name in type(op).get_irdl_definition().properties:
        if name in SEGMENTS or name == "value":
            continue
        given = op.properties.get(name)
        values = [each.properties.get(name) for each in donors]
        values += [*_near(given)] if given is not None else []
        yield from ((name, value) for value in dict.fromkeys(values) if value != given)


def _near(value: Attribute) -> Iterator[Attribute | None]:
    match value:
        case UnitAttr():
            yield None
        case IntegerAttr():
            (number,) = numbers_of(value)
            yield from (i64_attr(each) for each in (number + 1, number - 1, 2 * number, 0))
        case FloatAttr():
            yield from (FloatAttr(each, f64) for each in (2 * value.value.data, 0.5, -value.value.data))
        case DenseArrayBase() if value.elt_type == i64:
            numbers = numbers_of(value)
            yield attribute_of(numbers[::-1])
            yield from (
                attribute_of([*numbers[:index], numbers[index] + step, *numbers[index + 1 :]])
                for index in range(len(numbers))
                for step in (1, -1)
            )
        case _:
            return


def _exchanges(op: NpuOp) -> Iterator[tuple[str, tuple[int, int]]]:
    """Pairs of different operands of one type."""
    for index, one in enumerate(op.operands):
        for other in range(index):
            if op.operands[other].type == one.type and op.operands[other] is not one:
                yield "operands", (other, index)
