"""Writes the model in a text of ONNX: python write_model.py model.txt model.onnx"""

import sys
from pathlib import Path

from onnx import parser

model = parser.parse_model(Path(sys.argv[1]).read_text().partition("-----\n")[2])
Path(sys.argv[2]).write_bytes(model.SerializeToString())
