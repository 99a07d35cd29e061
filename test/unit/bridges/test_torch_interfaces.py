"""Programs of PyTorch with inputs and results that are no tensors, containers of these, and calls that read graphs."""

# pyright: basic
# Functions of PyTorch are written here, which say little of their types.

import io
from importlib import import_module
from typing import Any

import npu_opt
import pytest
from support.closeness import FEW_STEPS_NEAR_ZERO, assert_close
from support.torch_graphs import QUIET, are_equal, permutes, relayout, torch
from torch.utils import _pytree as pytree

pytestmark = QUIET
CALLS: Any = import_module("torch._higher_order_ops")
X = torch.randn(2, 3, 4, 5)
BATCH = torch.export.Dim("batch", min=2, max=64)


def module_of(forward: Any) -> torch.nn.Module:
    """A module whose inputs have the names of a function's."""
    return type("Net", (torch.nn.Module,), {"forward": staticmethod(forward)})()


def exported(forward: Any, *inputs: Any, dynamic_shapes: Any = None, **named: Any) -> Any:
    return torch.export.export(module_of(forward), inputs, named, dynamic_shapes=dynamic_shapes)


def turned(x: Any, n: Any, scale: Any, is_shifted: Any, nothing: Any, listed: Any, named: Any) -> Any:
    y = x.permute(0, 2, 3, 1) * scale + n
    y = y + listed[0].permute(0, 2, 3, 1) if is_shifted else y
    return {"image": y.permute(0, 3, 1, 2), "rest": [named["a"] * listed[1], n, nothing]}


MANY = (X, 3, 0.5, True, None, [X + 1, X + 2], {"a": X * 3})
MANY_SIZES = ({0: BATCH}, None, None, None, None, [{0: BATCH}, {0: BATCH}], {"a": {0: BATCH}})


def repeated(x: Any) -> Any:
    def step(i: Any, z: Any) -> Any:
        return i + 1, z.permute(0, 2, 1, 3).sin().permute(0, 2, 1, 3).contiguous()

    begin = torch.tensor(0), x.permute(0, 2, 3, 1).relu().permute(0, 3, 1, 2).tanh().contiguous()
    count, y = CALLS.while_loop(lambda i, _: i < 3, step, begin)
    return y.permute(0, 2, 3, 1).relu().permute(0, 3, 1, 2), count


def scanned(x: Any) -> Any:
    y = x.permute(2, 0, 1, 3).relu().permute(1, 2, 0, 3).contiguous()
    carry, steps = CALLS.scan(lambda c, v: (c * 0.5 + v, (c * v).clone()), y[0].clone(), y)
    return steps.permute(0, 2, 3, 1).relu().permute(0, 3, 1, 2), carry


def over_rows(x: Any) -> Any:
    y = CALLS.map(lambda v: v.sin() * 2, x.permute(0, 2, 3, 1).relu().permute(0, 3, 1, 2).contiguous())
    return y.permute(0, 2, 3, 1).relu().permute(0, 3, 1, 2)


def sized(x: Any) -> Any:
    return x.permute(0, 2, 3, 1).relu().permute(0, 3, 1, 2), x.shape[0], x.shape[0] * 2 + 1


def cut(x: Any, n: Any) -> Any:
    return x.permute(0, 2, 3, 1).relu().permute(0, 3, 1, 2)[:, :, :n] + n, n * 2


@pytest.mark.parametrize(
    ("forward", "inputs", "sizes", "left"),
    [
        (turned, MANY, None, 0),
        (turned, MANY, MANY_SIZES, 0),
        (sized, (X,), ({0: BATCH},), 0),
        (cut, (X, 2), ({0: BATCH}, torch.export.Dim.DYNAMIC), 0),
        (repeated, (X,), None, 0),
        (scanned, (X,), None, 0),
        (over_rows, (X,), None, 0),
    ],
    ids=["containers", "containers_of_unknown_sizes", "sizes", "a_size", "while_loop", "scan", "map"],
)
def test_values_that_are_no_tensors(forward: Any, inputs: Any, sizes: Any, left: int) -> None:
    program = exported(forward, *inputs, dynamic_shapes=sizes)
    found = relayout(program)
    assert permutes(found) == left < permutes(program)
    assert npu_opt.check(program, found)
    file = io.BytesIO()
    torch.export.save(found, file)
    file.seek(0)
    for each in (found, torch.export.load(file)):
        wanted, given = (one.module()(*inputs) for one in (program, each))
        assert pytree.tree_structure(wanted) == pytree.tree_structure(given)
        assert are_equal(pytree.tree_leaves(wanted), pytree.tree_leaves(given))


def both(x: Any) -> Any:
    return x.relu(), x.tanh()


WORDS = "{} in the first program and {} in the second"


@pytest.mark.parametrize(
    ("first", "second", "verdict", "words"),
    [
        (
            lambda: exported(lambda x: {"a": x.relu(), "b": x.tanh()}, X),
            lambda: exported(lambda x: {"b": x.relu(), "a": x.tanh()}, X),
            "different",
            ("the results are {a: *, b: *}", "{b: *, a: *}"),
        ),
        (
            lambda: exported(both, X),
            lambda: exported(lambda x: (x.relu(), (x.tanh(),)), X),
            "different",
            ("the results are (*, *)", "(*, (*,))"),
        ),
        (
            lambda: exported(lambda x, n: x.relu(), X, 3),
            lambda: exported(lambda x, n: x.relu(), X, 4),
            "different",
            ("the inputs that are no tensors are 3", "4"),
        ),
        (
            lambda: exported(lambda d: d["a"].relu() - d["b"], {"a": X, "b": X + 1}),
            lambda: exported(lambda d: d["c"].relu() - d["d"], {"c": X, "d": X + 1}),
            "undecided",
            ("the inputs are (({a: *, b: *},), {})", "(({c: *, d: *},), {})"),
        ),
        (
            lambda: exported(both, X),
            lambda: exported(both, x=X),
            "undecided",
            ("the inputs are ((*,), {})", "((), {x: *})"),
        ),
        (lambda: exported(both, X), lambda: exported(lambda y: [y.relu(), y.tanh()], X), "proved", None),
        (
            lambda: exported(both, X),
            lambda: exported(lambda x: x.relu(), X),
            "different",
            ("@main: the first program has 2 results, the second 1",),
        ),
    ],
    ids=["keys", "nested", "number", "keys_of_inputs", "by_name", "list", "count"],
)  # fmt: skip
def test_interfaces_are_compared(first: Any, second: Any, verdict: str, words: Any) -> None:
    found = npu_opt.check(first(), second())
    wanted = "" if words is None else words[0] if len(words) == 1 else WORDS.format(*words)
    assert (found.word, found.reason) == (verdict, wanted)


def test_first_contents_of_buffers_are_compared() -> None:
    class Counter(torch.nn.Module):
        count: Any

        def __init__(self, begin: float, persistent: bool) -> None:
            super().__init__()
            self.register_buffer("count", torch.full((3,), begin), persistent=persistent)

        def forward(self, x: Any) -> Any:
            self.count.add_(x)
            return self.count * 2

    x = torch.rand(3)
    for persistent in (True, False):
        one, other = (torch.export.export(Counter(begin, persistent), (x,)) for begin in (0.0, 1.0))
        for pair in ((one, other), (one, relayout(other)), (one, npu_opt.optimize(other, target="torch"))):
            words = "different: the buffer 'count' begins with other numbers in the second program"
            assert str(npu_opt.check(*pair)) == words
        assert npu_opt.check(one, relayout(one))


class Cached(torch.nn.Module):
    """Keys in a buffer, into which each step writes a row, and which are read with the rows last."""

    keys: Any

    def __init__(self, persistent: bool) -> None:
        super().__init__()
        self.register_buffer("keys", torch.linspace(0, 1, 240).reshape(1, 6, 5, 8), persistent=persistent)

    def forward(self, query: Any, row: Any, place: Any) -> Any:
        self.keys.index_copy_(1, place, row)
        return query @ self.keys.permute(0, 2, 3, 1)


STEP = torch.rand(1, 5, 1, 8), torch.rand(1, 1, 5, 8), torch.tensor([2])


@pytest.mark.parametrize("persistent", [True, False])
def test_a_buffer_begins_in_the_order_in_which_it_is_read_and_written(persistent: bool) -> None:
    given = torch.export.export(Cached(persistent), STEP)
    free = relayout(given, interface="free")
    assert permutes(given) == 1
    assert permutes(free) == 0
    assert npu_opt.check(given, free)
    stored: Any = free.state_dict if persistent else free.constants
    assert stored["keys"].shape == (1, 5, 8, 6)
    before, after = given.module(), free.module()
    for place in range(4):
        step = torch.rand(1, 5, 1, 8), torch.rand(1, 1, 5, 8), torch.tensor([place])
        assert_close(after(*step).numpy(), before(*step).numpy(), FEW_STEPS_NEAR_ZERO)
    kept, moved = (dict(each.named_buffers())["keys"] for each in (before, after))
    assert torch.equal(kept.permute(0, 2, 3, 1), moved)
    # The file notes the order, which later runs keep.
    file = io.BytesIO()
    torch.export.save(free, file)
    file.seek(0)
    again = relayout(torch.export.load(file))
    assert permutes(again) == 0
    assert npu_opt.check(given, again)
    stored["keys"] += 1
    assert "begins with other numbers" in str(npu_opt.check(given, free))


def test_both_ends_of_a_buffer_have_one_layout() -> None:
    given = torch.export.export(Cached(True), STEP).run_decompositions({})
    (result,) = (spec.arg.name for spec in given.graph_signature.output_specs if spec.target == "keys")
    alone = relayout(given, interface="b_keys:Tensor, [0, 2, 3, 1]")
    assert alone.state_dict["keys"].shape == (1, 6, 5, 8)
    assert npu_opt.check(given, alone)
    both = relayout(given, interface=f"b_keys:Tensor, [0, 2, 3, 1],{result}:Tensor, [0, 2, 3, 1]")
    assert both.state_dict["keys"].shape == (1, 5, 8, 6)
    assert npu_opt.check(given, both)
    with pytest.raises(npu_opt.NpuOptError, match="give what is written into it the same layout"):
        relayout(both, interface="b_keys:Tensor, [0, 3, 1, 2]")
