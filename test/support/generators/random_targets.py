"""Random targets: other preferred orders, other demands with choices and conditions, other limits, costs and stages."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from npu_opt.dialects.npu import NPU
from npu_opt.dialects.npu.linear import LinearOp
from npu_opt.dialects.npu.shape import FixedTransposeOp, ShapeOp
from npu_opt.dialects.npu.source import ConstantOp, OpaqueOp
from npu_opt.layout import MAX_RANK, LayoutClass, letters
from npu_opt.targets import Target
from npu_opt.targets.loader import load_file
from npu_opt.targets.vocabulary import OpNames, dialect_vocabulary
from xdsl.traits import Commutative

from support.generators.random_expressions import pair, random_condition, random_price, table, texts
from support.generators.random_stages import random_flow

FEATURE, WEIGHT = LayoutClass.FEATURE, LayoutClass.WEIGHT
WITHOUT_DEMANDS = (ShapeOp, ConstantOp, OpaqueOp, LinearOp)
"""Views and ops without letters. Fixed transposes have demands of their own."""
VENDOR: Mapping[str, tuple[str, OpNames]] = {
    "fuzz.elementwise": ("elementwise", OpNames(("operand0", "operand1"), ("result0",), takes_several=True)),
    "fuzz.any_order": (
        "data in any order, result the same",
        OpNames(("operand0", "operand1"), ("result0", "result1"), takes_several=True),
    ),
    "fuzz.pool": ("pool", OpNames(("operand0",), ("result0",), takes_several=True)),
}
"""The described ops of random programs, and the values of them with demands."""


def random_target(seed: int, *, describes: bool = False, is_symmetric: bool = False) -> str:
    """The file of a target; it may describe ops of other systems, and have demands on them.

    A symmetric one demands the same of all operands of a commutative op.
    """
    rng, flow = Random(seed), random_flow(seed, VENDOR if describes else ())
    limits = {cls: rng.choice((3, 4, 5, 5)) for cls in (FEATURE, WEIGHT)}
    preferred = {cls: [_order(rng, cls, rank) for rank in range(3, limit + 1)] for cls, limit in limits.items()}
    lines = [
        'name = "random"',
        'description = "Nobody has it"',
        f"matmul = {_matmul(rng)}",
        *flow.top,
        "[ranks]",
        f"feature = {limits[FEATURE]}",
        f"weight = {limits[WEIGHT]}",
        f"tensor = {rng.randint(3, 6)}",
        "[preferred]",
        f"feature = {preferred[FEATURE]}",
        f"weight = {preferred[WEIGHT]}",
        "[demands]",
    ]
    often = rng.choice((0.1, 0.3, 0.6))
    is_plain = rng.random() < 0.3
    for op in NPU.operations:
        if issubclass(op, WITHOUT_DEMANDS) or rng.random() > often:
            continue
        name = op.name.removeprefix("npu.")
        names = dialect_vocabulary()[name]
        if names.letters:
            lines.append(f"{name} = {_axis_orders(rng, names)}")
            continue
        plain = is_plain or (is_symmetric and op.has_trait(Commutative))
        lines.append(f"{name} = {_demands(rng, names, limits[FEATURE]) if plain else _rules(rng, names, limits)}")
    if rng.random() < 0.5:
        fixed = [op for op in NPU.operations if issubclass(op, FixedTransposeOp)]
        lines += [f'{op.name.removeprefix("npu.")} = {{ input = "{op.FROM}", result = "{op.TO}" }}' for op in fixed]
    if describes:
        lines += [f'"{name}" = {_rules(rng, names, limits)}' for name, (_, names) in VENDOR.items()]
        lines += [f'[ops."{name}"]\nlike = "{like}"' for name, (like, _) in VENDOR.items()]
    if rng.random() < 0.5:
        lines += _costs(rng)
    lines += flow.tables
    return "\n".join(lines) + "\n"


def loaded_target(seed: int) -> Target:
    """The target of a seed, for what needs no file, with tensors of any rank: oracles know no limit of them."""
    target = _loaded(random_target(seed))
    limits = {cls: limit if cls.is_cnn else MAX_RANK for cls, limit in target.max_ranks.items()}
    return replace(target, max_ranks=limits)


def kernel_target(seed: int) -> Target:
    """A target that lists the orders which its kernels on values with heads take, maybe with prices."""
    rng, vocabulary = Random(seed), dialect_vocabulary()
    lettered = [name for name, names in vocabulary.items() if names.letters]
    rules = [f"{name} = {_axis_orders(rng, vocabulary[name])}" for name in lettered]
    preferred = (f"{cls.value.lower()} = {[_order(rng, cls, rank) for rank in (3, 4, 5)]}" for cls in (FEATURE, WEIGHT))
    costs = '[costs]\nunit = "cycles"\ntranspose = "bytes"'
    return _loaded("\n".join([*_HEAD, "[preferred]", *preferred, "[demands]", *rules, costs, ""]))


_HEAD = ('name = "random"', 'description = "Nobody has it"', 'matmul = "batch"', 'cost = "bytes"')


def _loaded(text: str) -> Target:
    with TemporaryDirectory() as folder:
        file = Path(folder, "random.toml")
        file.write_text(text)
        return load_file(file, dialect_vocabulary())


def _matmul(rng: Random) -> str:
    """One of the words, or a table of what may change."""
    if rng.random() < 0.5:
        return f'"{rng.choice(("rigid", "batch", "free"))}"'
    words = {"lhs": "transposed", "rhs": "transposed", "result": "transposed", "batch": "any order"}
    chosen = (pair(key, rng.choice((word, "as it is"))) for key, word in words.items() if rng.random() < 0.7)
    return table(chosen)


def _demands(rng: Random, names: OpNames, limit: int) -> str:
    """The preferred order for all operands, or any order of images for the only one."""
    operands = names.operands
    if len(operands) == 1 and not names.takes_several and limit >= 4 and rng.random() < 0.4:
        return table([pair(operands[0], _order(rng, FEATURE, 4))])
    return table(pair(operand, "preferred") for operand in operands)


def _rules(rng: Random, names: OpNames, limits: dict[LayoutClass, int]) -> str:
    """Demands with choices, under conditions."""
    rules = [_rule(rng, names, limits, rng.random() < 0.7) for _ in range(rng.choice((0, 1, 1, 2)))]
    rules.append(_rule(rng, names, limits, has_condition=rng.random() < 0.3, demands=True))
    if len(rules) == 1 and not rules[0].startswith("{ when"):
        return rules[0]
    return f"[{', '.join(rules)}]"


def _rule(
    rng: Random, names: OpNames, limits: dict[LayoutClass, int], has_condition: bool, demands: bool = False
) -> str:
    """A rule; some of those that need not demand anything have a condition alone."""
    parts = [pair("when", random_condition(rng, names))] if has_condition else []
    parts += _places(rng, names)
    kind = rng.choice(("none" if has_condition and not demands else "plain", "plain", "lists", "lists", "choices"))
    if kind == "plain":
        parts += [pair(operand, "preferred") for operand in names.operands]
    if kind == "lists":
        values = _some_values(rng, names, 2)
        orders = {operand: _layouts(rng, limits) for operand in values}
        parts += [f"{operand} = {texts(each)}" for operand, each in orders.items()]
        if rng.random() < 0.6:
            priced = pair(rng.choice(orders[values[0]]), random_price(rng, names))
            parts.append(f"costs = {table([priced])}")
    if kind == "choices":
        choices = [_choice(rng, names, limits) for _ in range(rng.randint(1, 3))]
        parts.append(f"choices = [{', '.join(choices)}]")
    return table(parts)


def _axis_orders(rng: Random, names: OpNames) -> str:
    """The orders that a kernel on values with heads takes, as lists for each value or as choices, maybe priced."""

    def order(letters: str) -> str:
        return "".join(rng.sample(letters, 4)) if rng.random() < 0.4 else rng.choice((letters, "BNHC", "BHCN"))

    when = [pair("when", f"N of {names.operands[0]} {rng.choice(('==', '>'))} {rng.randint(1, 3)}")]
    parts = when if rng.random() < 0.3 else []
    if rng.random() < 0.5:
        count = rng.randint(1, 3)
        costs = [[pair("cost", random_price(rng, names))] if rng.random() < 0.3 else [] for _ in range(count)]
        choices = [table([*(pair(name, order(each)) for name, each in names.letters.items()), *cost]) for cost in costs]
        return table([*parts, f"choices = [{', '.join(choices)}]"])
    lists = {name: [*{order(each): None for _ in range(rng.randint(1, 2))}] for name, each in names.letters.items()}
    parts += [f"{name} = {texts(each)}" for name, each in lists.items()]
    listed = [each for orders in lists.values() for each in orders]
    alone = [each for each in listed if listed.count(each) == 1]
    if alone and rng.random() < 0.3:
        parts.append(f"costs = {table([pair(rng.choice(alone), random_price(rng, names))])}")
    return table(parts)


def _places(rng: Random, names: OpNames) -> Iterator[str]:
    """Demands on the axes that attributes name."""
    for name in names.axes:
        if rng.random() < 0.3:
            yield pair(name, "last") if rng.random() < 0.6 else f"{name} = {rng.randrange(4)}"
    yield from (pair(name, "increasing") for name in names.result_axes if rng.random() < 0.3)


def _some_values(rng: Random, names: OpNames, most: int) -> list[str]:
    """Some values with demands. Few are results, as most of them follow an operand."""
    values = [*names.operands, *(each for each in names.results if rng.random() < 0.2)]
    return rng.sample(values, rng.randint(1, min(most, len(values))))


def _layouts(rng: Random, limits: dict[LayoutClass, int]) -> list[str]:
    """Some layouts of one value, of several ranks."""
    found = ["preferred"] * (rng.random() < 0.5)
    found += [_order(rng, cls, rng.randint(3, limits[cls])) for cls in (FEATURE, FEATURE, WEIGHT)[: rng.randint(1, 3)]]
    return list(dict.fromkeys(found))


def _choice(rng: Random, names: OpNames, limits: dict[LayoutClass, int]) -> str:
    values = _some_values(rng, names, len(names.operands))
    parts = [pair(operand, rng.choice(_layouts(rng, limits))) for operand in values]
    if rng.random() < 0.5:
        parts.append(pair("cost", random_price(rng, names)))
    return table(parts)


def _costs(rng: Random) -> Iterator[str]:
    """The tables of costs, and of the transposes that are possible."""
    yield "[costs]"
    yield 'unit = "cycles"'
    entries = [table([pair("when", random_condition(rng, None)), _transpose(rng)]) for _ in range(rng.randint(0, 2))]
    entries.append(table([_transpose(rng)]))
    yield f"transpose = [{', '.join(entries)}]" if rng.random() < 0.8 else f'transpose = "{random_price(rng, None)}"'
    if rng.random() < 0.5:
        yield f'matmul = {{ lhs = "0.3 x bytes of lhs", rhs = {rng.choice((0, 0.5, 20))} }}'
    if rng.random() < 0.5:
        yield from _axes(rng)
    if rng.random() < 0.5:
        can = [random_condition(rng, None) for _ in range(rng.randint(1, 2))]
        yield f"[transposes]\ncan = {texts(can)}"
        if rng.random() < 0.6:
            yield 'fallback = "3 x bytes + 1000"'


def _transpose(rng: Random) -> str:
    return rng.choice((f"per-byte = {rng.choice((0.2, 0.7, 1))}", f"per-byte = 0.1, per-call = {rng.randint(1, 99)}"))


def _axes(rng: Random) -> Iterator[str]:
    yield "[costs.axes]"
    for name, names in dialect_vocabulary().items():
        if names.axes and rng.random() < 0.4:
            places = {each: [pair("last", "0"), _priced(rng, names)] for each in names.axes}
            yield f"{name} = {table(f'{each} = {table(prices)}' for each, prices in places.items())}"


def _priced(rng: Random, names: OpNames) -> str:
    """The price of axes elsewhere than last, for all ops or under a condition."""
    price = random_price(rng, names)
    if rng.random() < 0.6:
        return pair("other", price)
    rule = [pair("when", random_condition(rng, names)), pair("price", price)]
    return f"other = [{', '.join([table(rule), table(rule[1:])][: rng.randint(1, 2)])}]"


def _order(rng: Random, cls: LayoutClass, rank: int) -> str:
    names = letters(cls, rank)
    return "".join(rng.sample(names, len(names)))
