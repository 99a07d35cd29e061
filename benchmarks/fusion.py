"""Time of the fusion passes, and its growth with the size of the program.

    python benchmarks/fusion.py [--sizes 1000 10000 100000] [--programs network chain fan shared views]

After each pass the program is verified as by `npu-opt`, which is timed separately. Processor time counts. The exponent
is the slope of the line through the sizes and times on logarithmic axes: 1 is linear growth.
"""

import argparse
import gc
import math
import time
from collections.abc import Callable, Sequence
from functools import partial
from statistics import linear_regression

from npu_opt.dialects.program.symbols import verify
from npu_opt.passes.fuse_ops import FuseOps
from npu_opt.passes.fuse_ops_hw import FuseOpsHw
from npu_opt.passes.inline_fused import InlineFused
from npu_opt.text.parser import NpuParser
from npu_opt.tools.driver.formats.program import new_context
from programs import PROGRAMS
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

PIPELINES: dict[str, tuple[ModulePass, ...]] = {
    "fuse-ops": (FuseOps(), InlineFused()),
    "fuse-ops-hw on opu": (FuseOpsHw(target="opu"), InlineFused()),
    "fuse-ops-hw on plover": (FuseOpsHw(target="plover"), InlineFused()),
    "cover on opu": (FuseOpsHw(target="opu", strategy="cover"), InlineFused()),
    "cover on plover": (FuseOpsHw(target="plover", strategy="cover"), InlineFused()),
}


def shared(ops: int) -> str:
    """A chain whose ops all use one constant of one element: a single group of any length on opu."""
    image = "tensor<1x4x4x4xf32>"
    lines = [f"func.func @main(%v0: {image}) -> {image} {{", "%zero = npu.constant dense<0.0> : tensor<f32>"]
    lines += [f"%v{at + 1} = npu.max %v{at}, %zero : ({image}, tensor<f32>) -> {image}" for at in range(ops)]
    return "\n".join([*lines, f"func.return %v{ops} : {image} }}"])


def views(ops: int) -> str:
    """A chain of reshapes, and a chain of ops that all use its end: no group has all users of a reshape."""
    image, rows = "tensor<1x4x4x4xf32>", "tensor<1x4x16xf32>"
    lines = [f"func.func @main(%v0: {image}, %s0: {image}) -> {image} {{"]
    for at in range(ops // 4):
        lines.append(f"%r{at} = npu.reshape %v{at} : ({image}) -> {rows}")
        lines.append(f"%v{at + 1} = npu.reshape %r{at} : ({rows}) -> {image}")
    for at in range(ops // 2):
        lines.append(f"%s{at + 1} = npu.add %s{at}, %v{ops // 4} : {image}")
    return "\n".join([*lines, f"func.return %s{ops // 2} : {image} }}"])


TEXTS = {**PROGRAMS, "shared": shared, "views": views}


def seconds(text: str, pipeline: Sequence[ModulePass]) -> list[float]:
    """The processor time of each pass, and of the verification after it."""
    module = NpuParser(new_context(), text).parse_module()
    steps = [step for each in pipeline for step in (partial(each.apply, Context()), verify)]
    return [_seconds_of(step, module) for step in steps]


def _seconds_of(step: Callable[[ModuleOp], None], module: ModuleOp) -> float:
    gc.collect()
    start = time.process_time()
    step(module)
    return time.process_time() - start


def exponent(sizes: Sequence[int], times: Sequence[float]) -> float:
    return linear_regression([math.log(size) for size in sizes], [math.log(each) for each in times]).slope


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 10_000, 100_000])
    parser.add_argument("--programs", nargs="+", choices=TEXTS, default=["network", "chain", "fan", "shared", "views"])
    arguments = parser.parse_args()
    sizes: list[int] = arguments.sizes
    for program in arguments.programs:
        texts = [TEXTS[program](size) for size in sizes]
        for name, pipeline in PIPELINES.items():
            rows = zip(*(seconds(text, pipeline) for text in texts), strict=True)
            steps = (name, "  verified", f"  inline-fused after {name}", "  verified")
            for step, times in zip(steps, rows, strict=True):
                text = "  ".join(f"{size}: {each:8.3f} s" for size, each in zip(sizes, times, strict=True))
                print(f"{program:8}  {step:40}  {text}  exponent {exponent(sizes, times):.2f}", flush=True)


if __name__ == "__main__":
    main()
