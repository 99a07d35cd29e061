"""npu-reduce: the smallest part of a program for which a command still fails."""
