"""Networks as programs of PyTorch through `npu_opt.torch.relayout`, beside the way by an ONNX model.

    python benchmarks/torch_networks.py [--json FILE] [--page docs/results/pytorch.md] [NAME...]

All networks of the model set and all decoders that are modules of PyTorch (models/catalogue.py), exported on example
inputs by torch.export, with the sizes that are unknown in their ONNX models. Permutes and views are those of the
program before and behind the pass, which must be proved and compute the same numbers in eager mode. Beside it,
torch.onnx.export writes the same program as an ONNX model, which is placed with the fewest Transposes: not more
permutes may be left. Seconds are those of the processor: of the pass, and of torch.onnx.export from the program alone.

The figures of a network in the file of --json that are not measured again are kept; without names, those that have
some are not measured again.
"""

import gc
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from inspect import signature
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import npu_opt
import torch
from figures import parser_of, read_figures, write_figures
from marked_page import write_between_markers
from models.catalogue import DECODERS, NETWORKS, Network
from models.onnx_runs import read_graph
from models.weights import graphs
from npu_opt.torch import relayout
from onnx_transposes import constants
from torch.export import Dim, ExportedProgram
from torch.utils import _pytree as pytree
from torch_programs import PERMUTES, VIEWS, counted

sys.path.append(str(Path(__file__).parent / "models"))
# The scripts there import each other, and have no types.
exporters: Any = import_module("exporters")

OPSET = 20
"""The Attention of later ones reads rows in front of heads, which no operator of PyTorch does."""
ROUNDING = 1e-3
"""The largest difference, relative to the largest number, of results whose steps round differently."""
ValueT = TypeVar("ValueT")


@dataclass
class Row:
    """The figures of a network."""

    name: str
    nodes: int = 0
    permutes: int = 0
    permutes_left: int = 0
    views: int = 0
    views_left: int = 0
    error: float = 0
    """The largest difference of a result in eager mode, relative to its largest number."""
    proof: str = ""
    came: int = 0
    """The Transposes of the ONNX model of the program."""
    left: int = 0
    """The Transposes that are left when the ONNX model is placed."""
    seconds: float = 0
    export_seconds: float = 0
    failed: str = ""

    @property
    def problems(self) -> list[str]:
        if self.failed:
            return [self.failed]
        bad = {
            f"wrong by {self.error:.1e}": not self.error <= ROUNDING,
            f"the proof is {self.proof}": self.proof != "proved",
            f"{self.permutes_left} permutes left, {self.left} by way of ONNX": self.permutes_left > self.left,
            f"{self.seconds} s, torch.onnx.export takes {self.export_seconds} s": self.seconds > self.export_seconds,
        }
        return [text for text, is_bad in bad.items() if is_bad]


def timed(work: Callable[[], ValueT]) -> tuple[ValueT, float]:
    before = time.process_time()
    found = work()
    return found, round(time.process_time() - before, 2)


def exported(network: Network) -> tuple[ExportedProgram, tuple[torch.Tensor, ...]]:
    """A network as a functional program, and its example inputs."""
    module, inputs = exporters.module_of(network), tuple(exporters.examples(network).values())
    dynamic = [dict.fromkeys(dims, Dim.AUTO) for dims in exporters.dynamic_dims(network).values()]
    is_one_list = any(each.name == "inputs" for each in _parameters(module))
    shapes: Any = (tuple(dynamic),) if is_one_list else tuple(dynamic)
    with torch.no_grad():
        program: Any = torch.export.export(module, inputs, dynamic_shapes=shapes if any(dynamic) else None)
        return program.run_decompositions({}), inputs


def _parameters(module: torch.nn.Module) -> Sequence[Any]:
    found = signature(module.forward).parameters.values()
    return [each for each in found if each.kind is each.VAR_POSITIONAL]


def moving(program: ExportedProgram) -> int:
    """The permutes of a program that depend on an input; the others are of weights alone, as exporters fold them."""
    given = program.graph_signature
    varying = {*given.user_inputs, *given.buffers_to_mutate.values()}
    nodes = [node for node in program.graph.nodes if node.op in ("placeholder", "call_function")]
    changing = {node for node in nodes if node.name in varying}
    for node in nodes:
        if not changing.isdisjoint(node.all_input_nodes):
            changing.add(node)
    return counted(program, PERMUTES, changing)


def difference(one: Sequence[Any], other: Sequence[Any]) -> float:
    """The largest difference relative to the largest number of its tensor; infinite if kinds, types or sizes differ."""
    assert len(one) == len(other)
    return max((_difference(*pair) for pair in zip(one, other, strict=True)), default=0.0)


def _difference(one: Any, other: Any) -> float:
    if not isinstance(one, torch.Tensor):
        return 0.0 if one == other else float("inf")
    if one.dtype != other.dtype or one.shape != other.shape or not torch.equal(one.isnan(), other.isnan()):
        return float("inf")
    one, other = one.double().nan_to_num(), other.double().nan_to_num()
    return float((one - other).abs().max() / one.abs().max().clamp(min=1e-30)) if one.numel() else 0.0


def by_way_of_onnx(program: ExportedProgram) -> tuple[int, int, float]:
    """The Transposes of the ONNX model of a program, those left when it is placed, and the seconds of the export."""
    with TemporaryDirectory() as folder:
        file, placed = Path(folder, "model.onnx"), Path(folder, "placed.onnx")
        # A part of its types is unknown.
        writer: Any = torch.onnx
        made: Any
        made, seconds = timed(lambda: writer.export(program, dynamo=True, opset_version=OPSET, verbose=False))
        made.save(str(file), external_data=True)
        del made
        npu_opt.optimize(file, target="onnx", passes="").save(placed)
        return transposes(file), transposes(placed), seconds


def transposes(file: Path) -> int:
    """The Transposes of an ONNX model that depend on an input."""
    model = read_graph(file)
    fixed = {name for graph in graphs(model.graph) for name in constants(graph)}
    nodes = (node for graph in graphs(model.graph) for node in graph.node)
    return sum(node.op_type == "Transpose" and node.output[0] not in fixed for node in nodes)


def measured(network: Network) -> Row:
    row = Row(network.name)
    program, inputs = exported(network)
    row.nodes = sum(node.op == "call_function" for node in program.graph.nodes)
    found, row.seconds = timed(lambda: relayout(program))
    row.permutes, row.permutes_left = map(moving, (program, found))
    row.views, row.views_left = (counted(each, VIEWS) for each in (program, found))
    with torch.no_grad():
        row.error = difference(*(pytree.tree_leaves(each.module()(*inputs)) for each in (program, found)))
    row.proof = str(npu_opt.check(program, found))
    row.proof = "proved" if row.proof.startswith("proved") else row.proof
    del found
    row.came, row.left, row.export_seconds = by_way_of_onnx(program)
    return row


def table(rows: Sequence[Row]) -> str:
    """Networks with a permute; a sentence says how many have none."""
    shown = [row for row in rows if row.permutes]
    lines = [
        "| network | permutes | left | views | left | Transposes in ONNX | left | seconds | torch.onnx.export |",
        "| --- |" + " --: |" * 8,
        *(
            f"| {row.name} | {row.permutes} | {row.permutes_left} | {row.views} | {row.views_left} | {row.came} "
            f"| {row.left} | {row.seconds:.1f} | {row.export_seconds:.1f} |"
            for row in shown
        ),
    ]
    return "\n".join(lines) + f"\n\nThe {len(rows) - len(shown)} other networks have no permute, and get none."


def chosen(names: Sequence[str], known: Sequence[str]) -> list[Network]:
    every = {each.name: each for each in (*NETWORKS, *DECODERS) if each.exporter in ("script", "dynamo")}
    if unknown := sorted(set(names) - set(every)):
        raise SystemExit(f"error: unknown: {', '.join(unknown)}; choose from {', '.join(every)}")
    return [every[name] for name in names] or [each for each in every.values() if each.name not in known]


def main() -> int:
    parser = parser_of(__doc__)
    parser.add_argument("networks", metavar="NAME", nargs="*", help="names of networks")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    rows = {row.name: row for row in read_figures(arguments.json, lambda entry: Row(**entry))}
    for network in chosen(arguments.networks, [*rows]):
        try:
            row = measured(network)
        except Exception as error:  # What it fails with is its result.
            row = Row(network.name, failed=f"{type(error).__name__}: {error}".partition("\n")[0])
        rows[row.name] = row
        gc.collect()
        print(row, *row.problems, sep="\n  ", flush=True)
        write_figures(arguments.json, rows.values())
    places = {each.name: place for place, each in enumerate((*NETWORKS, *DECODERS))}
    found = sorted(rows.values(), key=lambda row: places[row.name])
    if arguments.page is not None:
        write_between_markers(arguments.page, "torch networks", table(found))
    wrong = [f"{row.name}: {text}" for row in found for text in row.problems]
    print("\n".join(wrong), end="\n" * bool(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
