"""Graphs of `torch.compile` as exported programs, and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch._dynamo.backends.common import aot_autograd
from torch._functorch._aot_autograd.utils import make_boxed_func
from torch.export import ExportedProgram
from torch.export.exported_program import ModuleCallEntry
from torch.export.graph_signature import (
    ConstantArgument,
    ExportGraphSignature,
    InputKind,
    InputSpec,
    OutputKind,
    OutputSpec,
    SymIntArgument,
    TensorArgument,
)
from torch.fx import GraphModule, Node

from .reading import is_size


def compiled(
    graph: GraphModule, inputs: Sequence[Any], change: Callable[[ExportedProgram], ExportedProgram]
) -> Callable[..., Any]:
    """A function of the inputs of a graph that Dynamo has captured, with its functional graphs changed."""

    def compile_graph(functional: GraphModule, _: Sequence[Any]) -> Any:
        boxed: Any = make_boxed_func
        return boxed(change(as_program(functional)).graph_module)

    backend: Any = aot_autograd(fw_compiler=compile_graph)
    return backend(graph, inputs)


def as_program(graph: GraphModule) -> ExportedProgram:
    """A functional graph as a program, all of whose inputs are those of users."""
    (output,) = graph.graph.find_nodes(op="output")
    inputs = [
        InputSpec(InputKind.USER_INPUT, _argument(node), None) for node in graph.graph.find_nodes(op="placeholder")
    ]
    outputs = [OutputSpec(OutputKind.USER_OUTPUT, _argument(each), None) for each in output.args[0]]
    return ExportedProgram(
        root=graph,
        graph=graph.graph,
        graph_signature=ExportGraphSignature(inputs, outputs),
        state_dict={},
        range_constraints={},
        module_call_graph=[ModuleCallEntry("")],
    )


def _argument(value: Any) -> Any:
    if not isinstance(value, Node):
        return ConstantArgument("", value)
    if is_size(value.meta.get("val")):
        return SymIntArgument(value.name)
    is_tensor = isinstance(value.meta.get("val"), torch.Tensor)
    return TensorArgument(value.name) if is_tensor else ConstantArgument(value.name, None)
