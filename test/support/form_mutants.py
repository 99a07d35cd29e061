"""Certificates of programs for tests, with forms that are left out, added or altered."""

from __future__ import annotations

import json
from copy import deepcopy
from random import Random
from typing import Any, NamedTuple, TypeAlias

from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.passes.optimal.certificates.of_choice import collected_certificates
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

Json: TypeAlias = Any
KINDS = ("left out", "added", "altered")
WAYS = ("another size", "another end")


class FormMutant(NamedTuple):
    """A certificate in which one mode of an op is wrong, or is missing."""

    content: Json
    kind: str
    op: str


def content_of(module: ModuleOp, target: str, interface: str = "keep") -> Json:
    """The certificate of the minimum of a program, as it is read back."""
    with collected_certificates() as found:
        LayoutOptimal(target=target, interface=interface).apply(Context(), module)
    return json.loads(found[-1].data(is_compressed=False))


def form_mutant(content: Json, rng: Random, tries: int = 100) -> FormMutant | None:
    """A certificate with a change of the modes of one op; None if no op was found that has any."""
    kind = rng.choice(KINDS)
    places = range(len(content["problem"]["ops"]))
    for _ in range(tries):
        place = rng.choice(places)
        changed = _changed(content["problem"]["ops"][place], content["forms"]["storages"], kind, rng)
        if changed is not None:
            copy = {**content, "problem": {**content["problem"], "ops": [*content["problem"]["ops"]]}}
            copy["problem"]["ops"][place] = changed
            return FormMutant(copy, kind, content["forms"]["ops"][place]["kind"])
    return None


def way_mutant(content: Json, rng: Random) -> FormMutant | None:
    """A certificate in which blocks of an op have other sizes or ends; None if no op has any with padding."""
    places = [place for place, op in enumerate(content["forms"]["ops"]) if any(map(_padded, op.get("blocks") or ()))]
    if not places:
        return None
    place, kind, copy = rng.choice(places), rng.choice(WAYS), deepcopy(content)
    op = copy["forms"]["ops"][place]
    way = rng.choice([way for way in op["blocks"] if _padded(way)])
    for cut in (cut for blocks in _padded(way) for cut in blocks[1:] if cut[3]):
        if kind == "another size":
            cut[1] *= 2
        else:
            cut[3][-1][2] += 1
    return FormMutant(copy, kind, op["kind"])


def _padded(way: Json) -> list[Json]:
    """The values of a form in blocks with an axis of several positions in a block."""
    return [blocks for blocks in way if any(cut[3] for cut in blocks[1:])]


def _changed(op: Json, storages: Json, kind: str, rng: Random) -> Json | None:
    """The op with other modes; None if it has no such change, or the change leaves the set of modes as it was."""
    changed = deepcopy(op)
    uses = [*changed["reads"], *changed["writes"]]
    before = _modes(uses)
    if not before or any(isinstance(layout, list) for mode in before for layout in mode):
        return None
    mode, use = rng.randrange(len(before)), rng.choice(uses)
    other = rng.choice([int(layout) for layout in storages[use[0]]["orders"]])
    if kind == "left out":
        for each in uses:
            del each[1][mode]
    elif kind == "added":
        for each, layout in zip(uses, before[mode], strict=True):
            each[1].append(other if each is use else layout)
    else:
        use[1][mode] = other
    changed.pop("prices", None)
    after = _modes(uses)
    is_other = {*after} < {*before} if kind == "left out" else not {*after} <= {*before}
    return changed if after and is_other else None


def _modes(uses: Json) -> list[tuple[Any, ...]]:
    return [*zip(*(use[1] for use in uses), strict=True)]
