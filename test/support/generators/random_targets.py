"""Random targets: other preferred orders, other demands with choices and conditions, other limits, and costs."""

from collections.abc import Iterable, Iterator, Mapping
from random import Random

from npu_opt.dialects.npu import NPU
from npu_opt.dialects.npu.linear import LinearOp
from npu_opt.dialects.npu.shape import FixedTransposeOp, ShapeOp
from npu_opt.dialects.npu.source import ConstantOp, OpaqueOp
from npu_opt.layout import LayoutClass, letters
from npu_opt.targets.vocabulary import OpNames, dialect_vocabulary

FEATURE, WEIGHT = LayoutClass.FEATURE, LayoutClass.WEIGHT
WITHOUT_DEMANDS = (ShapeOp, ConstantOp, OpaqueOp, LinearOp)
"""Views and ops without letters. Fixed transposes have demands of their own."""
FACTS = (
    *("groups > 1", "depthwise", "kernel == 1x1", "kernel.h <= 2", "kernel != 3x3", "stride > 1", "dilation == 1"),
    *("pads == 0", "type == f16", "type in [f32, f64]", "rank >= 4", "rank == 3", "C % 2 == 0", "N == 1", "H > 2"),
    *("bytes < 512", "elements >= 32", "dim 0 == 1", "O > 2"),
)
"""Conditions about the first operand, of which any op has some."""
MOVES = (
    *(
        "keeps the last axis",
        "moves the last axis",
        "swaps blocks",
        "rank <= 3",
        "bytes < 256",
        "permutation == [1, 0]",
    ),
    *("permutation == [0, 2, 3, 1]", "dim 0 > 2", "type != f32"),
)


VENDOR: Mapping[str, tuple[str, OpNames]] = {
    "fuzz.elementwise": ("elementwise", OpNames(("operand0", "operand1"), ("result0",), takes_several=True)),
    "fuzz.any_order": (
        "data in any order, result the same",
        OpNames(("operand0", "operand1"), ("result0", "result1"), takes_several=True),
    ),
    "fuzz.pool": ("pool", OpNames(("operand0",), ("result0",), takes_several=True)),
}
"""The described ops of random programs, and the values of them with demands."""


def random_target(seed: int, *, describes: bool = False) -> str:
    """The file of a target; it may describe ops of other systems, and have demands on them."""
    rng = Random(seed)
    limits = {cls: rng.choice((3, 4, 5, 5)) for cls in (FEATURE, WEIGHT)}
    preferred = {cls: [_order(rng, cls, rank) for rank in range(3, limit + 1)] for cls, limit in limits.items()}
    lines = [
        'name = "random"',
        'description = "Nobody has it"',
        f"matmul = {_matmul(rng)}",
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
        lines.append(f"{name} = {_demands(rng, names, limits[FEATURE]) if is_plain else _rules(rng, names, limits)}")
    if rng.random() < 0.5:
        fixed = [op for op in NPU.operations if issubclass(op, FixedTransposeOp)]
        lines += [f'{op.name.removeprefix("npu.")} = {{ input = "{op.FROM}", result = "{op.TO}" }}' for op in fixed]
    if describes:
        lines += [f'"{name}" = {_rules(rng, names, limits)}' for name, (_, names) in VENDOR.items()]
        lines += [f'[ops."{name}"]\nlike = "{like}"' for name, (like, _) in VENDOR.items()]
    if rng.random() < 0.5:
        lines += _costs(rng)
    return "\n".join(lines) + "\n"


def _matmul(rng: Random) -> str:
    """One of the words, or a table of what may change."""
    if rng.random() < 0.5:
        return f'"{rng.choice(("rigid", "batch", "free"))}"'
    words = {"lhs": "transposed", "rhs": "transposed", "result": "transposed", "batch": "any order"}
    chosen = (_pair(key, rng.choice((word, "as it is"))) for key, word in words.items() if rng.random() < 0.7)
    return _table(chosen)


def _demands(rng: Random, names: OpNames, limit: int) -> str:
    """The preferred order for all operands, or any order of images for the only one."""
    operands = names.operands
    if len(operands) == 1 and not names.takes_several and limit >= 4 and rng.random() < 0.4:
        return _table([_pair(operands[0], _order(rng, FEATURE, 4))])
    return _table(_pair(operand, "preferred") for operand in operands)


def _rules(rng: Random, names: OpNames, limits: dict[LayoutClass, int]) -> str:
    """Demands with choices, under conditions."""
    rules = [_rule(rng, names, limits, rng.random() < 0.7) for _ in range(rng.choice((0, 1, 1, 2)))]
    rules.append(_rule(rng, names, limits, has_condition=rng.random() < 0.3))
    if len(rules) == 1 and not rules[0].startswith("{ when"):
        return rules[0]
    return f"[{', '.join(rules)}]"


def _rule(rng: Random, names: OpNames, limits: dict[LayoutClass, int], has_condition: bool) -> str:
    parts = [_pair("when", random_condition(rng, names))] if has_condition else []
    kind = rng.choice(("none" if has_condition else "plain", "plain", "lists", "lists", "choices"))
    if kind == "plain":
        parts += [_pair(operand, "preferred") for operand in names.operands]
    if kind == "lists":
        shown = rng.sample(names.operands, rng.randint(1, min(2, len(names.operands))))
        orders = {operand: _layouts(rng, limits) for operand in shown}
        parts += [f"{operand} = {_texts(each)}" for operand, each in orders.items()]
        if rng.random() < 0.6:
            priced = _pair(rng.choice(orders[shown[0]]), random_price(rng, names))
            parts.append(f"costs = {_table([priced])}")
    if kind == "choices":
        choices = [_choice(rng, names, limits) for _ in range(rng.randint(1, 3))]
        parts.append(f"choices = [{', '.join(choices)}]")
    return _table(parts)


def _layouts(rng: Random, limits: dict[LayoutClass, int]) -> list[str]:
    """Some layouts of one value, of several ranks."""
    found = ["preferred"] * (rng.random() < 0.5)
    found += [_order(rng, cls, rng.randint(3, limits[cls])) for cls in (FEATURE, FEATURE, WEIGHT)[: rng.randint(1, 3)]]
    return list(dict.fromkeys(found))


def _choice(rng: Random, names: OpNames, limits: dict[LayoutClass, int]) -> str:
    shown = rng.sample(names.operands, rng.randint(1, len(names.operands)))
    parts = [_pair(operand, rng.choice(_layouts(rng, limits))) for operand in shown]
    if rng.random() < 0.5:
        parts.append(_pair("cost", random_price(rng, names)))
    return _table(parts)


def random_condition(rng: Random, names: OpNames | None) -> str:
    """A condition on an op with these operands and results, or on a transpose."""
    parts = [_fact(rng, names) for _ in range(rng.choice((1, 1, 2, 3)))]
    text = parts[0]
    for part in parts[1:]:
        text = f"{text} {rng.choice(('and', 'or'))} {part}"
    return f"not ({text})" if rng.random() < 0.1 else text


def _fact(rng: Random, names: OpNames | None) -> str:
    text = rng.choice(MOVES if names is None else FACTS)
    if names is not None and rng.random() < 0.2:
        text = f"{rng.choice(names.operands)} is constant"
    elif names is not None and text.split()[0] in ("type", "rank", "C", "N", "H", "bytes", "elements"):
        fact, rest = text.split(" ", 1)
        values = (*names.operands, *names.results)
        text = f"{fact} of {rng.choice(values)} {rest}" if rng.random() < 0.3 else text
    return f"not {text}" if rng.random() < 0.2 else text


def random_price(rng: Random, names: OpNames | None) -> str:
    """A price of an op with these operands and results, or of a transpose."""
    of = f" of {rng.choice((*names.operands, *names.results))}" if names is not None and rng.random() < 0.5 else ""
    share = f"{rng.choice(('0.25', '0.5', '1', '1.5', '0.001'))} x bytes{of}"
    return rng.choice((share, str(rng.choice((0, 1, 7, 200))), f"{share} + {rng.randint(1, 300)}"))


def _costs(rng: Random) -> Iterator[str]:
    """The tables of costs, and of the transposes that are possible."""
    yield "[costs]"
    yield 'unit = "cycles"'
    entries = [_table([_pair("when", random_condition(rng, None)), _transpose(rng)]) for _ in range(rng.randint(0, 2))]
    entries.append(_table([_transpose(rng)]))
    yield f"transpose = [{', '.join(entries)}]" if rng.random() < 0.8 else f'transpose = "{random_price(rng, None)}"'
    if rng.random() < 0.5:
        yield f'matmul = {{ lhs = "0.3 x bytes of lhs", rhs = {rng.choice((0, 0.5, 20))} }}'
    if rng.random() < 0.5:
        yield from _axes(rng)
    if rng.random() < 0.5:
        can = [random_condition(rng, None) for _ in range(rng.randint(1, 2))]
        yield f"[transposes]\ncan = {_texts(can)}"
        if rng.random() < 0.6:
            yield 'fallback = "3 x bytes + 1000"'


def _transpose(rng: Random) -> str:
    return rng.choice((f"per-byte = {rng.choice((0.2, 0.7, 1))}", f"per-byte = 0.1, per-call = {rng.randint(1, 99)}"))


def _axes(rng: Random) -> Iterator[str]:
    yield "[costs.axes]"
    for name, names in dialect_vocabulary().items():
        if names.axes and rng.random() < 0.4:
            places = {each: [_pair("last", "0"), _pair("other", random_price(rng, names))] for each in names.axes}
            yield f"{name} = {_table(f'{each} = {_table(prices)}' for each, prices in places.items())}"


def _pair(key: str, value: str) -> str:
    return f'{key} = "{value}"'


def _table(parts: Iterable[str]) -> str:
    return f"{{ {', '.join(parts)} }}"


def _texts(texts: Iterable[str]) -> str:
    quoted = (f'"{text}"' for text in texts)
    return f"[{', '.join(quoted)}]"


def _order(rng: Random, cls: LayoutClass, rank: int) -> str:
    names = letters(cls, rank)
    return "".join(rng.sample(names, len(names)))
