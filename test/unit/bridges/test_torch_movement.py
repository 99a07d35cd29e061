"""Operators that move data: as npu ops they compute what PyTorch does, and leave as they came or in another order."""

# pyright: basic
# Functions of PyTorch are written here, which say little of their types.

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from npu_opt.equivalence.compare import Verdict
from support.torch_graphs import (
    QUIET,
    are_equal,
    as_npu,
    bare,
    calls,
    compared,
    exported,
    interpreted,
    nodes,
    permutes,
    relayout,
    results,
    torch,
)

pytestmark = QUIET
OTHERS = {"aten.sum.default"}
"""Operators that are in cases but not those that move data."""
ORDER = (0, 2, 3, 1)


class Case(NamedTuple):
    """A function of an image and of further tensors."""

    name: str
    function: Callable[..., Any]
    more: tuple[Any, ...] = ()
    stays: str = ""
    """The operator that has no counterpart."""


def indices(*shape: int, below: int = 4, least: int = 0) -> Any:
    return torch.randint(least, below, shape, generator=torch.Generator().manual_seed(7))


def floats(*shape: int) -> Any:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(5))


def put(x: Any, places: Any, values: Any) -> Any:
    """A copy with other elements at these places."""
    x = x.clone()
    x[places] = values
    return x


CASES = (
    Case("cat", lambda x: torch.cat([x, x.relu(), x], -1)),
    Case("cat_one", lambda x: torch.cat([x], 1)),
    Case("cat_empty", lambda x, e: torch.cat([e, x, e, x], 1), (torch.zeros(0),)),
    Case("stack", lambda x: torch.stack([x, x.neg()], 2)),
    Case("stack_last", lambda x: torch.stack([x, x.neg()], -1)),
    Case("split", lambda x: torch.split(x, 3, 3)),
    Case("split_sizes", lambda x: torch.split(x, [1, 4], -1)[1]),
    Case("split_all", lambda x: torch.split(x, 9, -1)[0]),
    Case("chunk", lambda x: torch.chunk(x, 2, 1)),
    Case("tensor_split", lambda x: torch.tensor_split(x, 3, 1)),
    Case("unbind", lambda x: torch.unbind(x, 2)),
    Case("unbind_one", lambda x: torch.unbind(x, 0)),
    Case("slice", lambda x: x[:, 1:3, ::2, -3:-1]),
    Case("slice_whole", lambda x: x[:, 0:100].relu()),
    Case("slice_nothing", lambda x: x[:, 3:1]),
    Case("narrow", lambda x: x.narrow(1, 1, 2)),
    Case("narrow_from_end", lambda x: x.narrow(-1, -2, 2)),
    Case("select", lambda x: x[:, 2]),
    Case("select_last", lambda x: x.select(-1, -1)),
    Case("slice_scatter", lambda x: torch.slice_scatter(x, x[:, 0:2].neg(), 1, 1, 3)),
    Case("slice_scatter_end", lambda x: torch.slice_scatter(x, x[:, 0:2].neg(), 1, -2)),
    Case("slice_scatter_all", lambda x: torch.slice_scatter(x, x.neg(), 1)),
    Case(
        "slice_scatter_steps",
        lambda x: torch.slice_scatter(x, x[:, :2], 1, 0, 4, 2),
        stays="aten.slice_scatter.default",
    ),
    Case("select_scatter", lambda x: torch.select_scatter(x, x[:, 0].neg(), 1, -1)),
    Case("expand", lambda x: x[:, :1].expand(2, 4, -1, 5)),
    Case("expand_rank", lambda x: x.expand(3, 1, 4, 6, 5)),
    Case("expand_same", lambda x: x.expand(1, 4, 6, 5).relu()),
    Case("expand_number", lambda x: x.sum().expand(2, 3)),
    Case("repeat", lambda x: x.repeat(1, 2, 1, 3)),
    Case("repeat_rank", lambda x: x.repeat(2, 1, 1, 2, 1)),
    Case("tile", lambda x: x.tile(2)),
    Case("pad", lambda x: torch.nn.functional.pad(x, (1, 2, 0, 3), value=-1.5)),
    Case("pad_channels", lambda x: torch.nn.functional.pad(x, (0, 0, 0, 0, 1, 2))),
    Case("pad_cut", lambda x: torch.nn.functional.pad(x, (-1, 2, 1, -2))),
    Case(
        "pad_infinite",
        lambda x: torch.nn.functional.pad(x, (1, 1), value=float("-inf")),
        stays="aten.pad.default",
    ),
    Case("pad_reflect", lambda x: torch.nn.functional.pad(x, (1, 2, 3, 1), mode="reflect")),
    Case("pad_replicate", lambda x: torch.nn.functional.pad(x, (1, 2, 3, 1), mode="replicate")),
    Case("flip", lambda x: x.flip(1, -1)),
    Case("roll", lambda x: x.roll((1, -2), (2, 3))),
    Case("roll_all", lambda x: x.roll(2), stays="aten.roll.default"),
    Case("permute", lambda x: x.permute(0, -1, 1, 2)),
    Case("transpose", lambda x: x.transpose(1, -1)),
    Case("t", lambda x: x[0, 0].t()),
    Case("mT", lambda x: x.mT),
    Case("movedim", lambda x: x.movedim((0, 1), (-1, 0))),
    Case("view", lambda x: x.view(4, 30)),
    Case("flatten", lambda x: x.flatten(2)),
    Case("unflatten", lambda x: x.unflatten(2, (2, -1))),
    Case("squeeze", lambda x: x.squeeze()),
    Case("squeeze_dims", lambda x: x.squeeze((0, 1))),
    Case("unsqueeze", lambda x: x.unsqueeze(-1)),
    Case("as_strided", lambda x: x.as_strided((2, 3), (4, 1), 2), stays="aten.as_strided.default"),
    Case("triu", lambda x: x.triu(1)),
    Case("tril", lambda x: x.tril(-1)),
    Case("embedding", lambda x, i: torch.nn.functional.embedding(i, x[0, 0]), (indices(2, 3),)),
    Case("index_select", lambda x, i: x.index_select(2, i), (indices(3),)),
    Case("index", lambda x, i: x[:, i], (indices(3, least=-4),)),
    Case("index_known", lambda x: x[:, torch.tensor([0, -1])]),
    Case("index_matrix", lambda x, i: x[:, :, i], (indices(2, 2, least=-4),)),
    Case("index_mask", lambda x, m: x[:, m], (torch.tensor([True, False, True, True]),), "aten.index.Tensor"),
    Case("index_two", lambda x, i: x[:, i, i], (indices(3),), "aten.index.Tensor"),
    Case("gather", lambda x, i: x.gather(1, i), (indices(1, 3, 6, 5),)),
    Case("gather_shorter", lambda x, i: x.gather(1, i), (indices(1, 3, 2, 5),)),
    Case("scatter", lambda x, i, u: x.scatter(3, i, u), (indices(1, 2, 3, 4).argsort(-1), floats(1, 4, 6, 5))),
    Case("scatter_value", lambda x, i: x.scatter(1, i, 2.5), (indices(1, 2, 6, 5),)),
    Case("scatter_add", lambda x, i, u: x.scatter_add(1, i, u), (indices(1, 4, 6, 5), floats(1, 4, 6, 5))),
    Case(
        "scatter_reduce", lambda x, i, u: x.scatter_reduce(1, i, u, "amax"), (indices(1, 4, 6, 5), floats(1, 4, 6, 5))
    ),
    Case(
        "scatter_reduce_without",
        lambda x, i, u: x.scatter_reduce(1, i, u, "prod", include_self=False),
        (indices(1, 4, 6, 5), floats(1, 4, 6, 5)),
        "aten.scatter_reduce.two",
    ),
    Case("index_copy", lambda x, i, u: x.index_copy(1, i, u), (torch.tensor([2, 0]), floats(1, 2, 6, 5))),
    Case("index_add", lambda x, i, u: x.index_add(1, i, u), (torch.tensor([2, 2]), floats(1, 2, 6, 5))),
    Case(
        "index_add_twice",
        lambda x, i, u: x.index_add(1, i, u, alpha=2),
        (torch.tensor([2, 2]), floats(1, 2, 6, 5)),
        "aten.index_add.default",
    ),
    Case("index_put", lambda x, i, u: put(x, (slice(None), i), u), (torch.tensor([2, -4]), floats(1, 2, 6, 5))),
    Case("index_put_wide", lambda x, i: x.index_put((i,), torch.ones(())), (torch.tensor([0]),)),
    Case(
        "index_put_add",
        lambda x, i, u: torch.ops.aten.index_put(x, [None, None, i], u, True),
        (torch.tensor([1, 1]), floats(1, 4, 2, 5)),
    ),
    Case("top_k", lambda x: x.topk(3, 2)),
    Case("top_k_least", lambda x: x.topk(2, -1, largest=False)),
    Case("sort", lambda x: x.sort(2)[0], stays="aten.sort.default"),
    Case("full", lambda x: torch.cat([x, torch.full((1, 4, 6, 1), 3.5)], 3)),
    Case("zeros", lambda x: torch.cat([x, torch.zeros(1, 1, 6, 5)], 1)),
    Case(
        "zeros_like_strides",
        lambda x: torch.zeros_like(x, memory_format=torch.channels_last) + x,
        stays="aten.zeros_like.default",
    ),
    Case("ones_like", lambda x: torch.cat([x, torch.ones_like(x)], 1)),
    Case("arange", lambda x: torch.cat([x[0, 0, 0], torch.arange(3, dtype=torch.float32)])),
    Case("clone", lambda x: x.clone().relu()),
    Case("contiguous", lambda x: x.transpose(1, 2).contiguous().view(24, 5)),
    Case("detach", lambda x: x.detach().relu()),
    Case("dropout", lambda x: torch.nn.functional.dropout(x, 0.5, training=False).relu()),
    Case("channels_last", lambda x: x.clone(memory_format=torch.channels_last).relu(), stays="aten.clone.default"),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_operator(case: Case) -> None:
    inputs = [floats(1, 4, 6, 5), *case.more]
    program = exported(case.function, inputs)
    wanted = results(program, inputs)
    module, _ = as_npu(program)
    assert case.stays in calls(module) if case.stays else not {*calls(module)} - OTHERS
    if not calls(module):
        found = [torch.from_numpy(each.copy()) for each in interpreted(program, inputs)]
        assert are_equal(wanted[: len(found)], found, 1e-6)
    same = relayout(program, passes="")
    assert sorted(nodes(same)) == sorted(nodes(program))
    for each in (same, relayout(program), bare(program)):
        assert are_equal(results(each, inputs), wanted)
        assert compared(program, each).verdict is Verdict.PROVED


@pytest.mark.parametrize("case", [each for each in CASES if not each.stays], ids=lambda case: case.name)
def test_operator_in_another_order(case: Case) -> None:
    """All that reads the image reads it permuted, and all that it returns is permuted back."""
    inputs = [floats(1, 6, 5, 4), *case.more]

    def permuted(x: Any, *more: Any) -> Any:
        found = case.function(x.tanh().permute(0, 3, 1, 2), *more)
        parts = found if isinstance(found, tuple | list) else [found]
        return tuple(
            each.permute(ORDER).sin() if each.dim() == 4 and each.is_floating_point() else each for each in parts
        )

    program = exported(permuted, inputs)
    moved = relayout(program)
    assert are_equal(results(moved, inputs), results(program, inputs))
    assert compared(program, moved).verdict is Verdict.PROVED
    assert permutes(moved) <= permutes(program)
