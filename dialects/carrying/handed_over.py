"""The values that ops hand over to code that they run, and take back: calls, branches and loops.

The code is a function that a call or an opaque op names, or a region of an op of `scf`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias, cast

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, SymbolRefAttr
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...layout import DYNAMIC
from ..npu.source import OpaqueOp, integers_of, written_integers
from ..npu.values import shape_of
from ..program.symbols import Symbols

CAPTURES = "onnx.captures"
"""The attribute of a node of ONNX with the names of its last operands, which are arguments of all its functions."""


class Handed(NamedTuple):
    """An operand that an op takes."""

    op: Operation
    place: int

    @property
    def value(self) -> SSAValue:
        return self.op.operands[self.place]


End: TypeAlias = SSAValue | Handed
"""A value where it begins to be known by a name, or where it is handed over."""


class Handover(NamedTuple):
    """The ends that are one value or another one of several, as the state of a loop at its begin and after a step."""

    same: Sequence[Sequence[End]]
    kept: Sequence[End] = ()
    """The ends of which no other one is the same: a condition, or the slice of an operand."""
    runs: int | None = 1
    """The number of times that the code runs; None if it is not known."""


def handover(op: Operation, symbols: Symbols) -> Handover | None:
    """The ends that an op has in common with the code that it runs; None if nothing is known of it."""
    match op:
        case CallOp():
            callee = symbols.lookup(op, op.callee)
            return _of_code(op, [_code(callee)], 0) if isinstance(callee, FuncOp) else None
        case scf.ForOp():
            return _of_for(op)
        case scf.IfOp():
            return _of_code(op, [_of_region(op.true_region), _of_region(op.false_region)], 1)
        case scf.WhileOp():
            return _of_while(op)
        case OpaqueOp() if (find := _NODES.get(op.op_name.data)) is not None:
            return find(op, symbols)
        case _:
            return None


class _Code(NamedTuple):
    """The arguments of some code, and the operands that it returns."""

    arguments: Sequence[SSAValue]
    returned: Sequence[Handed]


def _code(function: Operation | None) -> _Code | None:
    """The code of a function of one block."""
    if not isinstance(function, FuncOp) or len(function.body.blocks) != 1:
        return None
    block = function.body.block
    return _Code(block.args, _handed(block.last_op)) if isinstance(block.last_op, ReturnOp) else None


def _of_region(region: Region) -> _Code | None:
    """The code of a region of one block; that without any returns nothing."""
    if not region.blocks:
        return _Code((), ())
    return None if len(region.blocks) > 1 else _of_block(region.block)


def _of_block(block: Block) -> _Code | None:
    return _Code(block.args, _handed(block.last_op)) if isinstance(block.last_op, scf.YieldOp) else None


def _handed(op: Operation, begin: int = 0) -> list[Handed]:
    return [Handed(op, index) for index in range(begin, len(op.operands))]


def _of_code(op: Operation, codes: Iterable[_Code | None], begin: int) -> Handover | None:
    """The ends of an op that runs one of some code on its operands behind the first ones, for results."""
    every = [*codes]
    known = [each for each in every if each is not None and (each.returned or not op.results)]
    given = _handed(op, begin)
    has_arguments = any(each.arguments for each in known)
    if len(known) < len(every) or any(
        len(each.returned) != len(op.results) or (has_arguments and len(each.arguments) != len(given)) for each in known
    ):
        return None
    passed = enumerate(given if has_arguments else ())
    taken = [[end, *(each.arguments[place] for each in known)] for place, end in passed]
    made = [[result, *(each.returned[place] for each in known)] for place, result in enumerate(op.results)]
    return Handover([*taken, *made], () if has_arguments else given)


def _of_for(op: scf.ForOp) -> Handover | None:
    code = _of_region(op.body)
    if code is None or len(code.returned) != len(op.results):
        return None
    states = zip(_handed(op, 3), code.arguments[1:], code.returned, op.results, strict=True)
    bounds = [_number(each) for each in (op.lb, op.ub, op.step)]
    runs = None
    if None not in bounds:
        first, end, step = cast("list[int]", bounds)
        runs = len(range(first, end, max(step, 1)))
    return Handover([[*each] for each in states], (*_handed(op)[:3], code.arguments[0]), runs)


def _of_while(op: scf.WhileOp) -> Handover | None:
    before, after = op.before_region.block, _of_region(op.after_region)
    condition = before.last_op
    if after is None or not isinstance(condition, scf.ConditionOp) or len(after.returned) != len(before.args):
        return None
    begun = zip(_handed(op), before.args, after.returned, strict=True)
    passed = zip(_handed(condition, 1), after.arguments, op.results, strict=True)
    return Handover([*map(list, begun), *map(list, passed)], (Handed(condition, 0),), None)


def _number(value: SSAValue) -> int | None:
    owner = value.owner
    known = owner.value if isinstance(owner, arith.ConstantOp) else None
    return known.value.data if isinstance(known, IntegerAttr) else None


def _codes(op: OpaqueOp, symbols: Symbols, names: Sequence[str]) -> list[_Code | None]:
    """The functions that an opaque op names."""
    given = (op.attributes.get(name) for name in names)
    return [_code(symbols.lookup(op, each)) if isinstance(each, SymbolRefAttr) else None for each in given]


def _of_branches(op: OpaqueOp, symbols: Symbols) -> Handover | None:
    """The ends of an If of ONNX, whose branches take nothing but what is around them."""
    codes = _codes(op, symbols, ("then_branch", "else_branch"))
    known = [each for each in codes if each is not None]
    outputs = _outputs(op)
    if len(known) < len(codes) or any(output >= len(each.returned) for each in known for output in outputs):
        return None
    pairs = zip(op.results, outputs, strict=True)
    return _with_captures(op, known, [[result, *(each.returned[output] for each in known)] for result, output in pairs])


def _of_loop(op: OpaqueOp, symbols: Symbols) -> Handover | None:
    """The ends of a Loop of ONNX: its body takes a number and a condition before the state, and returns a condition."""
    found = _of_steps(op, symbols, before=2, scanned=0, flags=1)
    has_count = _inputs(op)[:1] == [0]
    count = written_integers(op.operands[0]) if has_count else None
    return found and found._replace(runs=count[0] if count else None)


def _of_scan(op: OpaqueOp, symbols: Symbols) -> Handover | None:
    """The ends of a Scan of ONNX: its body takes slices of the last inputs behind the state."""
    count, inputs = sum(integers_of(op, "num_scan_inputs")), _inputs(op)
    if not 0 < count <= len(inputs):
        return None
    found = _of_steps(op, symbols, before=0, scanned=count, flags=0)
    axes, shape = integers_of(op, "scan_input_axes") or [0], shape_of(op.operands[len(inputs) - count])
    size = shape[axes[0]] if -len(shape) <= axes[0] < len(shape) else DYNAMIC
    return found and found._replace(runs=None if size == DYNAMIC else size)


def _of_steps(op: OpaqueOp, symbols: Symbols, before: int, scanned: int, flags: int) -> Handover | None:
    """The ends of a node of ONNX that carries a state.

    It has `before` inputs in front of the state, and `scanned` ones behind it; its body as many arguments, and returns
    `flags` values in front of the state.
    """
    (code,) = _codes(op, symbols, ("body",))
    inputs, outputs = _inputs(op), _outputs(op)
    states = max(inputs, default=-1) + 1 - before - scanned
    if code is None or states > min(len(code.arguments) - before, len(code.returned) - flags):
        return None
    made = dict(zip(outputs, op.results, strict=True))
    same: list[list[End]] = []
    for index, place in enumerate(inputs):
        if 0 <= (state := place - before) < states:
            same.append([Handed(op, index), code.arguments[place], code.returned[flags + state]])
            same[-1] += [made[state]] if state in made else []
    return _with_captures(op, [code], same)


def _with_captures(op: OpaqueOp, codes: Sequence[_Code], same: Sequence[Sequence[End]]) -> Handover | None:
    """The ends of a node of ONNX, with those of its last operands, which all of its code takes behind its own."""
    captured = range(len(_inputs(op)), len(op.operands))
    if any(len(code.arguments) < len(captured) for code in codes):
        return None
    every = [*same]
    for index in captured:
        behind = index - len(op.operands)
        every.append([Handed(op, index), *(code.arguments[behind] for code in codes)])
    known = {end for each in every for end in each}
    inside = [end for code in codes for end in (*code.arguments, *code.returned)]
    return Handover(every, [end for end in (*_handed(op), *inside, *op.results) if end not in known])


def _inputs(op: OpaqueOp) -> list[int]:
    """The places of the operands among the inputs of a node of ONNX, but for what its code takes from around it."""
    captures = op.attributes.get(CAPTURES)
    count = len(cast("ArrayAttr[Attribute]", captures)) if isinstance(captures, ArrayAttr) else 0
    return integers_of(op, "onnx.operands") or [*range(len(op.operands) - count)]


def _outputs(op: OpaqueOp) -> list[int]:
    """The places of the results among the outputs of a node of ONNX."""
    return integers_of(op, "onnx.results") or [*range(len(op.results))]


def _of_lite_if(op: OpaqueOp, symbols: Symbols) -> Handover | None:
    return _of_code(op, _codes(op, symbols, ("litert.then", "litert.else")), 1)


def _of_lite_while(op: OpaqueOp, symbols: Symbols) -> Handover | None:
    condition, body = _codes(op, symbols, ("litert.cond", "litert.body"))
    if condition is None or body is None:
        return None
    lengths = {len(each) for each in (op.operands, op.results, condition.arguments, body.arguments, body.returned)}
    if len(lengths) > 1:
        return None
    states = zip(_handed(op), condition.arguments, body.arguments, body.returned, op.results, strict=True)
    return Handover([[*each] for each in states], condition.returned, None)


_NODES: Mapping[str, Callable[[OpaqueOp, Symbols], Handover | None]] = {
    "onnx.If": _of_branches,
    "onnx.Loop": _of_loop,
    "onnx.Scan": _of_scan,
    "litert.IF": _of_lite_if,
    "litert.WHILE": _of_lite_while,
}
