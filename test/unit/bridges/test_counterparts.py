"""Rows of ops with a counterpart: the other system has the op, which computes what the interpreter does."""

from itertools import groupby
from typing import Any

import npu_opt
import numpy as np
import pytest
from npu_opt.bridges.onnx import counterparts
from npu_opt.bridges.onnx.counterparts import OnnxRow
from npu_opt.bridges.onnx.element_types import BOOL, F32, I32
from npu_opt.interpreter import run
from numpy.typing import NDArray
from onnx import defs, helper
from onnx.reference import ReferenceEvaluator
from support import optional_tools
from support.closeness import FEW_STEPS, assert_close

Array = NDArray[Any]
OPSET = 21
ROWS = [
    *counterparts.UNARY,
    *counterparts.ACTIVATIONS,
    *counterparts.BINARY,
    *counterparts.REDUCTIONS,
    *counterparts.SOFTMAX,
]
MOVED = {"Acosh": 1.0, **{row.kind: -0.5 for row in counterparts.ACTIVATIONS}}


def operands(row: OnnxRow, count: int) -> dict[str, Array]:
    """Different numbers, of a type that the kernel takes."""
    if F32 in row.types:
        numbers = np.array([0.125, 0.25, 0.375, 0.5, 0.625, 0.75], np.float32) + MOVED.get(row.kind, 0)
    elif BOOL in row.types:
        numbers = np.array([True, False, True, True, False, False])
    else:
        assert I32 in row.types
        numbers = np.array([1, -2, 3, 40, 5, 6], np.int32)
    # Some elements are equal in both operands, some smaller and some larger.
    others = np.concatenate([numbers[:2], numbers[:1:-1]])
    return {name: array.reshape(2, 3) for name, array in [("x", numbers), ("y", others)][:count]}


@pytest.mark.parametrize("row", ROWS, ids=[row.kind for row in ROWS])
def test_the_op_of_onnx_computes_what_the_dialect_does(row: OnnxRow):
    """The package onnx has its own meaning of the op, which no row changes."""
    given = operands(row, 2 if row in counterparts.BINARY else 1)
    node = helper.make_node(row.kind, [*given], ["z"])
    evaluator: Any = ReferenceEvaluator(node)  # It is typed in part.
    (expected,) = evaluator.run(None, given)
    inputs = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)
        for name, array in given.items()
    ]
    output = helper.make_tensor_value_info("z", helper.np_dtype_to_tensor_dtype(expected.dtype), expected.shape)
    graph = helper.make_graph([node], "main", inputs, [output])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=10)
    program = npu_opt.load(model)
    assert row.op in {type(op) for op in program.module.walk()}
    (found,) = run(program.module, inputs=[*given.values()])
    assert_close(found, expected, FEW_STEPS, row.kind)


@pytest.mark.parametrize("row", ROWS, ids=[row.kind for row in ROWS])
def test_attributes_that_are_left_out_have_the_numbers_of_onnx(row: OnnxRow):
    known = defs.get_schema(row.kind, OPSET).attributes
    found = {name: np.float32(known[name].default_value.f) for name in row.defaults}
    assert found == {name: np.float32(number) for name, number in row.defaults.items()}


def test_rows_of_one_op_are_neighbours():
    """The exporter reads all of them."""
    ops = [op for op, _ in groupby(row.op for row in ROWS)]
    assert len(ops) == len({*ops}) < len(ROWS)


def test_rows_of_litert_are_ops_of_the_format_with_their_attributes():
    if (tool := optional_tools.litert()).location is None:
        pytest.skip(tool.note)
    from npu_opt.bridges.litert import counterparts as of_litert
    from npu_opt.bridges.litert.exporting.registry import EXPORTERS
    from npu_opt.bridges.litert.importing.registry import READERS
    from npu_opt.bridges.litert.schema import kinds, options_of, schema

    assert {row.kind for row in of_litert.ROWS} <= {*kinds().values()} & {*READERS}
    assert {row.op for row in of_litert.ROWS} <= {*EXPORTERS}
    for row in of_litert.ROWS:
        assert all(hasattr(getattr(schema(), f"{options_of(row.kind)}OptionsT")(), name) for name in row.attributes)


def test_rows_of_tosa_are_read_and_those_of_one_op_neighbours():
    if (tool := optional_tools.mlir_bindings()).location is None:
        pytest.skip(tool.note)
    from npu_opt.bridges.mlir import counterparts as of_mlir
    from npu_opt.bridges.mlir.importing.registry import READERS

    rows = (*of_mlir.UNARY, *of_mlir.ACTIVATIONS, *of_mlir.BINARY)
    assert {row.tosa.OPERATION_NAME for row in rows if row.tosa} <= {*READERS}
    ops = [op for op, _ in groupby(row.op for row in rows)]
    assert len(ops) == len({*ops}) < len(rows)
