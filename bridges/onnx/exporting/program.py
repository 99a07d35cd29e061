"""Export of a program as a graph, with all calls inlined.

ONNX has functions too, but their constants would have to be in the model itself, however large, and runtimes inline
them anyway.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from onnx import TensorProto
from xdsl.dialects import func
from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, ModuleOp, TensorType
from xdsl.ir import Operation, SSAValue

from ....dialects.notes.interfaces import dims_of, results_of
from ....dialects.npu.base import NpuOp
from ....dialects.npu.shape import AnyTransposeOp
from ....dialects.npu.source import ConstantOp, ForeignOp
from ....dialects.npu.uncut import uncut_if_by_letters
from ....dialects.npu.values import element_type_of, is_whole, shape_of
from ....dialects.program.names import by_definition
from ....dialects.settings.file_rules import ANYTHING, FileRules
from ....layout import DYNAMIC
from ...came_nodes import unchanged
from ...functions import main_function
from ...origins import Origin, constant_origin_of, origin_of
from ...refused_ops import RefusedOps
from ..came import CameGraph, CameNodes, ReadNumbers, ReadSizes
from ..errors import NotExportable
from .blocks import to_logical, to_stored
from .bodies import DEEPEST, finish
from .came import Kept, add_came, element_of, given_tensor, is_allowed, is_constant, rank_of_first
from .came_values import CameValues
from .elements import carrier
from .gemm_bias import gemm_and_bias
from .graph import Exported, OnnxGraph, OnnxNode, OnnxTensor, Source
from .names import texts_of
from .nchwc import Nchwc
from .ops.source import constant
from .opset import NeedsOpset, Opset
from .registry import EXPORTERS
from .weights import in_memory

HELPERS = frozenset({"Cast", "Concat", "Expand", "Identity", "Reshape", "Shape", "Transpose", "Unsqueeze"})
"""Kinds of auxiliary nodes, which do not get the name of their op."""


def noted_opsets(module: ModuleOp) -> dict[str, int]:
    """The domains of the imported model with their versions."""
    notes = module.attributes.get("onnx.opsets")
    versions = notes.data.items() if isinstance(notes, DictionaryAttr) else ()
    return {domain: version.value.data for domain, version in versions if isinstance(version, IntegerAttr)}


def export(
    module: ModuleOp,
    opset: Opset,
    directory: Path,
    source: Source | None,
    has_nchwc: bool = False,
    keeps_foreign: bool = False,
    came: CameNodes | None = None,
    rules: FileRules = ANYTHING,
) -> Exported:
    """Export a module; constants in files come from `source` or from this directory.

    With `has_nchwc` ops on blocks of channels are those of com.microsoft.nchwc.
    With `keeps_foreign` ops of other formats are nodes of other domains.
    The nodes that `came` leave as they came if the ops that they became are unchanged, and the `rules` allow them.
    """
    noted = noted_opsets(module)
    foreign = Counter[str]() if keeps_foreign else None
    domains = rules.domains | {*noted}
    graph = OnnxGraph(opset, directory, noted.get(""), source, domains, has_nchwc, foreign, rules)
    result = Exported(graph, main_function(module))
    functions = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
    _Inliner(functions, result, came=came).run()
    return result


@dataclass(slots=True)
class _CallFrame:
    """A call being inlined: the remaining ops of the function, and the tensors of its values."""

    function: func.FuncOp
    rest: Iterator[Operation]
    tensors: dict[SSAValue, OnnxTensor]
    call: Operation | None
    """The call in the frame below; None for the exported function."""
    unchanged: dict[Operation, Kept]
    inner: dict[Operation, Kept]
    """The nodes that may leave as they came, by the ops that are not in the file then."""
    again: list[Operation] = field(default_factory=list[Operation])
    """The ops of a node that does not leave as it came, the next one last."""

    def next_op(self) -> Operation:
        return self.again.pop() if self.again else next(self.rest)


class _Inliner:
    """Exports functions with an explicit stack, so that call chains may be deep."""

    def __init__(
        self,
        functions: Mapping[str, func.FuncOp],
        result: Exported,
        around: Sequence[func.FuncOp] = (),
        depth: int = 0,
        came: CameNodes | None = None,
    ):
        self._functions = functions
        self._result, self._graph = result, result.graph
        self._graph.export_body = self._body
        self._nchwc = Nchwc(self._graph) if self._graph.has_nchwc else None
        self._came = came or CameNodes()
        self._graph.came_with_equal_ranks = self._came.with_equal_ranks()
        self._around = around
        """The functions that are being exported around this one."""
        self._depth = depth
        """The number of graphs around this one."""
        self._frames: list[_CallFrame] = []
        self._constants: dict[Operation, OnnxTensor] = {}
        self._refused = RefusedOps()
        # Ops on blocks are found among the nodes that exporters make.
        graphs = {} if self._nchwc else self._came.graphs
        own = graphs.get(result.function.sym_name.data) or CameGraph()
        self._values = CameValues(own, self._graph, result.names)

    def run(self, captured: Sequence[OnnxTensor] = ()) -> None:
        """Export the function; its last arguments are these tensors of graphs around it."""
        function = self._result.function
        arguments = _body(function).args
        if len(captured) > len(arguments):
            expected = f"at least {len(captured)} for the captured values"
            raise NotExportable(f"@{function.sym_name.data} has {len(arguments)} arguments, expected {expected}")
        own = arguments[: len(arguments) - len(captured)]
        inputs = [self._graph.input(_carrier_of(argument)) for argument in own]
        for tensor, argument in zip(inputs, own, strict=True):
            tensor.sizes, tensor.value = _sizes_of(argument), argument
        self._values.note_inputs(function, inputs)
        for tensor in captured:
            if tensor.came is not None:
                self._values.note(tensor.came, tensor)
        self._enter(function, [*inputs, *captured], None)
        while self._frames:
            frame = self._frames[-1]
            op = frame.next_op()
            try:
                self._step(frame, op)
            except NeedsOpset as error:
                if not self._graph.opset.is_fixed:
                    raise
                self._refuse(frame, op, error)
            except NotExportable as error:
                self._refuse(frame, op, error)
        self._refused.end()

    def _refuse(self, frame: _CallFrame, op: Operation, error: NotExportable) -> None:
        """Note an op that ONNX lacks, and go on with tensors in the place of its results."""
        self._refused.add(op, error)
        frame.tensors.update((value, _stand_in(value)) for value in op.results)

    def _body(self, name: str, captured: Sequence[OnnxTensor]) -> Exported:
        """Export a function as a subgraph of the op that refers to it."""
        if self._depth == DEEPEST:
            raise NotExportable(f"subgraphs are nested more than {DEEPEST} deep")
        result = Exported(self._graph.inner(), self._function(name), self._result.names, self._result.hints)
        around = [*self._around, *(frame.function for frame in self._frames)]
        _Inliner(self._functions, result, around, self._depth + 1, self._came).run(captured)
        return result

    def _function(self, name: str) -> func.FuncOp:
        if name not in self._functions:
            raise NotExportable(f"there is no function @{name}")
        return self._functions[name]

    def _step(self, frame: _CallFrame, op: Operation) -> None:
        match op:
            case func.ReturnOp():
                self._leave(frame, [frame.tensors[value] for value in op.operands])
            case func.CallOp():
                callee = self._function(op.callee.string_value())
                self._enter(callee, [frame.tensors[value] for value in op.operands], op)
            case NpuOp():
                node = frame.inner.get(op)
                if node is not None and node.is_possible:
                    node.passed.append(op)
                    return
                if self._is_behind_others(frame, op):
                    return
                origin = origin_of(op)
                read = {frame.tensors.get(value) for value in op.operands}
                for value, tensor, name in zip(
                    op.results, self._written(frame, op, origin), origin.results, strict=True
                ):
                    frame.tensors[value] = tensor
                    tensor.sizes, tensor.value = _sizes_of(value), tensor.value or value
                    tensor.dims = texts_of(dims_of(value)) or tensor.dims
                    # The name of an inserted value in the program is that of what it is made from. A view that a
                    # pass has put in front of an op has the name of its result, and may be the tensor itself.
                    hint = None if origin.reason else value.name_hint
                    self._note_name(tensor, *((None, name or hint) if tensor in read else (name, hint)))
                    if self._nchwc is not None and (flat := self._nchwc.known_flat(tensor)) is not None:
                        self._note_name(flat, name, None if origin.reason else value.name_hint)
            case _:
                raise NotExportable(f"'{op.name}' has no counterpart in ONNX")

    def _enter(self, function: func.FuncOp, tensors: Sequence[OnnxTensor], call: Operation | None) -> None:
        # Without branches, recursion would not terminate.
        if function in self._around or any(frame.function is function for frame in self._frames):
            raise NotExportable(f"@{function.sym_name.data} calls itself")
        block = _body(function)
        # Ops on blocks are found among the nodes that exporters make.
        found = unchanged(function, {} if self._nchwc is not None else self._came.by_name)
        tensors_of: dict[SSAValue, OnnxTensor] = dict(zip(block.args, tensors, strict=True))
        # Of nodes within each other the inner ones have the ops.
        largest_first = sorted(found.values(), key=lambda same: -len(same.inner))
        inner = {op: same for same in largest_first for op in same.inner}
        self._frames.append(_CallFrame(function, iter(block.ops), tensors_of, call, found, inner))

    def _leave(self, frame: _CallFrame, results: list[OnnxTensor]) -> None:
        self._frames.pop()
        if frame.call is None:
            ends = zip(results_of(frame.function), results, strict=True)
            finish(self._result, [self._values.read(end.name, x, end.value) or x for end, x in ends])
        else:
            self._frames[-1].tensors.update(zip(frame.call.results, results, strict=True))

    def _written(self, frame: _CallFrame, op: NpuOp, origin: Origin) -> list[OnnxTensor]:
        """The results of an op."""
        if isinstance(op, ConstantOp):
            return [self._constant(op)]
        if (same := frame.unchanged.get(op)) is not None and same.results is not None:
            return [same.results.get(value) or OnnxTensor(0) for value in op.results]
        if not isinstance(op, ForeignOp) and all(map(_is_empty, op.results)):
            return [_empty_constant(result) for result in op.results]
        operands = [frame.tensors[value] for value in op.operands]
        names = self._values.names_of_foreign(op, origin.results) if isinstance(op, ForeignOp) else None
        if names is not None:
            read = zip(names[0], operands, op.operands, strict=True)
            operands = [self._values.read(name, x, value) or x for name, x, value in read]
        before = len(self._graph.nodes)
        tensors = self._computed(op, operands)
        results = [self._graph.stored(x, element_type_of(v)) for x, v in zip(tensors, op.results, strict=True)]
        _name_node(self._graph.nodes[before:], origin)
        for node in self._graph.nodes[before:]:
            node.part_of = None if isinstance(op, AnyTransposeOp) else op.name
        if names is not None and all(x.came == name for x, name in zip(operands, names[0], strict=True)):
            for name, tensor in zip(names[1], results, strict=True):
                self._values.note(name, tensor)
        return results

    def _constant(self, op: ConstantOp) -> OnnxTensor:
        if op in self._constants:
            return self._constants[op]
        made, name = constant(op, self._graph), constant_origin_of(op)
        if name is not None and made.weights is not None and made.original is None:
            made = self._graph.named(name, made)
            self._values.note_constant(op, name, made)
        self._note_name(made, name, None)
        self._constants[op] = made
        return made

    def _is_behind_others(self, frame: _CallFrame, op: NpuOp) -> bool:
        """True if other ops come first: its node cannot leave as it came here, or in the opset of the file."""
        same = frame.unchanged.get(op)
        if same is None or same.results is not None or not same.is_possible:
            return False
        same.results = self._kept(frame, op, same)
        same.is_possible = same.results is not None
        if same.is_possible:
            return False
        frame.again += [op, *reversed(same.passed)]
        return True

    def _kept(self, frame: _CallFrame, op: NpuOp, same: Kept) -> Mapping[SSAValue, OnnxTensor] | None:
        for value in same.inputs:
            if value is not None and isinstance(value.owner, ConstantOp):
                frame.tensors[value] = self._constant(value.owner)
        if not all(value is None or value in frame.tensors for value in same.inputs):
            return None
        inputs = [None if value is None else frame.tensors[value] for value in same.inputs]
        is_sum = same.came.proto.op_type == "Add"
        if is_constant(op, inputs) or (is_sum and gemm_and_bias(same.inputs, inputs) is not None):
            return None
        came, proto, values = same.came, same.came.proto, self._values
        if not proto.op_type:
            return self._found_together(same, inputs)
        given = [given_tensor(each, x, self._graph) for each, x in zip(came.inputs, inputs, strict=True)]
        if not is_allowed(proto, given, self._graph.rules):
            return None
        read = [values.read(*each) for each in zip(proto.input, given, same.inputs, strict=True)]
        needed = zip(came.inputs, read, strict=True)
        if any(isinstance(each, ReadNumbers | ReadSizes) and x is None for each, x in needed):
            return None
        is_own = all(x is None or x.came == name for name, x in zip(proto.input, read, strict=True))
        if any(isinstance(each, ReadSizes) for each in came.inputs) and not is_own:
            return None
        node = values.found_node(proto) if is_own else None
        if node is None:
            elements = [*map(element_of, same.outputs)]
            node = add_came(proto, read, elements, rank_of_first(same), self._graph, self._result.names)
        if node is None:
            return None
        if is_own:
            values.note_results(proto, node)
        results = zip(same.outputs, node.outputs, strict=True)
        return {value: tensor for value, tensor in results if value is not None and tensor is not None}

    def _found_together(self, same: Kept, inputs: Sequence[OnnxTensor | None]) -> Mapping[SSAValue, OnnxTensor] | None:
        """The results of several nodes that share their ops, if they read what they did in the model."""
        proto = same.came.proto
        if any(x is None or x.came != name for x, name in zip(inputs, proto.input, strict=True)):
            return None
        names = {value: name for value, name in zip(same.outputs, proto.output, strict=True) if value is not None}
        found = {value: self._values.find(name, has_ops=True) for value, name in names.items()}
        results = {value: tensor for value, tensor in found.items() if tensor is not None}
        return results if len(results) == len(found) else None

    def _computed(self, op: NpuOp, operands: Sequence[OnnxTensor]) -> Sequence[OnnxTensor]:
        """The results of an op on tensors; ops on blocks are ops of their own, or compute with logical tensors."""
        nchwc = self._nchwc
        if nchwc is not None:
            # Imported late: few models have blocks.
            from .nchwc_ops import written

            found = written(nchwc, op, operands) or nchwc.elementwise(op, operands)
            if found is not None:
                return [found]
        block = uncut_if_by_letters(op)
        if block is not None and isinstance(whole := block.last_op, NpuOp):
            logical = [self._logical(x, value) for x, value in zip(operands, op.operands, strict=True)]
            found = self._computed(whole, logical)
            return [self._stored(x, value) for x, value in zip(found, op.results, strict=True)]
        tensors = EXPORTERS[type(op)](op, self._graph, *by_definition(op, operands))
        return tensors if isinstance(tensors, tuple) else [tensors]

    def _logical(self, x: OnnxTensor, value: SSAValue) -> OnnxTensor:
        return to_logical(self._graph, x, value) if self._nchwc is None else self._nchwc.to_logical(x, value)

    def _stored(self, x: OnnxTensor, value: SSAValue) -> OnnxTensor:
        return to_stored(self._graph, x, value) if self._nchwc is None else self._nchwc.to_stored(x, value)

    def _note_name(self, tensor: OnnxTensor, name: str | None, hint: str | None) -> None:
        """Note the name in the imported model, or else that in the program."""
        if name is not None:
            self._result.names.append((tensor, name))
        elif hint is not None:
            self._result.hints.append((tensor, hint))


def _body(function: func.FuncOp):
    if len(function.body.blocks) != 1:
        problem = f"has {len(function.body.blocks)} blocks" if function.body.blocks else "is declared only"
        raise NotExportable(f"@{function.sym_name.data} {problem}: a graph of ONNX is one block")
    return function.body.block


def _carrier_of(value: SSAValue) -> int:
    if not isinstance(value.type, TensorType):
        raise NotExportable(f"ONNX has no values of type {value.type}")
    return carrier(element_type_of(value))


def _stand_in(value: SSAValue) -> OnnxTensor:
    """A tensor for the users of a result that is refused."""
    try:
        element = _carrier_of(value)
    except NotExportable:
        element = TensorProto.FLOAT
    return OnnxTensor(element, sizes=_sizes_of(value), value=value)


def _sizes_of(value: SSAValue) -> tuple[int, ...] | None:
    """The stored shape of a value; None if it is no tensor, or of unknown rank."""
    return None if is_whole(value) else shape_of(value)


def _is_empty(value: SSAValue) -> bool:
    """True if a value has static shape and no elements."""
    return 0 in shape_of(value) and DYNAMIC not in shape_of(value)


def _empty_constant(value: SSAValue) -> OnnxTensor:
    """A constant without elements."""
    number = _carrier_of(value)
    return OnnxTensor(number, weights=in_memory(number, shape_of(value), b""))


def _name_node(nodes: Sequence[OnnxNode], origin: Origin) -> None:
    """Give the name of an op to its main node, and the reason if a pass inserted it."""
    if nodes:
        main = next((node for node in reversed(nodes) if node.kind not in HELPERS), nodes[-1])
        main.name, main.doc = origin.node, origin.reason
