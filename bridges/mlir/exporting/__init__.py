"""Export of programs as MLIR modules: TOSA where it has an equivalent op, linalg otherwise."""
