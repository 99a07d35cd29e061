"""Everything that a measured file needs, imported once by the process that forks one for each file (suites.py)."""

import contextlib
import importlib
import pkgutil

import npu_opt
import onnxruntime  # noqa: F401  # pyright: ignore[reportMissingTypeStubs, reportUnusedImport]  # Takes long.
import suite_case  # noqa: F401  # pyright: ignore[reportUnusedImport]  # For its own imports.
from npu_opt.compat.xdsl import FORMAT
from npu_opt.dialects.npu import NPU

for module in pkgutil.walk_packages(npu_opt.__path__, "npu_opt."):
    if ".test." not in module.name and ".benchmarks" not in module.name:
        with contextlib.suppress(ImportError):
            importlib.import_module(module.name)

for op in NPU.operations:
    # Assembly formats are read on demand.
    getattr(op, FORMAT, lambda: None)()
