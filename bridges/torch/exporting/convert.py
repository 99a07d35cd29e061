"""Conversion of the ops of a module into calls, in place. Calls that no pass has changed leave as they came."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FunctionType, ModuleOp, TensorType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue

from ....dialects.npu.attrs import ReferenceAttr
from ....dialects.npu.base import NpuOp
from ....dialects.npu.source import ConstantOp, ForeignOp, OpaqueOp
from ....dialects.npu.uncut import uncut_if_by_letters
from ....dialects.npu.values import element_type_of, shape_of
from ....dialects.program.names import by_definition
from ...came_nodes import ReadValue, Unchanged, unchanged
from ...origins import node_of
from ...refused_ops import RefusedOps
from ..calls import Call
from ..errors import NotExportable
from ..importing.convert import CameCall, CameCalls
from .fewer_views import drop_views
from .graph import CallBuilder
from .registry import EXPORTERS
from .turned import turn_layers

CORE = frozenset(
    {
        "aten._log_softmax.default",
        "aten._softmax.default",
        "aten.addmm.default",
        "aten.bmm.default",
        "aten.convolution.default",
        "aten.max_pool2d_with_indices.default",
        "aten.native_group_norm.default",
        "aten.native_layer_norm.default",
    }
)
"""Operators of decomposed programs, which have core operators only."""
COMPOSITE = frozenset(
    {
        "aten.conv1d.default",
        "aten.conv2d.default",
        "aten.layer_norm.default",
        "aten.linear.default",
        "aten.log_softmax.int",
        "aten.matmul.default",
        "aten.softmax.int",
    }
)
"""Operators that no decomposed program has."""


def as_calls(module: ModuleOp, came: CameCalls | None = None, has_copies: bool = False) -> ModuleOp:
    """A module of calls that compute the same; with `has_copies` views are copies, as in the edge dialect."""
    return ModuleOp([_with_calls(each, came or CameCalls(), has_copies) for each in module.ops], module.attributes)


def to_calls(module: ModuleOp, came: CameCalls | None = None, has_copies: bool = False) -> None:
    """Convert all ops in place."""
    made = as_calls(module, came, has_copies)
    module.detach_region(module.body)
    module.add_region(made.detach_region(made.body))


def _with_calls(function: Operation, came: CameCalls, has_copies: bool) -> Operation:
    if not isinstance(function, FuncOp):
        raise NotExportable(f"'{function.name}' has no counterpart in PyTorch")
    if function.is_declaration:
        return function.clone()
    block = _Exporter(function, came, has_copies).run()
    returned = block.last_op
    assert isinstance(returned, ReturnOp)
    made = function.clone_without_regions()
    made.detach_region(made.body)
    made.add_region(Region(block))
    made.function_type = FunctionType.from_lists(*([each.type for each in x] for x in (block.args, returned.operands)))
    return made


class _Exporter:
    def __init__(self, function: FuncOp, came: CameCalls, has_copies: bool) -> None:
        self._function, self._came = function, came
        body = function.body.block
        names = {node.proto.call.name for nodes in came.values() for node in nodes}
        is_core = not names.isdisjoint(CORE) and names.isdisjoint(COMPOSITE)
        self._graph = CallBuilder([_plain(each) for each in body.args], has_copies, is_core, came.parameters)
        self._values: dict[SSAValue, SSAValue] = dict(zip(body.args, self._graph.block.args, strict=True))
        for before, after in self._values.items():
            after.name_hint = before.name_hint
        self._unchanged = unchanged(function, came)
        largest_first = sorted(self._unchanged.values(), key=lambda same: -len(same.inner))
        self._inner = {op: same for same in largest_first for op in same.inner}
        self._refused = RefusedOps()

    def run(self) -> Block:
        waiting: list[Operation] = [*self._function.body.block.ops][::-1]
        while waiting:
            op = waiting.pop()
            try:
                waiting += self._step(op)
            except NotExportable as error:
                self._refused.add(op, error)
                for value in op.results:
                    self._values[value] = self._graph.block.insert_arg(_plain(value), 0)
        self._refused.end()
        drop_views(self._graph)
        turn_layers(self._graph.block, self._graph.has_copies)
        return self._graph.block

    def _step(self, op: Operation) -> Sequence[Operation]:
        """Convert an op; returns the ops that come before the next ones."""
        if isinstance(op, ReturnOp):
            self._graph.block.add_op(ReturnOp(*(self._values[value] for value in op.operands)))
            return ()
        if not isinstance(op, NpuOp):
            raise NotExportable(f"'{op.name}' has no counterpart in PyTorch")
        node = self._inner.get(op)
        if node is not None and node.is_possible:
            node.passed.append(op)
            return ()
        same = self._unchanged.get(op)
        if same is not None and same.results is None and same.is_possible:
            same.results = self._kept(same)
            if same.results is None:
                same.is_possible = False
                return [op, *reversed(same.passed)]
        if same is not None and same.results is not None:
            self._values.update((value, same.results[value]) for value in op.results if value in same.results)
            return ()
        self._graph.location = op.location
        operands = [self._values[value] for value in op.operands]
        if isinstance(op, ForeignOp) and Call.of(op) is None:
            raise NotExportable(f"'{op.op_name.data}' is no operator of PyTorch")
        if isinstance(op, ConstantOp) and (call := self._constant_call(op)) is not None:
            results = call
        elif isinstance(op, OpaqueOp | ConstantOp):
            types = [_plain(value) for value in op.results]
            results = self._graph.keep(
                type(op).create(
                    operands=operands, result_types=types, properties=op.properties, attributes=op.attributes
                )
            )
        elif uncut_if_by_letters(op) is not None:
            raise NotExportable(f"'{op.name}' in blocks has no counterpart in PyTorch")
        else:
            found = EXPORTERS[type(op)](op, self._graph, *by_definition(op, operands))
            results = [found] if isinstance(found, SSAValue) else found
        for before, after in zip(op.results, results, strict=True):
            if (element_type_of(after), shape_of(after)) != (element_type_of(before), shape_of(before)):
                raise NotExportable(f"'{op.name}': {after.type} is computed in place of {before.type}")
            self._values[before] = after
            if after.name_hint is None:
                after.name_hint = before.name_hint
        return ()

    def _constant_call(self, op: ConstantOp) -> Sequence[SSAValue] | None:
        """The call that a constant came as, if it has the numbers that this computes."""
        came, value = self._came.constants.get(node_of(op) or "", (None, None))
        if came is None or not isinstance(value, DenseIntOrFPElementsAttr) or isinstance(op.value, ReferenceAttr):
            return None
        if value.data != op.value.data or tuple(value.get_shape()) != shape_of(op.result):
            return None
        self._graph.location = came.location
        return self._graph.keep(Call(came.call.name, {}, came.call.values).op(came.elements, came.sizes, came.is_pure))

    def _kept(self, same: Unchanged[CameCall, SSAValue]) -> dict[SSAValue, SSAValue] | None:
        """The results of a call as it came, if what it reads is computed already."""
        came = same.came.proto
        operands: list[SSAValue] = []
        for value, given in zip(same.inputs, same.came.inputs, strict=True):
            if isinstance(given, ConstantOp):
                operands.append(self._graph.came_constant(given))
                continue
            if value is None:
                return None
            if isinstance(value.owner, ConstantOp) and value not in self._values:
                self._step(value.owner)
            if value not in self._values:
                return None
            found = self._values[value]
            if isinstance(given, ReadValue) and given.shape is not None:
                found = self._graph.reshape(found, given.shape)
            operands.append(found)
        given = dict(zip(came.operands, operands, strict=True))
        self._graph.location = came.location
        results = self._graph.keep(
            Call(came.call.name, given, came.call.values).op(came.elements, came.sizes, came.is_pure)
        )
        for before, after in zip(same.outputs, results, strict=True):
            after.name_hint = None if before is None else before.name_hint
        return {before: after for before, after in zip(same.outputs, results, strict=True) if before is not None}


def _plain(value: SSAValue) -> TensorType:
    """The type without a layout."""
    return TensorType(element_type_of(value), shape_of(value))
