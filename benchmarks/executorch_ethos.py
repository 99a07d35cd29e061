"""Quantised networks lowered for Ethos-U with and without `npu_opt.torch.TransformPass`.

    PYTHON benchmarks/executorch_ethos.py [NAME...] [--core ethos-u85-256] [--json FILE]
        [--page docs/results/pytorch.md]

PYTHON has executorch with Arm's backend and quantiser, Vela, and TOSA's reference model; some need transformers.
Each network is a part of one of the model set with random weights, on small images, since Arm's passes take minutes for
a thousand nodes. It is quantised to 8 bits, and lowered twice. Counted are the delegates, the calls outside of
them, the TRANSPOSE operators of the TOSA graphs that the delegates hold, and the cycles and the KiB of SRAM that Vela
states. The quantised programs must give equal numbers in eager PyTorch, and the TOSA graphs in the reference model, if
each file has one of them. The exit code is 1 if these differ, or if the pass leaves more calls outside or delegates.
"""

# pyright: basic
# ExecuTorch says little of its types.

import csv
import json
import logging
import sys
import tempfile
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import torch
from executorch.backends.arm.arm_vela import vela_compile
from executorch.backends.arm.ethosu import EthosUCompileSpec, EthosUPartitioner, backend
from executorch.backends.arm.quantizer import EthosUQuantizer, get_symmetric_quantization_config
from executorch.exir import to_edge_transform_and_lower
from executorch.exir._serialize._flatbuffer import _flatc_decompile
from executorch_files import TimedPass
from figures import parser_of, read_figures, write_figures
from marked_page import write_between_markers
from npu_opt.torch import relayout
from torch import nn
from torch.export import ExportedProgram

sys.path.insert(0, str(Path(__file__).with_name("models")))
CORES = "ethos-u85-256", "ethos-u55-128"
IMAGE = 1, 3, 32, 32
SCHEMA = "tosa_1.0.fbs"


def _shuffled() -> Any:
    unit = import_module("networks.mobile").ShuffleUnit
    return nn.Sequential(nn.Conv2d(3, 32, 3, 2, 1), unit(32, 64, 2), unit(64, 64, 1), unit(64, 64, 1))


def _mixed() -> Any:
    block = import_module("networks.sequences").MixerBlock
    return nn.Sequential(nn.Conv2d(3, 64, 4, 4), nn.Flatten(2), _Turned(), block(64, 64), block(64, 64))


class _Turned(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.transpose(1, 2)


class _Heads(nn.Module):
    """Heads of a detector: classes and boxes of each pixel of two maps, in rows."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Conv2d(3, 32, 3, 2, 1)
        self.second = nn.Conv2d(32, 32, 3, 2, 1)
        self.classes, self.boxes = nn.Conv2d(32, 9 * 4, 3, 1, 1), nn.Conv2d(32, 4 * 4, 3, 1, 1)

    def forward(self, image: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        one = torch.relu(self.first(image))
        maps = one, torch.relu(self.second(one))
        classes = [self.classes(each).permute(0, 2, 3, 1).flatten(1, 2) for each in maps]
        boxes = [self.boxes(each).permute(0, 2, 3, 1).flatten(1, 2) for each in maps]
        return torch.sigmoid(torch.cat(classes, 1)), torch.cat(boxes, 1)


def _of_library(name: str, **options: Any) -> nn.Module:
    found = import_module("networks.library")
    config = getattr(found.library, f"{name}Config")(num_labels=10, **options)
    return found.Only(getattr(found.library, f"{name}ForImageClassification")(config), ("logits",))


def _vit() -> nn.Module:
    sizes = {"hidden_size": 64, "num_attention_heads": 2, "intermediate_size": 128, "num_hidden_layers": 1}
    return _of_library("ViT", image_size=32, patch_size=8, attn_implementation="eager", **sizes)


NETWORKS: Mapping[str, Callable[[], nn.Module]] = {
    "three units of shufflenet_v2": _shuffled,
    "heads of a detector": _Heads,
    "two blocks of mlp_mixer": _mixed,
    "two blocks of convnext": lambda: _of_library("ConvNext", num_stages=2, depths=[1, 1], hidden_sizes=[32, 64]),
    "one layer of vit": _vit,
}


@dataclass
class Lowered:
    """The counts of a lowered program."""

    outside: int
    """Calls outside of delegates."""
    delegates: int
    transposes: int
    cycles: int
    sram: float
    """The KiB of SRAM that are used."""

    def is_as_good_as(self, other: "Lowered") -> bool:
        return self.outside <= other.outside and self.delegates <= other.delegates


@dataclass
class Row:
    """The figures of a network: lowered without the pass, and with it."""

    name: str
    core: str
    before: Lowered
    after: Lowered
    seconds: float
    """The time of the pass."""
    equal: bool
    """The integers in eager PyTorch."""
    referred: bool | None
    """Equal results of the reference model, if it ran."""

    @property
    def is_good(self) -> bool:
        return self.equal and self.referred is not False and self.after.is_as_good_as(self.before)

    @property
    def key(self) -> tuple[str, str]:
        return self.name, self.core

    @staticmethod
    def of(values: Mapping[str, Any]) -> "Row":
        return Row(**{**values, "before": Lowered(**values["before"]), "after": Lowered(**values["after"])})


@dataclass
class _Vela:
    """Vela, and the TOSA graphs and summaries of its runs."""

    graphs: list[bytes]
    summaries: list[Mapping[str, str]]

    def compile(self, graph: bytes, args: list[str], **options: Any) -> Any:
        with tempfile.TemporaryDirectory() as folder:
            found = vela_compile(graph, args, **{**options, "intermediate_path": folder})
            (file,) = Path(folder).rglob("*summary*.csv")
            with file.open() as text:
                self.summaries.append(next(csv.DictReader(text)))
        self.graphs.append(graph)
        return found


def quantised(module: nn.Module, inputs: tuple[torch.Tensor, ...], core: str) -> ExportedProgram:
    quantizer = EthosUQuantizer(EthosUCompileSpec(core))
    quantizer.set_global(get_symmetric_quantization_config())
    graph: Any = torch.export.export(module, inputs)
    pt2e = import_module("torchao.quantization.pt2e.quantize_pt2e")
    prepared = pt2e.prepare_pt2e(graph.module(check_guards=False), quantizer)
    prepared(*inputs)
    return torch.export.export(pt2e.convert_pt2e(prepared), inputs)


def lowered(program: ExportedProgram, core: str, passes: Sequence[TimedPass]) -> tuple[Lowered, list[bytes]]:
    vela = _Vela([], [])
    with mock.patch.object(backend, "vela_compile", vela.compile):
        manager = to_edge_transform_and_lower(
            program, transform_passes=[*passes] or None, partitioner=[EthosUPartitioner(EthosUCompileSpec(core))]
        )
    calls = [str(node.target) for node in manager.exported_program().graph.nodes if node.op == "call_function"]
    delegates = sum("executorch_call_delegate" in each for each in calls)
    getters = sum("getitem" in each for each in calls)
    cycles = sum(float(each["cycles_total"]) for each in vela.summaries)
    sram = max((float(each["sram_memory_used"]) for each in vela.summaries), default=0.0)
    transposes = sum(map(transposes_of, vela.graphs))
    return Lowered(len(calls) - delegates - getters, delegates, transposes, round(cycles), sram), vela.graphs


def blocks(graph: bytes) -> list[Any]:
    """The blocks of a TOSA graph, of which it may have several for branches."""
    (schema,) = Path(import_module("executorch.backends.arm.tosa.schemas").__path__[0]).glob(SCHEMA)
    with tempfile.TemporaryDirectory() as folder:
        binary = Path(folder, "graph.tosa")
        binary.write_bytes(graph)
        _flatc_decompile(folder, str(schema), str(binary), ["--raw-binary"])
        found = json.loads(binary.with_suffix(".json").read_text())
    return [block for region in found["regions"] for block in region["blocks"]]


def transposes_of(graph: bytes) -> int:
    return sum(each["op"] == "TRANSPOSE" for block in blocks(graph) for each in block["operators"])


def referred(graph: bytes) -> list[bytes]:
    """The results of the reference model on random integers, in no order."""
    (block,) = blocks(graph)
    shapes = {each["name"]: each["shape"] for each in block["tensors"]}
    numbers = np.random.default_rng(0)
    inputs = [numbers.integers(-128, 128, shapes[name], np.int8) for name in block["inputs"]]
    model = import_module("tosa_reference_model")
    outputs, status = model.run(graph, inputs)
    assert status == model.GraphStatus.TOSA_VALID, status
    return sorted(np.asarray(each).tobytes() for each in outputs)


def measured(name: str, core: str) -> Row:
    torch.manual_seed(0)
    inputs = (torch.randn(IMAGE),)
    program = quantised(NETWORKS[name]().eval(), inputs, core)
    one, other = (each.module()(*inputs) for each in (program, relayout(program)))
    leaves = [[each] if isinstance(each, torch.Tensor) else [*each] for each in (one, other)]
    is_equal = all(map(torch.equal, *leaves))
    ours = TimedPass()
    before, first = lowered(program, core, [])
    after, second = lowered(program, core, [ours])
    is_whole = len(first) == len(second) == 1
    is_referred = referred(first[0]) == referred(second[0]) if is_whole else None
    return Row(name, core, before, after, ours.seconds, is_equal, is_referred)


TITLES = "network", "core", "delegates", "left", "outside", "left", "TRANSPOSE", "left", "cycles", "left", "KiB", "left"


def table(rows: Sequence[Row]) -> str:
    lines = [f"| {' | '.join(TITLES)} |", f"| --- | --- |{' --: |' * (len(TITLES) - 2)}"]
    for row in rows:
        pairs = zip(asdict(row.before).values(), asdict(row.after).values(), strict=True)
        names = ("outside", "delegates", "transposes", "cycles", "sram")
        found = dict(zip(names, pairs, strict=True))
        order = ("delegates", "outside", "transposes", "cycles", "sram")
        figures = (f"{before:,.0f} | {after:,.0f}" for before, after in map(found.__getitem__, order))
        lines.append(f"| {row.name} | {row.core} | {' | '.join(figures)} |")
    return "\n".join(lines)


def main() -> int:
    parser = parser_of(__doc__)
    parser.add_argument("names", metavar="NAME", nargs="*", default=[*NETWORKS])
    parser.add_argument("--core", choices=CORES, action="append")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    kept = {row.key: row for row in read_figures(arguments.json, Row.of)}
    keys = [(name, core) for name in arguments.names for core in arguments.core or CORES]
    for key in keys:
        kept[key] = kept.get(key) or measured(*key)
        write_figures(arguments.json, kept.values())
        print(kept[key], flush=True)
    rows = [kept[key] for key in keys]
    print(table(rows))
    if arguments.page is not None:
        write_between_markers(arguments.page, "ethos files", table(rows))
    return 0 if all(row.is_good for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
