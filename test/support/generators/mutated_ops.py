"""Programs of one op that differ in one place: a property, the order of operands, or that of axes of one size."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from random import Random
from typing import TypeAlias

from npu_opt.dialects.npu.attrs import i64_attr
from npu_opt.dialects.npu.axes import numbers_of
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.shape import TransposeOp
from npu_opt.dialects.npu.source import ConstantOp
from npu_opt.dialects.npu.values import element_type_of, rank_of, shape_of, tensor_type
from npu_opt.interpreter.elements import Array
from xdsl.dialects.builtin import DenseArrayBase, FloatAttr, IntegerAttr, ModuleOp, UnitAttr, f64, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import VerifyException

from .ops.source import packed
from .sample_source import F32, F64, I1, I8, I32, I64, UI8
from .samplers import attribute_of, constant_data, made
from .samples import loosened, sample

SEGMENTS = "operandSegmentSizes", "resultSegmentSizes"
DONORS = 6
"""The number of instances of an op from which a mutant takes the value of a property."""
IN_CONSTANTS = F32, F64, I1, I8, I32, I64, UI8
RUNS = 3
Change: TypeAlias = Callable[[Operation], None]


@dataclass(frozen=True)
class OpMutants:
    """A program of one op, numbers for its arguments, and other programs that take the same arguments."""

    module: ModuleOp
    inputs: Sequence[Sequence[Array]]
    others: Sequence[tuple[str, ModuleOp]]


def op_mutants(op_class: type[NpuOp], seed: int, most: int) -> OpMutants:
    """A random instance of an op, some of whose operands are constants, and up to so many valid mutants of it."""
    rng = Random(seed)
    sampled = sample(op_class, rng, coloured=seed % 3 != 0)
    donors = [sample(op_class, rng, coloured=seed % 3 != 0).op for _ in range(DONORS)]
    inputs = [dict(zip(sampled.op.operands, sampled.inputs(each), strict=True)) for each in range(RUNS)]
    block = _main(sampled.module).body.block
    for argument in [*block.args]:
        element = element_type_of(argument)
        if element in IN_CONSTANTS and rng.random() < 0.4:
            data = constant_data(tensor_type(argument), packed(inputs[0][argument], element))
            Rewriter.insert_op(constant := ConstantOp(data), InsertPoint.at_start(block))
            argument.replace_all_uses_with(constant.result)
            block.erase_arg(argument)
    _main(sampled.module).update_function_type()
    names = [[numbers[argument] for argument in block.args] for numbers in inputs]
    place = [*sampled.module.walk()].index(sampled.op)
    module = (rng.random() < 0.3 and loosened(sampled.module, rng)) or sampled.module
    return OpMutants(module, names, [*_others(module, place, donors, rng, most)])


def _main(module: ModuleOp) -> FuncOp:
    return next(op for op in module.ops if isinstance(op, FuncOp))


def _others(
    module: ModuleOp, place: int, donors: Sequence[NpuOp], rng: Random, most: int
) -> Iterator[tuple[str, ModuleOp]]:
    """The valid mutants of the op at a place, in random order."""
    given = [*module.walk()][place]
    assert isinstance(given, NpuOp)
    changes = [*_properties(given, donors), *_exchanges(given), *_other_axes(given, rng)]
    rng.shuffle(changes)
    for name, change in changes:
        mutant = module.clone()
        change([*mutant.walk()][place])
        try:
            mutant.verify()
        except VerifyException:
            continue
        yield name, mutant
        most -= 1
        if not most:
            return


def _properties(op: NpuOp, donors: Sequence[NpuOp]) -> Iterator[tuple[str, Change]]:
    """Other values of each property, most of them from other instances; None removes it."""
    for name in type(op).get_irdl_definition().properties:
        if name in SEGMENTS or name == "value":
            continue
        given = op.properties.get(name)
        values = [each.properties.get(name) for each in donors]
        values += [*_near(given)] if given is not None else []
        for value in dict.fromkeys(values):
            if value != given:
                yield f"{name} = {value}", partial(_set, name, value)


def _set(name: str, value: Attribute | None, op: Operation) -> None:
    op.properties.pop(name, None)
    if value is not None:
        op.properties[name] = value


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


def _exchanges(op: NpuOp) -> Iterator[tuple[str, Change]]:
    """Pairs of different operands of one type."""
    for index, one in enumerate(op.operands):
        for other in range(index):
            if op.operands[other].type == one.type and op.operands[other] is not one:
                yield f"operands {other} and {index}", partial(_exchange, other, index)


def _exchange(one: int, other: int, op: Operation) -> None:
    op.operands[one], op.operands[other] = op.operands[other], op.operands[one]


def _other_axes(op: NpuOp, rng: Random) -> Iterator[tuple[str, Change]]:
    """Two axes of one size exchanged in one value, or in several that have them."""
    values = [*op.operands, *op.results]
    for pair in combinations(range(max(map(rank_of, values), default=0)), 2):
        having = [index for index, value in enumerate(values) if _have_one_size(value, pair)]
        ways = {(index,) for index in having} | {tuple(having)}
        if having:
            ways.add(tuple(sorted(rng.sample(having, rng.randint(1, len(having))))))
        for way in sorted(ways - {()}):
            yield f"axes {pair} of values {way}", partial(_exchange_axes, pair, way)


def _have_one_size(value: SSAValue, pair: tuple[int, int]) -> bool:
    sizes = shape_of(value)
    return pair[1] < len(sizes) and sizes[pair[0]] == sizes[pair[1]] not in (0, 1)


def _exchange_axes(pair: tuple[int, int], way: Sequence[int], op: Operation) -> None:
    count = len(op.operands)
    for index in way:
        value = op.operands[index] if index < count else op.results[index - count]
        order = list(range(rank_of(value)))
        order[pair[0]], order[pair[1]] = pair[1], pair[0]
        moved = made(TransposeOp, [value], [tensor_type(value)], permutation=order)
        if index < count:
            Rewriter.insert_op(moved, InsertPoint.before(op))
            op.operands[index] = moved.results[0]
        else:
            Rewriter.insert_op(moved, InsertPoint.after(op))
            value.replace_uses_with_if(moved.results[0], lambda use, moved=moved: use.operation is not moved)
