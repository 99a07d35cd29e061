"""Writing of a module of calls as an exported program: the one that was read, with another graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from operator import getitem
from typing import Any, cast

import torch
from torch._subclasses import FakeTensor
from torch.export import ExportedProgram
from torch.export.graph_signature import ExportGraphSignature, InputKind, InputSpec, TensorArgument
from torch.fx import Graph, GraphModule, Node
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import ReturnOp
from xdsl.ir import Attribute, SSAValue

from ...dialects.npu.attrs import ReferenceAttr
from ...dialects.npu.source import ConstantOp, OpaqueOp
from ...dialects.npu.values import element_type_of, shape_of
from ..building import static
from ..functions import main_function
from ..origins import constant_origin_of, node_of, origin_of
from .asserts import copy_asserts
from .calls import Call
from .element_types import DTYPES
from .errors import NotExportable
from .numbers import bytes_of
from .reading import FxProgram, data_of, is_size, operator_of, sizes_of
from .sizes import SizeNodes
from .strides import Strides

NOTES = ("nn_module_stack", "source_fn_stack", "stack_trace", "torch_fn", "from_node")
"""The notes of a node about where it is from, which new nodes in its place have as well."""


def written(came: FxProgram, module: ModuleOp) -> ExportedProgram:
    """The program of a module of calls, which was read from the one that `came`."""
    return _Writer(came, module).program()


class _Writer:
    def __init__(self, came: FxProgram, module: ModuleOp) -> None:
        self._came, self._old = came, came.program
        self._block = main_function(module).body.block
        self._graph = Graph()
        self._names = {node.name for node in self._old.graph.nodes}
        self._nodes: dict[SSAValue, Node] = {}
        self._kept: dict[Node, Node] = {}
        """The new nodes of the old ones that are in both graphs."""
        self._inputs: dict[Node, InputSpec] = {}
        self._state: dict[str, Any] = {**self._old.state_dict}
        self._constants: dict[str, Any] = {**self._old.constants}
        self._sizes = SizeNodes(self._graph, self._old.graph, self._kept)
        self._strides = Strides(self._graph, self._fake_mode)
        self._moved: dict[object, Node] = {}
        """The placeholders of new constants, by what they are."""

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
        copy_asserts(self._old.graph, self._graph, self._kept)
        return self._assembled(outputs)

    # Inputs and constants.

    def _placeholders(self) -> None:
        """Parameters, buffers and constants, the new ones last, and the inputs of users behind them."""
        specs = {spec.arg.name: spec for spec in self._old.graph_signature.input_specs}
        arguments = iter(self._block.args)
        found = [*self._old.graph.find_nodes(op="placeholder")]
        for node in found:
            if specs[node.name].kind is not InputKind.USER_INPUT:
                self._keep_input(node, specs[node.name])
        for op in self._block.ops:
            if isinstance(op, ConstantOp):
                self._nodes[op.result] = self._constant(op)
        for node in found:
            if node not in self._kept:
                self._keep_input(node, specs[node.name])
            if node.name in self._came.arguments:
                self._nodes[next(arguments)] = self._kept[node]

    def _keep_input(self, node: Node, spec: InputSpec) -> None:
        made = self._kept[node] = self._graph.node_copy(node)
        self._inputs[made] = spec
        self._sizes.note(made)

    def _constant(self, op: ConstantOp) -> Node:
        """The placeholder of a constant: the old one, or a new one for other numbers or another order."""
        old = self._came.constants.get(constant_origin_of(op) or "")
        tensor = self._tensor(op)
        if old is not None and _are_equal(tensor, self._of(self._inputs[self._kept[old]])):
            return self._kept[old]
        key = self._identity(op)
        if key not in self._moved:
            if old is None:
                name = "constant"
                spec = InputSpec(InputKind.CONSTANT_TENSOR, TensorArgument(name), name)
            else:
                spec, name = self._inputs[self._kept[old]], f"{old.name}_permuted"
                spec = replace(spec, target=f"{spec.target}_permuted")
            self._moved[key] = self._new_input(name, spec, tensor)
        return self._moved[key]

    def _identity(self, op: ConstantOp) -> object:
        """A key that constants of the same numbers have: tied weights are one."""
        if not isinstance(op.value, ReferenceAttr):
            return op.value
        tensor = self._weight(op.value.data.key)
        memory = tensor.untyped_storage().data_ptr(), tensor.storage_offset(), tensor.stride(), tensor.shape
        steps = tuple((step.shape, step.permutation) for step in op.steps)
        return memory if memory[0] else id(tensor), tensor.dtype, steps, shape_of(op.result)

    def _new_input(self, name: str, spec: InputSpec, tensor: torch.Tensor) -> Node:
        made = self._graph.placeholder(self._free(name))
        made.meta["val"] = self._fake_mode.from_tensor(tensor, static_shapes=True)
        target, count = str(spec.target), 1
        while target in self._state or target in self._constants:
            target, count = f"{spec.target}_{count}", count + 1
        is_parameter = spec.kind is InputKind.PARAMETER
        if is_parameter or (spec.kind is InputKind.BUFFER and spec.persistent):
            self._state[target] = torch.nn.Parameter(tensor, tensor.is_floating_point()) if is_parameter else tensor
        else:
            self._constants[target] = tensor
        self._inputs[made] = replace(spec, arg=TensorArgument(made.name), target=target)
        return made

    def _of(self, spec: InputSpec) -> torch.Tensor:
        return self._weight(str(spec.target))

    def _weight(self, target: str) -> torch.Tensor:
        return self._state[target] if target in self._state else self._constants[target]

    def _tensor(self, op: ConstantOp) -> torch.Tensor:
        """The numbers of a constant."""
        sizes = shape_of(op.result)
        if not isinstance(op.value, ReferenceAttr):
            dtype, data = DTYPES[element_type_of(op.result)], bytearray(bytes_of(op))
            return torch.frombuffer(data, dtype=dtype).reshape(sizes) if data else torch.empty(sizes, dtype=dtype)
        tensor = self._weight(op.value.data.key)
        if not op.steps:
            return tensor
        tensor = tensor.detach()
        for step in op.steps:
            tensor = tensor.reshape(step.shape).permute(step.permutation)
        return tensor.reshape(sizes).contiguous()

    def _drop_unused(self, outputs: Sequence[Any]) -> None:
        """Drop new calls, and the parameters and buffers, that nothing reads."""
        kept = {*self._kept.values(), *(each for each in outputs if isinstance(each, Node))}
        for node in reversed(self._graph.nodes):
            if node.op == "call_function" and not node.users and node not in kept:
                self._graph.erase_node(node)
        old = {made: node for node, made in self._kept.items()}
        for node, spec in [*self._inputs.items()]:
            is_weight = node not in old or old[node].name in self._came.constants
            if node.users or node in outputs or not is_weight or (node in old and not old[node].users):
                continue
            self._graph.erase_node(node)
            del self._inputs[node]
            if all(each.target != spec.target for each in self._inputs.values()):
                self._state.pop(str(spec.target), None)
                self._constants.pop(str(spec.target), None)

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
            part = self._graph.create_node("call_function", getitem, (made, place), {}, name or self._free("getitem"))
            part.meta = {**_notes(made), "val": each}
            if name is not None and old is not None:
                before = next(user for user in old.users if user.name == name)
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
            return type(value)(self._rebuilt(each, f"{name}.{place}", call) for place, each in enumerate(value))
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
                below = new
                made = self._kept[each] = self._graph.node_copy(each, lambda old: self._input_of(old, source, below))
                self._strides.restride(made, each)
            new = self._kept[each]
        return new

    def _input_of(self, old: Node, source: Node, below: Node) -> Any:
        """What a node reads that is nothing: the node below it, sizes, or another one, which gives it a shape only."""
        value = old.meta.get("val")
        return self._sizes.node(value) if is_size(value) else below if old is source else self._kept.get(old, below)

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
        name = beside.name if beside is not None and is_own else self._free(call.name.split(".")[1])
        made = self._graph.create_node("call_function", target, tuple(positional), named, name)
        source = next(iter(made.all_input_nodes), None) if beside is None else beside
        made.meta = {**({} if source is None else _notes(source)), "val": self._strides.value_of(made)}
        if beside is not None and is_own:
            self._kept[beside] = made
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
        if self._old.dialect == "EDGE":
            found = import_module("executorch.exir.dialects._ops").ops.edge
        for part in name.split("."):
            found = getattr(found, part)
        return found

    # Results.

    def _outputs(self, tensors: Sequence[Node]) -> Sequence[Any]:
        """The results, in which these tensors take the places of the old ones."""
        (output,) = self._old.graph.find_nodes(op="output")
        rest = iter(tensors)
        names = {node.name for node in self._graph.nodes}
        values: list[Any] = []
        owners: dict[Node, Node] = {}
        kept = {*self._kept.values()}
        for each in output.args[0]:
            if not isinstance(each, Node):
                values.append(each)
            elif is_size(each.meta.get("val")):
                values.append(self._sizes.node(each.meta["val"]))
            else:
                made = self._as_it_came(each, next(rest))
                if owners.setdefault(made, each) is not each or (made.op == "placeholder" and each.op != "placeholder"):
                    # Users may write to a result.
                    made = self._copied(made, each)
                    owners[made] = each
                values.append(made)
                if made not in kept and made not in self._kept.values() and each.name not in names:
                    names.add(each.name)
                    made._rename(each.name)
        return values

    def _copied(self, node: Node, old: Node) -> Node:
        """A copy of a tensor, in place of an old result."""
        is_edge = self._old.dialect == "EDGE"
        target = self._operator("dim_order_ops._clone_dim_order.default" if is_edge else "aten.clone.default")
        order = {"dim_order": [*node.meta["val"].dim_order()]} if is_edge else {}
        made = self._graph.create_node("call_function", target, (node,), order, self._free("clone"))
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
        signature = ExportGraphSignature([self._inputs[node] for node in places], results)
        module = GraphModule(self._old.graph_module, self._graph)
        module.meta.update(self._old.graph_module.meta)
        return ExportedProgram(
            root=module,
            graph=module.graph,
            graph_signature=signature,
            state_dict=self._state,
            range_constraints=self._old.range_constraints,
            module_call_graph=self._old.module_call_graph,
            example_inputs=self._old.example_inputs,
            constants=self._constants,
            verifiers=self._old.verifiers,
        )

    # Helpers.

    @property
    def _fake_mode(self) -> Any:
        values = (node.meta.get("val") for node in self._old.graph.nodes)
        return next((each.fake_mode for each in values if isinstance(each, FakeTensor)), None)

    def _free(self, name: str) -> str:
        """A name that no node of the old graph has."""
        result, count = name, 1
        while result in self._names:
            result, count = f"{name}_{count}", count + 1
        self._names.add(result)
        return result


_ABSENT = object()


def _is_same(call: Call, came: Call) -> bool:
    """True for a call of the same operator with the same arguments but for its operands."""
    return call.name == came.name and [*call.operands] == [*came.operands] and call.values == came.values


def _has_shapes(op: OpaqueOp, value: Any) -> bool:
    """True for an op with results of the shapes that the old node's had."""
    values = value if isinstance(value, tuple | list) else [value] * len(op.results)
    return [static(sizes_of(each)) for each in values] == [shape_of(each) for each in op.results]


def _are_equal(one: torch.Tensor, other: torch.Tensor) -> bool:
    if one is other:
        return True
    return (one.dtype, one.shape) == (other.dtype, other.shape) and data_of(one) == data_of(other)


def _notes(node: Node) -> dict[str, Any]:
    return {name: node.meta[name] for name in NOTES if name in node.meta}
