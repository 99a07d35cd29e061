"""A smallest set of ops, inputs, outputs and ties that no choice of layouts satisfies, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from time import monotonic

from ...passes.optimal.solve.in_whole_numbers import solve_in_whole_numbers
from ...passes.optimal.solve.potentials import Potentials
from ...passes.optimal.solve.problem import Access, StorageTerm
from ..reduce.minimum import needed
from .numbers import NumberedOp, NumberedProblem, OpOrigin, of_ops
from .problem import TensorEntry, TupleEntry

MOST_SHOWN = 4
"""The number of layouts, pairs or tuples that a sentence names."""
MOST_SENTENCES = 40
SWEEPS = 4
MOST_SECONDS = 10.0
"""The time in which ops are left out, at most."""


def contradiction(found: NumberedProblem, time_limit: float) -> Sequence[str]:
    """Sentences about ops that contradict each other, of which none can be left out.

    Where the time ends before that is known of each op, the rest are left in.
    """
    end = monotonic() + min(time_limit, MOST_SECONDS)
    tensors = {each.name: replace(each, weight=0) for each in found.tensors}
    ops = [_without_costs(op) for op in found.ops]

    def contradicts(some: Sequence[NumberedOp]) -> bool:
        if (left := end - monotonic()) <= 0:
            return False
        numbers = of_ops(tensors, some)
        return solve_in_whole_numbers(numbers.problem, numbers.most, left, _say_nothing).bound > numbers.most

    near = _in_the_proof(of_ops(tensors, ops))
    sentences = [*_sentences(of_ops(tensors, needed(near if contradicts(near) else ops, contradicts)))]
    more = len(sentences) - MOST_SENTENCES
    return sentences if more <= 0 else [*sentences[:MOST_SENTENCES], f"{more} more of this kind"]


def _say_nothing(_bound: int, _cost: int) -> None:
    """Progress that nobody sees."""


def _without_costs(op: NumberedOp) -> NumberedOp:
    tuples = dict.fromkeys((tuple(each.operands), tuple(each.results)) for each in op.entry.tuples)
    modes = [TupleEntry(operands, results, 0) for operands, results in tuples]
    return replace(op, entry=replace(op.entry, tuples=modes))


def _in_the_proof(numbers: NumberedProblem) -> Sequence[NumberedOp]:
    """The ops whose potentials prove that no choice is possible; if they prove it, few of a long program."""
    potentials = Potentials(numbers.problem, numbers.most)
    for _ in range(SWEEPS):
        for forward in (True, False):
            potentials.sweep(forward)
            if potentials.bound > numbers.most:
                return [numbers.ops[op] for op in potentials.ops_in_use()]
    return numbers.ops


def _sentences(numbers: NumberedProblem) -> Iterator[str]:
    uses = dict[int, int]()
    for tensor, term in zip(numbers.tensors, numbers.problem.storages, strict=True):
        if term.readers and (pairs := _impossible(term, numbers.most)):
            used = [_written(numbers, tensor, term.producer), *(_read(numbers, access) for access in term.readers)]
            missing = [f"from {given} to {wanted}" for given, wanted in pairs]
            yield f"tensor '{tensor.name}' is {_listed(used, 'and')}: no conversion leads {_listed(missing, 'or')}"
            for op in {access.op for access in (term.producer, *term.readers) if isinstance(access, Access)}:
                uses[op] = uses.get(op, 0) + 1
    for op, count in sorted(uses.items()):
        entry = numbers.ops[op].entry
        if count > 1 and len(entry.tuples) > 1:
            tuples = [f"({', '.join(each.operands)}) -> ({', '.join(each.results)})" for each in entry.tuples]
            yield f"{_name(numbers.ops[op])} runs as {_listed(tuples, 'or')}"


def _impossible(term: StorageTerm, most: int) -> Sequence[tuple[str, str]]:
    producer = term.producer
    given = producer.byte_orders if isinstance(producer, Access) else (producer,)
    wanted = dict.fromkeys(layout for reader in term.readers for layout in reader.byte_orders)
    pairs = ((one, other) for one in dict.fromkeys(given) for other in wanted)
    return [(str(one), str(other)) for one, other in pairs if term.price(one, other) > most]


def _written(numbers: NumberedProblem, tensor: TensorEntry, producer: object) -> str:
    if not isinstance(producer, Access):
        return f"given as {tensor.given}"
    layouts, op = _layouts(producer), numbers.ops[producer.op]
    if op.origin is OpOrigin.INPUT:
        return f"given as {layouts}"
    return f"{'given' if op.origin is OpOrigin.TIE else 'written'} as {layouts} by {_name(op)}"


def _read(numbers: NumberedProblem, access: Access) -> str:
    op = numbers.ops[access.op]
    if op.origin is OpOrigin.OUTPUT:
        return f"required as {_layouts(access)}"
    return f"{'stored' if op.origin is OpOrigin.TIE else 'read'} as {_layouts(access)} by {_name(op)}"


def _name(op: NumberedOp) -> str:
    return f"the tie {op.entry.name}" if op.origin is OpOrigin.TIE else f"op '{op.entry.name}'"


def _layouts(access: Access) -> str:
    return _listed([str(layout) for layout in dict.fromkeys(access.byte_orders)], "or")


def _listed(texts: Sequence[str], word: str) -> str:
    """Texts with commas and a last word; of many the first ones."""
    shown = [*texts[:MOST_SHOWN]]
    if len(texts) > len(shown):
        shown.append(f"{len(texts) - len(shown)} more")
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} {word} {shown[-1]}"
