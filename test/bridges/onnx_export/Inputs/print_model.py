"""Prints an ONNX model as text, once its checker has found nothing: `print_model.py model.onnx`.

The types of the values between inputs and outputs are left out.
"""

import importlib
import sys
from typing import Any

onnx: Any = importlib.import_module("onnx")  # Half of its types are missing.

onnx.checker.check_model(sys.argv[1], full_check=True)
model = onnx.load(sys.argv[1])
model.graph.ClearField("value_info")
print(onnx.printer.to_text(model))
