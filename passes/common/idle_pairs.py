"""Transposes of axes of one element that cancel out: they move nothing, so no plan saves anything without them."""

from xdsl.dialects.builtin import ModuleOp

from ...dialects.npu.shape import AnyTransposeOp
from ...dialects.npu.values import shape_of
from ...layout import compose, identity, same_storage


def drop_idle_pairs(module: ModuleOp) -> None:
    """Let what reads the second one of two such transposes read what the first one reads."""
    for op in list(module.walk()):
        if not isinstance(op, AnyTransposeOp) or not isinstance(first := op.input.owner, AnyTransposeOp):
            continue
        nothing = identity(len(shape_of(first.input)))
        if op.result.type != first.input.type or compose(first.moved(), op.moved()) != nothing:
            continue
        if same_storage(nothing, first.moved(), shape_of(first.input)):
            op.result.replace_all_uses_with(first.input)
            for each in (op, first):
                if not each.result.first_use:
                    each.detach()
                    each.erase()
