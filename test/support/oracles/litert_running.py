"""Runs of exported programs in LiteRT's interpreter, and programs without the ops that LiteRT does not have."""

import importlib
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from npu_opt.bridges.litert.exporting import NotExportable, to_litert
from npu_opt.bridges.litert.exporting.files import packed
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.binary import DivOp, ModOp
from npu_opt.dialects.npu.quantized_elementwise import QuantizedBinaryOp
from npu_opt.dialects.npu.source import ConstantOp
from npu_opt.dialects.npu.values import element_type_of, is_float
from xdsl.dialects.builtin import (
    AnyDenseElement,
    BFloat16Type,
    BytesAttr,
    DenseIntOrFPElementsAttr,
    ModuleOp,
    TensorType,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, BlockArgument, Region, SSAValue

from support.oracles.running import main_of

Array = npt.NDArray[Any]

interpreter: Any = importlib.import_module("ai_edge_litert.interpreter")  # It carries no types.


def executed(model: bytes, inputs: Sequence[Array]) -> list[Array]:
    """The outputs of a model on one thread."""
    running = interpreter.Interpreter(model_content=model, num_threads=1)
    places = [each["index"] for each in running.get_input_details()]
    for each, array in zip(running.get_input_details(), inputs, strict=True):
        if tuple(each["shape"]) != array.shape:
            running.resize_tensor_input(each["index"], array.shape)
    running.allocate_tensors()
    for place, array in zip(places, inputs, strict=True):
        running.set_tensor(place, np.array(array, order="C"))
    running.invoke()
    return [running.get_tensor(each["index"]) for each in running.get_output_details()]


def exported(module: ModuleOp) -> bytes:
    """The file of a program."""
    return packed(to_litert(module))


def is_exportable(op: NpuOp) -> bool:
    """True if LiteRT has the op, alone in a function."""
    block = Block(arg_types=[operand.type for operand in op.operands])
    alone = op.clone(dict(zip(op.operands, block.args, strict=True)))
    block.add_ops([alone, ReturnOp(*alone.results)])
    types = [operand.type for operand in op.operands], [result.type for result in op.results]
    function = FuncOp("main", types, Region(block))
    try:
        to_litert(ModuleOp([function]))
    except NotExportable:
        return False
    return True


def may_divide_by_zero(op: NpuOp) -> bool:
    """True if LiteRT may stop with an error: a whole number is divided by 0."""
    return isinstance(op, DivOp | ModOp) and not is_float(element_type_of(op.lhs))


def cut_refused_ops(module: ModuleOp) -> list[NpuOp]:
    """Replace the results of all ops that LiteRT does not have by arguments; returns the ops that are left."""
    function = main_of(module)
    block = function.body.block
    left: list[NpuOp] = []
    for op in [each for each in block.ops if isinstance(each, NpuOp)]:
        if isinstance(op, ConstantOp) or (is_exportable(op) and not may_divide_by_zero(op)):
            left.append(op)
            continue
        for result in op.results:
            result.replace_all_uses_with(block.insert_arg(result.type, len(block.args)))
        block.erase_op(op)
    function.update_function_type()
    return left


def make_parameters_constant(op: NpuOp, numbers: dict[SSAValue, Array]) -> None:
    """Turn all operands of an op but its data into constants, as a model has them."""
    function = op.parent_op()
    assert isinstance(function, FuncOp)
    data = ("input", "data", "lhs", "rhs") if isinstance(op, QuantizedBinaryOp) else ("input", "data", "lhs")
    for index, name in enumerate(op.operand_names()):
        value = op.operands[index]
        if name in data or not isinstance(value, BlockArgument) or isinstance(element_type_of(value), BFloat16Type):
            continue
        type_ = cast("TensorType[AnyDenseElement]", value.type)
        constant = ConstantOp(DenseIntOrFPElementsAttr(type_, BytesAttr(numbers[value].tobytes())))
        function.body.block.insert_op_before(constant, op)
        op.operands[index] = constant.result
        function.body.block.erase_arg(value)
    function.update_function_type()
