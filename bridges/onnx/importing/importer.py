"""Import of an ONNX model as a module: `import_model`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np
from onnx import GraphProto, ModelProto, NodeProto, TypeProto, ValueInfoProto, helper
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType, IntegerAttr, ModuleOp, StringAttr, i64
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, Region, SSAValue
from xdsl.traits import is_side_effect_free

from ....dialects.notes.interfaces import DIMS, note_dims
from ....dialects.npu.attrs import OpaqueType, StringType
from ....dialects.npu.shape import ReshapeOp
from ....dialects.npu.values import element_type_of, shape_of, shapes_agree
from ....dialects.settings.folding import FOLD_LIMIT
from ...building import are_known, static
from ...fixed_sizes import NO_SIZES, FixedSizes
from ...imported import Imported
from ..errors import UNEXPECTED, OnnxError, UnsupportedNode
from ..interfaces import read_notes
from ..nchwc import noted_block_size
from .bodies import Body, BodyImport, bodies_of
from .branches import beside, chosen_branch
from .came import came_node, note_folded, note_graph
from .checking import ONNX_DOMAINS, check_node, check_types
from .computed import compute
from .constants import is_supported, names_of_constants, nodes_of_others
from .expanded import Expanded
from .folding import fold
from .graph import Bodies, ImportedGraph, ModelValue, Postponed
from .inference import Types, declared_dims
from .load import load
from .metadata import notes_of_model, notes_of_value
from .node import ImportedNode
from .opaque import op_name, opaque
from .order import label, node_name, ordered, subgraphs, used_names
from .quantisation import MOST_PARAMETERS, quantisation_parameters
from .ranks import InputRanks, with_ranks
from .registry import CONVERTERS, SIZERS, TYPERS, Converted, key_of
from .shaped import Shaped
from .sizes import Size, broadcast
from .tensors import from_array, tensor_of
from .types import kind_of

NUMBERS = {"value_int": np.int64, "value_ints": np.int64, "value_float": np.float32, "value_floats": np.float32}
"""The attributes of `Constant` that hold numbers, with their types."""
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
    """The largest constant in bytes built for a node. A node that needs a larger one is kept unchanged."""
    folds_weights: bool = False
    """True if values that depend on weights alone are computed."""
    needs_data: bool = True
    """True if missing data files are an error."""
    same_shape: Mapping[str, bool] = field(default_factory=dict[str, bool])
    """Ops of other domains whose results have the element type of their first input, and its shape, or (true) the one
    that all inputs broadcast to."""
    fixed: FixedSizes = NO_SIZES
    """Sizes that the user has fixed."""
    whole: frozenset[str] = frozenset()
    """Ops that are not read as their definitions, or as products between transposes."""


DEFAULTS_SINCE = 4
"""The IR version since which a constant that is an input as well is the default of the input."""
MOST_NAMES = 5
UNKNOWN_KINDS = frozenset({"unknown", "tensor(UNDEFINED)"})
"""The kinds of types that say nothing."""


def import_model(
    path: Path, options: Options | None = None, progress: Progress | None = None, model: ModelProto | None = None
) -> Imported:
    """Import a model file as a module with a function `@main`. Raises `OnnxError`.

    A model in memory is given as `model`; the folder of `path` then has its external data.
    """
    options = options or Options()
    loaded, expanded = load(path, model, options.fixed, options.whole)
    loaded, ranks = with_ranks(loaded)
    return _module(loaded, ranks, expanded, path, options, progress)


def _module(
    model: ModelProto,
    ranks: InputRanks,
    expanded: Sequence[Expanded],
    path: Path,
    options: Options,
    progress: Progress | None,
) -> Imported:
    """Import the graph of a model as `@main`, followed by the subgraphs of its nodes; `ranks` are those of inputs."""
    opsets = {"" if each.domain == "ai.onnx" else each.domain: each.version for each in model.opset_import}
    types = Types(model.graph, model.opset_import, model.ir_version)
    limits = dict.fromkeys(quantisation_parameters(model.graph), MOST_PARAMETERS)
    graph = ImportedGraph(
        Block(),
        opsets,
        lambda tensor: (
            options.inline_limit is None
            or tensor.stored().length <= max(options.inline_limit, limits.get(tensor.name, 0))
        ),
        options.weights_file,
        lambda proto, name: tensor_of(proto, name, path, not options.needs_data),
        options.fold_limit,
        set() if options.folds_weights else None,
        options.same_shape,
        options.whole,
        takes_branches=options.folds_weights or bool(options.fixed),
        expanded={name: node for node in expanded for name in node.parts},
        block_size=noted_block_size(model),
    )
    function = _Importer(model.graph, "main", types, graph, progress).run()
    notes: dict[str, Attribute] = {
        "onnx.graph": StringAttr(model.graph.name),
        "onnx.ir_version": IntegerAttr(model.ir_version, i64),
        "onnx.opsets": DictionaryAttr({domain: IntegerAttr(version, i64) for domain, version in opsets.items()}),
        **notes_of_model(model),
    }
    read_notes(model, function)
    module = ModuleOp([function, *graph.functions], notes)
    notes_for_users = (*_defaults_of_inputs(model), *_ranks_of_inputs(ranks))
    return Imported(module, graph.weights, graph.opaque, graph.unfolded, came=graph.came, notes=notes_for_users)


def _defaults_of_inputs(model: ModelProto) -> Iterator[str]:
    """A text about the inputs that a caller may leave out, which are constants of the program."""
    constants = {*names_of_constants(model.graph)}
    names = [value.name for value in model.graph.input if value.name in constants]
    # Before IR version 4 all constants were among the inputs.
    if names and model.ir_version >= DEFAULTS_SINCE:
        listed = ", ".join(names[:MOST_NAMES]) + (", ..." if len(names) > MOST_NAMES else "")
        yield f"inputs with a default count as constants, and are no inputs of the program: {listed}"


def _ranks_of_inputs(ranks: InputRanks) -> Iterator[str]:
    """Texts about the inputs whose ranks the model does not say."""
    for text, names in (
        ("have the one that their nodes demand", [f"{name} ({rank})" for name, rank in ranks.demanded.items()]),
        ("are taken for vectors, as nodes that read them have an axis", ranks.vectors),
    ):
        if names:
            listed = ", ".join(names[:MOST_NAMES]) + (", ..." if len(names) > MOST_NAMES else "")
            yield f"inputs without a rank {text}: {listed}"


class _Importer:
    """Imports a graph: that of the model, or a subgraph of a node."""

    def __init__(
        self, proto: GraphProto, name: str, types: Types, graph: ImportedGraph, progress: Progress | None = None
    ):
        self._proto = proto
        self._name = name
        """The symbol name of the function."""
        self._types = types
        self._graph = graph
        self._progress = progress
        self._late: list[Operation] = []
        """Ops of postponed nodes; some may turn out to be unused."""
        self._done: list[tuple[NodeProto, bool]] = []
        """The nodes that are not folded; true for those that can leave as they came."""

    def run(self) -> FuncOp:
        """The function of the graph."""
        self._enter_inputs()
        returned = self._enter_nodes()
        inputs = [value for value in self._proto.input if self._is_argument(value.name)]
        return FuncOp(
            self._name,
            FunctionType.from_lists(self._graph.argument_types(), [value.type for value in returned]),
            Region(self._graph.block),
            arg_attrs=ArrayAttr(map(self._interface, inputs)),
            res_attrs=ArrayAttr(map(self._interface, self._proto.output)),
        )

    def run_body(self, given: BodyImport) -> Body:
        """The private function of a subgraph, whose arguments have these types."""
        self._enter_arguments(given)
        self._enter_tensors(self._proto)
        self._graph.came.inner_constants.update(names_of_constants(self._proto))
        returned = self._enter_nodes()
        inputs = [*map(self._interface, self._proto.input), *(DictionaryAttr({}) for _ in given.arguments)]
        function = FuncOp(
            self._name,
            FunctionType.from_lists(self._graph.argument_types(), [value.type for value in returned]),
            Region(self._graph.block),
            StringAttr("private"),
            arg_attrs=ArrayAttr(inputs),
            res_attrs=ArrayAttr(map(self._interface, self._proto.output)),
        )
        function.attributes["onnx.graph"] = StringAttr(self._proto.name)
        return Body(function, [self._graph.shaped(value.name) for value in self._proto.output])

    def _enter_nodes(self) -> list[SSAValue]:
        """Convert all nodes, and return the values of the outputs."""
        nodes = self._in_order(self._proto)
        for done, node in enumerate(nodes):
            if self._progress is not None and done % 64 == 0:
                self._progress(done, len(nodes))
            self._enter(node)
        returned = [self._returned(value) for value in self._proto.output]
        self._note_expanded(nodes)
        self._graph.block.add_op(ReturnOp(*returned))
        self._drop_unused()
        note_graph(self._graph, self._done)
        self._graph.came.graphs[self._name] = self._graph.own
        if self._progress is not None:
            self._progress(len(nodes), len(nodes))
        return returned

    def _note_expanded(self, nodes: Sequence[NodeProto]) -> None:
        """Note the nodes of the model that are here as their definitions."""
        of_names = self._graph.expanded
        for each in dict.fromkeys(of_names[name] for node in nodes if (name := node_name(node)) in of_names):
            values = [self._graph.values[name].ssa if name else None for name in each.proto.output]
            self._graph.came.note(came_node(self._graph, each.proto, values, each.parts))
            self._graph.came.protos.append(each.proto)

    def _in_order(self, graph: GraphProto) -> list[NodeProto]:
        """The nodes of a graph in an order in which they can be converted, whose operands are then used."""
        nodes = ordered(graph.node, self._graph.values)
        self._graph.used.update((value.name for value in graph.output), *(used_names(node) for node in nodes))
        return nodes

    # The interface of the graph.

    def _enter_inputs(self) -> None:
        constants = {*names_of_constants(self._proto)}
        for value in self._proto.input:
            if value.name in constants:
                continue
            if value.name in self._graph.values:
                raise OnnxError(f"two inputs are called '{value.name}'")
            self._graph.add_argument(value.name, self._types.shaped(value.type, value.name))
        self._enter_tensors(self._proto)

    def _enter_tensors(self, graph: GraphProto) -> None:
        """Enter the constants of a graph."""
        known = {*self._graph.values}
        for name in names_of_constants(graph):
            if name in known:
                raise OnnxError(f"two initializers are called '{name}'")
            known.add(name)
        for proto in filter(is_supported, graph.initializer):
            self._graph.add_tensor(proto.name, self._graph.read(proto, proto.name))
        came = len(self._graph.came.protos)
        for node in nodes_of_others(graph, self._graph.opset("")):
            self._enter(node)
        # They are no nodes of the model.
        del self._graph.came.protos[came:]

    def _enter_arguments(self, given: BodyImport) -> None:
        """Add the inputs of a subgraph, and the values that it takes from around it."""
        inputs = given.inputs
        if inputs is None:
            if untyped := next((value for value in self._proto.input if kind_of(value.type) in UNKNOWN_KINDS), None):
                raise OnnxError(f"'{untyped.name}' has no type")
            inputs = [self._types.shaped(value.type, value.name) for value in self._proto.input]
        for value, shaped in zip(self._proto.input, inputs, strict=True):
            declared, given_as = kind_of(value.type), kind_of(self._types.proto(shaped))
            if not {declared, given_as} & UNKNOWN_KINDS and declared != given_as:
                raise OnnxError(f"'{value.name}' is declared as {declared}")
            self._graph.add_argument(value.name, shaped)
        for value in given.arguments:
            self._graph.add_argument(value.name, value.shaped)
            self._graph.values[value.name].known = value.known
        for value in given.constants:
            self._graph.values[value.name] = ModelValue(
                value.name, value.shaped, tensor=value.tensor, known=value.known
            )

    def _returned(self, value: ValueInfoProto) -> SSAValue:
        if value.name not in self._graph.values:
            raise OnnxError(f"nothing computes the output '{value.name}'")
        computed = kind_of(self._types.proto(self._graph.shaped(value.name)))
        declared = kind_of(value.type)
        if not {declared, computed} & UNKNOWN_KINDS and declared != computed:
            raise OnnxError(f"the output '{value.name}' is declared as {declared}, but computed as {computed}")
        return self._demanded(value.name)

    # Nodes.

    def _enter(self, node: NodeProto) -> None:
        """Convert a node, or postpone it if its result is known."""
        check_node(node, self._graph.opset(node.domain))
        if not any(node.output) and node.domain in ONNX_DOMAINS:
            return
        if key_of(node.domain, node.op_type) == "Constant" and self._enter_constant(node):
            return
        if self._enter_branch(node):
            return
        shapes = [self._graph.shaped(name) if name else None for name in node.input]
        check_types(node, shapes, self._graph.opset(node.domain))
        known = {name: array for name in node.input if name and (array := self._graph.known(name)) is not None}
        plain = {name: array for name, array in known.items() if array.dtype != np.object_}
        inputs = {name: self._graph.shaped(name) for name in used_names(node)}
        probe = ImportedNode(self._graph, node, [])
        key = key_of(node.domain, node.op_type)
        sizer = SIZERS.get(key)
        # An input of unknown rank, or one that is no tensor, has no sizes to compute with.
        has_sizes = all(shaped.whole is None for shaped in inputs.values())
        own = _attempt(lambda: sizer(probe)) if sizer and has_sizes else None
        types = self._types.of_outputs(node, inputs, plain, own)
        for index, typed in enumerate(_attempt_types(probe, key)[: len(types)] if has_sizes else ()):
            types[index] = self._types.completed(types[index], typed)
        if has_sizes and (typed := _described_type(probe)) is not None:
            types = [type_ or self._types.proto(typed) for type_ in types]
        if (bodies := self._bodies_of(node)) is not None:
            types = [self._types.refined(type_, own) for type_, own in zip(types, bodies.results, strict=True)]
        for name, type_ in zip(node.output, types, strict=True):
            if name:
                self._graph.values[name] = ModelValue(name, self._shaped(node, type_ or TypeProto(), name), node=node)
        if self._has_opaque(node):
            self._convert_with_needs(node)
            return
        folded = fold(probe)
        if folded is not None:
            value = self._graph.values[node.output[0]]
            value.known = folded
            value.shaped = Shaped(value.shaped.element, folded.shape)
            note_folded(self._graph, node, folded)
            return
        if not compute(node, self._graph):
            self._convert_with_needs(node)

    def _enter_branch(self, node: NodeProto) -> bool:
        """Enter the nodes of the branch of an `If` that runs, if that is known.

        Without fixed sizes an `If` stays, unless its results have another rank in each branch.
        """
        has_ranks = all(map(self._types.has_rank, filter(None, node.output)))
        if not any(node.input[:1]) or (has_ranks and not self._graph.takes_branches):
            return False
        branch = chosen_branch(node, self._graph.known(node.input[0]))
        if branch is None:
            return False
        graph = beside(branch, node, self._graph.values)
        self._types.add(graph)
        self._enter_tensors(graph)
        before = len(self._done)
        for each in self._in_order(graph):
            self._enter(each)
        # They are no nodes of this graph.
        del self._done[before:]
        return True

    def _shaped(self, node: NodeProto, type_: TypeProto, name: str) -> Shaped:
        """The element type and shape of an output of a node."""
        try:
            return self._types.shaped(type_, name)
        except OnnxError as error:
            raise type(error)(f"{label(node)}: {error}") from error

    def _bodies_of(self, node: NodeProto) -> Bodies | None:
        """Import the subgraphs of a node; None if it has none, or if one of them is kept unchanged."""
        if not any(True for _ in subgraphs(node)):
            return None
        number = self._graph.node_numbers[node.op_type] = self._graph.node_numbers.get(node.op_type, -1) + 1
        state = self._graph.state()
        importer = partial(self._body, f"{self._name}.{node.op_type.lower()}{number}")
        try:
            found = bodies_of(node, self._graph, self._types, importer)
        except (OnnxError, UnsupportedNode):
            found = None
        if found is None:
            self._graph.restore(state)
            return None
        self._graph.bodies[tuple(node.output)] = found
        return found

    def _body(self, prefix: str, attribute: str, proto: GraphProto, given: BodyImport) -> Body:
        """Import a subgraph; its function precedes those of its own subgraphs."""
        name, place = f"{prefix}.{attribute}", len(self._graph.functions)
        graph, types = self._graph.inner(), self._types.inner(proto, f"{name}/")
        body = _Importer(proto, name, types, graph).run_body(given)
        self._graph.functions.insert(place, body.function)
        return body

    def _enter_constant(self, node: NodeProto) -> bool:
        """Add the constant of a `Constant` node that holds numbers."""
        if len(node.attribute) != 1:
            raise OnnxError(f"{label(node)}: {len(node.attribute)} values, expected 1")
        (attribute,), name = node.attribute, node.output[0]
        if attribute.name == "value" and is_supported(attribute.t):
            self._graph.add_tensor(name, self._graph.read(attribute.t, name))
        elif attribute.name in NUMBERS:
            numbers = np.array(helper.get_attribute_value(attribute), NUMBERS[attribute.name])
            self._graph.add_tensor(name, from_array(numbers, name))
        else:
            return False
        return True

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
        except UNEXPECTED:
            self._graph.roll_back(mark)
            # The operands were not yet checked against the op's shape inference.
            self._types.check(proto, {name: self._graph.shaped(name) for name in used_names(proto)})
            try:
                results = opaque(node)
            except UnsupportedNode as error:
                raise OnnxError(f"{label(proto)}: {error}") from error
            self._graph.opaque[proto.op_type] = self._graph.opaque.get(proto.op_type, 0) + 1
        self._graph.set_all(proto.output, results)
        for name, ssa in zip(proto.output, results, strict=False):
            if name and ssa is not None:
                self._graph.values[name].node = None
                if isinstance(ssa, OpResult) and (names := self._types.only_declared.get(name)):
                    note_dims(ssa, map(StringAttr, names))
        came = came_node(self._graph, proto, results, frozenset({node_name(proto)}))
        self._graph.came.note(came)
        self._done.append((proto, came is not None))
        if node_name(proto) not in self._graph.expanded:
            self._graph.came.protos.append(proto)

    def _converted(self, node: ImportedNode) -> Sequence[SSAValue | None]:
        converter = CONVERTERS.get(key_of(node.proto.domain, node.proto.op_type))
        if converter is None or self._has_opaque(node.proto):
            raise UnsupportedNode("npu has no equivalent op")
        converted: Converted = converter(node)
        if unread := node.unread():
            raise UnsupportedNode(f"nothing reads {unread[0]}")
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

    def _has_opaque(self, node: NodeProto) -> bool:
        """True if a node reads or computes what no op of npu does: texts, sequences, values of unknown rank..."""
        names = filter(None, (*node.input, *node.output))
        return any(isinstance(self._graph.shaped(name).element, StringType | OpaqueType) for name in names)

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

    def _is_argument(self, name: str) -> bool:
        return isinstance(self._graph.values[name].ssa, BlockArgument)

    def _interface(self, value: ValueInfoProto) -> DictionaryAttr:
        """The attributes of an input or output: its name, its texts, and its dimensions where a size is unknown.

        A subgraph of a loop may declare a size of which the importer knows nothing.
        """
        attributes: dict[str, Attribute] = {"onnx.name": StringAttr(value.name), **notes_of_value(value)}
        sizes = self._graph.shaped(value.name).sizes
        if not are_known(sizes):
            declared = declared_dims(value.type) or [""] * len(sizes)
            attributes[DIMS] = ArrayAttr(map(_dim, sizes, declared))
        return DictionaryAttr(attributes)


def _dim(size: Size, declared: int | str) -> Attribute:
    known = size if isinstance(size, int) else declared
    return IntegerAttr(known, i64) if isinstance(known, int) else StringAttr(known)


def _ops_after(mark: Operation | None, block: Block) -> list[Operation]:
    found: list[Operation] = []
    op = block.last_op
    while op is not None and op is not mark:
        found.append(op)
        op = op.prev_op
    return found[::-1]


def _attempt_types(node: ImportedNode, key: str) -> Sequence[Shaped]:
    """The types of the first outputs of an op that ONNX does not infer, as far as they are known."""
    try:
        typer = TYPERS.get(key)
        typed = typer(node) if typer else ()
    except UNEXPECTED:
        return ()
    return (typed,) if isinstance(typed, Shaped) else typed


def _described_type(node: ImportedNode) -> Shaped | None:
    """The type of the outputs of an op of another domain that is known to keep the shape of its inputs, or None."""
    counts_all = node.graph.same_shape.get(op_name(node.proto))
    if counts_all is None or not node.has_input(0):
        return None
    first = node.shaped(0)
    if not counts_all:
        return first
    sizes = broadcast(node.sizes(index) for index in range(node.input_count) if node.has_input(index))
    return None if sizes is None else Shaped(first.element, sizes)


def _attempt(compute: Callable[[], Sequence[Size | None] | None]) -> Sequence[Size | None] | None:
    """The result of a function, or None if the node does not have it."""
    try:
        return compute()
    except UNEXPECTED:
        return None
