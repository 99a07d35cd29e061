"""Inputs of a graph under construction: those of the old one, and new weights in other orders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import torch
from torch._subclasses import FakeTensor
from torch.export.graph_signature import InputKind, InputSpec, TensorArgument
from torch.fx import Graph, Node

from ....dialects.npu.attrs import ReferenceAttr
from ....dialects.npu.source import ConstantOp
from ....dialects.npu.values import element_type_of, shape_of
from ....layout import Order
from ...origins import constant_origin_of
from ..numbers import bytes_of
from .element_types import DTYPES
from .reading import FxProgram, data_of


class FreeNames:
    """Names of nodes."""

    def __init__(self, old: Graph) -> None:
        self._taken = {node.name for node in old.nodes}

    def free(self, name: str) -> str:
        """A name that no node of the old graph has, nor a new one."""
        result, count = name, 1
        while result in self._taken:
            result, count = f"{name}_{count}", count + 1
        self._taken.add(result)
        return result


def fake_mode_of(graph: Graph) -> Any:
    """The mode in which the values of nodes are without data; None if there are none."""
    values = (node.meta.get("val") for node in graph.nodes)
    return next((each.fake_mode for each in values if isinstance(each, FakeTensor)), None)


class GraphInputs:
    """The placeholders of a new graph, with what they are, and the weights of the program."""

    def __init__(self, came: FxProgram, graph: Graph, names: FreeNames, kept: dict[Node, Node]) -> None:
        self._came, self._graph, self._names, self._kept = came, graph, names, kept
        self._fake_mode = fake_mode_of(came.program.graph)
        self.specs: dict[Node, InputSpec] = {}
        self.state: dict[str, Any] = {**came.program.state_dict}
        self.constants: dict[str, Any] = {**came.program.constants}
        self._moved: dict[object, Node] = {}
        """The placeholders of new constants, by what they are."""

    def keep(self, node: Node, spec: InputSpec) -> Node:
        """A placeholder of the old graph."""
        made = self._kept[node] = self._graph.node_copy(node)
        # A graph gives no node the name of a function of Python, as `input`, which torch.export gives arguments.
        made.name = node.name
        self.specs[made] = spec
        return made

    def store(self, spec: InputSpec, order: Order) -> None:
        """Store a buffer in another order."""
        target = str(spec.target)
        kept = self.state if target in self.state else self.constants
        kept[target] = kept[target].detach().permute(order).contiguous()

    def constant(self, op: ConstantOp) -> Node:
        """The placeholder of a constant: the old one, or a new one for other numbers or another order."""
        old = self._came.constants.get(constant_origin_of(op) or "")
        tensor = self._tensor(op)
        if old is not None and _are_equal(tensor, self._of(self.specs[self._kept[old]])):
            return self._kept[old]
        key = self._identity(op)
        if key not in self._moved:
            if old is None:
                name = "constant"
                spec = InputSpec(InputKind.CONSTANT_TENSOR, TensorArgument(name), name)
            else:
                spec, name = self.specs[self._kept[old]], f"{old.name}_permuted"
                spec = replace(spec, target=f"{spec.target}_permuted")
            self._moved[key] = self._new_input(name, spec, tensor)
        return self._moved[key]

    def _identity(self, op: ConstantOp) -> object:
        """A key that constants of the same numbers have: tied weights are one."""
        if not isinstance(op.value, ReferenceAttr):
            return op.value
        tensor = self._weight(op.value.data.key)
        if not tensor.data_ptr():
            return op.value, shape_of(op.result)
        steps = tuple((step.shape, step.permutation) for step in op.steps)
        return tensor.data_ptr(), tensor.stride(), tensor.shape, tensor.dtype, steps, shape_of(op.result)

    def _new_input(self, name: str, spec: InputSpec, tensor: torch.Tensor) -> Node:
        made = self._graph.placeholder(self._names.free(name))
        made.meta["val"] = self._fake_mode.from_tensor(tensor, static_shapes=True)
        target, count = str(spec.target), 1
        while target in self.state or target in self.constants:
            target, count = f"{spec.target}_{count}", count + 1
        is_parameter = spec.kind is InputKind.PARAMETER
        if is_parameter or (spec.kind is InputKind.BUFFER and spec.persistent):
            self.state[target] = torch.nn.Parameter(tensor, tensor.is_floating_point()) if is_parameter else tensor
        else:
            self.constants[target] = tensor
        self.specs[made] = replace(spec, arg=TensorArgument(made.name), target=target)
        return made

    def _of(self, spec: InputSpec) -> torch.Tensor:
        return self._weight(str(spec.target))

    def _weight(self, target: str) -> torch.Tensor:
        return self.state[target] if target in self.state else self.constants[target]

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

    def drop_unused(self, outputs: Sequence[Any]) -> None:
        """Drop the parameters and buffers that only the old graph reads."""
        old = {made: node for node, made in self._kept.items()}
        for node, spec in [*self.specs.items()]:
            is_weight = node not in old or old[node].name in self._came.constants
            if node.users or node in outputs or not is_weight or (node in old and not old[node].users):
                continue
            self._graph.erase_node(node)
            del self.specs[node]
            if all(each.target != spec.target for each in self.specs.values()):
                self.state.pop(str(spec.target), None)
                self.constants.pop(str(spec.target), None)


def _are_equal(one: torch.Tensor, other: torch.Tensor) -> bool:
    if one is other:
        return True
    return (one.dtype, one.shape) == (other.dtype, other.shape) and data_of(one) == data_of(other)
