"""The causal chain behind the layout of one value: a demand, the ops that carry it, and the conversions around them."""

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TypeAlias

from xdsl.dialects.builtin import TensorType
from xdsl.ir import BlockArgument, Operation, SSAValue

from ...dialects.npu.values import encoding
from ..common.demands.demand_reasons import demands_reason, matmul_reason
from ..common.graph.op_classes import is_fixed
from ..common.graph.producers import Node, Use, node_of, tensor_operands
from ..common.moves.transpose_cost import cost_of, moved_bytes
from ..common.plans.plan import Conversion
from ..common.storages.origins import Origins
from ..common.words.reasons import Names, Reason, moved_text, stored_as_text, through_text
from .conversions import plan_of
from .order_choice import OrderChoice, type_of

MOST_BORDERS = 8
"""The maximum number of conversions listed."""


def explain(choice: OrderChoice, value: SSAValue, names: Names) -> list[str]:
    """The reason for the chosen layout of a value, as lines of text."""
    produced = choice.produced(value)
    layout = None if produced is None else encoding(type_of(value, produced))
    if layout is None:
        return [f"{names.of(value)} has no layout"]
    surroundings = _surroundings(choice, node_of(value))
    return [
        stored_as_text(value, layout, names),
        *_cause(choice, surroundings, names),
        *_borders(choice, surroundings, names),
    ]


Surroundings: TypeAlias = Mapping[Node, Node | None]
"""The ops and arguments connected to a value without a conversion, so that their orders depend on each other: the
nearest first, each with its predecessor in a breadth-first search."""


def _surroundings(choice: OrderChoice, start: Node) -> Surroundings:
    before: dict[Node, Node | None] = {start: None}
    waiting = deque([start])
    origins = Origins()
    while waiting:
        node = waiting.popleft()
        for neighbour in _neighbours(choice, node):
            if neighbour not in before and _joins(neighbour, origins):
                before[neighbour] = node
                waiting.append(neighbour)
    return before


def _joins(node: Node, origins: Origins) -> bool:
    """True if the orders of a node's values depend on each other.

    A constant is stored in each order that is needed; a return, a call or an opaque op has an order for each operand.
    """
    if not isinstance(node, Operation):
        return True
    return not is_fixed(node) and not (node.results and origins.is_constant(node.results[0]))


def _neighbours(choice: OrderChoice, node: Node) -> Iterator[Node]:
    """The producers and users connected without a conversion. Signatures and returns propagate nothing."""
    if isinstance(node, Operation):
        yield from (node_of(use.value) for use in tensor_operands(node) if _agrees(choice, use))
    for value in node.results if isinstance(node, Operation) else [node]:
        if encoding(value.type) is not None:
            uses = sorted(value.uses, key=lambda use: use.index)
            yield from (use.operation for use in uses if _agrees(choice, Use(use.operation, use.index)))


def _agrees(choice: OrderChoice, use: Use) -> bool:
    given = choice.produced(use.value)
    return given == choice.wanted(use) == choice.via.get(use, given)


def _cause(choice: OrderChoice, surroundings: Surroundings, names: Names) -> list[str]:
    """The nearest demand, else the nearest argument and reason."""
    for node in surroundings:
        if isinstance(node, Operation) and (demands := choice.target_layouts.demands(node)) is not None:
            reason = demands_reason(choice.target_layouts, node, demands).text(names)
            return [_line("because", reason, surroundings, node, names)]
    fixed = next((node for node in surroundings if isinstance(node, BlockArgument)), None)
    lines = [f"  no demand on target {choice.target_layouts.target.name} reaches it"]
    if fixed is not None and encoding(fixed.type) is not None:
        text = f"argument {names.of(fixed)} keeps {encoding(fixed.type)}"
        lines.append(_line("and", text, surroundings, fixed, names))
    products = (matmul_reason(choice.target_layouts, node) for node in surroundings if isinstance(node, Operation))
    if (product := next(filter(None, products), None)) is not None and isinstance(product.about, Operation):
        lines.append(_line("and", product.text(names), surroundings, product.about, names))
    reader = next((node for node in surroundings if isinstance(node, Operation) and node in choice.reasons), None)
    if reader is not None:
        reason = choice.reasons[reader]
        lines.append(_line("and", Reason(reader, reason.says, reason.then).text(names), surroundings, reader, names))
    return lines


def _line(word: str, text: str, surroundings: Surroundings, node: Node, names: Names) -> str:
    path, step = list[str](), surroundings[node]
    while step is not None:
        path.append(names.of(step))
        step = surroundings[step]
    return f"  {word} {text}{through_text(path[-2::-1])}"


def _borders(choice: OrderChoice, surroundings: Surroundings, names: Names) -> Iterator[str]:
    """The far ends of the surrounding conversions."""
    touching = [each for each in plan_of(choice).conversions if each.is_counted and _touches(each, surroundings)]
    origins = Origins()
    for conversion in touching[:MOST_BORDERS]:
        given = _given_type(choice, conversion)
        cost = cost_of(conversion.source, origins)
        if conversion.is_pack:
            cost = replace(cost, bytes=max(map(moved_bytes, (given, conversion.type))))
        yield f"  against {_border(conversion, given, surroundings, names)} ({cost.bytes_text} bytes)"
    if len(touching) > MOST_BORDERS:
        yield f"  and {len(touching) - MOST_BORDERS} more"


def _touches(conversion: Conversion, surroundings: Surroundings) -> bool:
    ends = [node_of(conversion.source), *(use.op for use in conversion.uses)]
    return any(end in surroundings for end in ends)


def _given_type(choice: OrderChoice, conversion: Conversion) -> TensorType:
    """The type of what is converted."""
    if conversion.behind is not None:
        return conversion.behind.type
    produced = choice.produced(conversion.source)
    assert produced is not None
    return type_of(conversion.source, produced)


def _border(conversion: Conversion, given: TensorType, surroundings: Surroundings, names: Names) -> str:
    source, made = conversion.source, encoding(conversion.type)
    assert conversion.reason is not None
    moved, before = moved_text(given, conversion.type), encoding(given)
    if node_of(source) in surroundings:
        return f"{conversion.reason.text(names)}: {moved} from {before} to {made}"
    kind = "argument " if isinstance(source, BlockArgument) else ""
    return f"{kind}{names.of(source)}, which is {before}: {moved} to {made}"
