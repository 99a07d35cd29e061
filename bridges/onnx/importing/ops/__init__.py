"""The converter of each ONNX op, by the families of the npu dialect."""
