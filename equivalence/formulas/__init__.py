"""Ops as the arithmetic that defines them, for programs that have been written in simpler ops.

A formula computes the same real numbers as its op. Its steps round where the op need not.
"""
