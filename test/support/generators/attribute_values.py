"""Models of one node, each with another legal value of one attribute, or with one that the node did not have."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, cast

import numpy as np
from npu_opt.bridges.onnx.importing.load import EXPANDED
from npu_opt.bridges.onnx.importing.registry import CONVERTERS
from numpy.typing import NDArray
from onnx import AttributeProto, ModelProto, NodeProto, defs, helper

from .backend_nodes import all_cases, as_array, bound_model, short_inputs

FLAGS = frozenset(
    {
        "allowzero", "antialias", "ceil_mode", "channels_last", "count_include_pad", "detect_negative",
        "detect_positive",
        "exclude_outside", "exclusive", "fmod", "interleaved", "is_causal", "keepdims", "largest",
        "noop_with_empty_axes",
        "reverse", "saturate", "select_last_index", "sorted", "stash_type", "storage_order", "training_mode", "transA",
        "transB", "transBatchA", "transBatchB", "upper",
    }
)  # fmt: skip
"""The integers that should be 0 or 1."""
TEXTS: Mapping[str, Sequence[str]] = {
    "approximate": ("none", "tanh"),
    "auto_pad": ("NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"),
    "direction": ("LEFT", "RIGHT"),
    "mode": ("DCR", "CRD", "constant", "reflect", "edge", "wrap"),
}
"""The texts of attributes, but for those of Resize."""


@dataclass(frozen=True)
class Mutant:
    """A model of one node that differs in one attribute from the one that it is made of."""

    name: str
    model: ModelProto
    inputs: Sequence[NDArray[Any]]


def other_values(name: str, kind: int, given: Any) -> Iterator[Any]:
    """Other values of an attribute that are legal for some inputs."""
    match kind:
        case AttributeProto.INT:
            found: list[Any] = [0, 1, 2, -1] if name in FLAGS else [0, 1, 2, 3, -1, -2]
        case AttributeProto.FLOAT:
            found = [0.0, 0.5, 2.0, *([] if name == "softcap" else [-1.0])]
        case AttributeProto.STRING:
            found = [text.encode() for text in TEXTS.get(name, ())]
        case AttributeProto.INTS if given:
            found = [[each + 1 for each in given], [1 for _ in given], list(given[::-1]), [given[0] + 1, *given[1:]]]
        case AttributeProto.INTS:
            found = [[0], [1], [2, 2], [1, 1], [0, 1], [1, 1, 1, 1], [0, 1, 1, 0], [-1]]
        case _:
            found = []
    return (value for value in found if value != given)


def mutants_of(name: str, model: ModelProto, kinds: Mapping[str, int], inputs: Sequence[Any]) -> Iterator[Mutant]:
    """The mutants of a model; `kinds` are the types of all attributes of its op."""
    given = {each.name: helper.get_attribute_value(each) for each in model.graph.node[0].attribute}
    for attribute, kind in kinds.items():
        for value in other_values(attribute, kind, given.get(attribute)):
            copy = ModelProto()
            copy.CopyFrom(model)
            _set(copy.graph.node[0], helper.make_attribute(attribute, value, attr_type=kind))
            for output in copy.graph.output:
                output.type.tensor_type.ClearField("shape")
            yield Mutant(f"{name}: {attribute} = {value}", copy, inputs)


def _set(node: NodeProto, attribute: AttributeProto) -> None:
    kept = [each for each in node.attribute if each.name != attribute.name]
    del node.attribute[:]
    node.attribute.extend([*kept, attribute])


def mutants_of_node_tests(left_out: frozenset[str]) -> Iterator[Mutant]:
    """Mutants of the node tests of onnx for ops that are converted; short inputs are constants."""
    for case in all_cases():
        if case.model is None or len(case.model.graph.node) != 1:
            continue
        (node,) = case.model.graph.node
        version = max((each.version for each in case.model.opset_import if not each.domain), default=0)
        is_read = node.op_type in EXPANDED or CONVERTERS.get(node.op_type) is not None
        if node.domain or node.op_type in left_out or not is_read:
            continue
        given = case.data_sets[0][0]
        bound = short_inputs(case, 1)
        inputs = [as_array(each) for index, each in enumerate(given) if index not in bound]
        if not defs.has(node.op_type, version) or any(each is None for each in inputs):
            continue
        schema = defs.get_schema(node.op_type, version)
        kinds = {name: int(cast("Any", each.type).value) for name, each in schema.attributes.items()}
        yield from mutants_of(case.name, bound_model(case, bound), kinds, inputs)


def _numbers(*shape: int, dtype: Any = np.float32) -> NDArray[Any]:
    generator = np.random.default_rng(len(shape))
    if np.issubdtype(dtype, np.integer):
        return generator.integers(0, 100, shape).astype(dtype)
    return generator.standard_normal(shape).astype(dtype)


BYTES = _numbers(1, 3, 6, 6, dtype=np.uint8)
SCALE, ZERO = np.float32(0.05), np.uint8(7)
QUANTISED = [BYTES, SCALE, ZERO, np.float32(0.07), np.uint8(5)]
ROWS = [_numbers(4, 6, dtype=np.uint8), SCALE, ZERO, _numbers(6, 6, dtype=np.uint8)]
OF_MICROSOFT: Mapping[str, tuple[Sequence[Any], Mapping[str, Any]]] = {
    "Attention": ([_numbers(2, 4, 6), _numbers(6, 18), _numbers(18)], {"num_heads": 2}),
    "BiasGelu": ([_numbers(2, 6), _numbers(6)], {}),
    "DequantizeLinear": ([_numbers(2, 6, dtype=np.int16), SCALE, np.int16(300)], {}),
    "FastGelu": ([_numbers(2, 6), _numbers(6)], {}),
    "FusedConv": ([_numbers(1, 2, 5, 5), _numbers(3, 2, 2, 2), _numbers(3)], {"activation": "Relu"}),
    "FusedMatMul": ([_numbers(6, 6), _numbers(6, 6)], {}),
    "Gelu": ([_numbers(2, 6)], {}),
    "MultiHeadAttention": ([_numbers(2, 4, 6)] * 3, {"num_heads": 2}),
    "QGemm": ([*ROWS[:3], *ROWS[3:], SCALE, ZERO, _numbers(6, dtype=np.int32), np.float32(0.3), ZERO], {}),
    "QLinearAdd": ([BYTES, SCALE, ZERO, BYTES, SCALE, ZERO, np.float32(0.1), ZERO], {}),
    "QLinearAveragePool": (QUANTISED, {"kernel_shape": [2, 2], "strides": [2, 2]}),
    "QLinearConcat": ([np.float32(0.1), ZERO, BYTES, SCALE, ZERO, BYTES, SCALE, ZERO], {"axis": 1}),
    "QLinearGlobalAveragePool": (QUANTISED, {}),
    "QLinearLeakyRelu": (QUANTISED, {}),
    "QLinearMul": ([BYTES, SCALE, ZERO, BYTES, SCALE, ZERO, np.float32(0.4), ZERO], {}),
    "QLinearSigmoid": ([BYTES, SCALE, ZERO, np.float32(0.004), ZERO], {}),
    "QLinearSoftmax": ([BYTES, SCALE, ZERO, np.float32(0.004), np.uint8(0)], {"axis": 1, "opset": 13}),
    "QuantizeLinear": ([_numbers(2, 6), SCALE, np.uint16(300)], {}),
    "QuickGelu": ([_numbers(2, 6)], {}),
    "RotaryEmbedding": ([_numbers(2, 4, 8), _numbers(2, 4, dtype=np.int64), *[_numbers(128, 2)] * 2], {"num_heads": 2}),
    "SkipLayerNormalization": ([_numbers(2, 4, 6), _numbers(2, 4, 6), _numbers(6), _numbers(6)], {}),
    "SkipSimplifiedLayerNormalization": ([_numbers(2, 4, 6), _numbers(1, 4, 6), _numbers(6)], {}),
}
"""Inputs and attributes for ops of ONNX Runtime; the inputs of rank 0 are constants."""
RESULTS = {"DequantizeLinear": 1, "QLinearConcat": 1, "QuantizeLinear": 2}
"""The input that has the element type of the result, if it is not the first."""


def model_of_microsoft(kind: str, attributes: Mapping[str, Any] | None = None) -> tuple[ModelProto, list[NDArray[Any]]]:
    """A model of one op of ONNX Runtime, and its inputs."""
    given, usual = OF_MICROSOFT[kind]
    arrays = {f"x{index}": np.asarray(each) for index, each in enumerate(given)}
    inputs = {name: each for name, each in arrays.items() if each.ndim}
    node = helper.make_node(kind, list(arrays), ["y"], domain="com.microsoft", **{**usual, **(attributes or {})})
    element = helper.np_dtype_to_tensor_dtype(arrays[f"x{RESULTS.get(kind, 0)}"].dtype)
    graph = helper.make_graph(
        [node],
        kind,
        [
            helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(each.dtype), each.shape)
            for name, each in inputs.items()
        ],
        [helper.make_tensor_value_info("y", element, None)],
        [
            helper.make_tensor(name, helper.np_dtype_to_tensor_dtype(each.dtype), [], [each.item()])
            for name, each in arrays.items()
            if not each.ndim
        ],
    )
    imports = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=imports, ir_version=8), list(inputs.values())


def kinds_of_microsoft(kind: str) -> dict[str, int]:
    """The attributes of an op in ONNX Runtime's own definition, with their types."""
    # By name: the package carries no types.
    state: Any = import_module("onnxruntime.capi.onnxruntime_pybind11_state")
    (schema,) = (
        each for each in state.get_all_operator_schema() if each.domain == "com.microsoft" and each.name == kind
    )
    return {
        name: int(getattr(AttributeProto, str(each.type).split(".")[-1])) for name, each in schema.attributes.items()
    }
