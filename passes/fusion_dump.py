"""Graphs and groups as text, one line for each node."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from xdsl.ir import Operation

from ..dialects.npu.base import tensor_type
from ..targets import Target
from .forward_graph import Node, is_constant
from .fusion_groups import Partition
from .hardware_groups import HardwareGroup
from .reasons import Names
from .transposes import moved_bytes


def graph_lines(nodes: Sequence[Node], names: Names) -> Iterator[str]:
    """The nodes with their uses, each as the index of the reader and the kind of the use."""
    return _lines(nodes, names, _outputs)


def group_lines(found: Partition, names: Names) -> Iterator[str]:
    """The nodes with their groups, numbered in the sequence of their first nodes."""
    numbers = {node.index: number for number, members in enumerate(found.members()) for node in members}
    return _lines(found.nodes, names, lambda node: f"group={numbers[node.index]}")


def stage_lines(
    nodes: Sequence[Node], groups: Sequence[HardwareGroup], refusals: Mapping[Operation, str]
) -> Iterator[str]:
    """What joined which group and on which stage it runs, in the sequence of the walk, and why a new one began."""
    joined = {member.op: (number, member) for number, group in enumerate(groups) for member in group.members}
    collected = {op: number for number, group in enumerate(groups) for each in group.members for op in each.collected}
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


def report_lines(nodes: Sequence[Node], groups: Sequence[HardwareGroup], target: Target) -> Iterator[str]:
    """How many groups there are, what each stage runs, what no stage runs, and what stays on the chip."""
    inside = {op for group in groups for op in group.ops}
    yield f"groups: {len(groups)}"
    runs = sum((group.uses() for group in groups), Counter[str]())
    for name in target.stages:
        if runs[name]:
            yield f"  {name}: {runs[name]} ops"
    outside = [node.source for node in nodes if isinstance(node.source, Operation) and node.source not in inside]
    names = Counter(op.name for op in outside if not is_constant(op))
    if names:
        yield f"outside: {', '.join(f'{count} {name}' for name, count in sorted(names.items()))}"
    yield f"bytes that stay on the chip: {sum(map(_kept_bytes, groups))}"


def _kept_bytes(group: HardwareGroup) -> int:
    """The bytes of the values of a group that nobody reads outside of it."""
    inside = set(group.ops)
    values = (value for member in group.members for value in member.op.results if value.first_use is not None)
    kept = [value for value in values if all(use.operation in inside for use in value.uses)]
    return sum(moved_bytes(tensor_type(value)) for value in kept)


def _outputs(node: Node) -> str:
    uses = "".join(f"{edge.reader}:{int(edge.kind)}, " for edge in node.edges)
    return f"outputs=[{uses}]"


def _lines(nodes: Sequence[Node], names: Names, about: Callable[[Node], str]) -> Iterator[str]:
    for node in nodes:
        yield f"node[{node.index}], {_described(node, names)} {about(node)}"


def _described(node: Node, names: Names) -> str:
    """An argument with its type, or an op with the names of what it reads."""
    if not isinstance(node.source, Operation):
        return f"argument {names.of(node.source)} : {node.source.type}"
    operands = ", ".join(map(names.of, node.source.operands))
    results = ", ".join(map(names.of, node.source.results))
    return f"{results} = {node.source.name}({operands})"
