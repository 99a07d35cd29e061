"""Ops of linalg and tosa as nests of loops, and nests as the ops that they were or have become."""
