"""The call graph of a module."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Operation

from ....dialects.program.symbols import Symbols


@dataclass(frozen=True)
class CallGraph:
    """The calls of a module, and its functions with callees first."""

    callees: dict[CallOp, FuncOp]
    """The callee of each call of a function of the module."""
    callees_first: list[FuncOp]
    """Each function behind its callees; recursive functions in any order."""
    recursive: set[FuncOp]
    """The functions that call themselves, directly or through others."""


def call_graph(module: ModuleOp) -> CallGraph:
    functions: list[FuncOp] = []
    callees: dict[CallOp, FuncOp] = {}
    symbols = Symbols()
    for op in module.walk():
        if isinstance(op, FuncOp):
            functions.append(op)
        elif isinstance(op, CallOp) and isinstance(callee := symbols.lookup(op, op.callee), FuncOp):
            callees[op] = callee
    called: dict[FuncOp, dict[FuncOp, None]] = {function: {} for function in functions}
    for call, callee in callees.items():
        if (caller := function_around(call)) is not None:
            called[caller].setdefault(callee)
    groups = list(cycles(called))
    return CallGraph(callees, [each for group in groups for each in group], recursive_in(called, groups))


def function_around(op: Operation) -> FuncOp | None:
    """The function around an op, if any."""
    place = op.parent_op()
    while place is not None and not isinstance(place, FuncOp):
        place = place.parent_op()
    return place


def recursive_in(called: dict[FuncOp, dict[FuncOp, None]], groups: Iterable[list[FuncOp]]) -> set[FuncOp]:
    """The functions that call themselves, by the groups of those that call each other."""
    return {each for group in groups for each in group if len(group) > 1 or each in called[each]}


def cycles(called: dict[FuncOp, dict[FuncOp, None]]) -> Iterator[list[FuncOp]]:
    """The functions in groups that call each other, callees first: Tarjan's algorithm, without recursion."""
    entered: dict[FuncOp, int] = {}
    lowest: dict[FuncOp, int] = {}
    path: list[FuncOp] = []
    on_path: set[FuncOp] = set()
    for start in called:
        walk = [] if start in entered else [(start, iter(called[start]))]
        while walk:
            current, callees = walk[-1]
            if current not in entered:
                entered[current] = lowest[current] = len(entered)
                path.append(current)
                on_path.add(current)
            for callee in callees:
                if callee not in entered:
                    walk.append((callee, iter(called[callee])))
                    break
                if callee in on_path:
                    lowest[current] = min(lowest[current], entered[callee])
            else:
                walk.pop()
                if walk:
                    caller = walk[-1][0]
                    lowest[caller] = min(lowest[caller], lowest[current])
                if lowest[current] == entered[current]:
                    group = _taken_until(path, current)
                    on_path.difference_update(group)
                    yield group


def _taken_until(path: list[FuncOp], last: FuncOp) -> list[FuncOp]:
    """Pop the functions from the end of the path up to this one."""
    group = [path.pop()]
    while group[-1] is not last:
        group.append(path.pop())
    return group
