"""Files of ExecuTorch with and without `npu_opt.torch.TransformPass`: transposes, numbers and run times.

    PYTHON benchmarks/executorch_files.py [NAME...] [--json FILE]
        [--page docs/results/pytorch.md]

PYTHON has executorch, and for most networks transformers. A network of the model set with random weights is lowered for
XNNPACK twice, and both files run in turns in executorch.runtime on one thread. Transposes are counted in the written
files: the `XNNStaticTranspose` of the graphs of the delegates, and the calls of `permute_copy` outside of these. With
`--json`, rows in that file are kept, and new ones added. The exit code is 1 if a number is wrong, or if a file with the
pass has more transposes or is slower than `SLOWEST` allows. Run times are those of the processor.
"""

# pyright: basic
# ExecuTorch says little of its types.

import json
import logging
import re
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any

import torch
from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
from executorch.backends.xnnpack.serialization.xnnpack_graph_serialize import XNNHeader
from executorch.exir import to_edge_transform_and_lower
from executorch.exir._serialize._flatbuffer import _flatc_decompile
from executorch.exir._serialize._program import deserialize_pte_binary
from executorch.extension.pybindings import portable_lib
from executorch.runtime import Runtime
from figures import parser_of, read_figures, write_figures
from marked_page import write_between_markers
from npu_opt.torch import TransformPass
from torch.export import ExportedProgram
from torch.utils import _pytree as pytree

MODELS = Path(__file__).with_name("models")
sys.path.insert(0, str(MODELS))
NAMES = (
    "mobilenet_v2",
    "mobilenet_v3",
    "shufflenet_v2",
    "mobilevit_s",
    "segformer_b0",
    "swin_t",
    "convnext_t",
    "conformer_s",
    "whisper_encoder",
    "mlp_mixer_s16",
)
SLOWEST = 0.98
"""The least run time without the pass, relative to that with it."""
CLOSE = 1e-3
"""The largest difference to eager PyTorch, relative to the largest number: XNNPACK adds in another order."""
SECONDS, FEWEST, MOST = 20.0, 7, 60
"""The time for the runs of a network, and their least and largest number."""


class TimedPass(TransformPass):
    """The pass, and the seconds that it took."""

    seconds = 0.0

    def call(self, exported_program: ExportedProgram) -> Any:
        before = time.perf_counter()
        found = super().call(exported_program)
        self.seconds += time.perf_counter() - before
        return found


@dataclass
class File:
    """The counts of a file."""

    delegates: int
    transposes: int
    """In the graphs of delegates."""
    permutes: int
    """Calls outside of these."""
    difference: float
    """The largest difference to eager PyTorch, relative to the largest number."""

    @property
    def all(self) -> int:
        return self.transposes + self.permutes


@dataclass
class Row:
    """The figures of a network: its file without the pass, and with it."""

    name: str
    before: File
    after: File
    lowering: float
    """The seconds of the lowering with the pass."""
    share: float
    """The part of them that the pass took."""
    best: float
    """The least run time without the pass, relative to that with it."""
    usual: float
    """The median of this ratio of two runs, one behind the other."""
    milliseconds: float
    """The least run time without the pass."""

    @property
    def is_good(self) -> bool:
        is_equal = all(each.difference <= CLOSE for each in (self.before, self.after))
        return is_equal and self.after.all <= self.before.all and min(self.best, self.usual) >= SLOWEST

    @staticmethod
    def of(values: Mapping[str, Any]) -> "Row":
        return Row(**{**values, "before": File(**values["before"]), "after": File(**values["after"])})


def exported(name: str) -> tuple[ExportedProgram, tuple[Any, ...]]:
    # They are in the folder of the models.
    catalogue, exporters = import_module("catalogue"), import_module("exporters")
    network = {each.name: each for each in catalogue.EVERY}[name]
    module, inputs = exporters.module_of(network), tuple(exporters.examples(network).values())
    return torch.export.export(module, inputs), inputs


def lowered(program: ExportedProgram, passes: Sequence[TransformPass]) -> bytes:
    manager = to_edge_transform_and_lower(program, transform_passes=[*passes], partitioner=[XnnpackPartitioner()])
    return manager.to_executorch().buffer


def delegated(payload: bytes) -> Iterator[str]:
    """The kinds of the nodes of a delegate's graph."""
    header = XNNHeader.from_bytes(payload[: XNNHeader.EXPECTED_LENGTH])
    begin = header.flatbuffer_offset
    schema = import_module("executorch.backends.xnnpack.serialization").__path__[0]
    with tempfile.TemporaryDirectory() as folder:
        binary = Path(folder, "graph.bin")
        binary.write_bytes(payload[begin : begin + header.flatbuffer_size])
        _flatc_decompile(folder, f"{schema}/schema.fbs", str(binary), ["--raw-binary"])
        # JSON has no number for it, and Python reads it by another name.
        graph = json.loads(re.sub(r"\binf\b", "Infinity", binary.with_suffix(".json").read_text()))
    return (each["xnode_union_type"] for each in graph["xnodes"])


def called(plan: Any) -> Iterator[str]:
    """The names of the operators that a plan calls outside of delegates."""
    for chain in plan.chains:
        for each in chain.instructions:
            index = getattr(each.instr_args, "op_index", None)
            if index is not None:
                yield plan.operators[index].name


def counted(data: bytes, difference: float) -> File:
    program = deserialize_pte_binary(data).program
    (plan,) = program.execution_plan
    payloads = [program.backend_delegate_data[each.processed.index].data for each in plan.delegates]
    kinds = [kind for payload in payloads for kind in delegated(bytes(payload))]
    outside = [name for name in called(plan) if name.startswith("aten::permute_copy")]
    return File(len(payloads), kinds.count("XNNStaticTranspose"), len(outside), difference)


def in_turns(methods: Sequence[Any], inputs: Sequence[Any]) -> list[list[float]]:
    """The seconds of the processor for each run of both."""
    times: list[list[float]] = [[], []]
    end = time.perf_counter() + SECONDS
    while len(times[0]) < FEWEST or (time.perf_counter() < end and len(times[0]) < MOST):
        # Neither is always the first one.
        for place in (0, 1) if len(times[0]) % 2 else (1, 0):
            before = time.process_time()
            methods[place].execute(inputs)
            times[place].append(time.process_time() - before)
    return times


def difference(found: Sequence[Any], wanted: Any) -> float:
    """The largest difference of two lists of tensors, relative to the largest number."""
    leaves = pytree.tree_leaves(wanted)
    assert len(found) == len(leaves)
    each = [
        (one.double() - other.double()).abs().max() / other.double().abs().max().clamp(min=1e-30)
        for one, other in zip(found, leaves, strict=True)
    ]
    # NaN stays NaN, which Python's own function would lose.
    return float(torch.stack(each).max())


def measured(name: str) -> Row:
    program, inputs = exported(name)
    with torch.no_grad():
        wanted = program.module()(*inputs)
    ours = TimedPass()
    files = [lowered(program, [])]
    before = time.perf_counter()
    files.append(lowered(program, [ours]))
    seconds = time.perf_counter() - before
    del program
    loaded = [Runtime.get().load_program(data) for data in files]
    methods = [each.load_method("forward") for each in loaded]
    first, second = (
        counted(data, difference(method.execute(inputs), wanted)) for data, method in zip(files, methods, strict=True)
    )
    one, other = in_turns(methods, inputs)
    usual = median(before / after for before, after in zip(one, other, strict=True))
    return Row(name, first, second, seconds, ours.seconds / seconds, min(one) / min(other), usual, 1000 * min(one))


TITLES = "network", "transposes", "left", "delegates", "left", "ms", "ratio", "median", "share of the lowering"


def table(rows: Sequence[Row]) -> str:
    lines = [f"| {' | '.join(TITLES)} |", f"| --- |{' --: |' * (len(TITLES) - 1)}"]
    for row in rows:
        one, other = ("" if each.all == 0 else f"{each.all} ({each.permutes})" for each in (row.before, row.after))
        figures = f"{row.milliseconds:.1f} | {row.best:.2f} | {row.usual:.2f} | {row.share:.0%}"
        lines.append(f"| {row.name} | {one} | {other} | {row.before.delegates} | {row.after.delegates} | {figures} |")
    return "\n".join(lines)


def main() -> int:
    parser = parser_of(__doc__)
    parser.add_argument("names", metavar="NAME", nargs="*", default=NAMES)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    torch.set_num_threads(1)
    portable_lib._unsafe_reset_threadpool(1)
    kept = {row.name: row for row in read_figures(arguments.json, Row.of)}
    for name in arguments.names:
        kept[name] = kept.get(name) or measured(name)
        write_figures(arguments.json, kept.values())
        print(kept[name], flush=True)
    rows = [kept[name] for name in arguments.names]
    print(table(rows))
    if arguments.page is not None:
        write_between_markers(arguments.page, "executorch files", table(rows))
    return 0 if all(row.is_good for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
