"""Readers of MLIR ops, by family of the npu dialect."""
