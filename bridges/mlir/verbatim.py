"""How an op of upstream MLIR that stays as it is looks in the program: the attributes of its `npu.opaque`."""

from collections.abc import Mapping
from contextlib import suppress

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, Builtin, DictionaryAttr, StringAttr
from xdsl.ir import Attribute
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError

from ...dialects.npu.source import OpaqueOp
from .bindings import Attribute as MlirAttribute
from .bindings import Operation, ir

OURS = ("npu.", "onnx.")
"""How the names of attributes begin that only this project understands."""
SIZES = "mlir.sizes"
"""For each operand the sizes that it is, or nothing where it is a tensor."""
FUNCTION = "mlir.function"
"""The text of a function that holds the op, where the op alone does not say all."""
_TEXT = "mlir.attribute"
"""The key of an attribute's text, where xDSL has no such attribute."""
_MOVED = "mlir.attribute."
"""What stands before a key that means something else here."""


def legal_key(name: str) -> str:
    """The key of an attribute; those that mean something else here are moved out of the way."""
    is_taken = name in OpaqueOp.get_irdl_definition().properties or name.startswith("mlir.")
    return f"{_MOVED}{name}" if is_taken else name


def mlir_key(key: str) -> str:
    """The key that an attribute has upstream."""
    return key.removeprefix(_MOVED)


def kept(attributes: Mapping[str, Attribute]) -> dict[str, MlirAttribute]:
    """What is said of a module, a function or an argument, apart from what only this project understands."""
    found: dict[str, MlirAttribute] = {}
    for name, value in attributes.items():
        if name.startswith(OURS):
            continue
        # A layout of ours under a name of others, say.
        with suppress(ir.MLIRError):
            found[name] = written(value)
    return found


def keep(op: Operation, attributes: Mapping[str, Attribute]) -> None:
    """Say the same of an op upstream."""
    for name, value in kept(attributes).items():
        op.attributes[name] = value


def keep_each(op: Operation, key: str, each: ArrayAttr[DictionaryAttr] | None) -> None:
    """Say the same of each argument or result of a function upstream."""
    found = [kept(one.data) for one in each or ()]
    if any(found):
        op.attributes[key] = ir.ArrayAttr.get([ir.DictAttr.get(one) for one in found])


def readable(attribute: MlirAttribute) -> Attribute:
    """An attribute as xDSL has it, or else its text."""
    context = Context()
    context.load_dialect(Builtin)
    text = str(attribute)
    try:
        return Parser(context, text).parse_attribute()
    except ParseError:
        return DictionaryAttr({_TEXT: StringAttr(text)})


def written(attribute: Attribute) -> MlirAttribute:
    """The attribute upstream that this one stands for."""
    if isinstance(attribute, DictionaryAttr) and list(attribute.data) == [_TEXT]:
        text = attribute.data[_TEXT]
        assert isinstance(text, StringAttr)
        return ir.Attribute.parse(text.data)
    return ir.Attribute.parse(str(attribute))
