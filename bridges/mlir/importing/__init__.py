"""Import of MLIR modules of TOSA ops and a few related ones."""
