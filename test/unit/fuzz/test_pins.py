"""Random pins on random programs: they are obeyed and priced right, or refused."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from npu_opt.dialects.notes.value_pins import Pin, PinError, add_pin, pins_of, without_pins
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.shape import ViewOp
from npu_opt.dialects.npu.values import encoding, logical_shape, order_of_value, rank_of
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.layout import Order, same_storage
from npu_opt.passes.common.demands.target_layouts import TargetLayouts
from npu_opt.passes.common.moves.transpose_cost import Cost
from npu_opt.passes.common.words.reasons import Names
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.passes.optimal.explain.account import collected_accounts
from npu_opt.passes.optimal.explain.pin_prices import PinPrice
from npu_opt.passes.placement.layout_pass import colour
from npu_opt.targets import load
from support.campaign import amount, counted
from support.generators.flattened import flattened_program
from support.generators.networks import random_network
from support.generators.programs import random_program
from support.generators.random_targets import random_target
from support.generators.reshaped import reshaped_program
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, NameLoc, StringAttr
from xdsl.ir import Operation, OpResult, SSAValue

PROGRAMS = amount(16, 1000)
CHUNK = 25
MOST_PINS = 3
PASSES = (LayoutOptimal(), LayoutOptimal(cost="count", target="plover"), LayoutOptimal(interface="free"))


def program(seed: int) -> ModuleOp:
    """A program with layouts, whose ops have numbers as locations."""
    size = 4 + seed // 4 % 16
    match seed % 4:
        case 0:
            module = random_program(seed, size, seed % 8 > 0, ("none", "any")[seed % 5 == 0])
        case 1:
            module = random_network(seed, size, seed % 8 > 1)
        case 2:
            module = flattened_program(seed)
        case _:
            module = reshaped_program(seed)
    colour(module)
    for number, op in enumerate(module.walk()):
        op.location = NameLoc(StringAttr(str(number)), op.location)
    return module


def pinnable(module: ModuleOp) -> list[SSAValue]:
    """The values with a layout that ops or arguments of functions produce."""
    functions = [op for op in module.walk() if op.name == "func.func" and len(op.regions[0].blocks) == 1]
    arguments = [argument for function in functions for argument in function.regions[0].block.args]
    results = [result for op in module.walk() for result in op.results]
    return [value for value in (*arguments, *results) if encoding(value.type) is not None and rank_of(value) < 5]


def add_random_pins(module: ModuleOp, rng: Random) -> None:
    values = pinnable(module)
    for value in rng.sample(values, min(rng.choice((1, 1, 2, MOST_PINS)), len(values))):
        order = list(range(rank_of(value)))
        # Half of the pins ask for the order that the value has.
        if rng.random() < 0.5:
            order = list(order_of_value(value))
        else:
            rng.shuffle(order)
        layout = encoding(value.type)
        assert layout is not None
        add_pin(Pin(value, layout.with_order(tuple(order)), ""))


def problems(seed: int, tally: Counter[str]) -> Iterator[str]:
    """The problems on one of the shipped targets, or on a random one for half of the seeds."""
    if seed % 8 < 4:
        yield from problems_of(seed, Random(seed).choice(PASSES), tally)
        return
    with TemporaryDirectory() as folder:
        file = Path(folder, "random.toml")
        file.write_text(random_target(seed))
        tally["on random targets"] += 1
        yield from problems_of(seed, LayoutOptimal(target=str(file), cost=("bytes", "count")[seed // 8 % 2]), tally)


def problems_of(seed: int, layout_pass: LayoutOptimal, tally: Counter[str]) -> Iterator[str]:
    module, rng = program(seed), Random(seed)
    add_random_pins(module, rng)
    pins = pins_of(module)
    tally["pins"] += len(pins)
    try:
        placed, prices = _placed(module, layout_pass)
    except PinError as error:
        tally["refused"] += 1
        if len(pins) == 1 and _has_form(pins[0], layout_pass.target) and "cannot be stored" in str(error):
            yield f"seed {seed}: refused, although there is a form: {error}"
        return
    tally["obeyed"] += 1
    for pin in pins:
        if not _is_obeyed(pin, placed):
            yield f"seed {seed}: {pin.value} is not stored in {pin.layout}"
    with without_pins(pins):
        if compare(module, placed).verdict is not Verdict.PROVED:
            tally["not proved"] += 1
            if compare(module, _placed(module, layout_pass)[0]).verdict is Verdict.PROVED:
                yield f"seed {seed}: the program with pins is not proved to be equal"
    for pin, price in zip(pins, prices, strict=True):
        with without_pins([pin]):
            found = _cost(module, layout_pass)
        unit = "count" if layout_pass.cost == "count" else "bytes"
        tally["costs something"] += price.cost.counted(unit) > found.counted(unit)
        if found.counted(unit) != price.cost_without.counted(unit) or found.counted(unit) > price.cost.counted(unit):
            yield f"seed {seed}: {price}, but {found} without it"


def _placed(module: ModuleOp, layout_pass: LayoutOptimal) -> tuple[ModuleOp, Sequence[PinPrice]]:
    result = module.clone()
    with collected_accounts() as accounts:
        layout_pass.apply(Context(), result)
    result.verify()
    assert pins_of(result) == []
    return result, accounts[-1].pins


def _cost(module: ModuleOp, layout_pass: LayoutOptimal) -> Cost:
    """The cost of a program that is solved from scratch."""
    copy = module.clone()
    return layout_pass.choose(copy, layout_pass.chosen_interface(copy, Names(copy))).cost


def _has_form(pin: Pin, target: str) -> bool:
    """True if the op that produces a value has a form with this order."""
    if not isinstance(pin.value, OpResult) or not isinstance(op := pin.value.op, NpuOp) or isinstance(op, ViewOp):
        return False
    results: list[Order | None] = [None] * len(op.results)
    results[pin.value.index] = pin.layout.order_for(rank_of(pin.value))
    targets = TargetLayouts(load(target))
    return targets.demands(op) is None and bool(targets.all_relayouts(op, [None] * len(op.operands), results, None))


def _is_obeyed(pin: Pin, placed: ModuleOp) -> bool:
    """True if the op of the same number stores its result as a pin says."""
    value = pin.value
    if not isinstance(value, OpResult) or isinstance(value.op, ViewOp):
        return True
    (op,) = [each for each in placed.walk() if _number(each) == _number(value.op) and not isinstance(each, ViewOp)]
    result = op.results[value.index]
    if (
        encoding(result.type) is None
        or rank_of(result) != rank_of(value)
        or logical_shape(result) != logical_shape(value)
    ):
        # It works on pieces of its axes.
        return True
    return same_storage(order_of_value(result), pin.layout.order_for(rank_of(value)), logical_shape(value))


def _number(op: Operation) -> str:
    """The number of an op of the program; inserted ops have a reason instead."""
    place = op.location
    if isinstance(place, NameLoc) and place.desc.data == "layout-optimal: relayout":
        place = place.location
    return place.desc.data if isinstance(place, NameLoc) else ""


def test_random_pins(capsys: pytest.CaptureFixture[str]):
    tally = counted(problems, range(PROGRAMS), CHUNK, capsys)
    assert min(tally["obeyed"], tally["refused"], tally["costs something"]) > PROGRAMS / 12
