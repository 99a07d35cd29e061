"""Comparison of two programs, for npu-check and `--verify-layouts`."""
