"""Conditions of a target file, worked out from their text without the code of `targets`.

The text becomes Python, whose syntax tree is walked with unknown values: a comparison with one is unknown.
"""

import ast
import re
from collections.abc import Callable, Mapping
from functools import cache
from math import prod
from typing import TypeAlias

from npu_opt.dialects.npu.attention import HeadsOp
from npu_opt.dialects.npu.axes import numbers_of
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.convolution import ConvolutionOp
from npu_opt.dialects.npu.feature import WindowedOp
from npu_opt.dialects.npu.linear import LinearOp
from npu_opt.dialects.npu.movement import ConcatOp
from npu_opt.dialects.npu.source import ConstantOp
from npu_opt.dialects.npu.values import layout_of, order_of_value, shape_of, tensor_type
from npu_opt.dialects.npu.views import views_above
from npu_opt.layout import DYNAMIC, letters, unpermute
from npu_opt.targets import operand_names, result_names
from xdsl.dialects.builtin import FixedBitwidthType, StringAttr, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.utils.hints import isa

Value: TypeAlias = bool | int | str | tuple[int, ...] | None
Ask: TypeAlias = Callable[[str, str | None], Value]
"""The value of a fact, of the operand or result of a name."""

_WORDS = re.compile(
    r"(\d+(?:x\d+)+)|\b(b?f\d+|[us]?i\d+)\b|(\w+) is (constant)|(dim \d+|[a-zA-Z]\w*(?:\.\w)?)(?: of (\w+))?"
)


def holds(text: str, ask: Ask) -> bool | None:
    """The value of a condition; None if it is unknown."""
    found = _value(_tree(text), ask)
    assert found is None or isinstance(found, bool)
    return found


@cache
def _tree(text: str) -> ast.expr:
    return ast.parse(_WORDS.sub(_python, text), mode="eval").body


def _python(match: re.Match[str]) -> str:
    sizes, element, constant, _, fact, of = match.groups()
    if sizes:
        return f"({', '.join(sizes.split('x'))},)"
    if element:
        return repr(element)
    if constant:
        return f"ask('constant', {constant!r})"
    return fact if fact in ("and", "or", "not", "in") else f"ask({fact!r}, {of!r})"


def _value(tree: ast.expr, ask: Ask) -> Value:
    match tree:
        case ast.Constant():
            assert isinstance(tree.value, str | int) or tree.value is None
            return tree.value
        case ast.Tuple() | ast.List():
            # Sizes, a permutation, or the values behind `in`, which are taken one by one there.
            return tuple(value for each in tree.elts if isinstance(value := _value(each, ask), int))
        case ast.Call():
            name, of = (_value(each, ask) for each in tree.args)
            assert isinstance(name, str)
            assert not isinstance(of, bool | int | tuple)
            return ask(name, of)
        case ast.UnaryOp():
            found = _value(tree.operand, ask)
            return None if found is None else not found
        case ast.BoolOp():
            decides = isinstance(tree.op, ast.Or)
            parts = [_value(each, ask) for each in tree.values]
            return decides if decides in parts else None if None in parts else not decides
        case ast.BinOp():
            left, right = _value(tree.left, ask), _value(tree.right, ask)
            return left % right if isinstance(left, int) and isinstance(right, int) else None
        case ast.Compare(ops=[ast.In()], comparators=[ast.List(elts=several)]):
            left = _value(tree.left, ask)
            return None if left is None else any(_compared(ast.Eq(), left, _value(each, ask)) for each in several)
        case ast.Compare(ops=[sign], comparators=[right]):
            left = _value(tree.left, ask)
            return None if left is None else _compared(sign, left, _value(right, ask))
        case _:
            raise AssertionError(ast.dump(tree))


def _compared(sign: ast.cmpop, left: Value, right: Value) -> bool:
    if isinstance(sign, ast.NotEq):
        return not _compared(ast.Eq(), left, right)
    lefts = left if isinstance(left, tuple) and isinstance(right, int) else (left,)
    answers: Mapping[type[ast.cmpop], Callable[[Value], bool]] = {
        ast.Eq: lambda each: each == right,
        ast.Lt: lambda each: isinstance(each, int) and isinstance(right, int) and each < right,
        ast.LtE: lambda each: isinstance(each, int) and isinstance(right, int) and each <= right,
        ast.Gt: lambda each: isinstance(each, int) and isinstance(right, int) and each > right,
        ast.GtE: lambda each: isinstance(each, int) and isinstance(right, int) and each >= right,
    }
    return all(map(answers[type(sign)], lefts))


def facts_of(op: Operation) -> Ask:
    """The facts of an op."""
    names = [*operand_names(op), *result_names(op)]
    values: list[SSAValue] = [*op.operands, *op.results]

    def ask(fact: str, of: str | None) -> Value:
        named = [value for name, value in zip(names, values, strict=True) if name == (of or names[0])]
        if fact == "constant":
            return all(map(_is_constant, named)) if named else None
        own = _own_fact(op, *fact.partition(".")[::2])
        if own is not None or not named or not isa(named[0].type, TensorType):
            return own
        if isinstance(op, HeadsOp) and (of or names[0]) in ("query", "key", "value", "input", "result"):
            stated = op.properties.get(f"{of or names[0]}_axes")
            axes = stated.data if isinstance(stated, StringAttr) else "BHNC"
            if fact in axes and len(fact) == 1:
                size = shape_of(named[0])[axes.index(fact)]
                return None if size == DYNAMIC else size
        return fact_of_value(named[0], fact)

    return ask


def _own_fact(op: Operation, fact: str, part: str) -> Value:
    """A property of the op, or that along one axis."""
    if not isinstance(op, NpuOp):
        return None
    found: dict[str, Value] = {}
    if isinstance(op, WindowedOp):
        count = len(shape_of(getattr(op, op.AXES.feature_map))) - 2
        for name, key, default in (("strides", "stride", 1), ("dilations", "dilation", 1)):
            given = op.properties.get(name)
            found[key] = (default,) * count if given is None else numbers_of(given)
        given = op.properties.get("pads")
        found["pads"] = (0,) * 2 * count if given is None else numbers_of(given)
    if "window" in op.properties:
        found["kernel"] = numbers_of(op.properties["window"])
    if isinstance(op, ConvolutionOp):
        kernel: SSAValue = getattr(op, op.relation[1])
        # Without a layout in its type, the op states that of the kernel.
        stated, rank = op.kernel_layout, len(shape_of(kernel))
        order = order_of_value(kernel) if stated is None else stated.data.order_for(rank)
        sizes = unpermute(shape_of(kernel), order)
        found["groups"] = op.groups.value.data
        found["depthwise"] = None if sizes[1] == DYNAMIC else op.groups.value.data > 1 and sizes[1] == 1
        found["kernel"] = None if DYNAMIC in sizes[2:] else sizes[2:]
    if isinstance(op, ConcatOp):
        added = [shape_of(value)[numbers_of(op.axis)[0]] for value in op.operands[1:]]
        found["appended"] = None if DYNAMIC in added else sum(added)
    if isinstance(op, LinearOp):
        *_, rows, columns = unpermute(shape_of(op.result), order_of_value(op.result))
        found |= {name: None if size == DYNAMIC else size for name, size in (("rows", rows), ("columns", columns))}
    value = found.get(fact)
    if not part or not isinstance(value, tuple):
        return value
    count = len(value) // 2 if fact == "pads" else len(value)
    place = "dhw".index(part) - 3 + count
    if place < 0:
        return None
    return (value[place], value[place + count]) if fact == "pads" else value[place]


def fact_of_value(value: SSAValue, fact: str) -> Value:
    sizes, type_ = unpermute(shape_of(value), order_of_value(value)), tensor_type(value)
    width = type_.element_type.bitwidth if isinstance(type_.element_type, FixedBitwidthType) else 64
    layout = layout_of(value)
    if fact in ("bytes", "elements"):
        count = prod(sizes)
        return None if DYNAMIC in sizes else count if fact == "elements" else -(-count * width // 8)
    if fact in ("type", "rank"):
        return str(type_.element_type) if fact == "type" else len(sizes)
    named = dict(zip(letters(layout.cls, len(sizes)), sizes, strict=True)) if layout and layout.cls.is_cnn else {}
    found = {**named, **{f"dim {axis}": size for axis, size in enumerate(sizes)}}.get(fact)
    return None if found == DYNAMIC else found


def _is_constant(value: SSAValue) -> bool:
    for view in views_above(value):
        value = view.input
    return isinstance(value.owner, ConstantOp)
