"""Arguments and results in other orders: the types, the transposes at the border, and the notes in the program."""

import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from xdsl.dialects.builtin import LocationAttr, ModuleOp, NameLoc, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ....compat.xdsl import retype
from ....dialects.notes.interfaces import InterfaceValue, interface_of
from ....dialects.notes.ties import tie_names
from ....dialects.npu.relayout import stored_in
from ....dialects.npu.shape import AnyTransposeOp, RelabelOp, ShapeOp, TransposeOp
from ....dialects.npu.values import encoding, order_of_value, tensor_type
from ....dialects.program.symbols import is_private
from ....layout import MAX_RANK, Layout, Order, compose, identity, invert, permutation_between, permute
from .interface_choice import Freedom, Interface

MayHave = Callable[[SSAValue, Order], bool]
"""True if the hardware can store a value in an order."""


@contextmanager
def noted_interfaces(module: ModuleOp) -> Generator[None]:
    """Note which arguments and results have another order at the end, in the program and on standard error.

    Those of private functions are nobody's but the program's.
    """
    functions = [op for op in module.walk() if isinstance(op, FuncOp)]
    before = [(value, encoding(value.type)) for function in functions for value in interface_of(function)]
    yield
    changed = [(value, was, now) for value, was in before if (now := encoding(value.type)) != was and was and now]
    is_one = len({value.function for value, _, _ in changed if not is_private(value.function)}) == 1
    for value, was, now in changed:
        permutation = permutation_between(was.order_for(value.rank), now.order_for(value.rank))
        if is_private(value.function):
            value.move_dims(permutation)
            continue
        value.note_move(permutation, now)
        function = "" if is_one else f"@{value.function.sym_name.data}:"
        print(f"interface: {function}{value.name} is stored as {value.note or now}", file=sys.stderr)


def store_as_named(interface: Interface, pass_name: str) -> None:
    """Store arguments and results in the layouts that were chosen for them, with transposes at the border."""
    for value, wanted in interface.items():
        if isinstance(wanted, Layout):
            store_in(value, wanted.order_for(value.rank), pass_name)


def absorb_border_transposes(
    interface: Interface, pass_name: str, may_have: MayHave = lambda value, order: True
) -> None:
    """Let free arguments and results take the order behind the transposes that do nothing but change theirs.

    Those that are tied to others stay: only `layout-optimal` finds the order that serves all of them.
    """
    free = [end for end, wanted in interface.items() if wanted is Freedom.FREE]
    # A value may be argument and result, and arguments come first.
    for end in sorted(free, key=lambda end: not end.is_argument):
        value = end.value
        order = None if value is None or tie_names(end) else _order_inside(value, end.is_argument)
        if value is not None and order is not None and len(order) <= MAX_RANK and may_have(value, order):
            store_in(end, order, pass_name)


def join_named_values(interface: Interface) -> None:
    """Let ops read and make arguments and results of named layouts directly, if the transposes between cancel out."""
    for end in (end for end, wanted in interface.items() if isinstance(wanted, Layout)):
        value, no_move = end.value, identity(end.rank)
        assert value is not None
        if not end.is_argument:
            _return_from_above(end.function.get_return_op(), end.index, value.type, no_move, end.function.location)
        elif isinstance(value, BlockArgument):
            transposes = list(_transposes_below(value))
            _connect(value, [read for read in _reads(value, no_move) if read.permutation == no_move], value.location)
            _erase_unused(transposes)


def store_in(end: InterfaceValue, order: Order, pass_name: str) -> None:
    """Store an argument or result in another order."""
    value = end.value
    assert value is not None
    if order == order_of_value(value):
        return
    reason = f"{pass_name}: {end.name} is stored as {_layout(value).with_order(order)}"
    location = NameLoc(StringAttr(reason), end.function.location)
    if isinstance(value, BlockArgument) and end.is_argument:
        _store_argument(value, order, location)
    else:
        _store_result(end.function.get_return_op(), end.index, order, location)
    end.function.update_function_type()


def _layout(value: SSAValue) -> Layout:
    layout = encoding(value.type)
    assert layout is not None
    return layout


class _Read(NamedTuple):
    """An operand that shows an argument through transposes only."""

    op: Operation
    operand: int
    permutation: Order
    """The argument's dimension at each dimension of the operand."""
    type: Attribute


def _reads(value: SSAValue, permutation: Order) -> Iterator[_Read]:
    """The operands that show a value, through any number of transposes."""
    waiting = deque([(value, permutation)])
    while waiting:
        value, permutation = waiting.popleft()
        for use in value.uses:
            op = use.operation
            if isinstance(op, AnyTransposeOp):
                waiting.append((op.result, compose(permutation, op.moved())))
            else:
                yield _Read(op, use.index, permutation, value.type)


def _order_inside(value: SSAValue, is_argument: bool) -> Order | None:
    """The order of an argument or result on the other side of its transposes; None if there is no single one."""
    order = order_of_value(value)
    if is_argument:
        found = {read.permutation for read in _reads(value, identity(len(order)))}
        return permute(order, found.pop()) if len(found) == 1 else None
    if not all(isinstance(use.operation, ReturnOp) for use in value.uses):
        return None
    *_, (_, permutation) = _above(value)
    return permute(order, invert(permutation))


def _above(value: SSAValue) -> Iterator[tuple[SSAValue, Order]]:
    """A value and those that it transposes, with their dimension at each of its dimensions."""
    permutation = identity(len(order_of_value(value)))
    yield value, permutation
    while isinstance(value.owner, AnyTransposeOp):
        permutation = compose(value.owner.moved(), permutation)
        value = value.owner.input
        yield value, permutation


def _store_argument(argument: BlockArgument, order: Order, location: LocationAttr) -> None:
    old_type, old = tensor_type(argument), order_of_value(argument)
    moved = permutation_between(old, order)
    inside = [read for read in _reads(argument, identity(len(old))) if read.permutation == moved]
    transposes = list(_transposes_below(argument))
    retype(argument, stored_in(argument, order))
    back = TransposeOp(argument, invert(moved), old_type)
    _insert(back, InsertPoint.at_start(argument.block), argument, location)
    argument.replace_uses_with_if(back.result, lambda use: use.operation is not back)
    _connect(argument, inside, location)
    _erase_unused([back, *transposes])


def _connect(argument: BlockArgument, reads: Iterable[_Read], location: LocationAttr) -> None:
    """Let operands read an argument directly, under the types that they have."""
    views: dict[Attribute, SSAValue] = {argument.type: argument}
    for read in reads:
        if read.type not in views:
            relabel = RelabelOp(argument, read.type)
            _insert(relabel, InsertPoint.at_start(argument.block), argument, location)
            views[read.type] = relabel.result
        read.op.operands[read.operand] = views[read.type]


def _store_result(returned: ReturnOp | None, index: int, order: Order, location: LocationAttr) -> None:
    assert returned is not None
    value = returned.operands[index]
    moved, type_ = permutation_between(order_of_value(value), order), stored_in(value, order)
    if not _return_from_above(returned, index, type_, moved, location):
        transpose = TransposeOp(value, moved, type_)
        _insert(transpose, InsertPoint.before(returned), value, location)
        returned.operands[index] = transpose.result


def _return_from_above(
    returned: ReturnOp | None, index: int, type_: Attribute, moved: Order, location: LocationAttr
) -> bool:
    """Return a value from before some transposes, which undo a permutation; false if there is none."""
    assert returned is not None
    value = returned.operands[index]
    sources = [each for each, above in _above(value) if compose(above, moved) == identity(len(moved))]
    if not sources:
        return False
    source = sources[-1]
    if source.type != type_:
        relabel = RelabelOp(source, type_)
        _insert(relabel, InsertPoint.before(returned), value, location)
        source = relabel.result
    returned.operands[index] = source
    _erase_unused_above(value)
    return True


def _insert(op: ShapeOp, point: InsertPoint, named: SSAValue, location: LocationAttr) -> None:
    op.location = location
    op.result.name_hint = named.name_hint
    Rewriter.insert_op(op, point)


def _transposes_below(value: SSAValue) -> Iterator[AnyTransposeOp]:
    """The transposes that show a value through nothing but transposes, each behind those that it reads."""
    waiting = deque([value])
    while waiting:
        for use in waiting.popleft().uses:
            if isinstance(op := use.operation, AnyTransposeOp):
                yield op
                waiting.append(op.result)


def _erase_unused(transposes: Sequence[AnyTransposeOp]) -> None:
    """Erase those without uses; each is behind those that it reads."""
    for op in reversed(transposes):
        if op.result.first_use is None:
            op.detach()
            op.erase()


def _erase_unused_above(value: SSAValue) -> None:
    """Erase the transposes above a value that is not used any more."""
    while isinstance(op := value.owner, AnyTransposeOp) and value.first_use is None:
        value = op.input
        op.detach()
        op.erase()
