"""Prints an ONNX model as text, once its checker has found nothing: `print_model.py model.onnx`."""

import sys

import onnx

onnx.checker.check_model(sys.argv[1], full_check=True)
print(onnx.printer.to_text(onnx.load(sys.argv[1])))
