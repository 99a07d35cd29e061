"""Programs of PyTorch behind `relayout`: sizes, buffers, results, weights, notes, and what cannot be read."""

# pyright: basic
# Functions of PyTorch are written here, which say little of their types.

import copy
import sys
from io import BytesIO
from pathlib import Path
from typing import Any, cast

import npu_opt
import pytest
from npu_opt import NpuOptError
from npu_opt.equivalence.compare import Verdict
from support.torch_graphs import (
    QUIET,
    are_equal,
    compared,
    exported,
    nodes,
    permutes,
    relayout,
    results,
    torch,
)
from torch._higher_order_ops.map import map as mapped
from torch._higher_order_ops.while_loop import while_loop

pytestmark = [QUIET, pytest.mark.filterwarnings("ignore:No complete tensor:UserWarning")]
CLOSE = 1e-5


def image(*shape: int) -> Any:
    return torch.randn(*(shape or (2, 4, 6, 8)), generator=torch.Generator().manual_seed(3))


def moved(module: Any, *inputs: Any, dynamic: Any = None, more: Any = ()) -> tuple[Any, Any]:
    """The program and that behind `relayout`, which is proved and computes the same; both can be saved."""
    program = exported(module, inputs, dynamic)
    found = relayout(program)
    for each in (inputs, *more):
        assert are_equal(results(found, each), results(program, each), CLOSE)
    assert compared(program, found).verdict is Verdict.PROVED
    file = BytesIO()
    torch.export.save(found, file)
    file.seek(0)
    wanted = results(program, inputs)
    assert are_equal(results(torch.export.load(file), inputs), wanted, CLOSE)
    assert are_equal(results(found.run_decompositions(), inputs), wanted, CLOSE)
    assert [(spec.kind, spec.target) for spec in found.graph_signature.output_specs] == [
        (spec.kind, spec.target) for spec in program.graph_signature.output_specs
    ]
    assert found.range_constraints == program.range_constraints
    return program, found


def test_a_layer_whose_input_is_called_as_a_function_of_python():
    _, found = moved(torch.nn.Conv2d(4, 3, 3), image())
    assert [spec.arg.name for spec in found.graph_signature.input_specs] == ["p_weight", "p_bias", "input"]


def test_numbers_that_calls_compute_among_results():
    def function(x: Any) -> Any:
        positive = (x.sum() > 0).to(torch.int64).item()
        return positive, torch.relu(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2), x.shape[0]

    program, found = moved(function, image())
    assert permutes(found) == 0
    assert [type(each) for each in results(found, [image()])] == [type(each) for each in results(program, [image()])]


def test_sizes_that_only_a_call_knows():
    """The call stays, although nothing reads its result."""

    def function(x: Any) -> Any:
        return x.nonzero().shape[0], torch.relu(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)

    _, found = moved(function, image())
    assert permutes(found) == 0


def test_a_long_program():
    """A program of more nodes than calls of functions may be nested."""

    def function(x: Any) -> Any:
        for _ in range(280):
            x = torch.relu(torch.sin(x).permute(0, 2, 3, 1)).permute(0, 3, 1, 2)
        return x

    program = exported(function, [image()])
    found = relayout(program)
    assert len(nodes(program)) > sys.getrecursionlimit()
    assert permutes(found) == 0
    assert compared(program, found).verdict is Verdict.PROVED


def test_a_wide_program():
    """As many inputs as results."""

    def function(*values: Any) -> Any:
        return [torch.relu(each.permute(1, 0)).permute(1, 0) + values[0] for each in values]

    program = exported(function, [image(2, 3) for _ in range(100)])
    found = relayout(program)
    assert permutes(found) == 0
    assert compared(program, found).verdict is Verdict.PROVED


# Sizes that are known at run time only.


def test_sizes_of_views():
    batch, rows = torch.export.Dim("batch", min=2, max=64), torch.export.Dim("rows", min=2, max=64)

    def function(x: Any) -> Any:
        y = x.permute(0, 2, 3, 1).reshape(x.shape[0], -1, 2, 2).permute(0, 2, 3, 1)
        return y.reshape(x.shape[0], -1), x.permute(0, 2, 3, 1).contiguous().view(x.shape[0] * x.shape[2], -1)

    _, found = moved(function, image(), dynamic=[{0: batch, 2: rows}], more=[[image(5, 4, 7, 8)]])
    assert permutes(found) == 1


def test_sizes_of_parts():
    one, other = torch.export.Dim("one", min=2, max=64), torch.export.Dim("other", min=2, max=64)

    def function(x: Any, y: Any) -> Any:
        both = torch.cat([x.permute(0, 2, 3, 1), y.permute(0, 2, 3, 1)], 2)[:, 1:, 2:].flip(2)
        return both.permute(0, 3, 1, 2), torch.arange(y.shape[3]) + 1

    inputs = image(), image(2, 4, 6, 5)
    _, found = moved(function, *inputs, dynamic=[{3: one}, {3: other}], more=[[image(2, 4, 6, 9), image(2, 4, 6, 11)]])
    assert permutes(found) == 0


def test_pads_keep_sizes_unknown():
    rows = torch.export.Dim("rows", min=2, max=64)

    def function(x: Any) -> Any:
        padded = torch.nn.functional.pad(x.permute(0, 2, 3, 1), (0, 0, 0, 0, 1, 0), value=0.5)
        return padded.permute(0, 3, 1, 2).relu()

    _, found = moved(function, image(), dynamic=[{0: rows}], more=[[image(5, 4, 6, 8)]])
    (output,) = found.graph.find_nodes(op="output")
    assert isinstance(output.args[0][0].meta["val"].shape[0], torch.SymInt)


class Narrowed(torch.nn.Module):
    """A part of a size that is an input."""

    def forward(self, x: Any, count: Any) -> Any:
        size = count.item()
        torch._check(size >= 1)
        torch._check(size <= 4)
        return x.narrow(1, 0, size).permute(0, 2, 3, 1).relu().permute(0, 3, 1, 2), x[0, 0, 0].nonzero() * 2


def test_sizes_that_data_say():
    program, found = moved(Narrowed(), image(), torch.tensor(3), more=[[image(), torch.tensor(2)]])
    assert [permutes(program), permutes(found)] == [2, 0]
    asserts = [node for node in nodes(program) if "assert" in node]
    assert asserts
    assert [node for node in nodes(found) if "assert" in node] == asserts


# Graphs that calls read.


class Branches(torch.nn.Module):
    def __init__(self, function: Any) -> None:
        super().__init__()
        self.function = function

    def forward(self, x: Any) -> Any:
        y = x.permute(0, 2, 3, 1)
        return torch.cond(
            x.sum() > 0, lambda a: self.function(a).permute(0, 3, 1, 2), lambda a: a.permute(0, 3, 1, 2) + 1, (y,)
        )


def test_branches_stay():
    program, _ = moved(Branches(torch.sin), image(), more=[[-image()]])
    other = exported(Branches(torch.cos), [image()])
    assert compared(program, other).verdict is not Verdict.PROVED


def test_graphs_in_graphs_count():
    class Nested(Branches):
        def forward(self, x: Any) -> Any:
            inner = lambda a: torch.cond(a.sum() > 1, self.function, torch.neg, (a,))  # noqa: E731
            return torch.cond(x.sum() > 0, inner, torch.relu, (x,))

    one, other = (exported(Nested(function), [image()]) for function in (torch.sin, torch.cos))
    assert compared(one, other).verdict is not Verdict.PROVED
    assert compared(one, relayout(one)).verdict is Verdict.PROVED


def test_loops_stay():
    class Loops(torch.nn.Module):
        def forward(self, x: Any, count: Any) -> Any:
            y = x.permute(0, 2, 3, 1).relu()
            looped = while_loop(lambda n, a: n > 0, lambda n, a: (n - 1, a + 1), (count, y))[1]
            return looped.permute(0, 3, 1, 2), cast("Any", mapped)(lambda a: a.permute(1, 2, 0).sin(), x)

    moved(Loops(), image(), torch.tensor(3))


def test_loops_read_the_strides_that_they_had():
    """The graph of a loop has views, which refuse other strides."""

    class Viewed(torch.nn.Module):
        def forward(self, x: Any, count: Any) -> Any:
            y = torch.cat([x.permute(0, 2, 3, 1).reshape(-1)]).view(1, 5, 6, 3)
            return while_loop(lambda n, a: n > 0, lambda n, a: (n - 1, a.view(-1).mul(2).view(a.shape)), (count, y))[1]

    moved(Viewed(), torch.rand(1, 3, 5, 6), torch.tensor(3))


# Buffers and inputs that are written.


class Cache(torch.nn.Module):
    """Keys of earlier words, and a count that is not saved."""

    keys: Any
    count: Any

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("keys", torch.zeros(1, 2, 16, 4))
        self.register_buffer("count", torch.zeros(1), persistent=False)
        self.linear = torch.nn.Linear(8, 8)

    def forward(self, x: Any, places: Any) -> Any:
        query = self.linear(x).view(1, -1, 2, 4).transpose(1, 2)
        self.keys[:, :, places] = query
        self.count.add_(1)
        return query @ self.keys.transpose(2, 3), self.count


def test_caches():
    program, found = moved(Cache(), image(1, 3, 8), torch.tensor([2, 4, 5]))
    assert found.graph_signature.buffers_to_mutate == program.graph_signature.buffers_to_mutate
    module = copy.deepcopy(found).module()
    counts = [float(module(image(1, 3, 8), torch.tensor([2, 4, 5]))[1]) for _ in range(2)]
    assert counts == [1, 2]


def test_written_inputs():
    def function(x: Any, y: Any) -> Any:
        x.add_(1)
        y[:, 1].mul_(2)
        view = y.permute(0, 2, 3, 1)
        view.relu_()
        return x, view.permute(0, 3, 1, 2), x

    program, found = moved(function, image(3), image())
    assert [permutes(program) > 0, permutes(found)] == [True, 0]


# Results.


def test_results_are_no_views_of_what_they_copied():
    def function(x: Any) -> Any:
        y = x.relu()
        return y, y.clone(), x.clone(), x, x.permute(0, 2, 3, 1).permute(0, 3, 1, 2), y

    program, found = moved(function, image())
    x = image()
    first, second, third, fourth, fifth, last = copy.deepcopy(found).module()(x)
    memory = [each.data_ptr() for each in (first, second, third, x)]
    assert len({*memory}) == 4
    assert (fourth.data_ptr(), last.data_ptr()) == (x.data_ptr(), first.data_ptr())
    assert fifth.data_ptr() != third.data_ptr()
    assert [spec.arg.name for spec in found.graph_signature.output_specs][:4] == [
        spec.arg.name for spec in program.graph_signature.output_specs
    ][:4]


def test_results_of_a_tree():
    class Tree(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = torch.nn.Parameter(torch.ones(4, 4))

        def forward(self, x: Any) -> Any:
            return {"a": x.relu(), "b": [3, None, "text", self.weight]}

    program = exported(Tree(), [image()])
    found = copy.deepcopy(relayout(program)).module()(image())
    assert found["b"][:3] == [3, None, "text"]
    assert torch.equal(found["b"][3], torch.ones(4, 4))


# Weights.


class Tied(torch.nn.Module):
    part: Any

    def __init__(self) -> None:
        super().__init__()
        self.first = torch.nn.Conv2d(4, 4, 1, bias=False)
        self.second = torch.nn.Conv2d(4, 4, 1, bias=False)
        self.second.weight = self.first.weight
        wide = torch.randn(8, 4)
        self.turned = torch.nn.Parameter(wide.t())
        self.register_buffer("part", wide[::2])

    def forward(self, x: Any) -> Any:
        weights = [self.first.weight, self.second.weight]
        found = [x.relu() + each.permute(2, 3, 0, 1).reshape(1, 4, 4, 1).tanh() for each in weights]
        return found[0] * found[1], (x.permute(0, 2, 3, 1) @ self.turned), self.part.t() + 1


def test_tied_weights_are_moved_once():
    program, found = moved(Tied(), image(2, 4, 4, 8))
    assert {*program.state_dict} >= {"first.weight", "second.weight", "turned", "part"}
    new = [name for name in found.state_dict if name.startswith(("first", "second")) and name not in program.state_dict]
    assert len(new) <= 1
    inputs = {spec.target for spec in found.graph_signature.input_specs if spec.target}
    assert {*found.state_dict} <= inputs


# Strides.


def test_nothing_in_front_of_data():
    """A concatenation of no elements and data is the data."""

    def function(x: Any) -> Any:
        keys = torch.cat([torch.tensor([]), x * 2], -2)
        return keys, keys.transpose(1, 2) + 1

    _, found = moved(function, image())
    assert "aten.cat.default" not in nodes(found)


def test_views_of_other_strides():
    """A view that read contiguous data has to read what a plan has left."""

    def function(x: Any) -> Any:
        y = x.tanh().permute(0, 2, 3, 1)
        z = (y.contiguous() * 2).view(2, -1)
        return z, y.clone().as_strided((2, 3), (1, 2)), y.contiguous().view(torch.int32)

    moved(function, image())
    moved(function, image().contiguous(memory_format=torch.channels_last))


# Notes.


class Layers(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.Conv2d(4, 4, 3)

    def forward(self, x: Any) -> Any:
        return self.layer(x.permute(0, 3, 1, 2).relu()).permute(0, 2, 3, 1).sigmoid().permute(0, 3, 2, 1)


def test_new_nodes_say_where_they_are_from():
    program, found = moved(Layers(), image(2, 6, 8, 4))
    for node in found.graph.nodes:
        if node.op == "call_function":
            assert node.meta["nn_module_stack"]
            assert "val" in node.meta
    assert found.module_call_graph == program.module_call_graph
    assert torch.export.unflatten(found)(image(2, 6, 8, 4)).shape == results(program, [image(2, 6, 8, 4)])[0].shape


def test_arguments_with_names_of_functions_of_python():
    """Such as that of a Sequential."""

    class Named(torch.nn.Module):
        def forward(self, input: Any, sum: Any) -> Any:
            return torch.add(input.permute(0, 2, 3, 1).sigmoid(), sum).permute(0, 3, 1, 2).sum(1)

    for module, inputs in (
        (torch.nn.Sequential(Layers()), [image(2, 6, 8, 4)]),
        (Named(), [image(), image(1, 1, 1, 4)]),
    ):
        program, found = moved(module, *inputs)
        assert found.graph_signature.user_inputs == program.graph_signature.user_inputs
        assert permutes(found) < permutes(program)


def test_marks_of_nodes_stay_in_another_order():
    """Notes that may be of the old order do not."""
    program = exported(Layers(), [image(2, 6, 8, 4)])
    for node in program.graph.nodes:
        node.meta |= {"custom": {"mark": node.name}, "tensor_meta": node.meta.get("val")}
    found = relayout(program)
    marks = {node.name: node.meta.get("custom") for node in program.graph.nodes if node.name != "permute_1"}
    # The last permute is another one.
    assert {node.name: node.meta.get("custom") for node in found.graph.nodes} == {**marks, "permute_2": None}
    (moved,) = found.graph.find_nodes(op="call_function", target=torch.ops.aten.sigmoid.default)
    assert moved.meta["val"].shape == (2, 4, 4, 6)
    assert "tensor_meta" not in moved.meta


def test_programs_for_training_are_read_as_they_are():
    """Nodes keep their names, if the program is functional or not."""

    def function(x: Any) -> Any:
        return x.clone().add_(1).transpose(1, 2).relu_()

    program = torch.export.export(Layers(), (image(2, 6, 8, 4),))
    assert nodes(relayout(program)) == nodes(relayout(program.run_decompositions({})))
    written = exported(function, [image()])
    assert are_equal(results(relayout(written), [image()]), [function(image()), image()])
    assert {*nodes(relayout(written, passes=""))[:-1]} <= {*nodes(written)}


# Many nodes, no elements, and other elements.


def test_long_chains():
    def function(x: Any) -> Any:
        for _ in range(60):
            x = x.permute(1, 0).neg().detach().clone()
        return x

    program, found = moved(function, image(2, 3))
    assert permutes(found) == 0
    assert len(nodes(found)) < len(nodes(program)) / 2


def test_no_elements():
    moved(lambda x: torch.cat([x, x[:, :, :0]], 2).permute(0, 2, 3, 1).flatten(1), image(2, 4, 0, 3))


def test_complex_numbers_have_their_line():
    class Complex(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return torch.view_as_complex(x).abs()

    program = exported(Complex(), [image()[..., :2].contiguous()])
    line = Complex.forward.__code__.co_firstlineno + 1
    with pytest.raises(NpuOptError, match=rf"test_torch_programs.py:{line}: view_as_complex: .*complex64"):
        relayout(program)


class Refused(torch.nn.Module):
    """A module that PyTorch or the dialect refuses in its line of a name."""

    weight: Any

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.kind = kind
        if kind == "sparse weights":
            self.register_buffer("weight", torch.eye(3).to_sparse())

    def forward(self, x: Any) -> Any:
        if self.kind == "branch" and x.sum() > 0:
            return x
        if self.kind == "sparse":
            return x.to_sparse().to_dense()
        if self.kind == "sparse weights":
            return self.weight @ x
        return x @ torch.ones(7, 7)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("branch", "x.sum() > 0: the module cannot be exported: Could not guard on data-dependent expression"),
        ("sparse", "x.to_sparse(): to_sparse: the dialect has no tensors of torch.sparse_coo"),
        ("sparse weights", "self.weight @ x: b_weight: the dialect has no constants of torch.sparse_coo"),
        ("shapes", "x @ torch.ones(7, 7): the module cannot be exported: a and b must have same reduction dim"),
    ],
)
def test_what_is_refused_has_its_line_and_no_pages(kind: str, words: str, capfd: pytest.CaptureFixture[str]):
    with pytest.raises(NpuOptError) as error:
        npu_opt.load(Refused(kind), args=(torch.ones(3, 3),))
    code, _, expected = words.partition(": ")
    source = Path(__file__).read_text().splitlines()
    first = Refused.forward.__code__.co_firstlineno
    line = next(place for place in range(first, len(source)) if code in source[place - 1])
    assert str(error.value).startswith(f"{__file__}:{line}: {expected}")
    assert "\n" not in str(error.value)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "argument args: expected inputs with which the module is exported; found None"),
        ({"args": ()}, "the module cannot be exported: missing a required argument: 'x'"),
        ({"args": [image(), image()]}, "the module cannot be exported: too many positional arguments"),
        ({"args": image()}, "argument args: expected a tuple or list of inputs; found 'Tensor'"),
        ({"args": (image(),), "kwargs": [1]}, "argument kwargs: expected inputs by name; found 'list'"),
        ({"args": (image(),), "kwargs": {"y": 1}}, "the module cannot be exported: got an unexpected keyword"),
    ],
)
def test_wrong_inputs_of_modules(given: Any, words: str):
    for function in (npu_opt.load, npu_opt.optimize, lambda net, **rest: npu_opt.check(net, net, **rest)):
        with pytest.raises(NpuOptError) as error:
            function(Refused("none"), **given)
        assert str(error.value).startswith(words)


def test_inputs_of_an_exported_program_are_refused():
    relu: Any = torch.nn.ReLU()
    program = torch.export.export(relu, (image(),))
    wrong: dict[str, Any] = {"args": (image(),), "dynamic_shapes": {}}
    functions: list[Any] = [npu_opt.load, npu_opt.optimize, lambda given, **rest: npu_opt.check(given, given, **rest)]
    for name, value in wrong.items():
        for function in functions:
            with pytest.raises(NpuOptError, match=f"argument {name}: expected none, unless a torch.nn.Module is"):
                function(program, **{name: value})
    assert npu_opt.check(program, relu, args=(image(),))


def test_only_programs_are_relayouted():
    with pytest.raises(NpuOptError, match=r"argument program: expected a torch.export.ExportedProgram; found Refused"):
        relayout(cast("Any", Refused("none")))


def test_programs_that_pytorch_does_not_make_functional_have_their_line():
    program = torch.export.export(Refused("sparse"), (torch.ones(3, 3),))
    file = BytesIO()
    torch.export.save(program, file)
    file.seek(0)
    with pytest.raises(
        NpuOptError, match=r"test_torch_programs.py:\d+: the program cannot be made functional: .*sparse"
    ):
        relayout(torch.export.load(file))


def test_truth_values_and_short_floats():
    class Kinds(torch.nn.Module):
        mask: Any
        short: Any
        bytes: Any

        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("mask", torch.tensor([[True, False, True], [False, True, True]]))
            self.register_buffer("short", torch.tensor([[1.5, 2.0, 3.0], [0.1, -1.0, 7.0]], dtype=torch.bfloat16))
            self.register_buffer("bytes", torch.tensor([[200, 3, 4], [5, 6, 255]], dtype=torch.uint8))

        def forward(self, x: Any) -> Any:
            short = torch.full((2, 3), 0.1, dtype=torch.bfloat16)
            return (
                self.mask.t() & x,
                (self.short + short).t(),
                self.bytes.t(),
                torch.ones(3, dtype=torch.bool) & x[:, 0],
            )

    moved(Kinds(), torch.tensor([[True, True], [False, True], [True, False]]))
