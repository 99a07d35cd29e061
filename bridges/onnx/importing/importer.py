"""Import of an ONNX model as a module: `import_model`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, ValueInfoProto
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, ModuleOp, StringAttr, i64
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.traits import is_side_effect_free

from ....dialects.folding import FOLD_LIMIT
from ....dialects.npu.shape import ReshapeOp
from ....dialects.npu.values import element_type_of, shape_of, shapes_agree
from ..errors import OnnxError, UnsupportedNode
from .checking import ONNX_DOMAINS, check_node, check_types
from .folding import fold
from .graph import ImportedGraph, ModelValue, Postponed
from .inference import Types
from .load import load
from .metadata import notes_of_end, notes_of_model
from .node import ImportedNode, Shaped
from .opaque import opaque
from .order import label, node_name, ordered, used_names
from .registry import CONVERTERS, SIZERS, TYPERS, Converted, key_of
from .sizes import Size, are_known, static
from .tensors import ModelTensor, tensor_of
from .types import kind_of

Progress = Callable[[int, int], None]
"""Called from time to time with the number of converted nodes and the total."""


@dataclass(frozen=True, slots=True)
class Options:
    """Options of the import: handling of weights and folding."""

    weights_file: str = "weights.safetensors"
    """The file that large constants refer to."""
    inline_limit: int | None = 1024
    """Constants up to this size in bytes are written out; None: all."""
    fold_limit: int = FOLD_LIMIT
    """The largest constant in bytes built for a node. A node that needs a larger one is kept as it is."""
    needs_data: bool = True
    """True if missing data files are an error."""


@dataclass(frozen=True, slots=True)
class Imported:
    """A module, and the tensors that it refers to by key."""

    module: ModuleOp
    weights: dict[str, ModelTensor]
    opaque: dict[str, int] = field(default_factory=dict[str, int])
    """The number of nodes that became `npu.opaque`, by op."""
    unfolded: dict[str, int] = field(default_factory=dict[str, int])
    """The nodes that became opaque because of `fold_limit`, with the bytes they need."""


def import_model(
    path: Path, options: Options | None = None, progress: Progress | None = None, model: ModelProto | None = None
) -> Imported:
    """Import a model file as a module with a function `@main`. Raises `OnnxError`.

    A model in memory is given as `model`; the folder of `path` then has its external data.
    """
    return _Importer(load(path, model), path, options or Options(), progress).run()


class _Importer:
    def __init__(self, model: ModelProto, path: Path, options: Options, progress: Progress | None):
        self._model = model
        self._proto: GraphProto = model.graph
        self._path = path
        self._options = options
        self._progress = progress
        opsets = {"" if each.domain == "ai.onnx" else each.domain: each.version for each in model.opset_import}
        self._types = Types(self._proto, model.opset_import, model.ir_version)
        self._graph = ImportedGraph(
            Block(), opsets, self._keeps_inline, options.weights_file, self._read, options.fold_limit
        )
        self._opaque: dict[str, int] = {}
        self._late: list[Operation] = []
        """Ops of postponed nodes; some may turn out to be unused."""

    def run(self) -> Imported:
        self._enter_inputs()
        nodes = ordered(self._proto.node, self._graph.values)
        outputs = [value.name for value in self._proto.output]
        self._graph.used.update(outputs, *(used_names(node) for node in nodes))
        for done, node in enumerate(nodes):
            if self._progress is not None and done % 64 == 0:
                self._progress(done, len(nodes))
            self._enter(node)
        returned = [self._returned(value) for value in self._proto.output]
        self._graph.block.add_op(ReturnOp(*returned))
        self._drop_unused()
        if self._progress is not None:
            self._progress(len(nodes), len(nodes))
        return Imported(self._module(returned), self._graph.weights, self._opaque, self._graph.unfolded)

    # The interface of the graph.

    def _enter_inputs(self) -> None:
        constants = {tensor.name for tensor in self._proto.initializer}
        if self._proto.sparse_initializer:
            raise OnnxError("sparse initializers are not read; onnx can make them dense")
        for value in self._proto.input:
            if value.name in constants:
                continue
            if value.name in self._graph.values:
                raise OnnxError(f"two inputs are called '{value.name}'")
            self._graph.add_argument(value.name, self._types.shaped(value.type, value.name))
        for proto in self._proto.initializer:
            if proto.name in self._graph.values:
                raise OnnxError(f"two initializers are called '{proto.name}'")
            self._graph.add_tensor(proto.name, self._read(proto, proto.name))

    def _read(self, proto: TensorProto, name: str) -> ModelTensor:
        return tensor_of(proto, name, self._path, not self._options.needs_data)

    def _returned(self, value: ValueInfoProto) -> SSAValue:
        if value.name not in self._graph.values:
            raise OnnxError(f"nothing computes the output '{value.name}'")
        computed = kind_of(self._types.proto(self._graph.shaped(value.name)))
        declared = kind_of(value.type)
        if declared not in (computed, "unknown", "tensor(UNDEFINED)"):
            raise OnnxError(f"the output '{value.name}' is declared as {declared}, but computed as {computed}")
        return self._demanded(value.name)

    def _keeps_inline(self, tensor: ModelTensor) -> bool:
        limit = self._options.inline_limit
        return limit is None or tensor.stored().length <= limit

    # Nodes.

    def _enter(self, node: NodeProto) -> None:
        """Convert a node, or postpone it if its result is known."""
        check_node(node, self._graph.opset(node.domain))
        if not any(node.output) and node.domain in ONNX_DOMAINS:
            return
        if key_of(node.domain, node.op_type) == "Constant" and self._enter_constant(node):
            return
        shapes = [self._graph.shaped(name) if name else None for name in node.input]
        check_types(node, shapes, self._graph.opset(node.domain))
        known = {name: array for name in node.input if name and (array := self._graph.known(name)) is not None}
        plain = {name: array for name, array in known.items() if array.dtype != np.object_}
        inputs = {name: self._graph.shaped(name) for name in used_names(node)}
        probe = ImportedNode(self._graph, node, [])
        key = key_of(node.domain, node.op_type)
        sizer = SIZERS.get(key)
        own = _attempt(lambda: sizer(probe)) if sizer else None
        types = self._types.of_outputs(node, inputs, plain, own)
        if types and types[0] is None and (typed := _attempt_type(probe, key)) is not None:
            types[0] = self._types.proto(typed)
        for name, type_ in zip(node.output, types, strict=True):
            if name:
                if type_ is None or not type_.WhichOneof("value"):
                    raise OnnxError(f"{label(node)}: the type of '{name}' is not known")
                self._graph.values[name] = ModelValue(name, self._types.shaped(type_, name), node=node)
        folded = fold(probe)
        if folded is not None:
            value = self._graph.values[node.output[0]]
            value.known = folded
            value.shaped = Shaped(value.shaped.element, folded.shape)
            return
        self._convert_with_needs(node)

    def _enter_constant(self, node: NodeProto) -> bool:
        """Add the constant of a `Constant` node that holds a tensor."""
        if len(node.attribute) != 1:
            raise OnnxError(f"{label(node)}: {len(node.attribute)} values, expected 1")
        (attribute,), name = node.attribute, node.output[0]
        if attribute.name == "value":
            self._graph.add_tensor(name, self._read(attribute.t, name))
            return True
        return False

    def _demanded(self, name: str) -> SSAValue:
        """The SSA value of a model value; converts its producer if that was postponed."""
        while True:
            try:
                return self._graph.value(name)
            except Postponed as postponed:
                self._convert_with_needs(postponed.node)

    def _convert_with_needs(self, node: NodeProto) -> None:
        """Convert a node, after the postponed nodes whose results it needs."""
        waiting = [node]
        while waiting:
            mark = self._graph.mark()
            try:
                self._convert(waiting[-1])
            except Postponed as postponed:
                self._graph.roll_back(mark)
                waiting.append(postponed.node)
                continue
            done = waiting.pop()
            if done is not node:
                self._late += _ops_after(mark, self._graph.block)

    def _convert(self, proto: NodeProto) -> None:
        outputs = [self._graph.shaped(name) if name else None for name in proto.output]
        node = ImportedNode(self._graph, proto, outputs)
        self._graph.location = node_name(proto)
        mark = self._graph.mark()
        try:
            results = self._converted(node)
        except UnsupportedNode:
            self._graph.roll_back(mark)
            # The operands were not yet checked against the op's shape inference.
            self._types.check(proto, {name: self._graph.shaped(name) for name in used_names(proto)})
            try:
                results = opaque(node)
            except UnsupportedNode as error:
                raise OnnxError(f"{label(proto)}: {error}") from error
            self._opaque[proto.op_type] = self._opaque.get(proto.op_type, 0) + 1
        for name, ssa in zip(proto.output, results, strict=False):
            if name and ssa is not None:
                self._graph.set(name, ssa)
                self._graph.values[name].node = None
        self._graph.note_names(proto.output, results)

    def _converted(self, node: ImportedNode) -> Sequence[SSAValue | None]:
        converter = CONVERTERS.get(key_of(node.proto.domain, node.proto.op_type))
        if converter is None:
            raise UnsupportedNode("npu has no equivalent op")
        converted: Converted = converter(node)
        results = [converted] if isinstance(converted, SSAValue) else list(converted)
        missing = [index for index in range(len(results), node.output_count) if node.has_output(index)]
        missing += [index for index, result in enumerate(results) if result is None and node.has_output(index)]
        if missing:
            raise UnsupportedNode(f"output {missing[0]} is used")
        used = [
            (index, result) for index, result in enumerate(results) if result is not None and node.has_output(index)
        ]
        for index, result in used:
            self._check(node, index, result)
        for index, result in used:
            # Keep sizes that the conversion has refined.
            shaped = Shaped(node.output(index).element, self._graph.sizes_of(result))
            self._graph.values[node.proto.output[index]].shaped = shaped
        return results

    def _check(self, node: ImportedNode, index: int, result: SSAValue) -> None:
        """Check that a result has the type that ONNX infers."""
        expected = node.output(index)
        if element_type_of(result) != expected.element or not shapes_agree(static(expected.sizes), shape_of(result)):
            raise UnsupportedNode(f"output {index} has another type than the model states")

    def _drop_unused(self) -> None:
        """Erase unused reshapes and unused ops of postponed nodes."""
        reshapes = [op for op in self._graph.block.ops if isinstance(op, ReshapeOp)]
        for op in (*reversed(reshapes), *reversed(self._late)):
            if (
                op.parent is not None
                and is_side_effect_free(op)
                and all(result.first_use is None for result in op.results)
            ):
                op.detach()
                op.erase()

    # The module.

    def _module(self, returned: Sequence[SSAValue]) -> ModuleOp:
        block = self._graph.block
        inputs = [value for value in self._proto.input if self._is_argument(value.name)]
        function = FuncOp(
            "main",
            ([argument.type for argument in block.args], [value.type for value in returned]),
            Region(block),
            arg_attrs=ArrayAttr(map(self._interface, inputs)),
            res_attrs=ArrayAttr(map(self._interface, self._proto.output)),
        )
        opsets = {domain: IntegerAttr(version, i64) for domain, version in self._graph.opsets.items()}
        return ModuleOp(
            [function],
            {
                "onnx.graph": StringAttr(self._proto.name),
                "onnx.ir_version": IntegerAttr(self._model.ir_version, i64),
                "onnx.opsets": DictionaryAttr(opsets),
                **notes_of_model(self._model),
            },
        )

    def _is_argument(self, name: str) -> bool:
        return self._graph.values[name].tensor is None

    def _interface(self, value: ValueInfoProto) -> DictionaryAttr:
        """The attributes of an input or output: its name, its texts, and the names of its dimensions."""
        attributes: dict[str, Attribute] = {"onnx.name": StringAttr(value.name), **notes_of_end(value)}
        sizes = self._graph.shaped(value.name).sizes
        if not are_known(sizes):
            names = [dim.dim_param for dim in value.type.tensor_type.shape.dim] or [""] * len(sizes)
            attributes["onnx.dims"] = ArrayAttr(map(_dim, sizes, names))
        return DictionaryAttr(attributes)


def _dim(size: Size, name: str) -> Attribute:
    """The size of a dimension, or its name unless ONNX's shape inference generated it."""
    if isinstance(size, int):
        return IntegerAttr(size, i64)
    return StringAttr("" if name.startswith("unk__") else name)


def _ops_after(mark: Operation | None, block: Block) -> list[Operation]:
    found: list[Operation] = []
    op = block.last_op
    while op is not None and op is not mark:
        found.append(op)
        op = op.prev_op
    return found[::-1]


def _attempt_type(node: ImportedNode, key: str) -> Shaped | None:
    """The type of the first output of an op outside of ONNX's own domain, or None."""
    try:
        typer = TYPERS.get(key)
        return typer(node) if typer else None
    except UnsupportedNode:
        return None


def _attempt(compute: Callable[[], Sequence[Size | None] | None]) -> Sequence[Size | None] | None:
    """The result of a function, or None if it raises `UnsupportedNode`."""
    try:
        return compute()
    except UnsupportedNode:
        return None
