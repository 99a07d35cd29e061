"""Prints an ONNX model as text, once its checker has found nothing: `print_model.py model.onnx`."""

import importlib
import sys
from typing import Any

onnx: Any = importlib.import_module("onnx")  # Half of its types are missing.

onnx.checker.check_model(sys.argv[1], full_check=True)
print(onnx.printer.to_text(onnx.load(sys.argv[1])))
