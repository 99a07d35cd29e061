"""ONNX files on Rockchip's NPUs, by the tables of rknn-toolkit2: layers, traffic, cycles, ops on the CPU and memory.

    python benchmarks/rknn.py --environment DIR [--chip rk3588] [--int8] [--lane LANE] [--seconds 600] [--json FILE]
        [--page docs/results/rockchip.md] [MODEL...]

DIR is a virtual environment with the package rknn-toolkit2; docs/chips.md says how to make one. Each model has
random weights and fixed sizes. Compiled in half precision (with --int8 in int8, after runs on the same random inputs)
are the original, the files of other optimizers, what `npu-opt M.onnx -O -o out.onnx` writes, and the same with
`--target=rockchip-rk3588`. A file of ours is compiled only if it is proved and computes the same in ONNX Runtime.

Figures in the file of --json that are not measured again are kept, and a graph that was compiled before is not compiled
again; --lane leaves the other columns to a later run. The exit code is 1 if a file of ours is refused though
the original is not, or has more of anything than that.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from litert import with_fixed_sizes
from models.catalogue import Network
from models.onnx_runs import random_inputs
from rknn_page import LANES, TARGETED, cell, problems
from rknn_reports import Compiler, Estimate
from vendor_files import checked, estimate_files, written
from vendor_rows import OURS, Row
from vendor_runs import exit_code, measured_rows, parsed_by, parser_of_compiler

MODELS = (
    *("shufflenet_v1", "shufflenet_v2", "squeezenet", "mobilenet_v2", "googlenet", "densenet121", "resnet50"),
    *("efficientnet_b0", "yolo_v5_s", "yolo_v8_n", "crnn", "levit_128", "mobilevit_s", "poolformer_s12"),
    *(
        "mlp_mixer_s16",
        "segformer_b0",
        "conformer_s",
        "whisper_encoder",
        "swin_t",
        "crossformer_s",
        "convnext_t",
        "vit_b16",
    ),
    "detr_r50",
)
"""By default: networks of convolutions, of attention, and of both."""
PASSES: Mapping[str, Sequence[str]] = {OURS: ("-O",), TARGETED: ("--target=rockchip-rk3588", "-O")}
SAMPLES = 2
"""The number of inputs for calibration."""
MISSING = (
    "error: {environment} has no rknn-toolkit2: it needs a Python 3.11 of its own, with the packages\n"
    "that docs/chips.md lists"
)


def measure(
    row: Row[Estimate], network: Network, compiler: Compiler, is_int8: bool, lanes: Sequence[str]
) -> Iterator[str]:
    """Estimate one model, and note each lane in its row."""
    with tempfile.TemporaryDirectory() as name:
        original, samples = Path(name, "original.onnx"), Path(name, "samples.npz")
        proto = with_fixed_sizes(network)
        original.write_bytes(proto.SerializeToString())
        runs = [random_inputs(proto, number) for number in range(SAMPLES)]
        arrays = {f"{number}:{key}": each for number, run in enumerate(runs) for key, each in run.items()}
        np.savez(samples, allow_pickle=False, **arrays)
        del proto

        def file_of(lane: str) -> Path | str:
            file = written(original, lane, PASSES.get(lane, ()))
            return checked(original, file, runs[0]) if lane in PASSES else file

        yield from estimate_files(row, lanes, file_of, partial(compiler.compiled, samples if is_int8 else None))


def parsed() -> argparse.Namespace:
    parser = parser_of_compiler(__doc__, "rknn-toolkit2", "rk3588", MODELS, LANES)
    parser.add_argument("--int8", action="store_true", help="quantise, with a file for --json of its own")
    return parsed_by(parser)


def main() -> int:
    arguments = parsed()
    compiler = Compiler(arguments.environment.resolve(), arguments.chip, arguments.seconds)
    if not compiler.is_installed:
        print(MISSING.format(environment=arguments.environment), file=sys.stderr)
        return 2
    to_measure = partial(measure, compiler=compiler, is_int8=arguments.int8, lanes=arguments.lane or LANES)
    rows = measured_rows(arguments, MODELS, Estimate, to_measure, cell)
    return exit_code(arguments.page, "rknn int8" if arguments.int8 else "rknn", rows, LANES, cell, problems)


if __name__ == "__main__":
    sys.exit(main())
