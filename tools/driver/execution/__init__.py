"""Execution of programs, for npu-run and for comparisons."""
