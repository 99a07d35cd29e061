"""Import and export of ONNX models. The modules here import the package `onnx`, which the extra `[onnx]` installs."""
