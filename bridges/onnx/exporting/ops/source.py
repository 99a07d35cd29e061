"""Constants and opaque ops."""

from collections.abc import Sequence
from math import prod
from typing import Any, cast

from onnx import AttributeProto, TensorProto, helper
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolRefAttr,
    TensorType,
)
from xdsl.ir import Attribute

from .....dialects.npu.attrs import Reference
from .....dialects.npu.source import HIDDEN, ConstantOp, ForeignOp, OpaqueOp, elements_of
from .....dialects.npu.values import element_type_of, shape_of
from .....dialects.program.written import Dense, is_kept_once, size_in_bytes
from .....dialects.settings.folding import FOLD_LIMIT
from .....interpreter import InterpreterError
from .....interpreter.files import file_of
from ....torch.calls import SYSTEMS
from ...errors import NotExportable
from ..elements import carrier
from ..graph import Exported, Lifted, OnnxGraph, OnnxNode, OnnxTensor, numbers_of
from ..registry import exports
from ..versions import KeptNode, check_subgraphs, subgraphs, translated
from ..weights import ConstantData, in_memory, in_safetensors

OWN_DOMAIN = "onnx"
MOVED = "onnx.attribute."
"""The prefix of attributes whose name is reserved in the program."""


@exports(ConstantOp)
def constant(op: ConstantOp, graph: OnnxGraph) -> OnnxTensor:
    """A constant. Data in files is read only when the model is written, chunk by chunk."""
    number = carrier(element_type_of(op.result))
    if isinstance(op.value, DenseIntOrFPElementsAttr):
        if is_kept_once(op.value):
            return _repeated(op.value, graph, number)
        return _vector(graph, OnnxTensor(number, weights=in_memory(number, shape_of(op.result), op.value.data.data)))
    reference = op.value.data
    original = _original(op, reference, graph)
    weights = original.weights
    assert weights is not None
    count, wanted = prod(weights.shape), op.steps[0].shape
    if count != prod(wanted):
        raise NotExportable(f"'{reference.key}' in {reference.file} has {count} elements, not {prod(wanted)}")
    if not reference.is_reshaped and weights.shape != wanted:
        raise NotExportable(f"'{reference.key}' in {reference.file} has shape {list(weights.shape)}")
    return lifted(graph, graph.read(original, op.steps))


def _original(op: ConstantOp, reference: Reference, graph: OnnxGraph) -> OnnxTensor:
    """The constant in a file as it is stored: one tensor for all graphs that have it under one name."""
    number = carrier(element_type_of(op.result))
    key = reference.file, reference.key, number, op.result.name_hint
    if key not in graph.originals:
        graph.originals[key] = OnnxTensor(number, weights=_weights(reference, number, graph))
    return graph.originals[key]


def _weights(reference: Reference, number: int, graph: OnnxGraph) -> ConstantData:
    weights = graph.source(reference, number) if graph.source is not None else None
    if weights is not None:
        return weights
    try:
        return in_safetensors(file_of(graph.directory, reference.file), reference.key, number)
    except InterpreterError as error:
        raise NotExportable(str(error)) from error


def lifted(graph: OnnxGraph, constant: OnnxTensor) -> OnnxTensor:
    """Note the unit axes in front that the stored constant does not have."""
    original = constant.original or constant
    assert constant.weights is not None
    assert original.weights is not None
    shape = constant.weights.shape
    count = len(shape) - len(original.weights.shape)
    if count > 0 and all(size == 1 for size in shape[:count]):
        constant.lifted = Lifted(graph.reshape(constant, shape[count:]), count)
    return constant


def _vector(graph: OnnxGraph, constant: OnnxTensor) -> OnnxTensor:
    """Note the unit axes of a written constant that is a vector; its rank in the model is not known any more."""
    assert constant.weights is not None
    shape = constant.weights.shape
    if len(shape) > 1 and prod(shape) == shape[-1] > 1:
        constant.lifted = Lifted(graph.reshape(constant, shape[-1:]), len(shape) - 1)
    return constant


def _repeated(value: Dense, graph: OnnxGraph, number: int) -> OnnxTensor:
    """A splat: an initializer if it is small, else a ConstantOfShape."""
    if size_in_bytes(value) <= FOLD_LIMIT:
        return OnnxTensor(number, weights=in_memory(number, value.get_shape(), elements_of(value).tobytes()))
    one = _tensor_proto(DenseIntOrFPElementsAttr(TensorType(value.get_element_type(), [1]), value.data))
    return graph.op("ConstantOfShape", graph.ints(*value.get_shape()), element=number, value=one)


@exports(OpaqueOp)
def opaque(op: OpaqueOp, graph: OnnxGraph, inputs: tuple[OnnxTensor, ...]) -> tuple[OnnxTensor, ...]:
    return foreign_node(op, graph, inputs)


def foreign_node(op: ForeignOp, graph: OnnxGraph, inputs: tuple[OnnxTensor, ...]) -> tuple[OnnxTensor, ...]:
    """The node that the op holds, with all attributes; bridges/onnx/README.md describes them."""
    domain, _, kind = op.op_name.data.rpartition(".")
    if domain != OWN_DOMAIN and domain not in graph.domains:
        count_foreign(op.op_name.data, domain, graph)
    notes = op.attributes
    taken = [name.data for name in cast("ArrayAttr[StringAttr]", notes.get("onnx.captures", ArrayAttr(())))]
    given, captured = inputs[: len(inputs) - len(taken)], inputs[len(inputs) - len(taken) :]
    results = [OnnxTensor(carrier(element_type_of(result))) for result in op.results]
    bodies = {
        name.removeprefix(MOVED): _body(value, graph, captured)
        for name, value in notes.items()
        if isinstance(value, SymbolRefAttr)
    }
    attributes = attributes_of(op)
    placed, outputs = _placed(given, notes.get("onnx.operands")), _placed(results, notes.get("onnx.results"))
    if graph.foreign_opset is not None:
        if domain == OWN_DOMAIN:
            use = KeptNode(kind, attributes, placed, len(outputs), numbers_of, lambda x: x.sizes)
            use = translated(use, graph.foreign_opset, graph.opset.number, graph.constants_like(inputs[:1]))
            kind, attributes, placed = use.kind, list(use.attributes), tuple(use.inputs)
        else:
            check_subgraphs(attributes, graph.foreign_opset, graph.opset.number)
    node = OnnxNode(
        kind,
        placed,
        attributes,
        outputs,
        "" if domain == OWN_DOMAIN else domain,
        is_pure=op.pure is not None,
        captures=dict(zip(taken, captured, strict=True)) if any(subgraphs(attributes)) else {},
        bodies=bodies,
    )
    for result in results:
        result.node = node
    if domain == OWN_DOMAIN and results and graph.opset.number < (graph.foreign_opset or 0):
        inputs_given = [None if x is None else x.element for x in node.inputs]
        graph.opset.check(kind, inputs_given, results[0].element, {each.name: each for each in attributes})
    graph.add(node)
    return tuple(results)


def count_foreign(name: str, domain: str, graph: OnnxGraph) -> None:
    """Count an op of another format, which is an error unless these are kept."""
    if graph.foreign is None and name.startswith(SYSTEMS):
        raise NotExportable(f"'{name}' has no counterpart in ONNX")
    if graph.foreign is None:
        raise NotExportable(
            f"'{name}' is no op of ONNX, nor of a domain that the program imports: -t 'onnx{{foreign=keep}}' writes a"
            f" node of the domain '{domain}', which only a runtime with such an op loads"
        )
    graph.foreign[name] += 1


def _body(symbol: SymbolRefAttr, graph: OnnxGraph, captured: Sequence[OnnxTensor]) -> Exported:
    assert graph.export_body is not None
    return graph.export_body(symbol.string_value(), captured)


def _placed(tensors: Sequence[OnnxTensor], places: Attribute | None) -> tuple[OnnxTensor | None, ...]:
    """Operands or results, with None for those that the node left out."""
    if not isinstance(places, DenseArrayBase):
        return tuple(tensors)
    numbers = [int(place) for place in places.get_values()]
    by_place = dict(zip(numbers, tensors, strict=True))
    return tuple(by_place.get(place) for place in range(max(numbers, default=-1) + 1))


def attributes_of(op: ForeignOp) -> list[AttributeProto]:
    """The attributes of the original node, without the subgraphs that are functions of the program."""
    return [
        attribute_proto(name, value)
        for name, value in op.attributes.items()
        if _is_attribute(name) and not isinstance(value, SymbolRefAttr)
    ]


def _is_attribute(name: str) -> bool:
    return name != HIDDEN and (not name.startswith("onnx.") or name.startswith(MOVED))


def attribute_proto(name: str, value: Attribute) -> AttributeProto:
    """The attribute of the original node for one of an opaque op."""
    if isinstance(value, DictionaryAttr) and isinstance(data := value.data.get("onnx.proto"), DenseIntOrFPElementsAttr):
        return AttributeProto.FromString(data.data.data)
    plain = name.removeprefix(MOVED)
    match value:
        case IntegerAttr():
            return helper.make_attribute(plain, value.value.data)
        case FloatAttr():
            return helper.make_attribute(plain, value.value.data)
        case StringAttr():
            return helper.make_attribute(plain, value.data)
        case DenseArrayBase():
            numbers = cast("Sequence[float]", cast("Any", value).get_values())
            kind = AttributeProto.INTS if isinstance(value.elt_type, IntegerType) else AttributeProto.FLOATS
            return helper.make_attribute(plain, numbers, attr_type=kind)
        case ArrayAttr() if all(isinstance(each, StringAttr) for each in value):
            texts = [each.data for each in value if isinstance(each, StringAttr)]
            return helper.make_attribute(plain, texts, attr_type=AttributeProto.STRINGS)
        case DenseIntOrFPElementsAttr():
            return helper.make_attribute(plain, _tensor_proto(value))
        case _:
            raise NotExportable(f"ONNX has no equivalent of the attribute {name} = {value}")


def _tensor_proto(value: DenseIntOrFPElementsAttr) -> TensorProto:
    number = carrier(value.get_element_type())
    shape = tuple(value.get_shape())
    weights = in_memory(number, shape, elements_of(value).tobytes())
    return TensorProto(dims=shape, data_type=number, raw_data=weights.data())
