"""From an ONNX model to a module: `import_model`."""

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
from .node import ImportedNode, Shaped
from .opaque import opaque
from .order import label, ordered, reads
from .registry import CONVERTERS, SIZERS, TYPERS, Converted, key_of
from .sizes import Size, are_known, static
from .tensors import ModelTensor, tensor_of

Progress = Callable[[int, int], None]
"""Told now and then how many nodes are done, and how many there are."""


@dataclass(frozen=True, slots=True)
class Options:
    """What is to become of the weights."""

    weights_file: str = "weights.safetensors"
    """The file that constants refer to if they are not written out."""
    inline_limit: int | None = 1024
    """Up to how many bytes a constant is written out; None: every one."""
    fold_limit: int = FOLD_LIMIT
    """Up to how many bytes of numbers are made up for a node, which is kept as it is if it takes more."""
    needs_data: bool = True
    """Whether files with the data of constants have to be there."""


@dataclass(frozen=True, slots=True)
class Imported:
    """A module, and the tensors that it refers to by their keys."""

    module: ModuleOp
    weights: dict[str, ModelTensor]
    opaque: dict[str, int] = field(default_factory=dict[str, int])
    """How many nodes of which ops have become `npu.opaque`."""
    unfolded: dict[str, int] = field(default_factory=dict[str, int])
    """The nodes that have because of the limit on folding, and how many bytes they ask for."""


def import_model(path: Path, options: Options | None = None, progress: Progress | None = None) -> Imported:
    """The model in a file as a module with a function `@main`. Raises `OnnxError` where it cannot be."""
    return _Importer(load(path), path, options or Options(), progress).run()


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
        """Ops of nodes that were put off; some may turn out not to be needed."""

    def run(self) -> Imported:
        self._enter_inputs()
        nodes = ordered(self._proto.node, self._graph.values)
        outputs = [value.name for value in self._proto.output]
        self._graph.used.update(outputs, *(reads(node) for node in nodes))
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
        return self._demanded(value.name)

    def _keeps_inline(self, tensor: ModelTensor) -> bool:
        limit = self._options.inline_limit
        return limit is None or tensor.stored().length <= limit

    # Nodes.

    def _enter(self, node: NodeProto) -> None:
        """Convert a node, or only note what it computes if that is known."""
        check_node(node, self._graph.opset(node.domain))
        if not any(node.output) and node.domain in ONNX_DOMAINS:
            return
        if key_of(node.domain, node.op_type) == "Constant" and self._enter_constant(node):
            return
        shapes = [self._graph.shaped(name) if name else None for name in node.input]
        check_types(node, shapes, self._graph.opset(node.domain))
        known = {name: array for name in node.input if name and (array := self._graph.known(name)) is not None}
        plain = {name: array for name, array in known.items() if array.dtype != np.object_}
        inputs = {name: self._graph.shaped(name) for name in reads(node)}
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
        """Enter a node that says its numbers as the constant that it is."""
        if len(node.attribute) != 1:
            raise OnnxError(f"{label(node)}: {len(node.attribute)} values, expected 1")
        (attribute,), name = node.attribute, node.output[0]
        if attribute.name == "value":
            self._graph.add_tensor(name, self._read(attribute.t, name))
            return True
        return False

    def _demanded(self, name: str) -> SSAValue:
        """A value of the program; the nodes that were put off are converted if it is one of theirs."""
        while True:
            try:
                return self._graph.value(name)
            except Postponed as postponed:
                self._convert_with_needs(postponed.node)

    def _convert_with_needs(self, node: NodeProto) -> None:
        """Convert a node, and before it the nodes that were put off and that it turns out to need."""
        waiting = [node]
        while waiting:
            mark = self._graph.mark()
            try:
                self._convert(waiting[-1])
            except Postponed as postponed:
                self._graph.take_back(mark)
                waiting.append(postponed.node)
                continue
            done = waiting.pop()
            if done is not node:
                self._late += _ops_after(mark, self._graph.block)

    def _convert(self, proto: NodeProto) -> None:
        outputs = [self._graph.shaped(name) if name else None for name in proto.output]
        node = ImportedNode(self._graph, proto, outputs)
        self._graph.location = proto.name or next(filter(None, proto.output), proto.op_type)
        mark = self._graph.mark()
        try:
            results = self._converted(node)
        except UnsupportedNode:
            self._graph.take_back(mark)
            # Whether it is the model that is wrong was not asked as long as all was known.
            self._types.check(proto, {name: self._graph.shaped(name) for name in reads(proto)})
            try:
                results = opaque(node)
            except UnsupportedNode as error:
                raise OnnxError(f"{label(proto)}: {error}") from error
            self._opaque[proto.op_type] = self._opaque.get(proto.op_type, 0) + 1
        for name, ssa in zip(proto.output, results, strict=False):
            if name and ssa is not None:
                self._graph.set(name, ssa)
                self._graph.values[name].node = None

    def _converted(self, node: ImportedNode) -> Sequence[SSAValue | None]:
        converter = CONVERTERS.get(key_of(node.proto.domain, node.proto.op_type))
        if converter is None:
            raise UnsupportedNode("npu has no such op")
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
            # Sizes that were found out on the way are kept.
            shaped = Shaped(node.output(index).element, self._graph.sizes_of(result))
            self._graph.values[node.proto.output[index]].shaped = shaped
        return results

    def _check(self, node: ImportedNode, index: int, result: SSAValue) -> None:
        """Check that what was built is of the type that ONNX says."""
        expected = node.output(index)
        if element_type_of(result) != expected.element or not shapes_agree(static(expected.sizes), shape_of(result)):
            raise UnsupportedNode(f"output {index} is not of the type that the model says")

    def _drop_unused(self) -> None:
        """Remove what was only added on the way to something that turned out to be known, and reshapes of it."""
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
            },
        )

    def _is_argument(self, name: str) -> bool:
        return self._graph.values[name].tensor is None

    def _interface(self, value: ValueInfoProto) -> DictionaryAttr:
        """The name of an input or output, and those of its dimensions."""
        attributes: dict[str, Attribute] = {"onnx.name": StringAttr(value.name)}
        sizes = self._graph.shaped(value.name).sizes
        if not are_known(sizes):
            names = [dim.dim_param for dim in value.type.tensor_type.shape.dim] or [""] * len(sizes)
            attributes["onnx.dims"] = ArrayAttr(map(_dim, sizes, names))
        return DictionaryAttr(attributes)


def _dim(size: Size, name: str) -> Attribute:
    """A size of a dimension, or its name; the names that the shape inference of ONNX makes up say nothing."""
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
    """The type of the first output of an op that ONNX does not define, if it is known here."""
    try:
        typer = TYPERS.get(key)
        return typer(node) if typer else None
    except UnsupportedNode:
        return None


def _attempt(compute: Callable[[], Sequence[Size | None] | None]) -> Sequence[Size | None] | None:
    """What a function finds out, None if it needs to know more."""
    try:
        return compute()
    except UnsupportedNode:
        return None
