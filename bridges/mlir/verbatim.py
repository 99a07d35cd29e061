"""Attributes of `npu.opaque` ops that hold MLIR ops, and attributes of modules and functions."""

from collections.abc import Mapping
from contextlib import suppress

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, Builtin, DictionaryAttr, StringAttr
from xdsl.ir import Attribute
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError

from ...dialects.npu.vendor import RESERVED
from .bindings import Attribute as MlirAttribute
from .bindings import Operation, ir

OURS = ("npu.", "onnx.")
"""Prefixes of attribute names that only this project understands."""
SIZES = "mlir.sizes"
"""The key for the `tosa.const_shape` operands: for each operand its sizes, or a unit if it is a tensor."""
FUNCTION = "mlir.function"
"""The key for the text of a function that contains the op, if it has regions or other non-tensor operands."""
_TEXT = "mlir.attribute"
"""The key for the text of an attribute that xDSL cannot parse."""
_MOVED = "mlir.attribute."
"""The prefix of reserved keys."""


def legal_key(name: str) -> str:
    """The key of an attribute in the program; reserved names get a prefix."""
    is_taken = name in RESERVED or name.startswith("mlir.")
    return f"{_MOVED}{name}" if is_taken else name


def mlir_key(key: str) -> str:
    """The key of an attribute in MLIR."""
    return key.removeprefix(_MOVED)


def mlir_attributes(attributes: Mapping[str, Attribute]) -> dict[str, MlirAttribute]:
    """The attributes of a module, function or argument without those that only this project understands."""
    found: dict[str, MlirAttribute] = {}
    for name, value in attributes.items():
        if name.startswith(OURS):
            continue
        # Attributes that MLIR cannot parse, such as layouts, are dropped.
        with suppress(ir.MLIRError):
            found[name] = to_mlir(value)
    return found


def copy_attributes(op: Operation, attributes: Mapping[str, Attribute]) -> None:
    """Copy attributes to an MLIR op."""
    for name, value in mlir_attributes(attributes).items():
        op.attributes[name] = value


def copy_each_attributes(op: Operation, key: str, each: ArrayAttr[DictionaryAttr] | None) -> None:
    """Copy the attributes of arguments or results to an MLIR function."""
    found = [mlir_attributes(one.data) for one in each or ()]
    if any(found):
        op.attributes[key] = ir.ArrayAttr.get([ir.DictAttr.get(one) for one in found])


def to_xdsl(attribute: MlirAttribute) -> Attribute:
    """The attribute in xDSL, or its text if xDSL cannot parse it."""
    context = Context()
    context.load_dialect(Builtin)
    text = str(attribute)
    try:
        return Parser(context, text).parse_attribute()
    except ParseError:
        return DictionaryAttr({_TEXT: StringAttr(text)})


def to_mlir(attribute: Attribute) -> MlirAttribute:
    """The attribute in MLIR."""
    if isinstance(attribute, DictionaryAttr) and list(attribute.data) == [_TEXT]:
        text = attribute.data[_TEXT]
        assert isinstance(text, StringAttr)
        return ir.Attribute.parse(text.data)
    return ir.Attribute.parse(str(attribute))
