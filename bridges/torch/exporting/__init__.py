"""Conversion of npu ops into calls of PyTorch's operators, and programs made of them."""
