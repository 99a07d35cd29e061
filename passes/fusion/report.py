"""Graphs and groups as text, one line for each node."""

from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence

from xdsl.ir import Operation, SSAValue

from ...dialects.npu.shape import AnyTransposeOp
from ...dialects.npu.values import tensor_type
from ...targets import name_of
from ..common.moves.conversion_ops import ConversionOp
from ..common.moves.transpose_cost import moved_bytes
from ..common.words.reasons import Names
from .graph.graph import FusionNode, is_constant
from .groups.hardware_groups import Grouping, HardwareGroup
from .groups.traffic import traffic_of
from .groups.tvm_groups import Partition
from .stages.stage_match import Matching
from .stages.stage_reasons import reason_for_no_group


def graph_lines(nodes: Sequence[FusionNode], names: Names) -> Iterator[str]:
    """The nodes with their uses, each as the index of the user and the kind of the use."""
    return _lines(nodes, names, _outputs)


def group_lines(found: Partition, names: Names) -> Iterator[str]:
    """The nodes with their groups, numbered by their first nodes."""
    numbers = {node.index: number for number, members in enumerate(found.members()) for node in members}
    return _lines(found.nodes, names, lambda node: f"group={numbers[node.index]}")


def stage_lines(nodes: Sequence[FusionNode], grouping: Grouping, matching: Matching) -> Iterator[str]:
    """The group and stage of each op in visiting order, with the reason where a new group began."""
    numbers = {group: number for number, group in enumerate(grouping.groups)}
    members = {member.op: member for group in grouping.groups for member in group.members}
    for node in nodes:
        op = node.source
        if not isinstance(op, Operation):
            continue
        line = f"## {node.index}: {op.name}"
        group = grouping.group_of.get(op)
        if group is None:
            reason = "" if is_constant(op) else f" ({reason_for_no_group(op, matching)})"
            yield f"{line} in no group{reason}"
        elif op in members:
            not_joined = grouping.reasons.get(op)
            began = f" ({not_joined.reason})" if not_joined is not None else ""
            yield f"{line} added to group {numbers[group]} on {members[op].stage.name}{began}"
        else:
            yield f"{line} collected into group {numbers[group]}"


def report_lines(nodes: Sequence[FusionNode], grouping: Grouping, matching: Matching) -> Iterator[str]:
    """The number of groups, the ops on each stage, the ops in no group with the reason, and the bytes kept on chip."""
    groups = grouping.groups
    several = sum(len(group.members) > 1 for group in groups)
    yield f"groups: {len(groups)}, {several} of them of several ops"
    runs = Counter(member.stage.name for group in groups for member in group.members)
    yield from (f"  {name}: {runs[name]}" for name in matching.target.stages if runs[name])
    ops = [node.source for node in nodes if isinstance(node.source, Operation)]
    outside = [op for op in ops if op not in grouping.group_of and not is_constant(op)]
    if outside:
        yield f"in no group: {len(outside)}"
        reasons = Counter(f"  {name_of(op)} ({reason_for_no_group(op, matching)})" for op in outside)
        yield from (f"{reason}: {count}" for reason, count in reasons.items())
    yield f"bytes that stay on the chip: {sum(map(kept_bytes, groups))}"
    flow = traffic_of(nodes, matching)
    travelling, price = flow.travelling(grouping), flow.price(grouping)
    yield f"bytes that travel: {travelling}{_bound(grouping, travelling)}"
    if conversions := [op for op in ops if isinstance(op, ConversionOp) and not matching.moves_nothing(op)]:
        noun = "transposes" if all(isinstance(op, AnyTransposeOp) for op in conversions) else "conversions"
        priced = f", price {price}" if price else ""
        yield f"absorbed {noun}: {sum(map(grouping.absorbs, conversions))} of {len(conversions)}{priced}"


def _bound(grouping: Grouping, found: int) -> str:
    bound = grouping.bound
    if bound is None:
        return ""
    return ": proved minimum" if bound.least == found else f", at least {bound.least}"


def kept_bytes(group: HardwareGroup) -> int:
    """The bytes of the values that are used only inside of a group."""
    inside = set(group.ops)
    members = {member.op: None for member in group.members}
    kept = (value for op in members for value in op.results if _is_kept(value, inside, members))
    return sum(moved_bytes(tensor_type(value)) for value in kept)


def _is_kept(value: SSAValue, inside: Container[Operation], members: Container[Operation]) -> bool:
    """True if all users of a value are in a group, also through ops that were collected."""
    if value.first_use is None:
        return False
    passed_on = [value]
    while passed_on:
        readers = {use.operation for use in passed_on.pop().uses}
        if any(reader not in inside for reader in readers):
            return False
        passed_on += [result for reader in readers if reader not in members for result in reader.results]
    return True


def _outputs(node: FusionNode) -> str:
    uses = "".join(f"{edge.reader}:{int(edge.kind)}, " for edge in node.edges)
    return f"outputs=[{uses}]"


def _lines(nodes: Sequence[FusionNode], names: Names, about: Callable[[FusionNode], str]) -> Iterator[str]:
    for node in nodes:
        yield f"node[{node.index}], {_described(node, names)} {about(node)}"


def _described(node: FusionNode, names: Names) -> str:
    """An argument with its type, or an op with the names of its operands."""
    if not isinstance(node.source, Operation):
        return f"argument {names.of(node.source)} : {node.source.type}"
    operands = ", ".join(map(names.of, node.source.operands))
    results = ", ".join(map(names.of, node.source.results))
    return f"{results} = {node.source.name}({operands})"
