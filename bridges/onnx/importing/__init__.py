"""Import of ONNX models as modules of the npu dialect."""
