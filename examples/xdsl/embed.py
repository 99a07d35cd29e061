"""Passes of npu-opt in a pipeline of xDSL: `python examples/xdsl/embed.py FILE.mlir` places FILE and prints it."""

import sys
from pathlib import Path

from npu_opt.dialects.npu import NPU
from npu_opt.dialects.program.symbols import verify
from npu_opt.passes.layout_optimal import LayoutOptimal
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin
from xdsl.dialects.func import Func
from xdsl.parser import Parser
from xdsl.passes import PassPipeline
from xdsl.transforms.canonicalize import CanonicalizePass

context = Context()
for dialect in (Builtin, Func, NPU):
    context.load_dialect(dialect)

file = Path(sys.argv[1])
module = Parser(context, file.read_text(), str(file)).parse_module()
verify(module)
PassPipeline((LayoutOptimal(target="opu"), CanonicalizePass())).apply(context, module)
verify(module)
print(module)
