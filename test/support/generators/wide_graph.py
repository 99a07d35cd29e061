"""A random ONNX graph of any opset under construction: a node is added if ONNX Runtime runs it."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
from onnx import NodeProto, TensorProto, helper

from ..oracles.onnx_running import ort
from .onnx_graphs import BOOL, F32, I64, MICROSOFT, Graph, Value

I8, U8, I32, U32, F16, F64 = (
    TensorProto.INT8,
    TensorProto.UINT8,
    TensorProto.INT32,
    TensorProto.UINT32,
    TensorProto.FLOAT16,
    TensorProto.DOUBLE,
)
NUMPY: Mapping[int, Any] = {
    F32: np.float32,
    I64: np.int64,
    BOOL: np.bool_,
    I8: np.int8,
    U8: np.uint8,
    I32: np.int32,
    U32: np.uint32,
    F16: np.float16,
    F64: np.float64,
}
ELEMENTS = tuple(NUMPY)


class WideGraph(Graph):
    """A graph whose nodes ONNX Runtime can run."""

    def add(self, kind: str, inputs: Sequence[str], outputs: int = 1, /, **attributes: Any) -> bool:
        shapes = {value.name: value.shape for value in self.values}
        if (kind == "Resize" and 0 in shapes[inputs[0]]) or (
            kind == "InstanceNormalization" and 0 in shapes[inputs[0]][2:]
        ):
            # ONNX Runtime 1.32 ends the process.
            return False
        values, nodes, count = len(self.values), len(self.nodes), self.count
        if not super().add(kind, inputs, outputs, **attributes):
            return False
        if all(runs(node, self) for node in self.nodes[nodes:]):
            return True
        del self.values[values:], self.nodes[nodes:]
        self.count = count
        return False

    def of_runtime(self, kind: str, inputs: Sequence[str], shape: Sequence[int], **attributes: Any) -> bool:
        """Add a node of ONNX Runtime whose result has this shape, if it runs it."""
        node = helper.make_node(kind, inputs, [self.name("v")], self.name("n"), domain=MICROSOFT, **attributes)
        self.values.append(Value(node.output[0], F32, tuple(shape)))
        self.nodes.append(node)
        if runs(node, self):
            return True
        del self.values[-1:], self.nodes[-1:]
        return False

    def any_value(self, least: int = 0) -> Value | None:
        found = [value for value in self.values if value.rank >= least]
        return self.rng.choice((found, found[-4:])[self.rng.random() < 0.6]) if found else None

    def numbers(self, element: int, *shape: int) -> str:
        """A constant of small numbers."""
        size = int(np.prod(shape))
        found = [
            self.rng.uniform(-2, 2) if element in (F32, F16, F64) else self.rng.randrange(0, 3) for _ in range(size)
        ]
        return self.constant(np.array(found).astype(NUMPY[element]).reshape(shape))

    def scalar(self, number: Any, element: int) -> str:
        return self.constant(np.array(number, NUMPY[element]))


def runs(node: NodeProto, graph: Graph) -> bool:
    """True if ONNX Runtime has a kernel for a node."""
    known = {value.name: value for value in graph.values}
    ends = [
        [helper.make_tensor_value_info(name, known[name].element, known[name].shape) for name in names if name in known]
        for names in (dict.fromkeys(node.input), node.output)
    ]
    constants = [
        onnx.numpy_helper.from_array(graph.constants[name], name) for name in set(node.input) if name in graph.constants
    ]
    made = helper.make_model(
        helper.make_graph([node], "one", ends[0], ends[1], constants),
        opset_imports=[helper.make_opsetid("", graph.opset), helper.make_opsetid(MICROSOFT, 1)],
        ir_version=10,
    )
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    try:
        ort.InferenceSession(made.SerializeToString(), options, ["CPUExecutionProvider"])
    except Exception:
        # Any error means that it is not run.
        return False
    return True
