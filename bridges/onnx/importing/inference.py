"""Types of values, from the model, from ONNX's shape inference and from the importer's own."""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import count

import onnx
from onnx import (
    GraphProto,
    NodeProto,
    OperatorSetIdProto,
    TensorProto,
    TypeProto,
    helper,
    numpy_helper,
    shape_inference,
)
from onnx.defs import OpSchema

from ..errors import OnnxError, brief
from .alike import like_onnx
from .checking import version_of
from .fixed import set_dims
from .order import has_wrong_count, is_dangerous, label, used_names, within
from .shaped import Shaped
from .sizes import Size, Unknown, unknown
from .types import ONNX_TYPES, VALUE_TYPES, Array, whole_type


class Types:
    """The types of the values of a graph, and its named sizes."""

    def __init__(self, graph: GraphProto, opsets: Iterable[OperatorSetIdProto], ir_version: int):
        self._opsets = list(opsets)
        self._versions = {each.domain: each.version for each in self._opsets}
        self._ir_version = ir_version
        self._inferred: dict[str, TypeProto] = {
            value.name: value.type for value in (*graph.value_info, *graph.output, *graph.input)
        }
        self._inner_names = {value.name: names_of_dims(value.type) for value in graph.value_info}
        self.only_declared: dict[str, Sequence[str]] = {}
        """The names of dimensions, or `""`, of inner values that only the model says and inference does not."""
        self._sizes: dict[str, Size] = {}
        self._numbers = count(1)

    def inner(self, graph: GraphProto, prefix: str) -> "Types":
        """The types of a subgraph. Its names of sizes get a prefix, because an outer size may have the same name."""
        types = Types(graph, self._opsets, self._ir_version)
        types._inferred = {name: _prefixed(type_, prefix) for name, type_ in types._inferred.items()}
        types._numbers = self._numbers
        return types

    def add(self, graph: GraphProto) -> None:
        """Add those that the branch of a node states, whose sizes may differ from outer ones of the same names."""
        added = self.inner(graph, f"{graph.name}/")._inferred
        self._inferred = added | self._inferred

    def fresh(self) -> Unknown:
        """A new unknown size."""
        return unknown(f"?{next(self._numbers)}")

    def size_of(self, dim: onnx.TensorShapeProto.Dimension) -> Size | None:
        """The size of a dimension, or None."""
        if dim.HasField("dim_value") and dim.dim_value >= 0:
            return dim.dim_value
        if dim.dim_param:
            return self._sizes.setdefault(dim.dim_param, unknown(dim.dim_param))
        return None

    def declared(self, name: str) -> TypeProto | None:
        """The type of a value in the model or from ONNX's shape inference."""
        return self._inferred.get(name)

    def has_rank(self, name: str) -> bool:
        """True if the model or ONNX's shape inference say the rank of a value, or that it is no tensor."""
        type_ = self._inferred.get(name)
        kind = None if type_ is None else type_.WhichOneof("value")
        return kind is not None and (kind != "tensor_type" or self._inferred[name].tensor_type.HasField("shape"))

    def shaped(self, type_: TypeProto, name: str) -> Shaped:
        """The element type and shape of a value; one that is no tensor of known rank is a single element."""
        tensor = type_.tensor_type
        if not tensor.HasField("shape") or tensor.elem_type not in VALUE_TYPES:
            return Shaped(whole_type(type_, name), (), type_)
        sizes = (self.size_of(dim) for dim in tensor.shape.dim)
        return Shaped(VALUE_TYPES[tensor.elem_type], tuple(self.fresh() if size is None else size for size in sizes))

    def proto(self, shaped: Shaped) -> TypeProto:
        """The type as a `TypeProto`."""
        if shaped.whole is not None:
            return shaped.whole
        shape: list[int | str] = []
        for size in shaped.sizes:
            if isinstance(size, Unknown):
                self._sizes[str(size)] = size
            shape.append(size if isinstance(size, int) else str(size))
        return helper.make_tensor_type_proto(ONNX_TYPES[shaped.element], shape)

    def of_outputs(
        self,
        node: NodeProto,
        inputs: dict[str, Shaped],
        constants: dict[str, Array],
        own: Sequence[Size | None] | None,
    ) -> list[TypeProto | None]:
        """The types of the outputs of a node; `own` is the importer's own shape of the first output."""
        found = [self._inferred.get(name) if name else None for name in node.output]
        inferred = self._infer(node, inputs, constants)
        more = [inferred.get(name) for name in node.output]
        if own is not None and (first := more[0] or found[0]) is not None:
            more[0] = self._merged(self._with_shape(first, own), more[0])
        for name, each in zip(node.output, more, strict=True):
            self._note_names(name, each)
        return [self._merged(each, other) for each, other in zip(more, found, strict=True)]

    def _note_names(self, name: str, inferred: TypeProto | None) -> None:
        """Note the names of dimensions that the model says of an inner value beside its inferred type."""
        names = self._inner_names.get(name, ())
        dims = () if inferred is None else inferred.tensor_type.shape.dim
        if any(names) and (len(dims) != len(names) or any(n and not _is_known(d) for n, d in zip(names, dims))):
            self.only_declared[name] = names

    def refined(self, found: TypeProto | None, own: Shaped) -> TypeProto | None:
        """A type from ONNX's shape inference, refined by that of the importer."""
        return self._merged(self.proto(own), found)

    def completed(self, found: TypeProto | None, own: Shaped) -> TypeProto | None:
        """A type, or that of the importer if the model and ONNX's shape inference do not know its rank."""
        return self._merged(found, self.proto(own))

    def check(self, node: NodeProto, inputs: dict[str, Shaped]) -> None:
        """Check the shapes of the inputs by ONNX's shape inference."""
        self._infer(node, inputs, {})

    def _infer(self, node: NodeProto, inputs: dict[str, Shaped], constants: dict[str, Array]) -> dict[str, TypeProto]:
        node = like_onnx(node, self._versions.get("", 0))
        version = version_of(node, self._versions.get(node.domain, 0))
        schema = _schema(node.op_type, version, node.domain)
        if schema is None or has_wrong_count(node) or is_dangerous(within([node])):
            return {}
        types = {name: self.proto(inputs[name]) for name in used_names(node)}
        data: dict[str, TensorProto] = {name: numpy_helper.from_array(array) for name, array in constants.items()}
        try:
            return shape_inference.infer_node_outputs(
                schema, node, types, data, opset_imports=self._opsets, ir_version=self._ir_version
            )
        except shape_inference.InferenceError as error:
            if not all(map(_is_stated, types.values())):
                return {}
            raise OnnxError(f"{label(node)}: {brief(error)}") from error
        except Exception:
            # The package onnx has no superclass of what it raises.
            return {}

    def _with_shape(self, type_: TypeProto, sizes: Sequence[Size | None]) -> TypeProto:
        made = TypeProto()
        made.tensor_type.elem_type = type_.tensor_type.elem_type
        self._sizes |= {str(size): size for size in sizes if size is not None and not isinstance(size, int)}
        set_dims(made, [size if size is None or isinstance(size, int) else str(size) for size in sizes])
        return made

    def _merged(self, better: TypeProto | None, other: TypeProto | None) -> TypeProto | None:
        """Both types merged: known sizes before names, and names of `better` before those of `other`."""
        if better is None or other is None:
            return better or other
        if not better.tensor_type.HasField("shape") and other.tensor_type.HasField("shape"):
            # Each may say what the other leaves open.
            better, other = other, better
        elif not better.tensor_type.HasField("shape"):
            return other
        merged = TypeProto()
        merged.CopyFrom(better)
        if not merged.tensor_type.elem_type:
            merged.tensor_type.elem_type = other.tensor_type.elem_type
        dims, others = merged.tensor_type.shape.dim, other.tensor_type.shape.dim
        if len(dims) == len(others):
            for dim, more in zip(dims, others, strict=True):
                if not dim.HasField("dim_value") and (more.HasField("dim_value") or not dim.dim_param):
                    dim.CopyFrom(more)
        return merged


def names_of_dims(type_: TypeProto) -> list[str]:
    """The names of the dimensions of a tensor, but for those that ONNX's shape inference generated."""
    names = [dim.dim_param for dim in type_.tensor_type.shape.dim]
    return ["" if name.startswith("unk__") else name for name in names]


def declared_dims(type_: TypeProto) -> list[int | str]:
    """The sizes of the dimensions of a tensor, or else their names."""
    dims = zip(type_.tensor_type.shape.dim, names_of_dims(type_), strict=True)
    return [dim.dim_value if dim.dim_value > 0 else name for dim, name in dims]


def _is_stated(type_: TypeProto) -> bool:
    """True if it is known what a value is; ONNX's shape inference takes a tensor without an element type for wrong."""
    return type_.WhichOneof("value") not in (None, "tensor_type") or bool(type_.tensor_type.elem_type)


def _is_known(dim: onnx.TensorShapeProto.Dimension) -> bool:
    return dim.HasField("dim_value") or bool(dim.dim_param)


def _prefixed(type_: TypeProto, prefix: str) -> TypeProto:
    """A copy of a type whose names of sizes have a prefix."""
    copy = TypeProto()
    copy.CopyFrom(type_)
    for dim in copy.tensor_type.shape.dim if copy.HasField("tensor_type") else ():
        if dim.dim_param:
            dim.dim_param = prefix + dim.dim_param
    return copy


@cache
def _schema(name: str, version: int, domain: str) -> OpSchema | None:
    return onnx.defs.get_schema(name, version, domain) if onnx.defs.has(name, version, domain) else None
