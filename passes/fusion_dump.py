"""Graphs and groups as text, one line for each node."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from .forward_graph import Node
from .fusion_groups import Partition
from .hardware_groups import HardwareGroup
from .reasons import Names


def graph_lines(function: FuncOp, nodes: Sequence[Node], names: Names) -> Iterator[str]:
    """The nodes with their uses, each as the index of the reader and the kind of the use."""
    return _lines(function, nodes, names, _outputs)


def group_lines(function: FuncOp, found: Partition, names: Names) -> Iterator[str]:
    """The nodes with their groups, numbered in the sequence of their first nodes."""
    numbers = {node.index: number for number, members in enumerate(found.members()) for node in members}
    return _lines(function, found.nodes, names, lambda node: f"group={numbers[node.index]}")


def stage_lines(
    function: FuncOp,
    nodes: Sequence[Node],
    groups: Sequence[HardwareGroup],
    refusals: Mapping[Operation, str],
    names: Names,
) -> Iterator[str]:
    """What joined which group and on which stage it runs, in the sequence of the walk; then why ops began a new one."""
    joined = {member.op: (number, member) for number, group in enumerate(groups) for member in group.members}
    collected = {op: number for number, group in enumerate(groups) for each in group.members for op in each.collected}
    yield f"@{function.sym_name.data}"
    for node in nodes:
        op = node.source
        if not isinstance(op, Operation):
            continue
        if op in joined:
            number, member = joined[op]
            why = f" ({refusals[op]})" if op in refusals and groups[number].members[0].op is op else ""
            yield f"## {node.index}: {op.name} added to group {number} on {member.stage.name}{why}"
        elif op in collected:
            yield f"## {node.index}: {op.name} collected into group {collected[op]}"
        else:
            yield f"## {node.index}: {op.name} in no group"


def _outputs(node: Node) -> str:
    uses = "".join(f"{edge.reader}:{int(edge.kind)}, " for edge in node.edges)
    return f"outputs=[{uses}]"


def _lines(function: FuncOp, nodes: Sequence[Node], names: Names, about: Callable[[Node], str]) -> Iterator[str]:
    yield f"@{function.sym_name.data}"
    for node in nodes:
        yield f"node[{node.index}], {_described(node, names)} {about(node)}"


def _described(node: Node, names: Names) -> str:
    """An argument with its type, or an op with the names of what it reads."""
    if not isinstance(node.source, Operation):
        return f"argument {names.of(node.source)} : {node.source.type}"
    operands = ", ".join(map(names.of, node.source.operands))
    results = ", ".join(map(names.of, node.source.results))
    return f"{results} = {node.source.name}({operands})"
