"""Comparison of ONNX ops from models of different opsets."""

from __future__ import annotations

from collections.abc import Hashable

from xdsl.dialects.builtin import ModuleOp

from ...dialects.npu.source import ForeignOp
from ...equivalence.symbols import ONNX, Version, noted_version, opsets


def version_for(first: ModuleOp, second: ModuleOp) -> Version:
    """A version function that distinguishes ONNX ops only if their meaning differs between the opsets."""
    versions = [opsets(module).get("") for module in (first, second)]
    if versions[0] == versions[1] or None in versions:
        return noted_version
    try:
        from ...bridges.onnx.exporting.ops.source import means_the_same
    except ImportError:
        return noted_version
    before, after = sorted(version for version in versions if version is not None)

    def version(op: ForeignOp) -> Hashable:
        is_own = op.op_name.data.rpartition(".")[0] == ONNX
        if not is_own or not means_the_same(op, before, after):
            return noted_version(op)
        # Subgraphs may contain ops of other domains.
        return tuple(sorted((domain, each) for domain, each in opsets(op).items() if domain))

    return version
