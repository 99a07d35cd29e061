"""Bridge to MLIR through its Python bindings (extra `[mlir]`): export, import of TOSA, and a JIT."""
