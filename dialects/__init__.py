"""The dialects of npu-opt."""
