"""npu-opt: layouts, few transposes and fusion for neural processing units, on xDSL."""

__version__ = "0.1.0"
