"""Conversion of calls of PyTorch's operators into npu ops."""
