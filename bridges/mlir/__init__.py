"""Upstream MLIR through its Python bindings, which the extra `[mlir]` installs: programs out, TOSA in, and a JIT."""
