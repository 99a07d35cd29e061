"""Ops that no pass sees: code that opaque ops hold as data."""

from collections import Counter

from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, ModuleOp

from ...dialects.npu.source import HIDDEN, OpaqueOp


def not_looked_into(module: ModuleOp) -> list[str]:
    """The opaque ops that hold known ops as data, one text for each kind of op."""
    holders: Counter[str] = Counter()
    convolutions: Counter[str] = Counter()
    ops: Counter[str] = Counter()
    for op in module.walk():
        if isinstance(op, OpaqueOp) and isinstance(hidden := op.attributes.get(HIDDEN), DictionaryAttr):
            name = op.op_name.data.removeprefix("onnx.")
            holders[name] += 1
            convolutions[name] += _number(hidden, "convolutions")
            ops[name] += _number(hidden, "ops")
    return [
        f"{_counted(count, name)} kept as {'it is' if count == 1 else 'they are'}: "
        f"{_inside(convolutions[name], ops[name])}"
        for name, count in holders.items()
    ]


def _number(hidden: DictionaryAttr, key: str) -> int:
    found = hidden.data.get(key)
    return found.value.data if isinstance(found, IntegerAttr) else 0


def _inside(convolutions: int, ops: int) -> str:
    """The ops inside, or the convolutions among them, for which layouts matter most."""
    count = convolutions or ops
    noun = "convolution" if convolutions else "op"
    return f"{_counted(count, noun)} inside {'was' if count == 1 else 'were'} not placed"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' * (count != 1)}"
