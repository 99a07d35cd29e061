"""Shares of ops in groups of several, and the reasons of all others: real networks on three targets.

    python benchmarks/fusion_shares.py [--page docs/results/fusion.md] [--json FILE] [MODEL...]

Every network of benchmarks/models is grouped by `npu-default` on each target; on the richest one also behind the passes
that recognise norms and activations, with `strategy=cover`. All ops but constants count, also those that move nothing.
An op is in no group of several if no stage runs it, or if it is alone in its group; its reason is that of
`--why-not-fused`. Figures are kept in the file, so that a second run goes on.
"""

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple, TypedDict

from marked_page import parser_of_models, write_between_markers
from npu_opt.passes.common.words.reasons import Names
from npu_opt.passes.fuse_ops_hw import FuseOpsHw
from npu_opt.passes.fusion.fusion_pass import Fusion
from npu_opt.passes.fusion.graph.graph import is_constant
from npu_opt.passes.layout_preset import LayoutPreset
from npu_opt.passes.recognise_activations import RecogniseActivations
from npu_opt.passes.recognise_norms import RecogniseNorms
from npu_opt.passes.split_quantised import SplitQuantised
from npu_opt.tools.driver.formats.models import WeightsOptions, read_model
from xdsl.context import Context
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.transforms.canonicalize import CanonicalizePass

MODELS = Path(__file__).resolve().parent / "models"
NAME = "shares of ops in groups"
RICH = "dunlin"
WANTED = 0.6
"""The share that most networks should reach."""
FEWEST = 20
"""Reasons of fewer ops are counted together."""


class Way(NamedTuple):
    """A way to group a network."""

    title: str
    target: str
    before: tuple[ModulePass, ...] = ()
    fusion: Callable[[str], FuseOpsHw] = lambda target: FuseOpsHw(target=target)

    def fusions(self, path: Path) -> Sequence[Fusion]:
        """The groups of a network."""
        module = read_model(str(path), WeightsOptions()).module
        layouts = SplitQuantised(target=self.target), LayoutPreset(target=self.target), CanonicalizePass()
        for each in (*self.before, *layouts):
            each.apply(Context(), module)
        return self.fusion(self.target).fusions(module, OpNames(module))


def best_groups(target: str) -> FuseOpsHw:
    return FuseOpsHw(target=target, strategy="cover")


RECOGNISING = Way(
    f"`{RICH}`, with `recognise-norms,recognise-activations` and `strategy=cover`",
    RICH,
    (RecogniseNorms(), RecogniseActivations()),
    best_groups,
)
WAYS = (*(Way(f"`npu-default` on `{name}`", name) for name in ("opu", "plover", RICH)), RECOGNISING)


class OpNames(Names):
    """Ops by their kinds alone, so that equal reasons of several ops are equal."""

    def of(self, thing: Operation | SSAValue) -> str:
        return super().of(thing).rpartition(" ")[2] if isinstance(thing, Operation) else super().of(thing)


class Figures(TypedDict):
    """The groups of a network."""

    ops: int
    fused: int
    """The ops in groups of several."""
    reasons: Mapping[str, int]
    """The reasons of all others."""


def figures(fusions: Sequence[Fusion]) -> Figures:
    """The ops in groups of several, and the reasons of all others."""
    ops = [each for fusion in fusions for each in _ops_of(fusion)]
    fused = {op for fusion in fusions for group in fusion.groups if _size(group) > 1 for op in group}
    reasons = Counter(reason for fusion in fusions for reason in _reasons(fusion, fused))
    return Figures(ops=len(ops), fused=sum(op in fused for op in ops), reasons=reasons)


def _ops_of(fusion: Fusion) -> Iterator[Operation]:
    for node in fusion.subject.nodes:
        if isinstance(node.source, Operation) and not is_constant(node.source):
            yield node.source


def _size(group: Sequence[Operation]) -> int:
    return sum(not is_constant(op) for op in group)


def _reasons(fusion: Fusion, fused: set[Operation]) -> Iterator[str]:
    """The reason of each op in no group of several."""
    assert fusion.hardware is not None
    outside, apart = fusion.hardware().outside, dict[Operation, str]()
    for pair in fusion.pairs_apart():
        # That of its first producer, else of its first user.
        apart.setdefault(pair.reader, pair.reason)
    for pair in fusion.pairs_apart():
        apart.setdefault(pair.producer, pair.reason)
    for op in _ops_of(fusion):
        if op not in fused:
            name = fusion.subject.names.of(op)
            yield f"`{name}`: {outside.get(op) or apart.get(op, 'no other op reads it, or is read by it')}"


def table(ways: Sequence[Way], found: Mapping[str, Mapping[str, Figures]]) -> str:
    """The shares of all ways, and the reasons of the last but one, the richest target with the default."""
    lines = [
        "| groups | median of the shares | least | most | networks with 60 % or more |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for way in ways:
        shares = [each["fused"] / each["ops"] for each in found[way.title].values()]
        enough = sum(share >= WANTED for share in shares)
        cells = [
            way.title,
            *(f"{share:.0%}".replace("%", " %") for share in (median(shares), min(shares), max(shares))),
        ]
        lines.append(f"| {' | '.join([*cells, f'{enough} of {len(shares)}'])} |")
    low = _below(found[RECOGNISING.title])
    reasons = Counter[str]()
    for each in found[RECOGNISING.title].values():
        reasons.update(each["reasons"])
    often = {reason: count for reason, count in reasons.most_common() if count >= FEWEST}
    rest = {reason: count for reason, count in reasons.items() if count < FEWEST}
    lines += ["", f"Below that in the last row: {low}. The ops in no group of several there:", ""]
    lines += ["| ops | reason |", "| ---: | --- |"]
    lines += [f"| {count} | {reason} |" for reason, count in often.items()]
    lines.append(f"| {sum(rest.values())} | {len(rest)} other reasons, of fewer than {FEWEST} ops each |")
    return "\n".join(lines)


def _below(found: Mapping[str, Figures]) -> str:
    shares = {name: each["fused"] / each["ops"] for name, each in found.items()}
    low = [f"{name} ({share:.0%})".replace("%", " %") for name, share in sorted(shares.items()) if share < WANTED]
    return ", ".join(low) or "none"


def main() -> None:
    parser: argparse.ArgumentParser = parser_of_models(__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the figures in this file, and go on with it")
    arguments = parser.parse_args()
    kept: Path | None = arguments.json
    found: dict[str, dict[str, Figures]] = json.loads(kept.read_text()) if kept is not None and kept.exists() else {}
    for way in WAYS:
        rows = found.setdefault(way.title, {})
        for path in arguments.models or sorted(MODELS.glob("*.onnx")):
            if path.stem not in rows:
                rows[path.stem] = figures(way.fusions(path))
                if kept is not None:
                    kept.write_text(json.dumps(found))
            row = rows[path.stem]
            print(f"{way.title}: {path.stem} {row['fused']} of {row['ops']}", flush=True)
    text = table(WAYS, found)
    print(text)
    if arguments.page is not None:
        write_between_markers(arguments.page, NAME, text)


if __name__ == "__main__":
    main()
