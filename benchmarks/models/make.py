"""Makes the models of the set, and what is written about them.

    python benchmarks/models/make.py                    export every network to benchmarks/models/NAME.onnx
    python benchmarks/models/make.py resnet50 yolo_v5_s     only these
    python benchmarks/models/make.py --full FOLDER      write them with random weights, from the files that are there
    python benchmarks/models/make.py --page             write docs/results/models.md from the files that are there
    python benchmarks/models/make.py --page --check     fail if docs/results/models.md is stale

To export takes torch, transformers, diffusers, onnxscript and onnxruntime, or tensorflow and tf2onnx for models from
Keras; the rest takes onnx alone.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np
import onnx
from catalogue import DECODERS, EVERY, EXAMPLE_SIZES, FOLDER, NETWORKS, NEWER, Network
from onnx import ModelProto
from onnx_runs import check, random_inputs, read_graph, run
from page import page
from weights import with_random_weights, without_weights

PAGE = FOLDER.parent.parent / "docs" / "results" / "models.md"


def make(network: Network) -> None:
    from exporters import export

    start = time.monotonic()
    model = without_weights(export(network))
    check(model)
    results = f"not run: {network.large}" if network.large else run_once(model)
    network.file.parent.mkdir(exist_ok=True)
    network.file.write_bytes(model.SerializeToString(deterministic=True))
    size, seconds = network.file.stat().st_size, round(time.monotonic() - start)
    print(f"{network.name}: {len(model.graph.node)} nodes, {size:,} bytes, {seconds} s; {results}", flush=True)


def run_once(model: ModelProto) -> str:
    """Run a model without weights on random ones, and print the results."""
    results = run(with_random_weights(model), random_inputs(model, **EXAMPLE_SIZES))
    if not all(np.isfinite(result).all() for result in results):
        raise SystemExit("a result is not finite")
    return ", ".join(f"{list(result.shape)} up to {np.abs(result).max():.3g}" for result in results)


def write_full(network: Network, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    model = with_random_weights(read_graph(network.file))
    file, beside = folder / f"{network.name}.onnx", f"{network.name}.onnx.data"
    # A file of protobuf holds 2 GB at most.
    onnx.save(model, file, save_as_external_data=bool(network.large), location=beside)  # pyright: ignore[reportUnknownMemberType]  # "PathLike" of nothing.


def chosen(names: list[str]) -> list[Network]:
    known = {network.name for network in EVERY}
    if unknown := sorted(set(names) - known):
        raise SystemExit(f"unknown: {', '.join(unknown)}; choose from {', '.join(sorted(known))}")
    return [network for network in EVERY if not names or network.name in names]


def write_page(compare: bool) -> int:
    text = page(NETWORKS, DECODERS, NEWER)
    if not compare:
        PAGE.write_text(text)
        return 0
    if PAGE.read_text() == text:
        return 0
    print("docs/results/models.md is stale; run python benchmarks/models/make.py --page", file=sys.stderr)
    return 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", nargs="*", help="a network of the set (default: all)")
    parser.add_argument("--full", metavar="FOLDER", type=Path, help="write models with random weights to FOLDER")
    parser.add_argument("--page", action="store_true", help="write docs/results/models.md")
    parser.add_argument("--check", action="store_true", help="with --page: only compare")
    arguments = parser.parse_args()
    if arguments.page:
        return write_page(arguments.check)
    for network in chosen(arguments.name):
        if arguments.full:
            write_full(network, arguments.full)
        else:
            make(network)
    return 0


if __name__ == "__main__":
    sys.exit(main())
