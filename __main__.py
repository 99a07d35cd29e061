"""`python -m npu_opt`: the command npu-opt, where its script is not on PATH."""

import sys

from .tools.entry import opt

if __name__ == "__main__":
    sys.exit(opt())
