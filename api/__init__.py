"""The Python functions of npu-opt, which `npu_opt` offers by name; docs/python.md describes them."""
