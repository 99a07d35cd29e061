"""Conversion of the tables of a target file to a `Target`. Any mismatch is a `TargetError`."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast, get_args

from ..dialects.npu.axes import AS_IT_IS, MatmulFreedom
from ..dialects.settings.file_rules import OLDEST_OPSET, FileRules
from ..layout import MAX_RANK, Layout, LayoutClass, LayoutError
from . import keys
from .dataflow import read_data_flow
from .demands import read_demands
from .expression_keys import condition_at
from .extension import bases_of
from .model import CostUnit, MatmulRule, Target
from .toml_table import Text, TomlTable, listed
from .vendor_ops import read_ops, vocabulary_of
from .vocabulary import Vocabulary, full_name, known_op, short_name

if TYPE_CHECKING:
    from .costs import Costs

_MIN_CNN_RANK = 3
_MIN_TRANSPOSED = 4
_MAX_CNN_RANK = 5
_CNN_CLASSES = {"feature": LayoutClass.FEATURE, "weight": LayoutClass.WEIGHT}
MOST = {
    LayoutClass.FEATURE: _MAX_CNN_RANK,
    LayoutClass.WEIGHT: _MAX_CNN_RANK,
    LayoutClass.TENSOR: MAX_RANK,
    LayoutClass.NTENSOR: MAX_RANK,
}
"""The highest limits."""
_COSTS = get_args(CostUnit)
KEEP, SPLIT = "keep", "split"
ADDED = (
    "matmul",
    "cost",
    "demands",
    "costs",
    "transposes",
    "integers-only",
    "nchwc",
    "optimize",
    "whole",
    "free",
    "ranks",
    "file",
    "data-flow",
    "stages",
)
"""The keys of a target that extends another one."""


def read_target(file: TomlTable, vocabulary: Vocabulary) -> Target:
    """Build the target that a file describes, in terms of the ops of a vocabulary."""
    file.allow_only(keys.TOP)
    name = file.text("name")
    if name != file.file.stem:
        raise file.error(f"the target is named '{name}', but its file '{file.file.name}'", file.at("name"))
    bases = bases_of(file)
    found = replace(_added(file, bases, vocabulary), name=name) if bases else _whole(file, vocabulary)
    return _set_aside(found)


def _set_aside(target: Target) -> Target:
    """A target that counts transposes or bytes without its prices, which are for options that ask for prices."""
    is_counted = target.cost in ("count", "bytes") and target.costs
    return replace(target, costs=None, further_costs=target.costs) if is_counted else target


def _whole(file: TomlTable, vocabulary: Vocabulary) -> Target:
    """A target that extends no other."""
    vendor_ops = read_ops(file)
    vocabulary = {**vocabulary, **vocabulary_of(vendor_ops)}
    ranks = file.optional_table("ranks")
    max_ranks = _max_ranks(ranks)
    data_flow = read_data_flow(file, vocabulary)
    costs = _costs(file, vocabulary)
    return Target(
        name=file.text("name"),
        description=file.text("description"),
        matmul=_matmul(file),
        preferred_layouts=_preferred(file.table("preferred"), max_ranks),
        max_ranks=max_ranks,
        most_transposed_axes=_most_transposed_axes(ranks),
        demands=read_demands(file.optional_table("demands"), vocabulary),
        stages=data_flow.stages,
        root=data_flow.root,
        free_ops=frozenset(_free_ops(file, vocabulary, data_flow.ops)),
        forbids_escaping=data_flow.forbids_escaping,
        matmul_place=file.place(file.at("matmul")),
        cost=_cost(file, costs is not None),
        costs=costs,
        vendor_ops=vendor_ops,
        integers_only=file.flag("integers-only"),
        nchwc=file.flag("nchwc"),
        optimize=_optimize(file),
        whole=_whole_ops(file),
        rules=_file_rules(file),
    )


def _added(file: TomlTable, bases: Sequence[TomlTable], vocabulary: Vocabulary) -> Target:
    """The base of a target with what its file says: demands op by op, stages one by one, everything else as a whole."""
    base = read_target(bases[0], vocabulary)
    allowed = ("name", "description", "extends", *ADDED)
    for key in file.values:
        if key not in allowed:
            raise file.error(f"'{key}' cannot be said with 'extends': only {listed(allowed[3:])}", file.at(key))
    # Prices that were set aside are those of one engine.
    prices = base.further_costs if file.values.get("cost") == base.cost else None
    found = replace(base, description=file.text("description"), further_costs=prices)
    vocabulary = {**vocabulary, **vocabulary_of(base.vendor_ops)}
    if "matmul" in file.values:
        found = replace(found, matmul=_matmul(file), matmul_place=file.place(file.at("matmul")))
    if "integers-only" in file.values:
        found = replace(found, integers_only=file.flag("integers-only"))
    if "nchwc" in file.values:
        found = replace(found, nchwc=file.flag("nchwc"))
    if "whole" in file.values:
        found = replace(found, whole=_whole_ops(file))
    if "optimize" in file.values:
        found = replace(found, optimize=_optimize(file))
    if "ranks" in file.values:
        ranks = file.table("ranks")
        most = _most_transposed_axes(ranks) or base.most_transposed_axes
        found = replace(found, max_ranks=_max_ranks(ranks, base.max_ranks), most_transposed_axes=most)
    if "file" in file.values:
        found = replace(found, rules=_file_rules(file))
    if "demands" in file.values:
        found = replace(found, demands={**base.demands, **read_demands(file.table("demands"), vocabulary)})
    if "data-flow" in file.values or "stages" in file.values:
        flow = read_data_flow(file, vocabulary, bases)
        found = replace(found, stages=flow.stages, root=flow.root, forbids_escaping=flow.forbids_escaping)
    if "free" in file.values or found.stages is not base.stages:
        found = replace(found, free_ops=_added_free_ops(file, base, found, vocabulary))
    if "costs" in file.values or "transposes" in file.values:
        found = replace(found, costs=_costs(file, vocabulary, base.costs))
    if "costs" in file.values or "cost" in file.values:
        found = replace(found, cost=_cost(file, found.costs is not None))
    return found


def _whole_ops(file: TomlTable) -> frozenset[str]:
    return frozenset(text.value for text in file.texts("whole", optional=True))


def _optimize(file: TomlTable) -> str:
    return file.text("optimize") if "optimize" in file.values else ""


def _file_rules(file: TomlTable) -> FileRules:
    table = file.optional_table("file")
    if table is None:
        return FileRules()
    table.allow_only(keys.FILE)
    return FileRules(
        opset=table.number("opset", OLDEST_OPSET),
        max_rank=table.number("max-rank", 1),
        keeps_squeeze="squeeze" in table.values and table.choice("squeeze", [KEEP]) == KEEP,
        splits_transposes="transpose" in table.values and table.choice("transpose", [SPLIT]) == SPLIT,
        equal_ranks=table.flag("equal-ranks"),
        no_constant_lhs=table.flag("no-constant-lhs"),
        product_rank=table.number("product-rank", 2),
        lacks=frozenset(text.value for text in table.texts("lacks", optional=True)),
        unary_rank=table.number("unary-rank", _MIN_TRANSPOSED),
        domains=frozenset(text.value for text in table.texts("domains", optional=True)),
    )


def _most_transposed_axes(ranks: TomlTable | None) -> int | None:
    return None if ranks is None else ranks.number("transpose", _MIN_TRANSPOSED, MAX_RANK)


def _costs(file: TomlTable, vocabulary: Vocabulary, base: "Costs | None" = None) -> "Costs | None":
    if "costs" not in file.values and "transposes" not in file.values:
        return None
    # Imported late: few targets have costs.
    from .costs import read_costs

    return read_costs(file, vocabulary, base)


def _cost(file: TomlTable, has_costs: bool) -> CostUnit:
    """The cost to minimise: by default the target's own, if it states costs."""
    if "cost" not in file.values:
        return "target" if has_costs else "bytes"
    cost = cast("CostUnit", file.choice("cost", _COSTS))
    if cost == "target" and not has_costs:
        raise file.error("'cost' is 'target', but the file has no table 'costs'", file.at("cost"))
    return cost


def _matmul(file: TomlTable) -> tuple[MatmulRule, ...]:
    """A word, what the hardware can read of each operand, or a list of such tables with conditions."""
    match file.values.get("matmul"):
        case dict():
            table = file.table("matmul")
            table.allow_only(MatmulFreedom.WORDS)
            return (_matmul_rule(table),)
        case []:
            raise file.error("'matmul' has no rule: add a table, or write \"rigid\"", file.at("matmul"))
        case list():
            rules = list(file.elements("matmul"))
            for each in rules:
                each.allow_only(keys.MATMUL)
            return tuple(map(_matmul_rule, rules))
        case _:
            return (MatmulRule(MatmulFreedom.NAMED[file.choice("matmul", MatmulFreedom.NAMED)]),)


def _matmul_rule(table: TomlTable) -> MatmulRule:
    found = {key: table.choice(key, MatmulFreedom.choices(key)) for key in table.values if key != "when"}
    needs_constant = found.get("result") == MatmulFreedom.WITH_CONSTANT
    freedom = MatmulFreedom(**{key: word != AS_IT_IS for key, word in found.items()}, needs_constant=needs_constant)
    return MatmulRule(freedom, condition_at(table, "when", keys.OF_PRODUCT))


def _max_ranks(table: TomlTable | None, most: Mapping[LayoutClass, int] = MOST) -> Mapping[LayoutClass, int]:
    """The limits of a table, none of which is higher than the `most` of its class."""
    limits = {key: most[cls] for key, cls in (*_CNN_CLASSES.items(), ("tensor", LayoutClass.TENSOR))}
    if table is not None:
        table.allow_only(keys.RANKS)
        limits |= {
            key: table.number(key, _MIN_CNN_RANK if key in _CNN_CLASSES else 2, limit) or limit
            for key, limit in limits.items()
        }
    return {
        LayoutClass.FEATURE: limits["feature"],
        LayoutClass.WEIGHT: limits["weight"],
        LayoutClass.TENSOR: limits["tensor"],
        LayoutClass.NTENSOR: limits["tensor"],
    }


def _preferred(table: TomlTable, max_ranks: Mapping[LayoutClass, int]) -> Mapping[tuple[LayoutClass, int], Layout]:
    table.allow_only(keys.PREFERRED)
    preferred: dict[tuple[LayoutClass, int], Layout] = {}
    for key, cls in _CNN_CLASSES.items():
        for text in table.texts(key):
            layout = _layout(table, text)
            if layout.cls is not cls or layout.rank is None:
                raise table.error(f"{layout} is not a {key} layout", text.path)
            if layout != layout.unsized:
                raise table.error(
                    f"'{text.value}' has sizes of one value: leave them out, as in '{layout.unsized}'", text.path
                )
            rank = layout.logical_rank(layout.rank)
            if rank > max_ranks[cls]:
                raise table.error(f"{layout} is of rank {rank}, the target's limit is {max_ranks[cls]}", text.path)
            if (cls, rank) in preferred:
                raise table.error(f"a second {key} layout of rank {rank}: {layout}", text.path)
            preferred[cls, rank] = layout
        for rank in range(_MIN_CNN_RANK, max_ranks[cls] + 1):
            if (cls, rank) not in preferred:
                raise table.error(f"'{key}' has no layout of rank {rank}", table.at(key))
    return preferred


def _layout(table: TomlTable, text: Text) -> Layout:
    try:
        return Layout.parse(text.value)
    except LayoutError as error:
        raise table.error(str(error), text.path) from None


def _added_free_ops(file: TomlTable, base: Target, found: Target, vocabulary: Vocabulary) -> frozenset[str]:
    staged = {rule.op for stage in found.stages.values() for rule in stage.rules}
    if "free" in file.values:
        return frozenset(_free_ops(file, vocabulary, staged))
    for op in sorted(base.free_ops & staged):
        raise file.error(
            f"a stage runs '{short_name(op)}', which is free in '{base.name}': say 'free'", file.at("stages")
        )
    return base.free_ops


def _free_ops(file: TomlTable, vocabulary: Vocabulary, staged: Collection[str]) -> Iterator[str]:
    for text in file.texts("free", optional=True):
        known_op(text.value, vocabulary, file, text.path)
        if full_name(text.value) in staged:
            raise file.error(f"'{text.value}' cannot be free: a stage runs it", text.path)
        yield full_name(text.value)
