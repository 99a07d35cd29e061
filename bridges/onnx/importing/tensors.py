"""Data of tensors: in memory if short, a reference to a file if long."""

from dataclasses import dataclass
from functools import partial
from math import prod
from pathlib import Path, PurePath

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from ...safetensors import Extract, StoredTensor
from ..element_types import BITS
from ..errors import OnnxError
from .slim import FIELD, OWN_FILE
from .types import ELEMENT_TYPES, SAFETENSORS_NAMES, Array, packed, type_name

DATA_FIELDS = ("raw_data", "float_data", "int32_data", "string_data", "int64_data", "double_data", "uint64_data")
"""The fields of `TensorProto` that may hold data."""


@dataclass(frozen=True, slots=True)
class ModelTensor:
    """A constant tensor, whose data may be absent from the model."""

    name: str
    number: int
    """The element type, as ONNX's number."""
    shape: tuple[int, ...]
    proto: TensorProto
    extract: Extract | None
    """The location of the data if it is in a file."""
    has_data: bool

    def array(self) -> Array:
        """The data as an array."""
        if not self.has_data:
            raise OnnxError(f"'{self.name}' has a shape, but no data")
        if self.extract is None:
            return numpy_helper.to_array(self.proto)
        filled = TensorProto(dims=self.shape, data_type=self.number, raw_data=self.extract.read())
        return numpy_helper.to_array(filled)

    @property
    def is_plain(self) -> bool:
        """True if the bytes are the same in the file and in memory."""
        return self.number not in BITS

    def stored(self) -> StoredTensor:
        """The tensor for a safetensors file."""
        name = SAFETENSORS_NAMES[self.number]
        length = self.count * element_bytes(self.number)
        if self.extract is not None and self.is_plain:
            return StoredTensor(name, self.shape, length, self.extract)
        return StoredTensor(name, self.shape, length, partial(_file_bytes, self))

    @property
    def count(self) -> int:
        """The number of elements."""
        return prod(self.shape)


def _file_bytes(tensor: ModelTensor) -> bytes:
    array = tensor.array()
    return array.tobytes() if tensor.number == TensorProto.BOOL else packed(array, tensor.number)


def element_bytes(number: int) -> int:
    """The size of an element in memory, in bytes."""
    if number in (*BITS, TensorProto.BOOL):
        return 1
    element = ELEMENT_TYPES[number]
    return max(getattr(element, "bitwidth", 8) // 8, 1)


def tensor_of(proto: TensorProto, name: str, model: Path, may_be_missing: bool) -> ModelTensor:
    """Convert a `TensorProto`."""
    check_tensor(proto, name)
    if proto.data_type not in ELEMENT_TYPES:
        raise OnnxError(
            f"'{name}' is of element type {type_name(proto.data_type)}, which the npu dialect does not support"
        )
    shape = tuple(proto.dims)
    extract, has_data = None, True
    place = _places(proto).get("location", OWN_FILE)
    if proto.data_location == TensorProto.EXTERNAL:
        # A location that begins with # is not a file: the data was left out on purpose.
        extract = None if place.startswith("#") else _extract(proto, name, model)
        has_data = extract is not None
        if not (has_data or may_be_missing or place.startswith("#")):
            raise OnnxError(
                f"the data of '{name}' is missing: there is no file '{place}' beside the model"
                " (--weights=none imports the shapes alone)"
            )
    elif prod(shape) and not _own_data(proto):
        has_data = False
    tensor = ModelTensor(name, proto.data_type, shape, proto, extract, has_data)
    if extract is not None:
        _check_amount(name, "bytes", extract.length, _bytes_of(proto))
    return tensor


def check_tensor(proto: TensorProto, name: str) -> None:
    """Check that the data of a tensor is in the right field, and that its amount matches the shape."""
    if proto.data_type not in TensorProto.DataType.values() or proto.data_type == TensorProto.UNDEFINED:
        raise OnnxError(f"'{name}' is of element type {type_name(proto.data_type)}, which ONNX does not define")
    if min(proto.dims, default=0) < 0:
        raise OnnxError(f"the shape of '{name}' has a negative size: {'x'.join(map(str, proto.dims))}")
    if proto.HasField("segment"):
        raise OnnxError(f"'{name}' is a segment of a tensor, which is not supported")
    _check_field(proto, name)
    if proto.data_location == TensorProto.EXTERNAL or not _own_data(proto):
        return
    if proto.HasField("raw_data"):
        _check_amount(name, "bytes", len(proto.raw_data), _bytes_of(proto))
        return
    _check_amount(name, "numbers", len(getattr(proto, _field_of(proto))), _numbers_of(proto))


def _field_of(proto: TensorProto) -> str:
    """The field for data of this element type if it is not raw bytes."""
    return helper.tensor_dtype_to_field(proto.data_type)


def _own_data(proto: TensorProto) -> list[str]:
    """The non-empty data fields of a tensor."""
    return [field for field in DATA_FIELDS if len(getattr(proto, field))]


def _check_field(proto: TensorProto, name: str) -> None:
    """Check that the data is in the field for its element type."""
    found = _own_data(proto)
    if proto.data_location == TensorProto.EXTERNAL and FIELD in (places := _places(proto)):
        found.append(places[FIELD])
    allowed = {_field_of(proto)}
    if proto.data_type != TensorProto.STRING:
        allowed.add("raw_data")
    if len(found) > 1 or not allowed.issuperset(found):
        kind, fields = type_name(proto.data_type), " or ".join(sorted(allowed, reverse=True))
        raise OnnxError(f"the data of '{name}' is in {' and '.join(found)}; data of type {kind} belongs in {fields}")


def _bytes_of(proto: TensorProto) -> int:
    """The size of the packed data in bytes."""
    bits = BITS.get(proto.data_type) or helper.tensor_dtype_to_np_dtype(proto.data_type).itemsize * 8
    return -(-prod(proto.dims) * bits // 8)


def _numbers_of(proto: TensorProto) -> int:
    """The number of entries in the field for the element type."""
    count = prod(proto.dims)
    if proto.data_type in (TensorProto.COMPLEX64, TensorProto.COMPLEX128):
        return 2 * count
    bits = BITS.get(proto.data_type, 8)
    return -(-count // (8 // bits))


def _check_amount(name: str, unit: str, found: int, expected: int) -> None:
    if found != expected:
        raise OnnxError(f"the data of '{name}' has {found} {unit}, expected {expected} for its shape and type")


def _places(proto: TensorProto) -> dict[str, str]:
    return {entry.key: entry.value for entry in proto.external_data}


def _extract(proto: TensorProto, name: str, model: Path) -> Extract | None:
    places = _places(proto)
    location = places.get("location", OWN_FILE)
    path = model if location == OWN_FILE else model.parent / location
    if not _is_below(location) or not path.resolve().is_relative_to(model.parent.resolve()):
        raise OnnxError(f"the data of '{name}' lies outside of the model's folder: '{location}'")
    if not path.is_file():
        return None
    try:
        offset = int(places.get("offset", "0"))
        length = int(places["length"]) if "length" in places else path.stat().st_size - offset
    except ValueError:
        raise OnnxError(f"the offset or length of the data of '{name}' is not a number: {places}") from None
    if offset < 0 or length < 0 or offset + length > path.stat().st_size:
        raise OnnxError(f"the data of '{name}' is cut off: '{path.name}' ends before byte {offset + length}")
    return Extract(path, offset, length)


def _is_below(location: str) -> bool:
    """True if a path is relative and has no `..`."""
    path = PurePath(location)
    return not path.is_absolute() and ".." not in path.parts and "\0" not in location


def from_array(array: Array, name: str) -> ModelTensor:
    """A tensor of a folded value."""
    proto = numpy_helper.from_array(np.ascontiguousarray(array).reshape(array.shape), name)
    return ModelTensor(name, proto.data_type, tuple(array.shape), proto, None, True)
