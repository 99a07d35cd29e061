"""Assembly of a model from the used nodes of a graph."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from onnx import ModelProto, NodeProto, TypeProto, ValueInfoProto, helper
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, ModuleOp, StringAttr
from xdsl.ir import Attribute, SSAValue

from ....dialects.npu.values import shape_of
from ....layout import DYNAMIC
from ..producer import PRODUCER
from .graph import OnnxNode, OnnxTensor
from .metadata import describe_end, describe_model, describe_nodes
from .names import UniqueNames, name_ends, name_tensors, notes_of, renamed_captures
from .program import Exported, noted_opsets
from .transposes import MovedData, without_idle_transposes
from .weights import ConstantData


@dataclass
class Model:
    """A model whose initializers have no data, and their data."""

    proto: ModelProto
    weights: dict[str, ConstantData] = field(default_factory=dict[str, ConstantData])
    """The data of each initializer, by name."""
    moves: MovedData = field(default_factory=MovedData)
    """The Transposes in the model."""
    note: str = ""
    """The opset, and the reason why it is not that of the imported model."""


def assembled(exported: Exported, module: ModuleOp, version: str) -> Model:
    """Build the model of a graph; `version` is that of this package."""
    names = UniqueNames()
    outputs = name_ends(exported, names)
    nodes = used(exported.graph.nodes, outputs)
    moves = without_idle_transposes(nodes, exported.graph.opset)
    name_tensors(nodes, exported, names)
    imports = [helper.make_opsetid(domain, number) for domain, number in _domains(nodes, module, exported)]
    proto = ModelProto(
        ir_version=max(_noted_ir_version(module), helper.find_min_ir_version_for(imports[:1])),
        producer_name=PRODUCER,
        producer_version=version,
        opset_import=imports,
    )
    graph = proto.graph
    name = module.attributes.get("onnx.graph")
    graph.name = name.data if isinstance(name, StringAttr) and name.data else exported.function.sym_name.data
    node_names = UniqueNames()
    graph.node.extend(_node_proto(node, node_names) for node in nodes)
    describe_model(proto, module)
    describe_nodes(graph.node, module)
    _add_ends(exported, outputs, proto)
    graph.value_info.extend(_inner_values(nodes, outputs))
    model = Model(proto, moves=moves)
    for tensor in _initializers(nodes):
        assert tensor.name is not None
        assert tensor.weights is not None
        model.weights[tensor.name] = tensor.weights
        graph.initializer.add(name=tensor.name, data_type=tensor.element, dims=tensor.weights.shape)
    return model


def used(nodes: Sequence[OnnxNode], outputs: Iterable[OnnxTensor]) -> list[OnnxNode]:
    """The nodes on which the outputs depend, and those with effects."""
    needed = set(outputs)
    kept: list[OnnxNode] = []
    for node in reversed(nodes):
        if not node.is_pure or any(tensor in needed for tensor in node.outputs):
            kept.append(node)
            needed.update(tensor for tensor in (*node.inputs, *node.captures.values()) if tensor is not None)
    return kept[::-1]


def _domains(nodes: Iterable[OnnxNode], module: ModuleOp, exported: Exported) -> list[tuple[str, int]]:
    """The domains of the imported model and of the nodes with their versions, ONNX's own first."""
    used = dict.fromkeys((node.domain for node in nodes if node.domain), 1)
    noted = {domain: version for domain, version in noted_opsets(module).items() if domain}
    return [("", exported.graph.opset.number), *(noted | {key: 1 for key in used if key not in noted}).items()]


def _noted_ir_version(module: ModuleOp) -> int:
    """The IR version of the imported model; 0 if there is none."""
    noted = module.attributes.get("onnx.ir_version")
    return noted.value.data if isinstance(noted, IntegerAttr) else 0


def _node_proto(node: OnnxNode, names: UniqueNames) -> NodeProto:
    proto = NodeProto(
        op_type=node.kind, domain=node.domain, name=names.unique(node.name or node.kind.lower()), doc_string=node.doc
    )
    proto.input.extend("" if tensor is None else tensor.name or "" for tensor in node.inputs)
    while proto.input and not proto.input[-1]:
        del proto.input[-1]
    proto.output.extend("" if tensor is None else tensor.name or "" for tensor in node.outputs)
    if isinstance(node.attributes, Mapping):
        proto.attribute.extend(helper.make_attribute(key, value) for key, value in node.attributes.items())
    else:
        proto.attribute.extend(renamed_captures(node))
    return proto


def _inner_values(nodes: Iterable[OnnxNode], outputs: Sequence[OnnxTensor]) -> Iterator[ValueInfoProto]:
    """The types of the values between inputs and outputs, as far as the program has their shapes."""
    known: dict[tuple[int, tuple[int, ...]], TypeProto] = {}
    shown = set(outputs)
    for tensor in (tensor for node in nodes for tensor in node.outputs):
        if tensor is None or tensor.sizes is None or tensor in shown:
            continue
        key = tensor.element, tensor.sizes
        if key not in known:
            known[key] = _type(*key, [""] * len(tensor.sizes))
        yield ValueInfoProto(name=tensor.name, type=known[key])


def _add_ends(exported: Exported, outputs: Sequence[OnnxTensor], proto: ModelProto) -> None:
    function = exported.function
    arguments, returned = function.body.block.args, function.get_return_op()
    assert returned is not None
    for tensors, values, attributes, ends in (
        (exported.graph.inputs, arguments, function.arg_attrs, proto.graph.input),
        (outputs, returned.operands, function.res_attrs, proto.graph.output),
    ):
        notes = notes_of(attributes, len(values))
        ends.extend(_value_info(*each) for each in zip(tensors, values, notes, strict=True))


def _value_info(tensor: OnnxTensor, value: SSAValue, notes: DictionaryAttr) -> ValueInfoProto:
    """The type of an input or output; dynamic dimensions keep their names from the imported model."""
    sizes = shape_of(value)
    known = notes.data.get("onnx.dims")
    names = [each.data if isinstance(each, StringAttr) else "" for each in cast("ArrayAttr[Attribute]", known or [])]
    if len(names) != len(sizes):
        # A model may declare a result of another rank than its nodes compute.
        names = [""] * len(sizes)
    info = ValueInfoProto(name=tensor.name, type=_type(tensor.element, sizes, names))
    describe_end(info, notes.data)
    return info


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


def _initializers(nodes: Iterable[OnnxNode]) -> list[OnnxTensor]:
    found: dict[OnnxTensor, None] = {}
    for node in nodes:
        for tensor in (*node.inputs, *node.captures.values()):
            if tensor is not None and tensor.weights is not None:
                found[tensor] = None
    return list(found)
