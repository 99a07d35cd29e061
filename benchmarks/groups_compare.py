"""The groups of `fuse-ops-hw` beside those of a vendor's compiler: pairs of ops, and the bytes between groups."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from groups_reports import VendorGroups
from npu_opt.dialects.npu.views import places_of
from npu_opt.passes.common.words.reasons import Names
from npu_opt.passes.fuse_ops_hw import FuseOpsHw
from npu_opt.passes.fusion.fusion_pass import Fusion
from npu_opt.passes.fusion.graph.graph import is_constant
from npu_opt.passes.fusion.groups.traffic import Traffic, traffic_of
from npu_opt.passes.fusion.stages.stage_match import Matching
from npu_opt.targets import load, name_of
from npu_opt.targets.vocabulary import short_name
from xdsl.dialects.builtin import LocationAttr, ModuleOp, NameLoc
from xdsl.ir import Operation, SSAValue

Strategy: TypeAlias = Literal["greedy", "cover"]
STRATEGIES: Sequence[Strategy] = ("greedy", "cover")


class Pair(NamedTuple):
    """An op that computes a value, and one that reads it, by their places among the steps."""

    producer: int
    reader: int
    value: int


@dataclass(frozen=True)
class Comparison:
    """The groups of one network. Views and constants are no ops here: their readers read what is behind them."""

    ops: int
    known: int
    """The ops that the vendor names, or runs inside of an op that it names."""
    pairs: int
    both: int
    """The pairs between which both let the value stay on the chip."""
    vendor_only: int
    ours_only: int
    apart_bytes: int
    """The bytes that travel if each op is a group of its own."""
    vendor_bytes: int
    our_bytes: int
    vendor_pairs: dict[str, int] = field(default_factory=dict[str, int])
    """The kinds of the pairs that only the vendor keeps on the chip, with the reason of `fuse-ops-hw`."""
    our_pairs: dict[str, int] = field(default_factory=dict[str, int])
    """The kinds of the pairs that only `fuse-ops-hw` keeps on the chip."""

    @property
    def agreement(self) -> float:
        return 1 - (self.vendor_only + self.ours_only) / self.pairs if self.pairs else 1.0


class _Kinds(Names):
    """Ops by their kinds alone, so that equal reasons of several ops are equal."""

    def of(self, thing: Operation | SSAValue) -> str:
        return short_name(name_of(thing)) if isinstance(thing, Operation) else "a value"


def compared(module: ModuleOp, target: str, strategy: Strategy, vendor: VendorGroups, scale: float) -> Comparison:
    """The groups of a program on a target, beside those of the vendor's compiler."""
    fusions = FuseOpsHw(target=target, strategy=strategy).fusions(module, _Kinds(module))
    (fusion,) = [each for each in fusions if each.subject.nodes]
    matching = Matching(load(target), fusion.subject.layouts)
    flow = traffic_of(fusion.subject.nodes, matching)
    return compare(fusion, flow, names_of_values(module, flow, matching), vendor, scale)


def compare(
    fusion: Fusion, flow: Traffic, names: Mapping[int, frozenset[str]], vendor: VendorGroups, scale: float
) -> Comparison:
    number = {op: place for place, ops in enumerate(fusion.groups) for op in ops}
    ours = [number.get(step.op, -place - 1) for place, step in enumerate(flow.steps)]
    theirs, known = vendor_groups(flow, names, vendor)
    held = {value for value, each in names.items() if not each.isdisjoint(vendor.on_chip)}
    pairs = list(pairs_of(flow))

    def is_ours(pair: Pair) -> bool:
        return ours[pair.producer] == ours[pair.reader]

    def is_theirs(pair: Pair) -> bool:
        return theirs[pair.producer] == theirs[pair.reader] or pair.value in held

    vendor_only = [pair for pair in pairs if is_theirs(pair) and not is_ours(pair)]
    ours_only = [pair for pair in pairs if is_ours(pair) and not is_theirs(pair)]
    reasons = {(each.producer, each.reader): each.reason for each in fusion.pairs_apart()}

    def kinds(pair: Pair) -> str:
        return " > ".join(short_name(name_of(flow.steps[place].op)) for place in (pair.producer, pair.reader))

    def with_reason(pair: Pair) -> str:
        reason = reasons.get((flow.steps[pair.producer].op, flow.steps[pair.reader].op), "behind a view")
        return f"{kinds(pair)}: {reason}"

    alone = list(range(len(flow.steps)))
    return Comparison(
        len(flow.steps),
        known,
        len(pairs),
        sum(is_ours(pair) and is_theirs(pair) for pair in pairs),
        len(vendor_only),
        len(ours_only),
        int(scale * travelling(flow, pairs, alone, lambda _: False)),
        int(scale * travelling(flow, pairs, theirs, is_theirs)),
        int(scale * travelling(flow, pairs, ours, is_ours)),
        dict(Counter(map(with_reason, vendor_only)).most_common()),
        dict(Counter(map(kinds, ours_only)).most_common()),
    )


def pairs_of(flow: Traffic) -> Iterator[Pair]:
    """The pairs of ops of which one reads what the other one computes."""
    for place, step in enumerate(flow.steps):
        for value in step.reads:
            if (producer := flow.producer.get(value)) is not None and flow.bytes_of[value]:
                yield Pair(producer, place, value)


def travelling(flow: Traffic, pairs: Sequence[Pair], groups: Sequence[int], is_kept: Callable[[Pair], bool]) -> int:
    """The bytes that travel: a value is written once if it leaves, or is read elsewhere, and read once by each group
    to which it does not come on the chip."""
    found = {(value, groups[place]) for value in range(len(flow.bytes_of)) for place in flow.readers[value]}
    kept = {(pair.value, groups[pair.reader]) for pair in pairs if is_kept(pair)}
    read = Counter(value for value, _ in found - kept)
    written = {value for value in flow.producer if value in read or value in flow.leaving}
    return sum(size * (read[value] + (value in written)) for value, size in enumerate(flow.bytes_of))


def vendor_groups(flow: Traffic, names: Mapping[int, frozenset[str]], vendor: VendorGroups) -> tuple[list[int], int]:
    """The vendor's group of each op, and the number of ops that are known.

    An op whose value the vendor does not name is run with the ops that read it, if these are in one group.
    """
    found = dict[int, int]()
    for place in reversed(range(len(flow.steps))):
        step = flow.steps[place]
        named = [vendor.group_of[name] for value in step.results for name in names[value] if name in vendor.group_of]
        readers = {found.get(reader) for value in step.results for reader in flow.readers[value]}
        group = min(named) if named else readers.pop() if len(readers) == 1 else None
        if group is not None:
            found[place] = group
    return [found.get(place, -place - 1) for place in range(len(flow.steps))], len(found)


def names_of_values(module: ModuleOp, flow: Traffic, matching: Matching) -> Mapping[int, frozenset[str]]:
    """The names that values have in the model; those of their views are names of theirs."""
    results: dict[SSAValue, int] = {
        result: value for step in flow.steps for result, value in zip(step.op.results, step.results, strict=False)
    }
    found: dict[int, set[str]] = {value: set() for value in range(len(flow.bytes_of))}
    for op in module.walk():
        if not op.results or is_constant(op):
            continue
        is_view = op.results[0] not in results
        for result, name in zip(op.results, _names_of(op), strict=True):
            behind = matching.sources(op) if is_view else [result]
            if len(behind) == 1 and behind[0] in results:
                found[results[behind[0]]].add(name)
    return {value: frozenset(each) for value, each in found.items()}


def _names_of(op: Operation) -> list[str]:
    """The names of the results of an op in the model: in its location, behind that of the node, if they differ from
    those in the program."""
    inner = op.location.location if isinstance(op.location, NameLoc) else op.location
    places = places_of(inner) if isinstance(inner, LocationAttr) else []
    names = [place.desc.data for place in places if isinstance(place, NameLoc)]
    return names if len(names) == len(op.results) else [result.name_hint or "" for result in op.results]
