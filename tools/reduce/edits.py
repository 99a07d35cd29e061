"""The ways to make a program smaller: each can leave out any of its items."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TypeAlias

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.traits import IsTerminator

from ...dialects.program.symbols import referred_names

Left: TypeAlias = Collection[int]
"""The items that are left out, by their numbers."""


class Edit(ABC):
    """A way to make a program smaller."""

    @abstractmethod
    def count(self, module: ModuleOp) -> int:
        """The number of items that could be left out of a program."""

    @abstractmethod
    def apply(self, module: ModuleOp, left: Left) -> None:
        """Leave items out, in place. The program may be invalid then."""


class DropTopLevel(Edit):
    """Leaves out functions, and what else a module has."""

    def count(self, module: ModuleOp) -> int:
        return len(module.body.block.ops)

    def apply(self, module: ModuleOp, left: Left) -> None:
        for number, op in enumerate([*module.body.block.ops]):
            if number in left:
                _erase(op)


class CutOps(Edit):
    """Leaves out ops of functions: what others read of them becomes an argument, what only they read a result."""

    def count(self, module: ModuleOp) -> int:
        return len(_ops_to_cut(module))

    def apply(self, module: ModuleOp, left: Left) -> None:
        ops = _ops_to_cut(module)
        cut = {op for number, op in enumerate(ops) if number in left}
        for function in dict.fromkeys(op.parent_op() for op in ops):
            assert isinstance(function, FuncOp)
            _cut(function, cut)


class BypassOps(Edit):
    """Leaves out ops without uses, and ops of which each result has the type of an operand, which takes its place."""

    def count(self, module: ModuleOp) -> int:
        return sum(1 for op in module.walk() if _can_be_bypassed(op))

    def apply(self, module: ModuleOp, left: Left) -> None:
        ops = [op for op in module.walk() if _can_be_bypassed(op)]
        for number in sorted(left, reverse=True):
            op = ops[number]
            for result in op.results:
                if result.first_use is not None:
                    result.replace_all_uses_with(_stand_in(op, result))
            _erase(op)


class DropResults(Edit):
    """Leaves out results of functions."""

    def count(self, module: ModuleOp) -> int:
        return sum(len(function.function_type.outputs) for function in _own_functions(module))

    def apply(self, module: ModuleOp, left: Left) -> None:
        number = 0
        for function in _own_functions(module):
            count = len(function.function_type.outputs)
            kept = [place for place in range(count) if number + place not in left]
            number += count
            returned = _return_of(function)
            _return(function, [returned.operands[place] for place in kept], kept)


class DropArguments(Edit):
    """Leaves out arguments of functions without uses."""

    def count(self, module: ModuleOp) -> int:
        return sum(1 for _ in _unused_arguments(module))

    def apply(self, module: ModuleOp, left: Left) -> None:
        arguments = [*_unused_arguments(module)]
        for number in sorted(left, reverse=True):
            argument = arguments[number]
            function = argument.block.parent_op()
            assert isinstance(function, FuncOp)
            if (given := function.arg_attrs) is not None:
                function.arg_attrs = ArrayAttr(_without(given, argument.index))
            argument.block.erase_arg(argument)
            function.update_function_type()


class DropAttributes(Edit):
    """Leaves out attributes of ops, arguments and results that are no properties."""

    def count(self, module: ModuleOp) -> int:
        return len(_attributes(module))

    def apply(self, module: ModuleOp, left: Left) -> None:
        for number, (op, name) in enumerate(_attributes(module)):
            if number in left:
                op.attributes.pop(name, None)
                if name in ("arg_attrs", "res_attrs"):
                    op.properties.pop(name, None)


EDITS: Sequence[Edit] = (
    DropTopLevel(),
    CutOps(),
    BypassOps(),
    DropResults(),
    DropArguments(),
    DropAttributes(),
)
"""Coarse ones first."""


def _own_functions(module: ModuleOp) -> list[FuncOp]:
    """The functions of one block that nothing refers to, so that their signatures may change."""
    referenced = referred_names(module)
    functions = (op for op in module.walk() if isinstance(op, FuncOp) and len(op.body.blocks) == 1)
    return [
        each
        for each in functions
        if each.sym_name.data not in referenced and isinstance(each.body.block.last_op, ReturnOp)
    ]


def _ops_to_cut(module: ModuleOp) -> list[Operation]:
    blocks = (function.body.block for function in _own_functions(module))
    return [op for block in blocks for op in block.ops if not op.has_trait(IsTerminator)]


def _cut(function: FuncOp, cut: Collection[Operation]) -> None:
    block, returned = function.body.block, _return_of(function)
    kept = [op for op in block.ops if op not in cut and op is not returned]
    for op in [*block.ops]:
        if op in cut:
            for result in op.results:
                if any(_ancestor(block, use.operation) in kept for use in result.uses):
                    _replace_by_argument(function, result)
    ends = [
        result
        for op in kept
        if op.results and not any(_is_read(block, result, (*kept, returned)) for result in op.results)
        for result in op.results
    ]
    places = [place for place, value in enumerate(returned.operands) if value.owner not in cut]
    _return(function, [*(returned.operands[place] for place in places), *ends], places)
    for op in reversed([*block.ops]):
        if op in cut:
            _erase(op)


def _is_read(block: Block, value: SSAValue, ops: Collection[Operation]) -> bool:
    return any(_ancestor(block, use.operation) in ops for use in value.uses)


def _ancestor(block: Block, op: Operation) -> Operation | None:
    return op if op.parent is block else block.find_ancestor_op_in_block(op)


def _replace_by_argument(function: FuncOp, value: SSAValue) -> None:
    block = function.body.block
    argument = block.insert_arg(value.type, len(block.args))
    argument.name_hint = value.name_hint
    value.replace_all_uses_with(argument)
    if (given := function.arg_attrs) is not None:
        function.arg_attrs = ArrayAttr([*given, DictionaryAttr({})])


def _return(function: FuncOp, values: Sequence[SSAValue], places: Iterable[int]) -> None:
    """Return these values; the first ones are those that were returned at these places."""
    _return_of(function).operands = values
    if (given := function.res_attrs) is not None:
        kept = [given.data[place] for place in places]
        function.res_attrs = ArrayAttr([*kept, *[DictionaryAttr({})] * (len(values) - len(kept))])
    function.update_function_type()


def _return_of(function: FuncOp) -> ReturnOp:
    returned = function.body.block.last_op
    assert isinstance(returned, ReturnOp)
    return returned


def _can_be_bypassed(op: Operation) -> bool:
    if op.has_trait(IsTerminator) or isinstance(op, ModuleOp | FuncOp):
        return False
    return all(result.first_use is None or any(_stand_ins(op, result)) for result in op.results)


def _stand_ins(op: Operation, result: SSAValue) -> Iterator[SSAValue]:
    return (operand for operand in op.operands if operand.type == result.type)


def _stand_in(op: Operation, result: SSAValue) -> SSAValue:
    return next(_stand_ins(op, result))


def _unused_arguments(module: ModuleOp) -> Iterator[BlockArgument]:
    for function in _own_functions(module):
        yield from (argument for argument in function.body.block.args if argument.first_use is None)


def _without(attributes: ArrayAttr[DictionaryAttr], index: int) -> list[DictionaryAttr]:
    return [each for place, each in enumerate(attributes) if place != index]


def _attributes(module: ModuleOp) -> list[tuple[Operation, str]]:
    """The attributes of ops, with lists of attributes of arguments and of results."""
    found: list[tuple[Operation, str]] = []
    for op in module.walk():
        found += ((op, name) for name in op.attributes)
        if isinstance(op, FuncOp):
            found += ((op, name) for name in ("arg_attrs", "res_attrs") if name in op.properties)
    return found


def _erase(op: Operation) -> None:
    op.detach()
    op.erase(safe_erase=False)
