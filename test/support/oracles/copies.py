"""The least cost of programs in which ops may run twice: every set of ops and every way to share out their users.

Each program with copies is placed alone, by `layout-optimal` without second runs.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod
from pathlib import Path
from typing import NamedTuple

from npu_opt.dialects.npu.shape import ViewOp
from npu_opt.dialects.npu.values import element_type_of, shape_of
from npu_opt.passes.common.demands.target_cost import cost_on_target
from npu_opt.passes.common.graph.dead_ops import live_ops
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.passes.transmit.apply import transmit
from npu_opt.targets import load
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from support.generators.copied import SecondRun
from support.oracles.constants import further_orders
from support.oracles.prices import is_constant

BYTES = {"f32": 4, "f16": 2}
KIND_OF = {
    "npu.broadcast": "broadcast",
    "npu.slice": "slice",
    "npu.cast": "cast",
    "npu.relu": "elementwise",
    "npu.add": "elementwise",
}


class Prices(NamedTuple):
    """The prices that count beside those of conversions."""

    of_kind: Mapping[str, SecondRun]
    """The prices of second runs, by the name of the op or its kind."""
    constant: SecondRun | None
    """The price of each order of a constant beside the first; values that are computed of constants are such, too."""


Reader = tuple[Operation, int, tuple[ViewOp, ...]]
"""An op that is no view, the operand by which it reads a value, and the views between, the last one first."""


def least_with_copies(
    module: ModuleOp, target: Path, prices: Mapping[str, SecondRun], constant: SecondRun | None = None
) -> tuple[int, int]:
    """The least price of a program in thousandths, without copies and with them.

    `constant` is the price of each order of a constant beside the first.
    """
    coloured = module.clone()
    transmit(coloured)
    known: dict[str, int] = {}

    def placed(program: ModuleOp) -> int:
        text = str(program)
        if text not in known:
            copy = program.clone()
            LayoutOptimal(target=str(target), recompute=False).apply(Context(), copy)
            known[text] = cost_on_target(copy, load(str(target))).ticks + price_of_constants(copy, constant)
        return known[text]

    every = Prices(prices, constant)
    count = len([*_priced(coloured, every)])
    least = placed(coloured)
    without = least
    for chosen in product((False, True), repeat=count):
        if any(chosen):
            copies = sum(
                price for (_, price), is_copied in zip(_priced(coloured, every), chosen, strict=True) if is_copied
            )
            if copies < least:
                ops = [place for place, is_copied in enumerate(chosen) if is_copied]
                least = min([least, *(copies + placed(each) for each in _with_copies(coloured, every, ops[::-1]))])
    return without, least


def price_of_constants(module: ModuleOp, constant: SecondRun | None) -> int:
    """The price of all orders in which a program reads its constants, beside the first one of each."""
    if constant is None:
        return 0
    return sum(constant.written * size + constant.fixed for size in further_orders(module))


def _priced(module: ModuleOp, prices: Prices) -> Iterator[tuple[Operation, int]]:
    """The ops that may run twice, with the price of that."""
    for op in module.walk():
        kind = KIND_OF.get(op.name, "")
        # A cast is an elementwise op as well.
        kinds = (op.name, kind, "elementwise") if kind == "cast" else (op.name, kind)
        price = next((prices.of_kind[each] for each in kinds if each in prices.of_kind), None)
        if price is not None:
            read, written = (sum(map(_bytes, values)) for values in (op.operands, op.results))
            if all(map(is_constant, op.operands)):
                read, price = 0, prices.constant or SecondRun(0, 0, 0)
            yield op, price.read * read + price.written * written + price.fixed


def copies_in(
    module: ModuleOp, placed: ModuleOp, prices: Mapping[str, SecondRun], constant: SecondRun | None = None
) -> list[int]:
    """The prices of the second runs in a placed program: ops of a name and size that it has more of than before."""
    every = Prices(prices, constant)
    live = {each: live_ops(each) for each in (module, placed)}
    before, after = (
        Counter((op.name, price) for op, price in _priced(each, every) if op in known) for each, known in live.items()
    )
    return [price for _, price in (after - before).elements()]


def runs_more_than_twice(module: ModuleOp, placed: ModuleOp) -> bool:
    """True if some op has more than one copy; ops are known by their names in the program."""
    known = {result.name_hint for op in module.walk() for result in op.results if op.name in KIND_OF}
    runs = Counter(
        next((name for name in known if _is_of(result.name_hint, name)), None)
        for op in placed.walk()
        for result in op.results
        if op.name in KIND_OF
    )
    return max(runs.values(), default=0) > 2


def _is_of(name: str | None, known: str | None) -> bool:
    return name is not None and known is not None and (name == known or name.startswith(f"{known}_"))


def _bytes(value: SSAValue) -> int:
    return BYTES[str(element_type_of(value))] * prod(shape_of(value))


def _with_copies(module: ModuleOp, prices: Prices, places: Sequence[int]) -> Iterator[ModuleOp]:
    """The program with copies of some ops, users first, for each way to share out their users."""
    if not places:
        yield module
        return
    count = len([*_readers(_at(module, prices, places[0]))])
    for of_copy in product((False, True), repeat=max(count - 1, 0)):
        if any(of_copy):
            made = module.clone()
            op = _at(made, prices, places[0])
            readers = [*_readers(op)]
            copy = op.clone()
            assert op.parent is not None
            op.parent.insert_op_after(copy, op)
            # The first reader keeps the op: the other way round it is the same program.
            for reader, is_moved in zip(readers[1:], of_copy, strict=True):
                if is_moved:
                    _move(reader, copy)
            yield from _with_copies(made, prices, places[1:])


def _at(module: ModuleOp, prices: Prices, place: int) -> Operation:
    """One of the ops that may run twice; a copy is behind its op, and users are copied first."""
    return [op for op, _ in _priced(module, prices)][place]


def _readers(op: Operation) -> Iterator[Reader]:
    waiting: list[tuple[SSAValue, tuple[ViewOp, ...]]] = [(result, ()) for result in op.results]
    while waiting:
        value, views = waiting.pop()
        for use in value.uses:
            if isinstance(use.operation, ViewOp):
                waiting.append((use.operation.result, (use.operation, *views)))
            else:
                yield use.operation, use.index, views


def _move(reader: Reader, copy: Operation) -> None:
    """Let a reader read a copy, by views of its own."""
    op, operand, views = reader
    value: SSAValue = copy.results[0]
    for view in reversed(views):
        own = view.clone({view.input: value})
        assert view.parent is not None
        view.parent.insert_op_after(own, view)
        value = own.result
    op.operands[operand] = value
