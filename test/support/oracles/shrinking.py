"""Reduction of a program while a predicate still holds, such as that a pass breaks it."""

from collections.abc import Callable, Iterator

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Operation
from xdsl.traits import IsTerminator
from xdsl.utils.exceptions import VerifyException

Change = Callable[[ModuleOp], bool]
"""A change of a program in place; True if there was something to change."""


def shrunk(module: ModuleOp, holds: Callable[[ModuleOp], bool]) -> ModuleOp:
    """A program for which the predicate holds and which none of the changes below makes smaller."""
    smaller = True
    while smaller:
        smaller = False
        for change in list(_changes(module)):
            other = module.clone()
            try:
                if not change(other):
                    continue
                other.verify()
            except (VerifyException, IndexError):
                continue
            if holds(other):
                module, smaller = other, True
    return module


def _changes(module: ModuleOp) -> Iterator[Change]:
    """Changes that make this program smaller, coarse ones first."""
    functions = [op for op in module.ops if isinstance(op, FuncOp)]
    for index, function in enumerate(functions):
        yield lambda other, index=index: _without_function(other, index)
        if function.is_declaration:
            continue
        ops = [*function.body.walk()]
        for place in reversed(range(len(function.function_type.outputs))):
            yield lambda other, index=index, place=place: _without_output(other, index, place)
        for place in reversed(range(len(ops))):
            yield lambda other, index=index, place=place: _without_op(other, index, place)
        for place in reversed(range(len(function.function_type.inputs))):
            yield lambda other, index=index, place=place: _without_argument(other, index, place)


def _function(module: ModuleOp, index: int) -> FuncOp:
    return [op for op in module.ops if isinstance(op, FuncOp)][index]


def _is_called(module: ModuleOp, function: FuncOp) -> bool:
    return any(isinstance(op, CallOp) and op.callee.string_value() == function.sym_name.data for op in module.walk())


def _without_function(module: ModuleOp, index: int) -> bool:
    function = _function(module, index)
    if function.sym_name.data == "main" or _is_called(module, function):
        return False
    function.detach()
    function.erase()
    return True


def _without_output(module: ModuleOp, index: int, place: int) -> bool:
    function = _function(module, index)
    terminators = [op for op in function.walk() if isinstance(op, ReturnOp)]
    if _is_called(module, function) or not terminators:
        return False
    for op in terminators:
        op.operands = [operand for number, operand in enumerate(op.operands) if number != place]
    function.update_function_type()
    return True


def _without_op(module: ModuleOp, index: int, place: int) -> bool:
    """Erase an op; its results are replaced by an operand of the same type or by new arguments."""
    function = _function(module, index)
    op = [*function.body.walk()][place]
    if op.has_trait(IsTerminator):
        return False
    used = [result for result in op.results if result.first_use is not None]
    if used and (_is_called(module, function) or op.parent is not function.body.blocks[0]):
        return False
    for result in used:
        same = [operand for operand in op.operands if operand.type == result.type]
        if same:
            new = same[0]
        else:
            block = function.body.blocks[0]
            new = block.insert_arg(result.type, len(block.args))
            new.name_hint = result.name_hint
        result.replace_all_uses_with(new)
    _erase(op)
    function.update_function_type()
    return True


def _without_argument(module: ModuleOp, index: int, place: int) -> bool:
    function = _function(module, index)
    block = function.body.blocks[0]
    if _is_called(module, function) or block.args[place].first_use is not None:
        return False
    block.erase_arg(block.args[place])
    function.update_function_type()
    return True


def _erase(op: Operation) -> None:
    op.detach()
    op.erase()
