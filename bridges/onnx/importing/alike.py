"""Ops of ONNX Runtime whose results have the types of those of an op of ONNX: `like_onnx`."""

from collections.abc import Mapping

import onnx
from onnx import NodeProto

from ..nchwc import DOMAIN as NCHWC

MICROSOFT = "com.microsoft"
ALIKE: Mapping[tuple[str, str], tuple[str, int]] = {
    (MICROSOFT, "BiasDropout"): ("Identity", 1),
    (MICROSOFT, "BiasSoftmax"): ("Identity", 1),
    (MICROSOFT, "FusedConv"): ("Conv", 3),
    (MICROSOFT, "FusedGemm"): ("Gemm", 3),
    (MICROSOFT, "GemmFastGelu"): ("MatMul", 2),
    (MICROSOFT, "GroupNorm"): ("Identity", 1),
    (MICROSOFT, "Inverse"): ("Identity", 1),
    (MICROSOFT, "MoE"): ("Identity", 1),
    (MICROSOFT, "QMoE"): ("Identity", 1),
    (MICROSOFT, "Trilu"): ("Identity", 1),
    (NCHWC, "AveragePool"): ("AveragePool", 1),
    (NCHWC, "Conv"): ("Conv", 3),
    (NCHWC, "GlobalAveragePool"): ("GlobalAveragePool", 1),
    (NCHWC, "GlobalMaxPool"): ("GlobalMaxPool", 1),
    (NCHWC, "MaxPool"): ("MaxPool", 1),
}
"""The op of ONNX and the number of its first inputs that are its own, by domain and op."""


def like_onnx(node: NodeProto, opset: int) -> NodeProto:
    """The node of ONNX in this opset whose first result has the type of that of a node; by default the node itself."""
    kind, count = ALIKE.get((node.domain, node.op_type), ("", 0))
    if not kind or not onnx.defs.has(kind, opset):
        return node
    known = onnx.defs.get_schema(kind, opset).attributes
    made = NodeProto(name=node.name, op_type=kind, input=node.input[:count], output=node.output[:1])
    made.attribute.extend(attribute for attribute in node.attribute if attribute.name in known)
    return made
