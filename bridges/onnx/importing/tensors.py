"""The data of tensors: read where it is short, pointed to where it is long."""

from dataclasses import dataclass
from functools import partial
from math import prod
from pathlib import Path

import numpy as np
from onnx import TensorProto, numpy_helper

from ...safetensors import Extract, StoredTensor
from ..errors import OnnxError
from .slim import OWN_FILE
from .types import ELEMENT_TYPES, SAFETENSORS_NAMES, Array, packed, type_name


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor of known numbers, or of numbers that were taken out of the model."""

    name: str
    number: int
    """Its element type, as ONNX counts them."""
    shape: tuple[int, ...]
    proto: TensorProto
    extract: Extract | None
    """Where the data lies, if not in the model."""
    has_data: bool

    def array(self) -> Array:
        """The numbers."""
        if self.extract is None:
            return numpy_helper.to_array(self.proto)
        filled = TensorProto(dims=self.shape, data_type=self.number, raw_data=self.extract.read())
        return numpy_helper.to_array(filled)

    @property
    def is_plain(self) -> bool:
        """Whether the bytes are laid out in the file as they are in memory."""
        return self.number not in (TensorProto.INT4, TensorProto.UINT4)

    def stored(self) -> StoredTensor:
        """What is written into a safetensors file."""
        name = SAFETENSORS_NAMES[self.number]
        length = self.count * element_bytes(self.number)
        if self.extract is not None and self.is_plain:
            return StoredTensor(name, self.shape, length, self.extract)
        return StoredTensor(name, self.shape, length, partial(_file_bytes, self))

    @property
    def count(self) -> int:
        """How many elements there are."""
        return prod(self.shape)


def _file_bytes(tensor: Tensor) -> bytes:
    array = tensor.array()
    return array.tobytes() if tensor.number == TensorProto.BOOL else packed(array, tensor.number)


def element_bytes(number: int) -> int:
    """How many bytes of memory an element takes."""
    if number in (TensorProto.INT4, TensorProto.UINT4, TensorProto.BOOL):
        return 1
    element = ELEMENT_TYPES[number]
    return max(getattr(element, "bitwidth", 8) // 8, 1)


def tensor_of(proto: TensorProto, name: str, model: Path, may_be_missing: bool) -> Tensor:
    """What a `TensorProto` holds."""
    if proto.data_type not in ELEMENT_TYPES:
        raise OnnxError(
            f"'{name}' is of element type {type_name(proto.data_type)}, which the npu dialect does not have"
        )
    shape = tuple(proto.dims)
    extract, has_data = None, True
    place = _places(proto).get("location", OWN_FILE)
    if proto.data_location == TensorProto.EXTERNAL:
        # No file is meant by what begins with #: the data was left out on purpose.
        extract = None if place.startswith("#") else _extract(proto, name, model)
        has_data = extract is not None
        if not (has_data or may_be_missing or place.startswith("#")):
            raise OnnxError(
                f"the data of '{name}' is missing: there is no file '{place}' beside the model"
                " (--weights=none imports the shapes alone)"
            )
    elif prod(shape) and not _has_own_data(proto):
        has_data = False
    tensor = Tensor(name, proto.data_type, shape, proto, extract, has_data)
    _check_length(tensor)
    return tensor


def _has_own_data(proto: TensorProto) -> bool:
    return any(
        len(getattr(proto, field))
        for field in ("raw_data", "float_data", "int32_data", "int64_data", "double_data", "uint64_data")
    )


def _places(proto: TensorProto) -> dict[str, str]:
    return {entry.key: entry.value for entry in proto.external_data}


def _extract(proto: TensorProto, name: str, model: Path) -> Extract | None:
    places = _places(proto)
    location = places.get("location", OWN_FILE)
    path = model if location == OWN_FILE else model.parent / location
    if not path.resolve().is_relative_to(model.parent.resolve()):
        raise OnnxError(f"the data of '{name}' lies outside of the model's folder: '{location}'")
    if not path.is_file():
        return None
    try:
        offset = int(places.get("offset", "0"))
        length = int(places["length"]) if "length" in places else path.stat().st_size - offset
    except ValueError:
        raise OnnxError(f"the place of the data of '{name}' is not a number: {places}") from None
    if offset < 0 or length < 0 or offset + length > path.stat().st_size:
        raise OnnxError(f"the data of '{name}' is cut off: '{path.name}' ends before byte {offset + length}")
    return Extract(path, offset, length)


def _check_length(tensor: Tensor) -> None:
    """Check that there are as many bytes as the shape says, where they are plain."""
    if not tensor.has_data:
        return
    if tensor.extract is not None:
        found = tensor.extract.length
    elif tensor.proto.HasField("raw_data"):
        found = len(tensor.proto.raw_data)
    else:
        return
    expected = tensor.count * element_bytes(tensor.number)
    if not tensor.is_plain:
        expected = (tensor.count + 1) // 2
    if found != expected:
        raise OnnxError(f"the data of '{tensor.name}' has {found} bytes, and its shape and type say {expected}")


def from_array(array: Array, name: str) -> Tensor:
    """Numbers that the importer worked out."""
    proto = numpy_helper.from_array(np.ascontiguousarray(array).reshape(array.shape), name)
    return Tensor(name, proto.data_type, tuple(array.shape), proto, None, True)
