"""Assembly of a model from the used nodes of a graph."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, cast

from onnx import AttributeProto, GraphProto, ModelProto, NodeProto, TensorProto, TypeProto, ValueInfoProto, helper
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, ModuleOp, StringAttr
from xdsl.ir import Attribute, SSAValue

from ....dialects.notes.interfaces import DIMS
from ....dialects.npu.attrs import OpaqueType
from ....dialects.npu.values import element_type_of, shape_of
from ....layout import DYNAMIC
from ...moved_data import MovedData
from ..came import CameNodes, count_changed
from ..file_rules import ir_version_of
from ..importing.order import all_nodes
from ..interfaces import write_notes
from ..nchwc import note_block_size
from ..producer import PRODUCER
from .bodies import graphs_within, nodes_within, placed_constants
from .elements import whole_type
from .graph import Exported, OnnxNode, OnnxTensor
from .metadata import describe_model, describe_nodes, describe_value, type_of_value
from .names import UniqueNames, name_interface, name_tensors, notes_of, renamed_captures, texts_of
from .program import noted_opsets
from .transposes import without_idle_transposes
from .weights import ConstantData

INITIALIZERS_ALONE = 4
"""The IR version from which on constants are no inputs."""
Constants: TypeAlias = Mapping[Exported, Sequence[OnnxTensor]]
"""The constants of each graph and subgraph."""


@dataclass
class Model:
    """A model whose initializers have no data, and their data."""

    proto: ModelProto
    weights: dict[str, ConstantData] = field(default_factory=dict[str, ConstantData])
    """The data of each initializer, by name."""
    moves: MovedData = field(default_factory=MovedData)
    """The Transposes in the model."""
    note: str = ""
    """The ops of other formats, and the opset with the reason why it is not that of the imported model."""
    came: int = 0
    """The number of nodes that came, apart from those that are constants."""
    changed: int = 0
    """The number of these that are not in the model as they came."""


def assembled(exported: Exported, module: ModuleOp, version: str, came: CameNodes) -> Model:
    """Build the model of a graph; `version` is that of this package."""
    nodes = list(nodes_within(exported))
    moves = without_idle_transposes(nodes, exported.graph.opset)
    constants = placed_constants(exported, came.inner_constants)
    _name_all(exported, constants, UniqueNames(came.names()))
    imports = [helper.make_opsetid(domain, number) for domain, number in _domains(nodes, module, exported)]
    proto = ModelProto(
        ir_version=_ir_version(exported, module),
        producer_name=PRODUCER,
        producer_version=version,
        opset_import=imports,
    )
    name = module.attributes.get("onnx.graph")
    proto.graph.name = name.data if isinstance(name, StringAttr) and name.data else exported.function.sym_name.data
    names = UniqueNames(came.names())
    writer = _GraphWriter(constants, names)
    for node in reversed(nodes):
        node.name = node.name and names.unique(node.name)
    writer.write(exported, proto.graph)
    describe_model(proto, module)
    write_notes(proto, exported.function)
    sizes = (graph.graph.block_size for graph in graphs_within(exported))
    note_block_size(proto, next((size for size in sizes if size is not None), None))
    describe_nodes(proto.graph.node, module)
    changed = count_changed(came, all_nodes(proto.graph.node))
    model = Model(proto, moves=moves, came=len(came.protos), changed=changed)
    for tensor in constants[exported]:
        assert tensor.name is not None
        assert tensor.weights is not None
        model.weights[tensor.name] = tensor.weights
        proto.graph.initializer.append(_initializer(tensor))
    return model


def _name_all(exported: Exported, constants: Constants, names: UniqueNames, keeps_interface: bool = False) -> None:
    """Name the tensors of a graph, then those of its subgraphs.

    Runtimes know the inputs and outputs in the networks of their own ops by name.
    """
    name_interface(exported, names, keeps_interface)
    name_tensors(exported, constants[exported], names)
    for node in exported.nodes:
        for body in node.bodies.values():
            _name_all(body, constants, UniqueNames(outer=names), bool(node.domain))


def _domains(nodes: Iterable[OnnxNode], module: ModuleOp, exported: Exported) -> list[tuple[str, int]]:
    """The domains of the imported model and of the nodes with their versions, ONNX's own first."""
    used = dict.fromkeys((node.domain for node in nodes if node.domain), 1)
    noted = {domain: version for domain, version in noted_opsets(module).items() if domain}
    return [("", exported.graph.opset.number), *(noted | {key: 1 for key in used if key not in noted}).items()]


def _ir_version(exported: Exported, module: ModuleOp) -> int:
    """The version of the imported model, unless the opset needs a newer one, or a chosen opset has an older one."""
    opset, noted = exported.graph.opset, module.attributes.get("onnx.ir_version")
    found = noted.value.data if isinstance(noted, IntegerAttr) else 0
    newest = opset.number if opset.is_fixed else exported.graph.rules.opset
    if newest is not None:
        found = min(found, ir_version_of(newest))
    return max(found, ir_version_of(opset.number), INITIALIZERS_ALONE)


class _GraphWriter:
    def __init__(self, constants: Constants, names: UniqueNames) -> None:
        self._constants = constants
        self._names = names
        """The names of nodes."""

    def write(self, exported: Exported, proto: GraphProto) -> None:
        """Write a graph without initializers."""
        proto.node.extend(map(self._node, exported.nodes))
        _add_interface(exported, proto)
        proto.value_info.extend(_inner_values(exported))

    def _node(self, node: OnnxNode) -> NodeProto:
        name = node.name or self._names.new(node.kind.lower())
        proto = NodeProto(op_type=node.kind, domain=node.domain, name=name, doc_string=node.doc)
        proto.input.extend("" if tensor is None else tensor.name or "" for tensor in node.inputs)
        while proto.input and not proto.input[-1]:
            del proto.input[-1]
        proto.output.extend("" if tensor is None else tensor.name or "" for tensor in node.outputs)
        if isinstance(node.attributes, Mapping):
            given = ((key, value) for key, value in node.attributes.items() if key not in node.implied)
            proto.attribute.extend(helper.make_attribute(key, value) for key, value in given)
        else:
            proto.attribute.extend(renamed_captures(node))
        for key, body in node.bodies.items():
            self._write_body(body, proto.attribute.add(name=key, type=AttributeProto.GRAPH).g)
        return proto

    def _write_body(self, body: Exported, proto: GraphProto) -> None:
        """Write a subgraph with its initializers, which are small."""
        name = body.function.attributes.get("onnx.graph")
        proto.name = name.data if isinstance(name, StringAttr) and name.data else body.function.sym_name.data
        self.write(body, proto)
        for tensor in self._constants[body]:
            assert tensor.weights is not None
            initializer = _initializer(tensor)
            initializer.raw_data = tensor.weights.data()
            proto.initializer.append(initializer)


def _initializer(tensor: OnnxTensor) -> TensorProto:
    """An initializer without its data."""
    assert tensor.weights is not None
    return TensorProto(name=tensor.name, data_type=tensor.element, dims=tensor.weights.shape)


def _inner_values(exported: Exported) -> Iterator[ValueInfoProto]:
    """The types of the values between inputs and outputs, as far as the program has their shapes."""
    known: dict[tuple[int, tuple[int, ...], tuple[str, ...]], TypeProto] = {}
    outputs = set(exported.outputs)
    for tensor in (tensor for node in exported.nodes for tensor in node.outputs):
        if tensor is None or tensor in outputs:
            continue
        if (whole := _whole_type(tensor.value)) is not None and whole.WhichOneof("value"):
            yield ValueInfoProto(name=tensor.name, type=whole)
        if tensor.sizes is None:
            continue
        key = tensor.element, tensor.sizes, tensor.dims or ("",) * len(tensor.sizes)
        if key not in known:
            known[key] = _type(*key)
        yield ValueInfoProto(name=tensor.name, type=known[key])


def _add_interface(exported: Exported, proto: GraphProto) -> None:
    function = exported.function
    arguments, returned = function.body.block.args, function.get_return_op()
    assert returned is not None
    for tensors, values, attributes, interface in (
        (exported.graph.inputs, arguments, function.arg_attrs, proto.input),
        (exported.outputs, returned.operands, function.res_attrs, proto.output),
    ):
        notes = notes_of(attributes, len(values))
        # The last arguments of a subgraph are no inputs.
        interface.extend(_value_info(*each) for each in zip(tensors, values, notes, strict=False))


def _value_info(tensor: OnnxTensor, value: SSAValue, notes: DictionaryAttr) -> ValueInfoProto:
    """The type of an input or output; dynamic dimensions keep their names from the imported model."""
    if (whole := _whole_type(value)) is not None:
        info = ValueInfoProto(name=tensor.name, type=type_of_value(notes.data) or whole)
        describe_value(info, notes.data)
        return info
    sizes, dims = shape_of(value), cast("ArrayAttr[Attribute]", notes.data.get(DIMS) or ArrayAttr([])).data
    if len(dims) != len(sizes):
        # A model may declare a result of another rank than its nodes compute.
        dims = [StringAttr("")] * len(sizes)
    names = texts_of(dims)
    # A subgraph may declare what nothing tells.
    sizes = [
        dim.value.data if size == DYNAMIC and isinstance(dim, IntegerAttr) else size
        for size, dim in zip(sizes, dims, strict=True)
    ]
    info = ValueInfoProto(name=tensor.name, type=_type(tensor.element, sizes, names))
    describe_value(info, notes.data)
    return info


def _whole_type(value: SSAValue | None) -> TypeProto | None:
    """The type of a value that is no tensor, or whose rank is not known; None for others."""
    element = None if value is None else element_type_of(value)
    return whole_type(element.written.data) if isinstance(element, OpaqueType) and element.is_whole else None


def _type(element: int, sizes: Sequence[int], names: Sequence[str]) -> TypeProto:
    """The type of a tensor; dynamic dimensions have names, or none (`""`)."""
    result = TypeProto()
    result.tensor_type.elem_type = element
    # Without an (empty) shape, the rank of a scalar would be unknown.
    result.tensor_type.shape.SetInParent()
    for size, name in zip(sizes, names, strict=True):
        dim = result.tensor_type.shape.dim.add()
        if size != DYNAMIC:
            dim.dim_value = size
        elif name:
            dim.dim_param = name
    return result
