"""Statements of a target about ops of other systems, written onto the ops."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr, SymbolRefAttr, UnitAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import VerifyException

from ..dialects.npu.attrs import LayoutAttr, i64_array
from ..dialects.npu.source import HIDDEN, ForeignOp, OpaqueOp
from ..dialects.npu.values import layout_of, rank_of
from ..dialects.npu.vendor import VendorAnyOrderOp, VendorElementwiseOp, VendorPoolOp, restated
from ..layout import Layout, LayoutClass, letters
from ..targets import DescribedOp, Likeness, load
from .common.words.reasons import Names

CODE = (HIDDEN, "onnx.captures")
"""Attributes of ops with code inside."""

CLASSES: Mapping[Likeness, type[ForeignOp]] = {
    Likeness.ELEMENTWISE: VendorElementwiseOp,
    Likeness.ANY_ORDER: VendorAnyOrderOp,
    Likeness.POOL: VendorPoolOp,
    Likeness.OPAQUE: OpaqueOp,
}


@dataclass(frozen=True)
class DescribeOps(ModulePass):
    """Write what the target says about ops of other systems onto them.

    Each `npu.opaque` whose name is in the table `[ops]` of the target becomes an op that states how it treats its axes:
    `npu.vendor_elementwise`, `npu.vendor_any_order` or `npu.vendor_pool`. One that is only `pure` stays opaque. An op
    whose shapes or layouts contradict the target, and an op with code inside, stays unchanged, and a note says why.
    Layout passes place the described ops in any order that their statement allows.

    `npu-opt` runs this pass in front of the first pass with such a target. Nothing can prove that a target is right, so
    the pass is no part of what `--verify-layouts` proves, which begins with the described program.
    """

    name = "describe-ops"

    target: str = "opu"
    """The name of the hardware target, or the path of its file."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for problem in describe(op, load(self.target).vendor_ops):
            print(f"note: {self.name}: {problem}", file=sys.stderr)


def describe(module: ModuleOp, known: Mapping[str, DescribedOp]) -> list[str]:
    """Replace the opaque ops of these names by described ones; returns a sentence for each that cannot be."""
    names = Names(module)
    made: list[tuple[OpaqueOp, ForeignOp]] = []
    problems: list[str] = []
    for op in module.walk():
        if not isinstance(op, OpaqueOp) or (entry := known.get(op.op_name.data)) is None:
            continue
        try:
            made.append((op, described(op, entry)))
        except VerifyException as error:
            named = f'{names.of(op)} "{entry.name}"'
            problems.append(f"{named} stays unchanged, although {entry.place} says '{entry.like}': {error}")
    for op, new in made:
        _replace(op, new)
    return problems


def described(op: OpaqueOp, entry: DescribedOp) -> ForeignOp:
    """An op with the statement of the target, outside of the program; raises `VerifyException`."""
    if any(isinstance(value, SymbolRefAttr) or name in CODE for name, value in op.attributes.items()):
        raise VerifyException("it has code inside")
    if entry.like is Likeness.ELEMENTWISE and len(op.results) != 1:
        raise VerifyException(f"expected one result, found {len(op.results)}")
    if entry.like is not Likeness.OPAQUE and not (op.operands and op.results):
        raise VerifyException("expected an operand and a result")
    pure = op.pure if op.pure is not None or not entry.is_pure else UnitAttr()
    fusion = op.fusion if entry.fusion is None else StringAttr(entry.fusion.word)
    if fusion is None and entry.like is Likeness.OPAQUE:
        # Tells it from an op that the target does not know.
        fusion = StringAttr(OpaqueOp.FUSION_KIND.word)
    properties: dict[str, Attribute | None] = {"op_name": op.op_name, "pure": pure, "fusion": fusion}
    if entry.like is Likeness.POOL:
        properties |= _written_in(op, entry)
    if len(entry.data_operands) > 1:
        properties["data_operands"] = i64_array(*entry.data_operands)
    return restated(op, CLASSES[entry.like], properties)


def _written_in(op: OpaqueOp, entry: DescribedOp) -> dict[str, Attribute | None]:
    """The layout whose axes the attributes of a pool count, which is also that of its data."""
    if not op.operands or not 3 <= rank_of(op.operands[0]) <= 5:
        raise VerifyException("expected a first operand of rank 3 to 5")
    data = op.operands[0]
    if (layout := layout_of(data)) is not None:
        return {"written_in": LayoutAttr(layout)}
    written = LayoutAttr(_features(data, entry.channels_last))
    return {"written_in": written, "data_layout": written}


def _features(data: SSAValue, channels_last: bool) -> Layout:
    batch, channels, *spatial = letters(LayoutClass.FEATURE, rank_of(data))
    order = [batch, *spatial, channels] if channels_last else [batch, channels, *spatial]
    return Layout.parse("".join(order))


def _replace(op: OpaqueOp, new: ForeignOp) -> None:
    Rewriter.insert_op(new, InsertPoint.before(op))
    for old, result in zip(op.results, new.results, strict=True):
        result.name_hint = old.name_hint
        old.replace_all_uses_with(result)
    Rewriter.erase_op(op)
