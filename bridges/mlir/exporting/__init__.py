"""Programs as modules of upstream MLIR: TOSA where it means the same, linalg for all else."""
