"""Check with numbers that the relayouts of a sampled op compute the same."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations
from math import factorial
from random import Random

import numpy as np
from npu_opt.dialects.npu.attention import HeadsOp
from npu_opt.dialects.npu.axes import MatmulFreedom, Orders, Relayout, agree
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.linear import LinearOp
from npu_opt.dialects.npu.relayout import apply_relayout, stored_in
from npu_opt.dialects.npu.values import element_type_of, order_of_value
from npu_opt.interpreter import InterpreterError, evaluate
from npu_opt.interpreter.elements import Array
from npu_opt.layout import Order, identity, permutation_between, unpermute
from xdsl.dialects.func import FuncOp
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import VerifyException

from ..oracles.vendor_meanings import VENDOR
from .numbers import close, magnitude
from .relayout_reasons import reason
from .samples import SampledOp

FREEDOMS = tuple(MatmulFreedom.NAMED.values())
HIGHEST_RANK = 5
"""Only some permutations of tensors of a higher rank are tried."""
MOST_OF_HIGHER_RANK = 120

Request = tuple[Orders, Orders]
"""The requested orders, of operands and of results."""


class WrongRelayout(Exception):
    """An op that computes something else after a relayout."""


def with_relayout(sample: SampledOp, relayout: Relayout) -> NpuOp:
    """The op in a program of its own, rewritten by the relayout."""
    function = next(op for op in sample.module.clone().ops if isinstance(op, FuncOp))
    op = function.body.block.first_op
    assert isinstance(op, NpuOp)
    for place, order in zip(_sequence(relayout), relayout.operands, strict=True):
        operand = op.operands[place]
        Rewriter.replace_value_with_new_type(operand, stored_in(operand, order))
    new = apply_relayout(op, relayout)
    assert isinstance(new, NpuOp)
    return new


class Relayouts:
    """The relayouts of one sampled op, checked against the op."""

    def __init__(self, sample: SampledOp, seed: int = 0):
        self.sample = sample
        op = sample.op
        self.operand_orders = [order_of_value(value) for value in op.operands]
        self.result_orders = [order_of_value(value) for value in op.results]
        self.inputs = sample.inputs(seed)
        self.results = evaluate(op, self.inputs, VENDOR)
        largest = magnitude(self.inputs)
        self.scale = max(largest * largest, magnitude(self.results))

    def nothing(self) -> tuple[list[Order | None], list[Order | None]]:
        """A request without orders."""
        return [None] * len(self.operand_orders), [None] * len(self.result_orders)

    def requests(self, rng: Random, most: int | None = None) -> list[Request]:
        """Each operand and result in every other order, or `most` such requests."""
        requests: list[Request] = [self.nothing()]
        for index, order in enumerate((*self.operand_orders, *self.result_orders)):
            orders = list(_all_orders(len(order), rng))
            for wanted in orders if most is None else rng.sample(orders, min(most, len(orders))):
                operands, results = self.nothing()
                if index < len(operands):
                    operands[index] = wanted
                else:
                    results[index - len(operands)] = wanted
                requests.append((operands, results))
        return requests

    def answers(self, request: Request, matmul: MatmulFreedom) -> list[Relayout]:
        """The relayouts for a request, all checked."""
        operands, results = request
        answers = self.sample.op.relayouts_within(operands, results, matmul)
        for relayout in answers:
            self.check(request, relayout)
        return answers

    def try_all(self, rng: Random, most: int | None = None) -> Counter[str]:
        """Check the relayouts for all requests. Returns their number, and the reasons where there were none."""
        found: Counter[str] = Counter()
        requests = self.requests(rng, most)
        for matmul in FREEDOMS if isinstance(self.sample.op, LinearOp | HeadsOp) else FREEDOMS[:1]:
            for request in requests:
                answers = self.answers(request, matmul)
                found["relayouts"] += len(answers)
                if answers:
                    self._ask_again(rng.choice(answers), matmul)
                    continue
                why = reason(self.sample.op, *request, matmul)
                if why is None:
                    raise WrongRelayout(f"{self.sample.op}: no relayout for {request} where matmul is {matmul.text}")
                found[why] += 1
        return found

    def _ask_again(self, relayout: Relayout, matmul: MatmulFreedom) -> None:
        """The relayout of a request is also found if its orders are requested explicitly."""
        operands = unpermute(relayout.operands, _sequence(relayout))
        if relayout not in self.sample.op.relayouts_within(operands, relayout.results, matmul):
            raise WrongRelayout(f"{self._about(relayout)}: not among the answers when asked for")

    def check(self, request: Request, relayout: Relayout) -> None:
        """Raise if the relayout does not meet the request or does not compute the same."""
        sequence = _sequence(relayout)
        given = unpermute(relayout.operands, sequence)
        if not (agree(request[0], given) and agree(request[1], relayout.results)):
            raise WrongRelayout(f"{self._about(relayout)}: not what was asked for: {request}")
        try:
            op = with_relayout(self.sample, relayout)
            op.verify()
            found = evaluate(op, self._stored(sequence, relayout.operands), VENDOR)
        except (VerifyException, InterpreterError, ValueError, IndexError) as error:
            raise WrongRelayout(f"{self._about(relayout)}: {type(error).__name__}: {error}") from error
        expected = [
            np.transpose(array, permutation_between(old, new))
            for array, old, new in zip(self.results, self.result_orders, relayout.results, strict=True)
        ]
        for index, (one, other, value) in enumerate(zip(found, expected, op.results, strict=True)):
            if order_of_value(value) != relayout.results[index]:
                raise WrongRelayout(f"{self._about(relayout)}: result {index} is in order {order_of_value(value)}")
            if not close(one, other, element_type_of(value), self.scale):
                raise WrongRelayout(f"{self._about(relayout)}: result {index} has other numbers")

    def _stored(self, sequence: Sequence[int], orders: Sequence[Order]) -> list[Array]:
        return [
            np.transpose(self.inputs[index], permutation_between(self.operand_orders[index], order))
            for index, order in zip(sequence, orders, strict=True)
        ]

    def _about(self, relayout: Relayout) -> str:
        return f"{self.sample.op} as {relayout}"


def _sequence(relayout: Relayout) -> Order:
    return relayout.operand_permutation or identity(len(relayout.operands))


def _all_orders(rank: int, rng: Random) -> Iterator[Order]:
    if rank <= HIGHEST_RANK:
        yield from permutations(range(rank))
        return
    for _ in range(min(MOST_OF_HIGHER_RANK, factorial(rank))):
        yield tuple(rng.sample(range(rank), rank))
