"""ONNX files on Sophgo's NPUs, by the estimates of tpu-mlir: milliseconds, Permutes, fused attentions and traffic.

    python benchmarks/tpu_mlir.py --environment DIR [--chip bm1684x] [--int8] [--simulate] [--opset 17]
        [--lane LANE] [--seconds 600] [--json FILE] [--page docs/results/sophgo.md] [MODEL...]

DIR is a virtual environment with the package tpu-mlir; docs/chips.md says how to make one. Each model has random
weights and fixed sizes. Compiled in half precision (with --int8 in int8, calibrated with the same random inputs) are
the original, the files of other optimizers, what `npu-opt M.onnx -O -o out.onnx` writes, and the same with
`--target=sophgo-bm1684x`. Of a model in a newer opset than --opset, ours leave in that one (`-t onnx{opset=N}`), and
the original is also compiled as npu-opt writes it there without any pass; other optimizers begin with that file. A file
of ours is compiled only if it is proved and computes the same in ONNX Runtime. With --simulate what is compiled also
runs in tpu-mlir's simulator, and a file is refused if its outputs are beyond the tolerance of tpu-mlir.

Figures in the file of --json that are not measured again are kept, and a graph that was compiled before is not compiled
again; --lane leaves the other columns to a later run. The exit code is 1 if a file of ours is refused though
another is not, takes longer than the best of the others, or misses an aim.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path

import numpy as np
from litert import with_fixed_sizes
from models.catalogue import Network
from models.onnx_runs import Array, random_inputs
from onnx_peers import PEERS
from tpu_mlir_page import EVERY_LANE, FOR_INT8, REWRITTEN, TARGETED, cell, lanes, problems, summary
from tpu_mlir_reports import Compiler, Estimate
from vendor_files import checked, estimate_files, written
from vendor_rows import ORIGINAL, OURS, Row
from vendor_runs import exit_code, measured_rows, parsed_by, parser_of_compiler

MODELS = (
    *("shufflenet_v1", "shufflenet_v2", "mobilenet_v2", "mobilenet_v3", "squeezenet", "espcn", "googlenet"),
    *("yolo_v8_n", "crnn", "efficientnet_b0", "densenet121", "resnet50", "yolo_v5_s", "levit_128", "mobilevit_s"),
    *("conformer_s", "segformer_b0", "poolformer_s12", "whisper_encoder", "mlp_mixer_s16", "autoformer_s"),
    *("llama_decode", "qwen3_decode", "t5_encoder", "distilbert", "swin_t", "convnext_t", "vit_b16"),
)
"""By default: networks of convolutions, of attention, of both, and decoders, the smallest first."""
PASSES: Mapping[str, Sequence[str]] = {
    ORIGINAL: (),
    REWRITTEN: (),
    OURS: ("-O",),
    TARGETED: ("--target=sophgo-bm1684x", "-O"),
    FOR_INT8: ("--target=sophgo-bm1684x-int8", "-O"),
}
SAMPLES = 2
"""The number of inputs for calibration."""
MISSING = (
    "error: {environment} has no tpu-mlir: it needs a Python 3.10 of its own, with\n"
    "    pip install tpu-mlir==1.30.2 onnx==1.14.1 onnxruntime==1.16.3 onnxsim==0.4.17 psutil\n"
    "and the changes that docs/chips.md lists"
)


def measure(
    row: Row[Estimate], network: Network, compiler: Compiler, opset: int, lanes: Sequence[str]
) -> Iterator[str]:
    """Estimate one model, and note each lane in its row."""
    with tempfile.TemporaryDirectory() as name:
        original = Path(name, "original.onnx")
        proto = with_fixed_sizes(network)
        original.write_bytes(proto.SerializeToString())
        runs = [random_inputs(proto, number) for number in range(SAMPLES)]
        samples = written_samples(Path(name), runs)
        is_newer = any(each.version > opset for each in proto.opset_import if each.domain in ("", "ai.onnx"))
        del proto
        form = ("-t", f"onnx{{opset={opset}}}") if is_newer else ()

        @cache
        def file_of(lane: str) -> Path | str:
            if lane not in PEERS:
                return checked(original, written(original, lane, [*PASSES[lane], *form]), runs[0])
            begun = file_of(REWRITTEN if is_newer else ORIGINAL)
            return begun if isinstance(begun, str) else written(begun, lane, ())

        present = [lane for lane in lanes if lane != REWRITTEN or is_newer]
        yield from estimate_files(row, present, file_of, partial(compiler.compiled, samples=samples))


def written_samples(folder: Path, runs: Sequence[Mapping[str, Array]]) -> Path:
    """The list of these inputs, as the compiler reads it: a line for each run, with a file of all its inputs."""
    files = [folder / f"sample_{number}.npz" for number in range(len(runs))]
    for file, arrays in zip(files, runs, strict=True):
        np.savez(file, allow_pickle=False, **arrays)
    found = folder / "samples.txt"
    found.write_text("".join(f"{file}\n" for file in files))
    return found


def parsed() -> argparse.Namespace:
    parser = parser_of_compiler(__doc__, "tpu-mlir", "bm1684x", MODELS, EVERY_LANE)
    parser.add_argument("--opset", type=int, default=17, help="the newest that tpu-mlir reads (default: 17)")
    parser.add_argument("--int8", action="store_true", help="quantise, with a file for --json of its own")
    parser.add_argument("--simulate", action="store_true", help="run each program in tpu-mlir's simulator as well")
    return parsed_by(parser)


def main() -> int:
    arguments = parsed()
    environment = arguments.environment.resolve()
    compiler = Compiler(environment, arguments.chip, arguments.seconds, arguments.int8, arguments.simulate)
    if not compiler.is_installed:
        print(MISSING.format(environment=arguments.environment), file=sys.stderr)
        return 2
    columns = lanes(arguments.int8)
    to_measure = partial(measure, compiler=compiler, opset=arguments.opset, lanes=arguments.lane or columns)
    rows = measured_rows(arguments, MODELS, Estimate, to_measure, cell)
    marker = "tpu-mlir int8" if arguments.int8 else "tpu-mlir"
    return exit_code(arguments.page, marker, rows, columns, cell, problems, summary)


if __name__ == "__main__":
    sys.exit(main())
