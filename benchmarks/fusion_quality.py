"""Results of the fusion passes on real networks: groups, and the ops in them.

    python benchmarks/fusion_quality.py [MODEL...]

Every network of benchmarks/models is imported. `fuse-ops` groups it without changes; `npu-default` places transposes,
canonicalizes and groups it for the hardware, on both targets. Each result is proved to compute the same as the network.
The table is in docs/results/fusion.md.
"""

import argparse
from pathlib import Path

from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.passes.fuse_ops import FuseOps
from npu_opt.passes.fusion.functions.outlining import PRIMITIVE
from npu_opt.passes.fusion.graph.graph import is_constant
from npu_opt.passes.npu_default import NpuDefault
from npu_opt.tools.driver.formats.models import WeightsOptions, read_model
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.passes import ModulePass

MODELS = Path(__file__).resolve().parent / "models"
PASSES: tuple[ModulePass, ...] = (FuseOps(), NpuDefault(target="opu"), NpuDefault(target="plover"))


def fused_ops(module: ModuleOp) -> list[int]:
    """The number of ops in each fused function, constants not counted."""
    functions = [op for op in module.ops if isinstance(op, FuncOp) and PRIMITIVE in op.attributes]
    blocks = [each.body.block for each in functions]
    return [sum(not is_constant(op) and not isinstance(op, ReturnOp) for op in block.ops) for block in blocks]


def cells(module: ModuleOp, module_pass: ModulePass) -> str:
    """Groups of several ops and the ops in them; a `?` means that the proof did not succeed."""
    fused = module.clone()
    module_pass.apply(Context(), fused)
    fused.verify()
    counts = fused_ops(fused)
    proved = compare(module, fused).verdict is Verdict.PROVED
    return f"{len(counts)} ({sum(counts)}){'' if proved else ' ?'}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", type=Path, default=sorted(MODELS.glob("*.onnx")))
    print("| network | ops | fuse-ops | npu-default on opu | npu-default on plover |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for path in parser.parse_args().models:
        module = read_model(str(path), WeightsOptions()).module
        # Not counted: the module, its function and what returns.
        ops = sum(not is_constant(op) for op in module.walk()) - 3
        print(f"| {path.stem} | {ops} | {' | '.join(cells(module, each) for each in PASSES)} |", flush=True)


if __name__ == "__main__":
    main()
