"""A model with an op of a vendor: `python examples/onnx/write_vendor_op.py gate.onnx`. It needs the extra [onnx]."""

import sys
from pathlib import Path

from onnx import parser

NET = """<ir_version: 9, opset_import: ["": 17, "com.acme": 1]>
net (float[1,3,8,8] x) => (float[1,3,8,8] y) <float[3,3,1,1] w = {1, 0, 0, 0, 1, 0, 0, 0, 1}, float[1,3,8,8] gated> {
  first = Conv (x, w)
  gated = com.acme.Gate (first)
  y = Conv (gated, w)
}"""

Path(sys.argv[1]).write_bytes(parser.parse_model(NET).SerializeToString())
