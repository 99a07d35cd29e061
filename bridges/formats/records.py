"""Python values in attributes: cheap to make while a model is built, and in texts MLIR's own attributes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields
from typing import Any, TypeVar, cast

from xdsl.dialects.builtin import (
    AnyDenseElement,
    ArrayAttr,
    BoolAttr,
    BytesAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    Signedness,
    StringAttr,
    TensorType,
    f64,
    i1,
    i64,
)
from xdsl.ir import Attribute
from xdsl.parser import AttrParser
from xdsl.printer import Printer

T = TypeVar("T")

UI8 = IntegerType(8, Signedness.UNSIGNED)


def stated(value: Any) -> dict[str, Any]:
    """The fields of a dataclass that have not their defaults."""
    found = {each.name: getattr(value, each.name) for each in fields(value)}
    defaults = {each.name: each.default for each in fields(value) if each.default is not MISSING}
    return {
        name: each for name, each in found.items() if each != {} and (name not in defaults or defaults[name] != each)
    }


def print_fields(printer: Printer, given: Mapping[str, Any]) -> None:
    printer.print_attribute(attribute_of(given))


def parse_fields(parser: AttrParser, make: Callable[..., T]) -> T:
    """Make a value of fields by their names."""
    start = parser.pos
    found = parser.parse_attribute()
    try:
        return make(**value_of(found))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        parser.raise_error(f"expected other fields: {error}", start, parser.pos)


def bytes_attr(data: bytes, element: AnyDenseElement = UI8) -> DenseIntOrFPElementsAttr:
    """Bytes as a vector, or as one of elements that are easier to read."""
    type_ = TensorType(element, [len(data) // element.compile_time_size])
    return DenseIntOrFPElementsAttr(type_, BytesAttr(data))


def attribute_of(value: Any) -> Attribute:
    match value:
        case Attribute():
            return value
        case bool():
            return BoolAttr.from_bool(value)
        case int():
            return IntegerAttr(int(value), i64)
        case float():
            return FloatAttr(value, f64)
        case str():
            return StringAttr(value)
        case bytes():
            return bytes_attr(value)
        case Mapping():
            found = cast("Mapping[str, Any]", value)
            return DictionaryAttr({name: attribute_of(each) for name, each in found.items()})
        case _:
            return _array_of(value)


def _array_of(values: Sequence[Any]) -> Attribute:
    kinds: set[type[Any]] = {type(each) for each in values}
    for kind, element in ((int, i64), (float, f64), (bool, i1)):
        if kinds <= {kind}:
            return DenseArrayBase.from_list(element, values)
    return ArrayAttr([attribute_of(each) for each in values])


def value_of(attribute: Attribute) -> Any:
    match attribute:
        case IntegerAttr():
            return bool(attribute.value.data) if attribute.type == i1 else attribute.value.data
        case FloatAttr():
            return attribute.value.data
        case StringAttr():
            return attribute.data
        case DenseIntOrFPElementsAttr():
            return attribute.data.data
        case DictionaryAttr():
            return {name: value_of(each) for name, each in attribute.data.items()}
        case DenseArrayBase():
            found = cast("DenseArrayBase[Any]", attribute)
            return tuple(map(bool, found.get_values()) if found.elt_type == i1 else found.get_values())
        case ArrayAttr():
            return tuple(map(value_of, attribute))
        case _:
            raise ValueError(attribute)
