"""Values that a model computes from its weights alone, such as the kernel of a convolution with weight norm.

They are computed once, as onnx defines each op, and are constants of the program.
"""

from math import prod
from typing import Any, cast

import numpy as np
from onnx import NodeProto, helper

from ..element_types import NARROW
from .graph import ImportedGraph, ModelValue
from .registry import key_of
from .tensors import element_bytes, from_array
from .types import ELEMENT_TYPES, ONNX_TYPES, Array

KEPT = frozenset(("DequantizeLinear", "QuantizeLinear", "DynamicQuantizeLinear", "Bernoulli", "Dropout", "Multinomial"))
"""Ops that are not computed: quantised weights stay integers, and random numbers are new in each run. `Random...Like`
are the others of these."""
VIEWS = frozenset(("Flatten", "Reshape", "Squeeze", "Transpose", "Unsqueeze"))
"""Ops that show data in another way, which takes no time in a program if they show a weight. Only what is computed, or
small, is moved here."""
MOST_COPIED = 1 << 20
"""The most bytes of a weight that is moved."""
SLOW = frozenset(("GridSample", "Resize"))
"""Ops that onnx computes number by number."""
MOST_SLOW = 1 << 12
"""The most numbers for which that is done."""


def compute(node: NodeProto, graph: ImportedGraph) -> bool:
    """Make the results of a node constants, if all its inputs are; the importer has entered their types."""
    if graph.computed is None or not any(node.input):
        return False
    arguments = {name: graph.values[name] for name in node.input if name}
    if not all(map(_is_constant, arguments.values())):
        return False
    if key_of(node.domain, node.op_type) == "Identity":
        # It has no op of its own in the program, but others may be computed from it.
        graph.values[node.output[0]].tensor = graph.values[node.input[0]].tensor
        return False
    if not _is_computed(node, graph):
        return False
    arrays = {name: _array(value) for name, value in arguments.items()}
    results = _by_axes(arrays, node, graph) if _is_by_axes(node) else _run(arrays, node, graph)
    if results is None or not all(_is_as_expected(array, graph.values[name]) for name, array in results.items()):
        return False
    for name, array in results.items():
        graph.add_tensor(name, from_array(array, name))
    graph.computed.update(results)
    return True


def _is_constant(value: ModelValue) -> bool:
    if value.tensor is not None:
        return value.tensor.has_data
    return value.known is not None and value.known.dtype != np.object_


def _array(value: ModelValue) -> Array:
    if value.tensor is not None:
        return value.tensor.array()
    assert value.known is not None
    return value.known.astype(helper.tensor_dtype_to_np_dtype(ONNX_TYPES[value.shaped.element]), copy=False)


def _is_computed(node: NodeProto, graph: ImportedGraph) -> bool:
    """True for a node whose results are worth their bytes."""
    kind, results = key_of(node.domain, node.op_type), [graph.values[name] for name in node.output if name]
    if "." in kind or kind in KEPT or kind.startswith("Random"):
        return False
    size = max(map(_size, results))
    if min(map(_size, results)) < 0 or size > graph.fold_limit:
        return False
    if kind not in VIEWS and any(
        ONNX_TYPES[graph.values[name].shaped.element] in NARROW for name in node.input if name
    ):
        # Packed weights would grow.
        return False
    if kind in SLOW and max(map(_count, results)) > MOST_SLOW and not _is_by_axes(node):
        return False
    return kind not in VIEWS or size <= MOST_COPIED or node.input[0] in (graph.computed or ())


def _size(value: ModelValue) -> int:
    """The size in bytes, less than 0 if it is not known."""
    return element_bytes(ONNX_TYPES[value.shaped.element]) * _count(value)


def _count(value: ModelValue) -> int:
    """The number of elements; less than 0 if it is not known."""
    sizes = [size for size in value.shaped.sizes if isinstance(size, int)]
    return prod(sizes) if len(sizes) == value.shaped.rank else -1


def _run(arguments: dict[str, Array], node: NodeProto, graph: ImportedGraph) -> dict[str, Array] | None:
    """The results of a node by name; None if onnx cannot compute them, or computes others than the importer expects."""
    # Loaded late: it is slow, and few models need it.
    from onnx.reference import ReferenceEvaluator

    names = [name for name in node.output if name]
    inputs = [
        helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(a.dtype), a.shape)
        for n, a in arguments.items()
    ]
    outputs = [helper.make_empty_tensor_value_info(name) for name in names]
    model = helper.make_model(
        helper.make_graph([node], "node", inputs, outputs),
        opset_imports=[helper.make_opsetid(domain, version) for domain, version in graph.opsets.items()],
    )
    try:
        with np.errstate(all="ignore"):
            found = cast("Any", ReferenceEvaluator(model)).run(None, arguments)
    except Exception:  # Whatever it fails with, the node stays in the program.
        return None
    return {name: np.asarray(array) for name, array in zip(names, found, strict=True)}


def _is_by_axes(node: NodeProto) -> bool:
    """True for a Resize to sizes whose elements are sums over one axis after another."""
    texts = {each.s for each in node.attribute}
    has_sizes = node.op_type == "Resize" and len(node.input) == 4
    return has_sizes and not texts & {b"nearest", b"tf_crop_and_resize", b"not_larger", b"not_smaller"}


def _by_axes(arguments: dict[str, Array], node: NodeProto, graph: ImportedGraph) -> dict[str, Array] | None:
    """The result of a Resize: along an axis that changes its size, a product with the resized unit matrix."""
    result, (name,) = arguments[node.input[0]], node.output
    one = NodeProto(op_type="Resize", input=["unit", "", "", "sizes"], output=["matrix"])
    one.attribute.extend(each for each in node.attribute if each.name != "axes")
    for axis, (count, size) in enumerate(zip(result.shape, graph.values[name].shaped.sizes, strict=True)):
        if count == size:
            continue
        sizes = np.array([count, size])
        if count * size > MOST_SLOW or result.dtype.kind != "f":
            return None
        found = _run({"unit": np.eye(count, dtype=result.dtype), "sizes": sizes}, one, graph)
        if found is None:
            return None
        result = np.moveaxis(np.tensordot(result, found["matrix"], (axis, 0)), -1, axis)
    return {name: np.ascontiguousarray(result)}


def _is_as_expected(array: Array, value: ModelValue) -> bool:
    kind = ELEMENT_TYPES.get(helper.np_dtype_to_tensor_dtype(array.dtype))
    return kind == value.shaped.element and array.shape == tuple(value.shaped.sizes)
