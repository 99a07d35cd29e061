"""Programs without layouts, except on some of their arguments."""

from random import Random

from npu_opt.layout import Layout, LayoutClass, channels_last, identity_layout
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from .sample_source import class_ranks, typed


def with_typed_arguments(module: ModuleOp, seed: int) -> ModuleOp:
    """The program with layouts on about half of the arguments of functions without callers."""
    rng = Random(seed)
    result = module.clone()
    called = {op.callee.string_value() for op in result.walk() if isinstance(op, CallOp)}
    for function in [op for op in result.ops if isinstance(op, FuncOp)]:
        if function.is_declaration or function.sym_name.data in called:
            continue
        for index, type_ in enumerate(function.function_type.inputs):
            if isa(type_, TensorType) and rng.random() < 0.6:
                _give_layout(function, index, type_, rng)
    return result


def _give_layout(function: FuncOp, index: int, plain: TensorType, rng: Random) -> None:
    """Try layouts until one is valid for the users of the argument."""
    rank = len(plain.get_shape())
    classes = [cls for cls in LayoutClass if rank in class_ranks(cls)]
    layouts: list[Layout] = [Layout(cls) for cls in classes if not cls.is_cnn]
    for cls in classes:
        if cls.is_cnn:
            layouts += [identity_layout(cls, rank), channels_last(cls, rank)]
    for layout in (*rng.sample(layouts, len(layouts)), None):
        argument = function.body.blocks[0].args[index]
        Rewriter.replace_value_with_new_type(argument, typed(plain.get_element_type(), plain.get_shape(), layout))
        function.update_function_type()
        try:
            function.verify()
        except VerifyException:
            continue
        return
