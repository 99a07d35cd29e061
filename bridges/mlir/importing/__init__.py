"""Reading modules of upstream MLIR: ops of TOSA and a few of their companions become ops of the npu dialect."""
