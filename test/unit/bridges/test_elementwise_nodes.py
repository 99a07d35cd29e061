"""Elementwise ops of ONNX, found by running each op: transposes cancel on both sides of every one."""

from collections.abc import Iterator, Sequence
from functools import cache
from math import prod
from typing import Any

import npu_opt
import numpy as np
import pytest
from models.onnx_runs import run
from onnx import ModelProto, TensorProto, defs, helper, parser

OPSET, IR_VERSION = 22, 10
SHAPE, ORDER, BACK = (2, 3, 4, 2), (0, 2, 3, 1), (0, 3, 1, 2)
TYPES = (TensorProto.FLOAT, TensorProto.INT32, TensorProto.UINT8, TensorProto.BOOL)
REQUIRED: dict[str, dict[str, Any]] = {"Cast": {"to": TensorProto.FLOAT16}, "BitShift": {"direction": "LEFT"}}
OTHERS = {"Bernoulli", "RandomNormalLike", "RandomUniformLike", "OptionalGetElement"}
"""Random numbers, which are no function of the operand, and an op on optional values."""


def nodes() -> Iterator[tuple[str, int, int]]:
    """The ops of ONNX with the number of operands and an element type that ONNX Runtime computes."""
    for schema in defs.get_all_schemas():
        if schema.domain == "" and not schema.deprecated and schema.min_input and schema.name not in OTHERS:
            for element in TYPES:
                if is_elementwise(schema.name, schema.min_input, element):
                    yield schema.name, schema.min_input, element
                    break


def model(kind: str, count: int, element: int, shape: Sequence[int], is_between: bool) -> ModelProto:
    names = [f"x{index}" for index in range(count)]
    moved = [f"{name}_moved" for name in names] if is_between else names
    result = "z" if is_between else "y"
    found = [helper.make_node(kind, moved, [result], **REQUIRED.get(kind, {}))]
    if is_between:
        before = [helper.make_node("Transpose", [a], [b], perm=ORDER) for a, b in zip(names, moved, strict=True)]
        found = [*before, *found, helper.make_node("Transpose", ["z"], ["y"], perm=BACK)]
    inputs = [helper.make_tensor_value_info(name, element, shape) for name in names]
    outputs = [helper.make_empty_tensor_value_info("y")]
    graph = helper.make_graph(found, "main", inputs, outputs)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)


@cache
def is_elementwise(kind: str, count: int, element: int) -> bool:
    """True if every element of the result is the one that a tensor of one axis has at the same place."""
    random = np.random.default_rng(0)
    dtype = helper.tensor_dtype_to_np_dtype(element)
    inputs = {f"x{index}": random.uniform(1, 3, SHAPE).astype(dtype) for index in range(count)}
    flat = {name: array.reshape(-1) for name, array in inputs.items()}
    try:
        (whole,) = run(model(kind, count, element, SHAPE, is_between=False), inputs)
        (alone,) = run(model(kind, count, element, [prod(SHAPE)], is_between=False), flat)
    except Exception:  # ONNX Runtime's exceptions have no common class: no kernel, or not this operand.
        return False
    # The output of some ops is a sequence.
    if getattr(whole, "shape", None) != SHAPE:
        return False
    return np.array_equal(whole.reshape(-1), alone, equal_nan=whole.dtype.kind == "f")


def test_numbers_of_f64_leave_as_they_came():
    """ONNX Runtime computes some ops in f32 only: such a node is no reason to round."""
    for kind in ("Sinh", "Erf", "Sin"):
        given = model(kind, 1, TensorProto.DOUBLE, SHAPE, is_between=True)
        written = npu_opt.optimize(given, target="onnx")
        assert [node.op_type for node in written.to_onnx().graph.node] == [kind]
        assert npu_opt.check(given, written)


def test_transposes_cancel_around_every_elementwise_op():
    found = list(nodes())
    left: dict[str, int] = {}
    for kind, count, element in found:
        given = model(kind, count, element, SHAPE, is_between=True)
        written = npu_opt.optimize(given, target="onnx").to_onnx()
        kinds = [node.op_type for node in written.graph.node]
        left[kind] = kinds.count("Transpose")
    assert {kind for kind, count in left.items() if count} == set()
    assert {"Add", "Atan", "Celu", "Cosh", "Erf", "IsNaN", "Not", "Pow", "Shrink", "Sinh"} <= left.keys()
    assert len(left) > 60, sorted(left)


def test_a_mean_is_that_of_onnx_runtime():
    """It multiplies the sum by the reciprocal of the number of operands, which rounds otherwise than the quotient."""
    head = '<ir_version: 7, opset_import: ["" : 13]> g (float[8,n] x, float[8,n] w, float[8,n] v) => (float[8,n] y)'
    quotient = "s = Sum (x, w, v) t = Constant <value = float {3}> () y = Div (s, t)"
    product = "s = Sum (x, w, v) t = Constant <value = float {0.33333334}> () y = Mul (s, t)"
    mean, *others = (parser.parse_model(f"{head} {{ {body} }}") for body in ("y = Mean (x, w, v)", quotient, product))
    assert [npu_opt.check(mean, other).word for other in others] == ["undecided", "proved"]
    rng = np.random.default_rng(0)
    inputs = {name: rng.standard_normal((8, 64)).astype(np.float32) for name in "xwv"}
    y, *found = (run(each, inputs, is_optimized=False)[0] for each in (mean, *others))
    assert [np.array_equal(y, each) for each in found] == [False, True]


@pytest.mark.parametrize(("way", "kind"), [("LEFT", "Mul"), ("RIGHT", "Div")])
def test_shifts_by_constants_of_each_channel_follow_a_transpose(way: str, kind: str):
    model = parser.parse_model(f"""<ir_version: 8, opset_import: ["": 17]>
    net (uint32[2,3,4,5] x) => (uint32[2,3,4,5] y) <uint32[3] by = {{1, 31, 0}}> {{
    t = Transpose <perm = [0, 2, 3, 1]> (x) s = BitShift <direction = "{way}"> (t, by)
    y = Transpose <perm = [0, 3, 1, 2]> (s) }}""")
    result = npu_opt.optimize(model, target="onnx", passes="")
    assert [node.op_type for node in result.to_onnx().graph.node] == [kind]
    assert npu_opt.check(model, result.to_onnx()).word == "proved"
    x = np.random.default_rng(0).integers(0, 1 << 32, (2, 3, 4, 5), np.uint32)
    first, other = (run(each, {"x": x}, is_optimized=False)[0] for each in (model, result.to_onnx()))
    assert np.array_equal(first, other)
