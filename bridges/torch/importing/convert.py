"""Conversion of the calls of a function, in place, with notes for those that leave as they came."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import Rewriter

from ....dialects.npu.shape import ReshapeOp
from ....dialects.npu.source import ConstantOp, OpaqueOp
from ....dialects.npu.values import element_type_of
from ...building import Sizes, UnsupportedNode, static
from ...came_nodes import CameNode, ReadType, ReadValue, last_ops
from ...imported import Weight
from ...made_ops import type_text
from ...origins import node_of
from ..calls import Call
from ..recurrent import ParametersKey
from .computed import ComputedWeights
from .node import CallNode, KnownSizes
from .pointwise import as_pointwise
from .registry import CONVERTERS, Converter


@dataclass(frozen=True, slots=True)
class CameCall:
    """A call as it came, without its operands."""

    call: Call
    operands: Sequence[str]
    """Their names."""
    elements: Sequence[Attribute]
    sizes: Sequence[Sizes]
    location: Attribute
    is_pure: bool


class CameCalls(dict[str, "list[CameNode[CameCall]]"]):
    """The calls that can leave as they came, by the node of each of their last ops."""

    def __init__(self) -> None:
        super().__init__()
        self.passed: dict[str, int] = {}
        """The calls that are nothing, by node: the number of the operand that the result is."""
        self.constants: dict[str, tuple[CameCall, Attribute]] = {}
        """The calls that are constants, and their values, by node."""
        self.parameters: dict[ParametersKey, Sequence[ConstantOp]] = {}
        """The constants that calls had in place of those that were computed from them."""


def to_npu(module: ModuleOp, weights: dict[str, Weight] | None = None) -> CameCalls:
    """Convert the calls that the npu dialect has a counterpart for; the others stay.

    Constants that are computed from the tensors that the module refers to are added to `weights`.
    """
    came, computed = CameCalls(), ComputedWeights(weights)
    for function in module.ops:
        if isinstance(function, FuncOp) and not function.is_declaration:
            _convert(function, came, computed)
    return came


def _convert(function: FuncOp, came: CameCalls, computed: ComputedWeights) -> None:
    sizes = KnownSizes()
    for block in function.body.blocks:
        for op in [*block.ops]:
            call = Call.of(op) if isinstance(op, OpaqueOp) else None
            if call is None or not isinstance(op, OpaqueOp):
                continue
            node = CallNode(op, call, sizes, computed)
            results = _converted(node, CONVERTERS.get(call.name)) or _converted(node, as_pointwise)
            if results is None:
                continue
            _keep(came, node, results)
            for before, after in zip(op.results, results, strict=True):
                if after is not None:
                    if after.name_hint is None:
                        after.name_hint = before.name_hint
                    sizes.note(after, sizes.of(before))
                    before.replace_all_uses_with(after)
            Rewriter.erase_op(op)


def _converted(node: CallNode, converter: Converter | None) -> list[SSAValue | None] | None:
    """The values of the results; None if there is no exact counterpart."""
    if converter is None:
        return None
    try:
        found = converter(node)
        results: list[SSAValue | None] = [found] if isinstance(found, SSAValue) else [*found]
        _check(node, results)
    except UnsupportedNode:
        for made in reversed(node.made):
            made.detach()
            made.erase()
        node.made.clear()
        node.parameters.clear()
        return None
    return results


def _check(node: CallNode, results: Sequence[SSAValue | None]) -> None:
    """Check that a conversion computes values of the types that the program states."""
    for before, after in zip(node.op.results, results, strict=True):
        if after is None:
            if before.first_use is not None:
                raise UnsupportedNode("a result that is used")
        elif (static(node.sizes_of(after)), element_type_of(after)) != (
            static(node.sizes_of(before)),
            element_type_of(before),
        ):
            raise UnsupportedNode(f"{after.type} in place of {before.type}")


def _keep(came: CameCalls, node: CallNode, results: Sequence[SSAValue | None]) -> None:
    """Note what a call became, so that it can leave as it came."""
    name = node_of(node.op)
    came.parameters.update({key: [*map(_copied, values)] for key, values in node.parameters.items()})
    if (note := _note(node, results)) is not None:
        for each in dict(note.last):
            came.setdefault(each, []).append(note)
    elif name is not None and len(results) == 1 and (value := results[0]) is not None:
        operands = [*node.call.operands.values()]
        if value in operands:
            came.passed[name] = operands.index(value)
        elif isinstance(value.owner, ConstantOp) and not node.call.operands:
            came.constants[name] = _call_of(node), value.owner.value


def _note(node: CallNode, results: Sequence[SSAValue | None]) -> CameNode[CameCall] | None:
    """The note about a call that became these values; None if it cannot leave as it came."""
    name = node_of(node.op)
    if name is None:
        return None
    parts = frozenset({name})
    last = last_ops(results, parts)
    if last is None:
        return None
    places = last.places
    inputs: list[ReadValue | ReadType | ConstantOp] = []
    computed = {value for values in node.parameters.values() for value in values}
    for value in node.call.operands.values():
        source = next((each for each in _views(value) if each in places), None)
        if value in computed:
            inputs.append(_copied(value))
        elif source is None:
            inputs.append(ReadType(value, type_text(value)))
        else:
            inputs.append(ReadValue(places[source], static(node.sizes_of(value)) if _is_constant(source) else None))
    if not last.have_all_in(inputs, parts):
        return None
    return CameNode(_call_of(node), parts, last.texts, inputs, last.outputs)


def _copied(value: SSAValue) -> ConstantOp:
    """A copy of a constant, which no pass changes."""
    assert isinstance(value.owner, ConstantOp)
    made = value.owner.clone()
    made.location = value.owner.location
    return made


def _call_of(node: CallNode) -> CameCall:
    return CameCall(
        Call(node.call.name, {}, node.call.values),
        [*node.call.operands],
        [element_type_of(each) for each in node.op.results],
        [node.sizes_of(each) for each in node.op.results],
        node.op.location,
        node.op.pure is not None,
    )


def _is_constant(value: SSAValue) -> bool:
    return isinstance(value.owner, ConstantOp)


def _views(value: SSAValue) -> Sequence[SSAValue]:
    """The value, and the constant that it is in another shape."""
    source = value
    while isinstance(source.owner, Operation) and isinstance(source.owner, ReshapeOp):
        source = source.owner.input
    return [value, source] if _is_constant(source) else [value]
