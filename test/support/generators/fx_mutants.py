"""Changed programs of PyTorch: another argument, operand, weight, result or branch, with values of the same shapes."""

# pyright: basic
# Programs of PyTorch are changed here, which say little of their types.

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Any

from torch.export.graph_signature import OutputKind
from torch.fx.node import map_arg

from support.torch_graphs import torch

AXES = {
    "aten.amax.default": 1,
    "aten.amin.default": 1,
    "aten.argmax.default": 1,
    "aten.cat.default": 1,
    "aten.cumsum.default": 1,
    "aten.flip.default": 1,
    "aten.index_select.default": 1,
    "aten.log_softmax.int": 1,
    "aten.max.dim": 1,
    "aten.mean.dim": 1,
    "aten.roll.default": 2,
    "aten.select.int": 1,
    "aten.slice.Tensor": 1,
    "aten.softmax.int": 1,
    "aten.sum.dim_IntList": 1,
    "aten.topk.default": 2,
}
"""The place of the argument that names axes."""
FLAGS = {"aten.avg_pool2d.default": (4, 5), "aten.max_pool2d.default": (5,)}
"""The places of `ceil_mode` and `count_include_pad`."""
ORDERED = ("div", "matmul", "mm", "bmm", "sub", "cat", "stack", "pow")
"""Operators whose operands have an order."""


def mutants(rng: Random, program: Any, most: int = 3) -> Iterator[tuple[str, Any]]:
    """Programs with one change each, in words, which keeps the shapes of all values."""
    for _ in range(most):
        changed = copy.deepcopy(program)
        for change in rng.sample(CHANGES, len(CHANGES)):
            if (what := change(rng, changed)) is not None:
                changed.graph_module.recompile()
                yield f"{change.__name__}: {what}", changed
                break


def _calls(rng: Random, program: Any) -> list[Any]:
    """The calls with results that are tensors, in any order."""
    found = [node for node in program.graph.nodes if node.op == "call_function" and _tensor(node) is not None]
    rng.shuffle(found)
    return found


def _tensor(node: Any) -> Any:
    value = node.meta.get("val") if isinstance(node, torch.fx.Node) else None
    return value if isinstance(value, torch.Tensor) else None


def _alike(one: Any, other: Any) -> bool:
    facts = [(each.shape, each.dtype, each.stride()) for value in (one, other) if (each := _tensor(value)) is not None]
    return len(facts) == 2 and facts[0] == facts[1]


def _updated(node: Any, place: int, argument: Any) -> bool:
    """True if the node has its shape with another argument, which it gets."""
    arguments = [*node.args]
    before, arguments[place] = arguments[place], argument
    tensors = map_arg((arguments, node.kwargs), lambda each: each.meta["val"])
    value = node.meta["val"]
    first = value[0] if isinstance(value, tuple | list) else value
    try:
        with first.fake_mode:
            found = node.target(*tensors[0], **tensors[1])
    except Exception:
        return False
    found = found[0] if isinstance(found, tuple | list) else found
    if before == argument or (found.shape, found.dtype) != (first.shape, first.dtype):
        return False
    node.update_arg(place, argument)
    return True


def weight(rng: Random, program: Any) -> str | None:
    names = {*program.state_dict} - {*program.graph_signature.buffers_to_mutate.values()}
    return _with_other_numbers(rng, program, sorted(names))


def first_contents(rng: Random, program: Any) -> str | None:
    return _with_other_numbers(rng, program, sorted({*program.graph_signature.buffers_to_mutate.values()}))


def _with_other_numbers(rng: Random, program: Any, names: Sequence[str]) -> str | None:
    if not names:
        return None
    name = rng.choice(names)
    tensor = program.state_dict[name] if name in program.state_dict else program.constants[name]
    with torch.no_grad():
        tensor.copy_(tensor.flip(0) if tensor.dim() and rng.random() < 0.5 else tensor + 1)
    return name


def axis(rng: Random, program: Any) -> str | None:
    for node in _with_parts(rng, program):
        place = AXES.get(str(node.target))
        if place is None or place >= len(node.args):
            continue
        first = node.args[0][0] if isinstance(node.args[0], list | tuple) else node.args[0]
        for other in rng.sample(range(first.meta["val"].dim()), first.meta["val"].dim()):
            is_list = isinstance(node.args[place], list | tuple)
            if _updated(node, place, [other] if is_list else other):
                return node.name
    return None


def _with_parts(rng: Random, program: Any) -> list[Any]:
    found = [node for node in program.graph.nodes if node.op == "call_function" and node.args]
    rng.shuffle(found)
    return found


def order_of_axes(rng: Random, program: Any) -> str | None:
    for node in _calls(rng, program):
        if str(node.target) != "aten.permute.default":
            continue
        order = [*node.args[1]]
        for one, other in rng.sample([*combinations(range(len(order)), 2)], len(order) * (len(order) - 1) // 2):
            changed = [*order]
            changed[one], changed[other] = order[other], order[one]
            if _updated(node, 1, changed):
                return node.name
    return None


def operand(rng: Random, program: Any) -> str | None:
    for node in _calls(rng, program):
        before = [each for each in program.graph.nodes if each < node and each.op == "call_function"]
        for argument in node.all_input_nodes:
            others = [each for each in before if each is not argument and _alike(each, argument)]
            if others and isinstance(node.target, torch._ops.OpOverload):
                node.replace_input_with(argument, rng.choice(others))
                return node.name
    return None


def order_of_operands(rng: Random, program: Any) -> str | None:
    for node in _calls(rng, program):
        if str(node.target).split(".")[1:2] in [[each] for each in ORDERED]:
            listed = isinstance(node.args[0], list | tuple)
            found = [*node.args[0]] if listed else [*node.args[:2]]
            if len({*found}) < 2 or not _alike(found[0], found[1]):
                continue
            found[:2] = found[1::-1]
            node.args = (found, *node.args[1:]) if listed else (*found, *node.args[2:])
            return node.name
    return None


def number(rng: Random, program: Any) -> str | None:
    names = ("aten.add.Tensor", "aten.mul.Tensor", "aten.constant_pad_nd.default", "aten.leaky_relu.default")
    for node in _calls(rng, program):
        places = [place for place, each in enumerate(node.args) if type(each) in (int, float)]
        if str(node.target) in names and places:
            node.update_arg(places[-1], node.args[places[-1]] + 1)
            return node.name
    return None


def alpha(rng: Random, program: Any) -> str | None:
    for node in _calls(rng, program):
        if str(node.target) in ("aten.add.Tensor", "aten.sub.Tensor") and isinstance(node.args[1], torch.fx.Node):
            node.kwargs = {**node.kwargs, "alpha": node.kwargs.get("alpha", 1) + rng.choice((1, 2))}
            return node.name
    return None


def flag(rng: Random, program: Any) -> str | None:
    for node in _calls(rng, program):
        places = FLAGS.get(str(node.target), ())
        for place in rng.sample(places, len(places)):
            if place < len(node.args) and _updated(node, place, not node.args[place]):
                return node.name
    return None


def branches(rng: Random, program: Any) -> str | None:
    for node in _with_parts(rng, program):
        if str(node.target) == "cond":
            predicate, one, other, *rest = node.args
            node.args = (predicate, other, one, *rest)
            return node.name
    return None


def order_of_results(rng: Random, program: Any) -> str | None:
    return _swapped(rng, program, OutputKind.USER_OUTPUT)


def written_buffer(rng: Random, program: Any) -> str | None:
    return _swapped(rng, program, OutputKind.BUFFER_MUTATION)


def _swapped(rng: Random, program: Any, kind: Any) -> str | None:
    """Swap two values that leave the program."""
    (output,) = program.graph.find_nodes(op="output")
    specs, values = program.graph_signature.output_specs, [*output.args[0]]
    places = [place for place, spec in enumerate(specs) if spec.kind is kind]
    pairs = [
        (one, other)
        for one, other in combinations(places, 2)
        if values[one] is not values[other] and _alike(values[one], values[other])
    ]
    if not pairs:
        return None
    one, other = rng.choice(pairs)
    values[one], values[other] = values[other], values[one]
    output.args = (tuple(values),)
    arguments = {one: specs[other].arg, other: specs[one].arg}
    for place, argument in arguments.items():
        specs[place] = replace(specs[place], arg=argument)
    return f"{one} and {other}"


CHANGES: Sequence[Callable[[Random, Any], str | None]] = (
    weight,
    first_contents,
    axis,
    order_of_axes,
    operand,
    order_of_operands,
    number,
    alpha,
    flag,
    branches,
    order_of_results,
    written_buffer,
)
