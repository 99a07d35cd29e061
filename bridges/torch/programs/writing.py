"""Writing of a module of calls as an exported program: the one that was read, with another graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module
from operator import getitem
from typing import Any, cast

import torch
from torch.export import ExportedProgram
from torch.export.graph_signature import ExportGraphSignature, InputKind, InputSpec, OutputKind
from torch.fx import Graph, GraphModule, Node
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import ReturnOp
from xdsl.ir import Attribute, SSAValue

from ....dialects.notes.interfaces import results_of
from ....dialects.npu.source import ConstantOp, OpaqueOp
from ....dialects.npu.values import shape_of
from ....layout import Order, invert
from ...building import static
from ...functions import main_function
from ...origins import node_of, origin_of
from ..calls import Call
from ..errors import NotExportable
from .asserts import copy_asserts
from .element_types import DTYPES
from .ends import Ends
from .inputs import FreeNames, GraphInputs, fake_mode_of
from .integer_views import IntegerViews
from .reading import FxProgram, is_result, is_size, operator_of, sizes_of
from .sizes import SizeNodes
from .strides import Strides

NOTES = ("nn_module_stack", "source_fn_stack", "stack_trace", "torch_fn", "from_node")
"""The notes of a node about where it is from, which new nodes in its place have as well."""
OWN_NOTES = (*NOTES, "custom", "original_aten", "partitioner_tag", "recompute", "ac_graph_id", "has_backward_hook")
"""The notes of a node that stay if it reads data in another order, as PyTorch keeps them for a new node.

Users and quantisers mark nodes in `custom`. Others, as `tensor_meta` or an axis of scales, may be of the old order.
"""


def written(came: FxProgram, module: ModuleOp) -> ExportedProgram:
    """The program of a module of calls, which was read from the one that `came`."""
    return _Writer(came, module).program()


class _Writer:
    def __init__(self, came: FxProgram, module: ModuleOp) -> None:
        self._came, self._old = came, came.program
        function = main_function(module)
        self._block, self._results = function.body.block, results_of(function)
        self._ends = Ends(self._old, function, dict(zip(came.arguments, came.orders, strict=True)))
        self._is_edge = self._old.dialect == "EDGE"
        self._graph = Graph()
        self._names = FreeNames(self._old.graph)
        self._nodes: dict[SSAValue, Node] = {}
        self._kept: dict[Node, Node] = {}
        """The new nodes of the old ones that are in both graphs."""
        self._sizes = SizeNodes(self._graph, self._old.graph, self._kept)
        self._strides = Strides(self._graph, fake_mode_of(self._old.graph))
        self._inputs = GraphInputs(came, self._graph, self._names, self._kept)

    def program(self) -> ExportedProgram:
        self._placeholders()
        outputs: Sequence[Any] = ()
        for op in self._block.ops:
            if isinstance(op, ReturnOp):
                outputs = self._outputs([self._nodes[value] for value in op.operands])
            elif isinstance(op, OpaqueOp) and (call := Call.of(op)) is not None:
                self._call(op, call)
            elif not isinstance(op, ConstantOp):
                raise NotExportable(f"'{op.name}' is no call of an operator of PyTorch")
        self._drop_unused(outputs)
        outputs = self._with_integer_views(outputs)
        copy_asserts(self._old.graph, self._graph, self._kept)
        self._inputs.drop_unused(outputs)
        return self._assembled(outputs)

    def _drop_unused(self, outputs: Sequence[Any]) -> None:
        """Drop the new calls that nothing reads."""
        kept = {*self._kept.values(), *(each for each in outputs if isinstance(each, Node))}
        for node in reversed(self._graph.nodes):
            if node.op == "call_function" and not node.users and node not in kept:
                self._graph.erase_node(node)

    def _with_integer_views(self, outputs: Sequence[Any]) -> Sequence[Any]:
        results = {each for each in outputs if isinstance(each, Node)}
        views = IntegerViews(self._graph, self._names, self._strides, {*self._kept.values()}, results)
        views.move()
        return [views.instead.get(each, each) if isinstance(each, Node) else each for each in outputs]

    # Inputs and constants.

    def _keep_input(self, node: Node, spec: InputSpec) -> None:
        made = self._inputs.keep(node, spec)
        if order := self._ends.of_buffers.get(node.name):
            self._inputs.store(spec, order)
        if order := order or self._ends.of_inputs.get(node.name):
            value = made.meta["val"]
            made.meta["val"] = self._strides.computed(lambda: value.permute(order).contiguous())
        self._sizes.note(made)

    def _placeholders(self) -> None:
        """Parameters, buffers and constants, the new ones last, and the inputs of users behind them."""
        specs = {spec.arg.name: spec for spec in self._old.graph_signature.input_specs}
        found = [*self._old.graph.find_nodes(op="placeholder")]
        for node in found:
            if specs[node.name].kind is not InputKind.USER_INPUT:
                self._keep_input(node, specs[node.name])
        for op in self._block.ops:
            if isinstance(op, ConstantOp):
                self._nodes[op.result] = self._inputs.constant(op)
        for node in found:
            if node not in self._kept:
                self._keep_input(node, specs[node.name])
        made = {node.name: self._kept[node] for node in found}
        for name, argument in zip(self._came.arguments, self._block.args, strict=True):
            self._nodes[argument] = self._in_order(made[name], self._ends.of_state.get(name))

    def _in_order(self, node: Node, order: Order | None) -> Node:
        """The node; behind a permute, if the function has its value in another order."""
        if order is None:
            return node
        target = self._operator("aten.permute_copy.default" if self._is_edge else "aten.permute.default")
        made = self._graph.create_node("call_function", target, (node, [*order]), {}, self._names.free("permute"))
        made.meta = {**_notes(node), "val": self._strides.value_of(made)}
        return made

    # Calls.

    def _call(self, op: OpaqueOp, call: Call) -> None:
        old, came = self._came.calls.get(node_of(op) or "", (None, None))
        is_there = old is not None and came is not None and old not in self._kept and _is_same(call, came)
        if old is not None and is_there and _has_shapes(op, old.meta.get("val")):
            made = self._graph.create_node(
                "call_function",
                old.target,
                self._arguments(old, call),
                {name: self._rebuilt(each, name, call) for name, each in old.kwargs.items()},
                old.name,
                old.type,
            )
            made.meta = {**old.meta}
            self._kept[old] = made
            self._strides.restride(made, old)
        else:
            made = self._new_call(op, call, old)
        value = made.meta.get("val")
        self._sizes.note(made)
        if not isinstance(value, tuple | list):
            self._nodes.update((result, made) for result in op.results)
            return
        names = origin_of(op).results
        for place, (result, each) in enumerate(zip(op.results, cast("Sequence[Any]", value), strict=True)):
            name = names[place] if old is not None and made is self._kept.get(old) else None
            if name is None and result.first_use is None:
                continue
            part = self._graph.create_node(
                "call_function", getitem, (made, place), {}, name or self._names.free("getitem")
            )
            part.meta = {**_notes(made), "val": each}
            before = None if old is None else next((user for user in old.users if user.name == name), None)
            if before is not None:
                part.meta, self._kept[before] = {**before.meta, "val": each}, part
            self._nodes[result] = part
            self._sizes.note(part)

    def _arguments(self, old: Node, call: Call) -> tuple[Any, ...]:
        schema = getattr(operator_of(old), "_schema", None)
        names = [each.name for each in schema.arguments] if schema is not None else []
        names += [f"arg{place}" for place in range(len(names), len(old.args))]
        return tuple(self._rebuilt(each, name, call) for each, name in zip(old.args, names, strict=False))

    def _rebuilt(self, value: Any, name: str, call: Call) -> Any:
        """An argument of a node as it came, with the tensors of the new graph."""
        if name in call.operands:
            found = self._nodes[call.operands[name]]
            return self._as_it_came(value, found) if isinstance(value, Node) else found
        if isinstance(value, Node):
            if value.op == "get_attr":
                if value not in self._kept:
                    self._kept[value] = self._graph.node_copy(value)
                return self._kept[value]
            return self._sizes.node(value.meta["val"])
        if isinstance(value, list | tuple):
            values = enumerate(cast("Sequence[Any]", value))
            rebuilt = [self._rebuilt(each, f"{name}.{place}", call) for place, each in values]
            return tuple(rebuilt) if isinstance(value, tuple) else rebuilt
        return value

    def _as_it_came(self, old: Node, new: Node) -> Node:
        """The node in place of an old one; with the calls that are nothing, if the node in front of them came so."""
        passed: list[Node] = []
        while (place := self._came.came.passed.get(old.name)) is not None:
            passed.append(old)
            old = old.all_input_nodes[min(place, len(old.all_input_nodes) - 1)]
        if self._kept.get(old) is not new:
            return new
        for each, source in zip(reversed(passed), (old, *reversed(passed)), strict=False):
            if each not in self._kept:
                if any(not self._has_input(other) for other in each.all_input_nodes if other is not source):
                    continue
                input_of = partial(self._input_of, source=source, below=new)
                made = self._kept[each] = self._graph.node_copy(each, input_of)
                self._strides.restride(made, each)
            new = self._kept[each]
        return new

    def _has_input(self, old: Node) -> bool:
        return is_size(old.meta.get("val")) or old in self._kept

    def _input_of(self, old: Node, source: Node, below: Node) -> Any:
        """An input of a call that is nothing: the node below it, a size, or another tensor that is kept."""
        value = old.meta.get("val")
        return self._sizes.node(value) if is_size(value) else below if old is source else self._kept[old]

    def _new_call(self, op: OpaqueOp, call: Call, beside: Node | None) -> Node:
        target = self._operator(call.name)
        positional: list[Any] = []
        named: dict[str, Any] = {}
        is_row = True
        for each in target._schema.arguments:
            found = self._argument(each.name, call)
            if found is _ABSENT and not each.has_default_value():
                found = None
            is_row = is_row and found is not _ABSENT and not each.kwarg_only
            if is_row:
                positional.append(found)
            elif found is not _ABSENT:
                named[each.name] = found
        # A call of the same operator on data in another order is the same node for users.
        is_own = beside is not None and beside not in self._kept and beside.target == target
        name = beside.name if beside is not None and is_own else self._names.free(call.name.split(".")[1])
        made = self._graph.create_node("call_function", target, tuple(positional), named, name)
        source = next(iter(made.all_input_nodes), None) if beside is None else beside
        notes = {} if source is None else _notes(source)
        if beside is not None and is_own:
            self._kept[beside] = made
            notes = _notes(beside, OWN_NOTES)
        made.meta = {**notes, "val": self._strides.value_of(made)}
        return made

    def _argument(self, name: str, call: Call) -> Any:
        if name in call.operands:
            return self._nodes[call.operands[name]]
        if any(each.startswith(f"{name}.") for each in call.operands):
            return [None if each is None else self._nodes[each] for each in call.places_of(name)]
        return self._value(call.values[name], call) if name in call.values else _ABSENT

    def _value(self, value: Any, call: Call) -> Any:
        """An argument of a new call that is no tensor."""
        if isinstance(value, Attribute):
            return DTYPES[value]
        if isinstance(value, tuple | list):
            return [self._value(each, call) for each in cast("Sequence[Any]", value)]
        if isinstance(value, str) and value.startswith("#"):
            place, axis = map(int, value[1:].split("."))
            tensor = self._nodes[[*call.operands.values()][place]]
            return self._sizes.node(tensor.meta["val"].shape[axis])
        return value

    def _operator(self, name: str) -> Any:
        """The operator of a name, in the dialect of the program."""
        found: Any = torch.ops
        if self._is_edge:
            found = import_module("executorch.exir.dialects._ops").ops.edge
        for part in name.split("."):
            found = getattr(found, part)
        return found

    # Results.

    def _outputs(self, tensors: Sequence[Node]) -> Sequence[Any]:
        """The results, in which these tensors take the places of the old ones."""
        (output,) = self._old.graph.find_nodes(op="output")
        rest = iter(zip(tensors, self._results, strict=True))
        specs = self._old.graph_signature.output_specs
        names = {node.name for node in self._graph.nodes}
        values: list[Any] = []
        owners: dict[Node, Node] = {}
        kept = {*self._kept.values()}
        for each, spec in zip(output.args[0], specs, strict=True):
            if not isinstance(each, Node):
                values.append(each)
            elif not is_result(self._came, each):
                values.append(self._sizes.node(each.meta["val"]) if is_size(each.meta.get("val")) else self._kept[each])
            elif is_size(each.meta["val"]):
                values.append(next(rest)[0])
            else:
                made, result = next(rest)
                if spec.kind is not OutputKind.USER_OUTPUT and (order := self._ends.own_order(result)) is not None:
                    made = self._in_order(made, invert(order))
                made = self._as_it_came(each, made)
                if owners.setdefault(made, each) is not each or (made.op == "placeholder" and each.op != "placeholder"):
                    # Users may write to a result.
                    made = self._copied(made, each)
                    owners[made] = each
                values.append(made)
                if made not in kept and made not in self._kept.values() and each.name not in names:
                    names.add(each.name)
                    cast("Any", made)._rename(each.name)
        return values

    def _copied(self, node: Node, old: Node) -> Node:
        """A copy of a tensor, in place of an old result."""
        target = self._operator("dim_order_ops._clone_dim_order.default" if self._is_edge else "aten.clone.default")
        order: dict[str, Any] = {"dim_order": [*node.meta["val"].dim_order()]} if self._is_edge else {}
        made = self._graph.create_node("call_function", target, (node,), order, self._names.free("clone"))
        made.meta = {**_notes(old), "val": self._strides.value_of(made)}
        return made

    def _assembled(self, outputs: Sequence[Any]) -> ExportedProgram:
        (output,) = self._old.graph.find_nodes(op="output")
        self._graph.output(tuple(outputs)).meta = {**output.meta}
        given = self._old.graph_signature
        results = [
            replace(spec, arg=replace(spec.arg, name=node.name)) if isinstance(node, Node) else spec
            for spec, node in zip(given.output_specs, outputs, strict=True)
        ]
        places = [node for node in self._graph.nodes if node.op == "placeholder"]
        signature = ExportGraphSignature([self._inputs.specs[node] for node in places], results)
        module = GraphModule(self._old.graph_module, self._graph)
        module.meta.update(self._old.graph_module.meta)
        self._ends.note(module.meta)
        return ExportedProgram(
            root=module,
            graph=module.graph,
            graph_signature=signature,
            state_dict=self._inputs.state,
            range_constraints=cast("Any", self._old).range_constraints,
            module_call_graph=self._old.module_call_graph,
            example_inputs=self._ends.examples(),
            constants=self._inputs.constants,
            verifiers=self._old.verifiers,
        )


_ABSENT = object()


def _is_same(call: Call, came: Call) -> bool:
    """True for a call of the same operator with the same arguments but for its operands."""
    return call.name == came.name and [*call.operands] == [*came.operands] and call.values == came.values


def _has_shapes(op: OpaqueOp, value: Any) -> bool:
    """True for an op with results of the shapes that the old node's had."""
    values: Sequence[Any] = (
        cast("Sequence[Any]", value) if isinstance(value, tuple | list) else [value] * len(op.results)
    )
    return [static(sizes_of(each)) for each in values] == [shape_of(each) for each in op.results]


def _notes(node: Node, names: Sequence[str] = NOTES) -> dict[str, Any]:
    return {name: node.meta[name] for name in names if name in node.meta}
