"""Random modules of PyTorch: views, in-place ops, buffers that change, several outputs, sizes known at run time."""

# pyright: basic
# Functions of PyTorch are written here, which say little of their types.

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from math import prod
from random import Random
from typing import Any, TypeAlias

from support.torch_graphs import torch

functional = torch.nn.functional
CALLS: Any = import_module("torch._higher_order_ops")
"""Calls that read graphs."""
Step: TypeAlias = Callable[["RandomModule", list[Any]], Any]
MOST_ELEMENTS = 4096


class RandomModule(torch.nn.Module):
    """Steps that each compute a value of those before, and the places of the values that are returned."""

    def __init__(self) -> None:
        super().__init__()
        self.steps: list[Step] = []
        self.returned: list[int] = []

    def forward(self, *inputs: Any) -> Any:
        values = [*inputs]
        for step in self.steps:
            values.append(step(self, values))
        return tuple(values[place] for place in self.returned)


@dataclass
class Made:
    """A random module with its inputs."""

    module: RandomModule
    inputs: list[Any]
    dynamic: Any = None
    more: list[list[Any]] = field(default_factory=list[list[Any]])
    """Inputs of other sizes."""


def random_module(rng: Random) -> Made:
    """A module that runs on its inputs."""
    # Sizes that differ from those of a program before would be unknown ones.
    torch._dynamo.reset()
    torch.manual_seed(rng.randrange(1 << 30))
    shape = [rng.choice((1, 2, 3, 4, 6)) for _ in range(rng.choice((2, 3, 4, 4, 4)))]
    is_dynamic = rng.random() < 0.3
    shape[0] = 3 if is_dynamic else shape[0]
    count = rng.choice((1, 1, 2))
    made = Made(RandomModule(), [torch.randn(shape) for _ in range(count)])
    if is_dynamic:
        batch = torch.export.Dim("batch", min=2, max=64)
        made.dynamic = tuple({0: batch} for _ in range(count))
        made.more.append([torch.randn([5, *shape[1:]]) for _ in range(count)])
    _Maker(rng, made, is_dynamic).run()
    return made


class _Maker:
    def __init__(self, rng: Random, made: Made, is_dynamic: bool) -> None:
        self.rng, self.module, self.is_dynamic = rng, made.module.eval(), is_dynamic
        self.values: list[Any] = [each.clone() for each in made.inputs]
        self.fixed: set[int] = set()
        """The values whose first axis is not that of the inputs."""

    def run(self) -> None:
        rng = self.rng
        with torch.no_grad():
            for _ in range(rng.randint(3, 14)):
                step = rng.choice(STEPS)(self, rng.choice(range(max(0, len(self.values) - 4), len(self.values))))
                if step is not None:
                    self.add(step)
        last = len(self.values) - 1
        self.module.returned = [last, *(rng.randrange(last + 1) for _ in range(rng.choice((0, 0, 1, 2))))]

    def add(self, step: Step) -> None:
        value = step(self.module, [each for each in self.values])
        self.module.steps.append(step)
        self.values.append(value)

    def rank(self, at: int) -> int:
        return self.values[at].dim()

    def axis(self, at: int) -> int | None:
        """An axis that may be cut: not the first one, whose size may be unknown."""
        axes = range(1 if self.is_dynamic else 0, self.rank(at))
        return self.rng.choice(axes) if axes else None

    def weight(self, *shape: int) -> str:
        name = f"w{len(list(self.module.parameters()))}"
        self.module.register_parameter(name, torch.nn.Parameter(torch.randn(shape)))
        return name


Family: TypeAlias = Callable[[_Maker, int], "Step | None"]
"""A step on the value at a place; None if it has none."""


def permute(made: _Maker, at: int) -> Step | None:
    rank = made.rank(at)
    first = [0] if made.is_dynamic else []
    rest = [axis for axis in range(rank) if axis not in first]
    made.rng.shuffle(rest)
    order = [*first, *rest]
    return lambda _, values: values[at].permute(order)


def transpose(made: _Maker, at: int) -> Step | None:
    one, other = made.axis(at), made.axis(at)
    return None if one is None or other is None else lambda _, values: values[at].transpose(one, other)


def reshape(made: _Maker, at: int) -> Step | None:
    """Axes are joined, or one is cut."""
    shape = [*made.values[at].shape]
    start = 1 if made.is_dynamic else 0
    if made.rng.random() < 0.5 and len(shape) - start >= 2:
        axis = made.rng.randrange(start, len(shape) - 1)
        return lambda _, values: values[at].flatten(axis, axis + 1)
    axis = made.axis(at)
    if axis is None or len(shape) >= 5 or shape[axis] % 2:
        return None
    sizes = made.rng.choice(((2, -1), (-1, 2)))
    if made.rng.random() < 0.5:
        return lambda _, values: values[at].unflatten(axis, sizes)
    cut = (*shape[:axis], *sizes, *shape[axis + 1 :])
    return lambda _, values: (
        values[at].contiguous().view(values[at].shape[0], *cut[1:]) if axis else values[at].reshape(cut)
    )


def unit(made: _Maker, at: int) -> Step | None:
    rank = made.rank(at)
    axis = made.rng.randint(1 if made.is_dynamic else 0, rank)
    units = [each for each, size in enumerate(made.values[at].shape) if size == 1 and (each or not made.is_dynamic)]
    if units and made.rng.random() < 0.6:
        gone = made.rng.choice(units)
        return (lambda _, values: values[at].squeeze(gone)) if rank > 1 else None
    return (lambda _, values: values[at].unsqueeze(axis)) if rank < 5 else None


UNARY = (
    torch.relu,
    torch.tanh,
    torch.neg,
    torch.abs,
    torch.sigmoid,
    functional.hardswish,
    functional.gelu,
    functional.leaky_relu,
    torch.floor,
    torch.sin,
    lambda x: x.clamp(-0.5, 1.5),
    lambda x: x * 2 + 1,
    lambda x: 1 - x,
    lambda x: x.to(torch.float64).to(torch.float32),
    lambda x: torch.where(x > 0, x, x * 0.5),
    lambda x: x.masked_fill(x < -1, -1.0),
)
NOTHING = (
    lambda x: x.clone(),
    lambda x: x.contiguous(),
    lambda x: x.detach(),
    lambda x: x.permute([*range(x.dim())]),
    lambda x: functional.dropout(x, 0.5, False),
    lambda x: x.expand(x.shape),
    lambda x: x.view_as(x),
)
IN_PLACE = (
    lambda x: x.add_(1),
    lambda x: x.relu_(),
    lambda x: x.mul_(-0.5),
    lambda x: x.clamp_(min=-1),
    lambda x: x.zero_(),
    lambda x: x.copy_(x.tanh()),
)


def unary(made: _Maker, at: int) -> Step:
    function = made.rng.choice(UNARY)
    return lambda _, values: function(values[at])


def nothing(made: _Maker, at: int) -> Step:
    function = made.rng.choice(NOTHING)
    return lambda _, values: function(values[at])


def in_place(made: _Maker, at: int) -> Step | None:
    """Writes to a copy, a view of one, or a part of it; the value is the copy."""
    function, way = made.rng.choice(IN_PLACE), made.rng.randrange(4)
    axis, rank = made.axis(at), made.rank(at)
    if axis is None:
        return None
    order = [*range(rank)][::-1]

    def step(_: RandomModule, values: list[Any]) -> Any:
        x = values[at].clone()
        if way == 0:
            function(x)
        elif way == 1:
            function(x.permute(order))
        elif way == 2:
            function(x.select(axis, 0))
        else:
            function(x.narrow(axis, 0, (x.shape[axis] + 1) // 2))
        return x

    return step


def buffer(made: _Maker, at: int) -> Step | None:
    """A buffer that takes in a value, and is read again."""
    if made.is_dynamic or len(made.module.steps) > 12:
        return None
    name, way = f"b{len(dict(made.module.named_buffers()))}", made.rng.randrange(3)
    shape = made.values[at].shape
    made.module.register_buffer(name, torch.zeros(shape), persistent=made.rng.random() < 0.7)
    axis = made.axis(at)

    def step(module: RandomModule, values: list[Any]) -> Any:
        kept = getattr(module, name)
        if way == 0:
            kept.add_(values[at])
        elif way == 1 or axis is None:
            kept.copy_(values[at])
        else:
            kept.narrow(axis, 0, 1).copy_(values[at].narrow(axis, shape[axis] - 1, 1))
        return kept * 1.5

    return step


def binary(made: _Maker, at: int) -> Step:
    """Two values of a shape, or one and a weight that broadcasts."""
    function = made.rng.choice((torch.add, torch.sub, torch.mul, torch.maximum, lambda x, y: torch.add(x, y, alpha=2)))
    shape = made.values[at].shape
    alike = [place for place, value in enumerate(made.values) if value.shape == shape]
    if len(alike) > 1 and made.rng.random() < 0.6:
        other = made.rng.choice(alike)
        return lambda _, values: function(values[at], values[other])
    first = 1 if made.is_dynamic else 0
    kept = shape[made.rng.randint(min(first, len(shape)), len(shape)) :]
    name = made.weight(*(size if made.rng.random() < 0.7 else 1 for size in kept))
    return lambda module, values: function(values[at], getattr(module, name))


def parts(made: _Maker, at: int) -> Step | None:
    axis = made.axis(at)
    if axis is None:
        return None
    size, way = made.values[at].shape[axis], made.rng.randrange(9)
    if prod(made.values[at].shape) * 2 > MOST_ELEMENTS:
        way = way % 4
    cut = made.rng.randrange(size)
    if way == 0:
        return lambda _, values: values[at].narrow(axis, cut, size - cut)
    if way == 1:
        return (lambda _, values: values[at].select(axis, cut)) if made.rank(at) > 1 else None
    if way == 2:
        return lambda _, values: torch.cat([*values[at].split((size + 1) // 2, axis)][::-1], axis)
    if way == 3:
        return lambda _, values: values[at].flip(axis)
    if way == 4:
        return lambda _, values: torch.cat([values[at], values[at].neg()], axis)
    if way == 5:
        return (lambda _, values: torch.stack([values[at], values[at] + 1], axis)) if made.rank(at) < 5 else None
    if way == 6:
        return lambda _, values: values[at].roll(cut, axis)
    if way == 7:
        pads = [0, 0] * (made.rank(at) - 1 - axis) + [1, cut]
        return lambda _, values: functional.pad(values[at], pads, value=0.5)
    places = torch.tensor([cut, 0, cut])
    return lambda _, values: values[at].index_select(axis, places)


def reduced(made: _Maker, at: int) -> Step | None:
    axis = made.axis(at)
    if axis is None or made.rank(at) < 2:
        return None
    keeps = made.rng.random() < 0.5
    ways = (torch.sum, torch.mean, torch.amax, torch.amin, lambda x, a, k: x.max(a, k)[0])
    function = made.rng.choice(ways)
    return lambda _, values: function(values[at], axis, keeps)


def along(made: _Maker, at: int) -> Step | None:
    axis = made.axis(at)
    if axis is None:
        return None
    size = made.values[at].shape[axis]
    ways = (
        lambda x: x.softmax(axis),
        lambda x: x.log_softmax(axis),
        lambda x: x.cumsum(axis),
        lambda x: x.topk(size, axis)[0],
        lambda x: functional.layer_norm(x, x.shape[-1:]),
        lambda x: x.argmax(axis).to(torch.float32),
    )
    function = made.rng.choice(ways)
    return None if made.rank(at) < 2 else lambda _, values: function(values[at])


def product(made: _Maker, at: int) -> Step | None:
    shape = made.values[at].shape
    if len(shape) < 2:
        return None
    if made.rng.random() < 0.5:
        name, bias = made.weight(4, shape[-1]), made.weight(4)
        return lambda module, values: functional.linear(values[at], getattr(module, name), getattr(module, bias))
    return lambda _, values: (
        values[at] @ values[at].transpose(-1, -2) if not made.is_dynamic or len(shape) > 2 else values[at]
    )


def image(made: _Maker, at: int) -> Step | None:
    shape = made.values[at].shape
    if len(shape) != 4:
        return None
    way, flags = made.rng.randrange(5), (made.rng.random() < 0.5, made.rng.random() < 0.5)
    step = made.rng.choice((1, 2))
    if way == 0 and min(shape[2:]) >= 2:
        return lambda _, values: functional.max_pool2d(values[at], 2, step, 0, ceil_mode=flags[0])
    if way == 1 and min(shape[2:]) >= 2:
        return lambda _, values: functional.avg_pool2d(values[at], 2, step, 1, *flags)
    if way == 2:
        return lambda _, values: functional.adaptive_avg_pool2d(values[at], 1)
    if way == 3:
        name = made.weight(shape[1])
        return lambda m, values: functional.group_norm(values[at], 1, getattr(m, name), getattr(m, name))
    name = made.weight(4, shape[1], 3, 3)
    return lambda module, values: functional.conv2d(values[at], getattr(module, name), padding=1)


def short(made: _Maker, at: int) -> Step:
    """Arithmetic on a value in a type of another size than 32 bits, or on truth values."""
    dtype = made.rng.choice((torch.float16, torch.bfloat16, torch.int64, torch.bool, torch.float64, torch.int32))
    if dtype == torch.bool:
        return lambda _, values: torch.logical_not(values[at] > 0).to(torch.float32)
    if dtype in (torch.int64, torch.int32):
        return lambda _, values: (values[at].clamp(-9, 9).to(dtype) * 3 - 1).to(torch.float32)
    return lambda _, values: (values[at].to(dtype).neg() * 2).to(torch.float32)


def dense(x: Any) -> Any:
    """A copy whose axes of one element have the strides of their places too."""
    return torch.cat([x.flatten()]).view(x.shape)


def branch(made: _Maker, at: int) -> Step | None:
    """A call that reads graphs."""
    if made.is_dynamic:
        return None
    order = [*range(made.rank(at))][::-1]
    return lambda _, values: torch.cond(
        values[0].sum() > 0,
        lambda x: dense(x.permute(order)).sin(),
        lambda x: dense(x.permute(order)) + 1,
        (dense(values[at]),),
    )


def loop(made: _Maker, at: int) -> Step | None:
    """A call that runs a graph some times, or along the first axis."""
    if made.is_dynamic or made.rank(at) < 2:
        return None
    order, way = [*range(made.rank(at))][::-1], made.rng.randrange(3)
    if way == 0:
        return lambda _, values: CALLS.while_loop(
            lambda count, _: count < 2,
            lambda count, x: (count + 1, dense(x.permute(order).sin().permute(order))),
            (torch.tensor(0), dense(values[at])),
        )[1]
    if way == 1:
        return lambda _, values: CALLS.map(lambda x: x.sin() * 2, dense(values[at]))
    return lambda _, values: CALLS.scan(
        lambda carry, x: (dense(carry * 0.5 + x), carry - x), dense(values[at][0]), dense(values[at])
    )[1]


def written_again(made: _Maker, at: int) -> Step | None:
    """A buffer of before that is written once more, or returned as it is."""
    shape = made.values[at].shape
    names = [name for name, each in made.module.named_buffers() if each.shape == shape]
    if not names:
        return None
    name, is_written = made.rng.choice(names), made.rng.random() < 0.7

    def step(module: RandomModule, values: list[Any]) -> Any:
        kept = getattr(module, name)
        if is_written:
            kept.mul_(0.5).add_(values[at], alpha=2)
        return kept.clone() if is_written else kept * 1

    return step


def empty(made: _Maker, at: int) -> Step | None:
    """Parts without elements, which change nothing."""
    axis = made.axis(at)
    return None if axis is None else lambda _, values: torch.cat([values[at].narrow(axis, 0, 0), values[at]], axis)


STEPS: Sequence[Family] = (
    permute,
    permute,
    permute,
    transpose,
    reshape,
    reshape,
    unit,
    unary,
    unary,
    nothing,
    in_place,
    buffer,
    binary,
    binary,
    parts,
    parts,
    reduced,
    along,
    product,
    image,
    image,
    short,
    branch,
    loop,
    written_again,
    empty,
)
