"""Converters of ONNX ops, by family of the npu dialect."""
