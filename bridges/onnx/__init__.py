"""ONNX models in and out. The modules here import the package `onnx`, which the extra `[onnx]` installs."""
