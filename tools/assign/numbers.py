"""The problem of `--assign` in numbers: that of `layout-optimal`, with an op for each input, output and tie as well."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from ...passes.optimal.solve.potentials import largest_cost
from ...passes.optimal.solve.price_table import PriceTable, TablePrices
from ...passes.optimal.solve.problem import Access, Prices, Problem, StorageTerm
from .problem import AssignProblem, OpEntry, TensorEntry, TupleEntry


class OpOrigin(Enum):
    """The origin of an op."""

    OP = "op"
    INPUT = "input"
    OUTPUT = "output"
    TIE = "tie"


@dataclass(frozen=True)
class NumberedOp:
    """An op of the problem in numbers; each tuple is a mode."""

    origin: OpOrigin
    entry: OpEntry

    def access(self, names: Sequence[str], name: str) -> Iterator[Sequence[str]]:
        """The layouts of a tensor in all tuples, once for each place in which it is."""
        reads = names is self.entry.operands
        for place, each in enumerate(names):
            if each == name:
                yield tuple([(mode.operands if reads else mode.results)[place] for mode in self.entry.tuples])


@dataclass(frozen=True)
class NumberedProblem:
    """A problem in numbers, with the names of its storages and ops."""

    problem: Problem
    most: int
    """A cost that no choice without impossible conversions exceeds."""
    tensors: Sequence[TensorEntry]
    """The tensor of each storage."""
    ops: Sequence[NumberedOp]
    readers: Sequence[Sequence[int]]
    """For each storage the op of each reader."""


def numbered(problem: AssignProblem) -> NumberedProblem:
    """The problem in numbers."""
    return of_ops(problem.tensors, [*_all_ops(problem)])


def of_ops(tensors: Mapping[str, TensorEntry], ops: Sequence[NumberedOp]) -> NumberedProblem:
    """The problem of some ops, and of the tensors that they use. A tensor that none of them writes, and that nobody
    gives, costs nothing."""
    written = {name: number for number, op in enumerate(ops) for name in op.entry.results}
    read: dict[str, dict[int, None]] = {}
    for number, op in enumerate(ops):
        for name in op.entry.operands:
            read.setdefault(name, {})[number] = None
    used = [each for name, each in tensors.items() if name in written or (name in read and each.given is not None)]
    prices = {
        number: [each.cost for each in op.entry.tuples]
        for number, op in enumerate(ops)
        if any(each.cost for each in op.entry.tuples)
    }
    modes = [len(op.entry.tuples) for op in ops]

    def storage(tensor: TensorEntry, impossible: int) -> StorageTerm:
        name, number = tensor.name, written.get(tensor.name)
        if number is None:
            producer = tensor.given
        else:
            (made,) = ops[number].access(ops[number].entry.results, name)
            producer = Access(number, made)
        readers = [
            Access(op, layouts) for op in read.get(name, ()) for layouts in ops[op].access(ops[op].entry.operands, name)
        ]
        return StorageTerm(_weight(tensor, impossible), producer, readers)

    # Impossible conversions cost nothing here, and then more than everything else together.
    most = largest_cost(Problem(modes, [storage(each, 0) for each in used], prices))
    storages = [storage(each, most + 1) for each in used]
    has_prices = any(callable(each.weight) for each in storages)
    readers = [[each.op for each in term.readers] for term in storages]
    return NumberedProblem(Problem(modes, storages, prices, has_prices), most, used, ops, readers)


def _weight(tensor: TensorEntry, impossible: int) -> int | Prices:
    match tensor.conversion:
        case None:
            return impossible
        case PriceTable() as table:
            return TablePrices(table, tensor.weight, impossible)
        case price:
            return price * tensor.weight


def _all_ops(problem: AssignProblem) -> Iterator[NumberedOp]:
    """An op for each tie and free input, the ops, and one for each output."""
    written = {name for op in problem.ops for name in op.results}
    tied = {name for tie in problem.ties for name in tie.tensors}
    for tie in problem.ties:
        # Ends that an op writes are read at the end, the others are written before all ops.
        operands = [name for name in tie.tensors if name in written]
        results = [name for name in tie.tensors if name not in written]
        tuples = [TupleEntry([each] * len(operands), [each] * len(results), 0) for each in tie.layouts]
        yield NumberedOp(OpOrigin.TIE, OpEntry(" = ".join(tie.tensors), operands, results, tuples))
    for name, tensor in problem.tensors.items():
        if name not in written and name not in tied and tensor.given is None:
            tuples = [TupleEntry([], [layout], 0) for layout in tensor.layouts or ()]
            yield NumberedOp(OpOrigin.INPUT, OpEntry(name, [], [name], tuples))
    yield from (NumberedOp(OpOrigin.OP, op) for op in problem.ops)
    for name, tensor in problem.tensors.items():
        if tensor.required is not None and name not in tied:
            yield NumberedOp(OpOrigin.OUTPUT, OpEntry(name, [name], [], [TupleEntry([tensor.required], [], 0)]))
