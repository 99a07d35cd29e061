"""ONNX files on Sophgo's NPUs, by the estimates of tpu-mlir: milliseconds, Permutes, fused attentions and traffic.

    python benchmarks/tpu_mlir.py --environment DIR [--chip bm1684x] [--opset 17] [--json FILE]
        [--page docs/results/sophgo.md]
        [MODEL...]

DIR is a virtual environment with the package tpu-mlir; docs/chips.md says how to make one. Each model has random
weights. Compiled in half precision are the original, what `npu-opt M.onnx -O -o out.onnx` writes, and the same with
`--target=sophgo-bm1684x`. Of a model in a newer opset than --opset, ours leave in that one (`-t onnx{opset=N}`), and
the original is also compiled as npu-opt writes it there without any pass. Equal files share the figures. A file of ours
is compiled only if it is proved and computes the same in ONNX Runtime.

The figures of a model in the file of --json that are not measured again are kept. The exit code is 1 if a file of ours
is refused though the original is not, takes longer than that, or misses an aim.
"""

import argparse
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from models.catalogue import Network
from models.onnx_runs import random_inputs, read_graph
from models.weights import with_random_weights
from tpu_mlir_page import LANES, REWRITTEN, TARGETED, cell, problems
from tpu_mlir_reports import Estimate, compiled
from vendor_files import checked, estimate_files, written
from vendor_rows import ORIGINAL, OURS, Row
from vendor_runs import exit_code, measured_rows, parsed_by, parser_of_compiler

MODELS = (
    *("shufflenet_v2", "yolo_v8_n", "conformer_s", "mobilevit_s", "segformer_b0"),
    *("swin_t", "convnext_t", "vit_b16"),
)
"""By default: networks with transposes, attention or normalisations, the smallest first."""
PASSES: Mapping[str, Sequence[str]] = {
    ORIGINAL: (),
    REWRITTEN: (),
    OURS: ("-O",),
    TARGETED: ("--target=sophgo-bm1684x", "-O"),
}
MISSING = (
    "error: {environment} has no tpu-mlir: it needs a Python 3.10 of its own, with\n"
    "    pip install tpu-mlir==1.30.2 onnx==1.14.1 onnxruntime==1.16.3 onnxsim==0.4.17 psutil\n"
    "and the changes that docs/chips.md lists"
)


def measure(row: Row[Estimate], network: Network, environment: Path, chip: str, opset: int) -> None:
    """Estimate one model, and note it in its row."""
    with tempfile.TemporaryDirectory() as name:
        original = Path(name, "original.onnx")
        proto = with_random_weights(read_graph(network.file))
        original.write_bytes(proto.SerializeToString())
        inputs = random_inputs(proto)
        is_newer = any(each.version > opset for each in proto.opset_import if each.domain in ("", "ai.onnx"))
        del proto
        form = ("-t", f"onnx{{opset={opset}}}") if is_newer else ()
        lanes = [lane for lane in LANES if lane != REWRITTEN or is_newer]
        files = {lane: checked(original, written(original, lane, [*PASSES[lane], *form]), inputs) for lane in lanes}
        estimate_files(row, files, partial(compiled, environment, chip))


def is_installed(environment: Path) -> bool:
    return (environment / "bin" / "model_transform.py").is_file()


def parsed() -> argparse.Namespace:
    parser = parser_of_compiler(__doc__, "tpu-mlir", "bm1684x", MODELS)
    parser.add_argument("--opset", type=int, default=17, help="the newest that tpu-mlir reads (default: 17)")
    return parsed_by(parser)


def main() -> int:
    arguments = parsed()
    environment = arguments.environment.resolve()
    if not is_installed(environment):
        print(MISSING.format(environment=arguments.environment), file=sys.stderr)
        return 2
    to_measure = partial(measure, environment=environment, chip=arguments.chip, opset=arguments.opset)
    rows = measured_rows(arguments, MODELS, Estimate, to_measure, cell)
    return exit_code(arguments.page, "tpu-mlir", rows, LANES, cell, problems)


if __name__ == "__main__":
    sys.exit(main())
